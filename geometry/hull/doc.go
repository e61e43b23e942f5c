// Package hull computes convex hulls of points in three dimensions.
//
// It owns the way from points to a checked polyhedron: vertices, faces as loops, planes. It refuses
// half-edges, mass properties and everything else that geometry builds on the result.
//
// Points are in any frame and any unit of length; results are in the same. Normals are unit and point
// outwards, loops run counter-clockwise seen from outside.
//
// The work is done in four steps, one file each:
//
//	prepare.go  points scaled by a power of two, sorted, without duplicates
//	build.go    the exact hull as triangles: quickhull with exact predicates
//	facets.go   coplanar triangles as facets, exactly
//	merge.go    facets that only rounding keeps apart, within a tolerance; group.go decides which
//
// The result depends on the set of points only: not on their order, and not on a power of two that
// multiplies them all. Read hull.go first.
package hull
