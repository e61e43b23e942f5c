// Package hull computes convex hulls of points in three dimensions.
//
// The package turns points into a checked polyhedron of vertices, faces as loops, and planes. It
// does not compute half-edges, mass properties or anything else that package geometry builds on the
// result.
//
// Points are in any frame and any unit of length; results are in the same frame and unit. Normals
// are unit vectors and point outwards. Loops run counter-clockwise seen from outside.
//
// Compute has four steps, one file each:
//
//	prepare.go  scales the points by a power of two, sorts them, removes duplicates
//	build.go    builds the exact hull as triangles: quickhull with exact predicates
//	facets.go   joins exactly coplanar triangles into facets
//	merge.go    merges facets that are coplanar within a tolerance; group.go decides which ones
//
// The result depends only on the set of points: not on their order, and not on a power of two that
// multiplies all coordinates. Read hull.go first.
package hull
