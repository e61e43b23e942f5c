// Package kernels asks the innermost questions of shapes, bodies and candidate pairs: how far a shape
// reaches along a direction, how far a point is from its planes, where its world box is,
// which pairs have used up their certificate, how a pair lies that touches at known features. It
// moves free bodies.
//
// It owns the typing of package asm on the columns of soa, and batches: many questions in one call,
// laid out so that a backend can put a question in each lane. It refuses build tags, backends and
// decisions: what an answer means is for the stages of engine.
//
// Answers are exact in asm's sense: the same bits on every backend, ties to the lowest index. A batch
// gives the bits of its single questions. Nothing allocates but Resize of a batch. Ranges are
// half-open, lo ≤ i < hi. Lengths are in m and the frame stands at each function.
//
// A ball is its centre with a rounding radius: it has no vertices and no planes, and only WorldBox,
// WorldBoxes and the axis gaps know what to do with one.
//
// Read support.go first, then axisgap.go.
package kernels
