// Package geometry holds shapes: closed convex polyhedra with half-edges, built from point sets,
// from meshes or from a short description, checked once and then trusted; their mass properties;
// what cuts, moves and scales them; and the templates the arena of package soa takes.
//
// It refuses file formats (fileio reads files into a Mesh), the motion of bodies, and contacts.
//
// Frame: a Polyhedron keeps the frame of its file and knows its centroid; Template moves the origin
// to the centroid, which is where the engine wants it. Lengths are in any unit u, volumes in u³,
// moments of inertia in u⁵ for density 1; the documentation says m.
//
// A polyhedron is the convex hull of its vertices: the vertices of a face lie in its plane to rounding, and all facets
// of the hull are in its list. WeldTol and MergeTol say what was taken for one vertex and for one face, Moved by how much
// vertices moved to make faces planar, and Label which faces make one that could not be made planar.
//
// Coordinates are float64: of a body at the distance D of the origin each vertex is known to
// 1e-16·D. Mass properties do not add to that: they are integrated about a point of the body, in
// twice the precision of float64, and are those of the vertices as given, rounded once.
//
// Everything is deterministic to the last bit on every machine: no map is walked, no product is
// fused, seeded shapes come from Rand alone.
//
// Read polyhedron.go first, then frommesh.go.
package geometry
