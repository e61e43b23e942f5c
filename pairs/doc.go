// Package pairs answers tables of pairs: where each row names two shapes and two poses, a row comes out with their
// gap, normal, witness points, contact type and location.
//
// It owns the columns of both tables, the shapes by name, rounding, tracks (rows that are one pair in motion), and
// the way of a row through reader, workers and writer, in bounded memory and in order. It refuses to find contacts
// itself: engine/narrow, engine/overlap and fileio do the work.
//
// Frames: a pose places the shape's own frame, that of its file, in the world. A pair is answered relative to
// the origin of A, so coordinates far from the world's origin cost no digits. Units: m, or any other; nothing
// assumes a scale.
//
// What is wrong with a row is said in that row. The output is the same on every backend and number of workers.
// docs/pairs.md has the columns. Users may rely on LoadShapes, Run and what they take and return. Read run.go first,
// then answer.go.
package pairs
