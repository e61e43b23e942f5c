// Package pairs answers tables of pairs. Each input row names two shapes and two poses. The output
// row has their gap, normal, witness points, contact type and location.
//
// It owns the columns of both tables, shapes by name, rounding, and tracks (rows that are
// successive poses of one moving pair). It also owns the pipeline of reader, workers and writer,
// which uses bounded memory and preserves the order. It computes no contacts itself: narrow,
// overlap and fileio do.
//
// Frames: a pose places the frame of the shape's file in the world. Contacts are computed relative
// to the origin of A, so coordinates far from the world's origin cost no accuracy. Units: m, or any
// other; nothing assumes a scale.
//
// An error in a row is reported in that row. The output is the same on every backend and with any
// number of workers. docs/pairs.md describes the columns. Users may rely on LoadShapes, Run, and
// their parameter and result types. Read run.go first, then answer.go.
package pairs
