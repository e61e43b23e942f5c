// Package soa defines the memory layout: struct-of-arrays columns for shapes, bodies, pieces,
// candidate pairs and contacts.
//
// The package owns lengths, alignment, padding and the number of bytes of each row. It does not
// compute what a column means: geometry, kernels and the engine do. The exception is what
// Shapes.Add derives from a new shape, in rims.go, quads.go, corners.go and the like. So every
// shape has these derived columns.
//
// A column has its role in its name (bodies.Pos.X[i], shapes.Planes.D[f]). Indices are typed (Body,
// Piece, Shape, Vertex, Face, HalfEdge). Ranges are given by the first index and the count. Float
// columns start on a 64-byte boundary. The vertices and the face planes of each shape start at a
// multiple of Lanes. They are padded to a multiple of Lanes with values that can never win a
// comparison, so kernels need no masks.
//
// Memory: a body takes BodyBytes. A candidate pair takes PairBytes, which every step reads for
// every pair. A contact takes ContactBytes and ForceBytes, which a step reads only if the pair touches or
// its certificate has expired. Tests compare these constants with the columns.
//
// Units are the scene's, m, kg and s in the documentation. The frame is stated at each column.
// Users may rely on Shapes and View, which narrow takes. Read shapes.go first, then
// bodies.go.
package soa
