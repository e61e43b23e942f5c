// Package coplanar makes the facets of a wall that lie in one plane act as one surface, for laws
// that act by gaps: they share one depth, and an edge that two facets share pushes once
// (docs/decisions/0023). For laws that act by overlaps it makes the contacts of a ball share one
// potential (docs/decisions/0048).
//
// It owns which facets of a wall form a group, where the surface of a group ends, and which
// contacts a ball or a block has with a wall of several facets. It refuses to know steps, pairs
// and histories, and to answer a piece and one facet: package engine hands over the facets of a
// wall once, and then a piece and its answers with the facets that it touches.
//
// Frame: a group's boundary is in the frame of its plane, contacts are in the world's axes. Units:
// m. The same facets and poses give the same bits.
//
// Read groups.go first, then finder.go and block.go.
package coplanar
