// Package coplanar makes the facets of a wall that lie in one plane act as one surface, for laws
// that act by gaps. A group of coplanar facets has one depth, and an edge that two facets share
// exerts one force (docs/decisions/0018-coplanar-facets). For laws that act by overlaps, the package makes the
// contacts of a ball share one potential (docs/decisions/0019-walls-under-overlap-laws).
//
// The package decides which facets of a wall form a group and where the surface of a group ends. It
// finds the contacts of a ball or a block with a wall of several facets. It knows nothing of steps,
// pairs and histories, and does not evaluate a piece against a single facet. How the facets meet it
// reads from package wall/mesh. Package contact passes the mesh of a wall once. Then, for each piece, it passes the facets that the piece touches,
// with their answers.
//
// Frame: a group's boundary is in the frame of its plane, contacts are in world axes. Units: m. The
// same facets and poses give the same bits.
//
// Read groups.go first, then finder.go and block.go.
package coplanar
