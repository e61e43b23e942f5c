// Package surface computes how blocks overlap with the facets of walls, for laws that act by
// overlaps. A facet has no volume. The package therefore puts material behind the side of the facet
// that the block comes from (docs/decisions/0019-walls-under-overlap-laws).
//
// The package owns the material behind both sides of each facet. It makes the material of a facet when
// package contact asks for it, decides which facets count as one contact, and computes the overlap of a
// block with the material. How the facets of a wall meet it reads from package wall/mesh. It does not
// know bodies, pairs, steps or histories: package contact passes in the mesh of a wall once, and then
// each block with the facets that it may touch.
//
// Terms:
//
//   - A block feels a part of a wall (package wall/mesh) on one of its two sides only: the side that
//     stores less energy.
//   - A prism is the material behind one side of a facet, or of a convex piece of the facet. Planes
//     at the edges of the facet bound it.
//   - The rate of an edge is how fast the material widens there with depth, m/m. At a valley the
//     rate is positive. At a ridge it is negative: the material narrows.
//   - A bin is one of 256 directions, or a whole convex wall. A facet has a share in each bin
//     (shares.go). WallBackings.Shares holds the shares of each direction of facets.
//   - λ, m², is the thickness of an overlap, squared, over 12: force.Overlap.Variance.
//
// Frame: that of the wall. Units: m. The same facets and blocks give the same bits.
//
// Read sides.go first, then press.go.
package surface
