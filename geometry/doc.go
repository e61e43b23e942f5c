// Package geometry builds shapes: closed convex polyhedra with half-edges. A polyhedron is built
// from a point set, from planes, from a mesh or from a short description. The package checks the
// polyhedron once; later code relies on the check. The package also computes mass properties; cuts,
// moves, scales, erodes and expands polyhedra; and makes the templates that the arena of package soa
// stores.
//
// The package does not handle file formats (package fileio reads files into a Mesh), the motion of
// bodies, or contacts.
//
// Frames and units: a Polyhedron keeps the frame of its file and stores its centroid. Template
// moves the origin to the centroid, as the engine requires. Lengths are in any unit u, volumes in
// u³, and moments of inertia in u⁵ for density 1. The documentation writes m for u.
//
// A polyhedron is the convex hull of its vertices. The vertices of each face lie in one plane to
// rounding, and the list of faces contains every facet of the hull. WeldTol and MergeTol are the
// tolerances within which vertices were welded and facets merged. Moved is how far vertices were
// moved to make faces planar. Label groups the faces that form one face of the modelled body but
// could not be made planar.
//
// Coordinates are float64: a vertex at the distance D from the origin is accurate to 1e-16·D. Mass
// properties add no error to that. They are integrated about a point of the body in twice the
// precision of float64, for the vertices as given, and are rounded once.
//
// All results are bit-identical on every machine: no loop depends on map order, the compiler fuses
// no product, and seeded shapes use Rand only.
//
// Read polyhedron.go first, then frommesh.go.
package geometry
