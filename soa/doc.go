// Package soa is the memory layout: struct-of-arrays columns for shapes, bodies, pieces, candidate
// pairs and contacts.
//
// It owns lengths, alignment, padding and the bytes each thing costs. It refuses arithmetic: what a
// column means is computed by geometry, kernels and the engine. The one exception is what rims.go,
// stars.go and corners.go derive from a shape on its way in, so that no shape is without it.
//
// Columns carry their role in their name (bodies.Pos.X[i], shapes.Planes.D[f]); indices are typed
// (Body, Piece, Shape, Vertex, Face, HalfEdge). Ranges are first-and-count. Float columns start on a
// 64-byte boundary; the vertices and the face planes of each shape start at a multiple of Lanes and
// are padded to one with values that can never win, so that kernels need no masks.
//
// Bytes: a body costs BodyBytes, a candidate pair PairBytes (read for every pair, every step), a
// contact ContactBytes (read only for pairs whose certificate has expired or that touch). Tests
// compare these constants with the columns.
//
// Units are the scene's, m, kg and s in the documentation; frames stand at each column. Users may rely on
// Shapes and View, which engine/narrow takes. Read shapes.go first, then bodies.go.
package soa
