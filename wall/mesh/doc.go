// Package mesh knows the facets of one wall and how they meet. It finds once, for all that meet the
// wall, which facets lie in one plane, which are connected across their edges, where the wall ends,
// and which facets form one connected part.
//
// The package does not know bodies, laws or contacts. Package coplanar makes the facets of one plane
// one surface, for laws that act by gaps; package surface puts material behind facets, for laws that
// act by overlaps.
//
// Terms:
//
//   - A seam is a gap between facets that counts as none.
//   - A part is a set of facets that are connected by their edges. It has two sides, 0 and 1.
//   - A flat piece is a connected set of coplanar facets.
//
// Frame: that of the wall. Units: m. The same facets give the same bits.
//
// Read mesh.go first, then connect.go.
package mesh
