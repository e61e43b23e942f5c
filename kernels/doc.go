// Package kernels has the innermost operations on shapes, bodies and candidate pairs. Some return
// how far a shape extends along a direction, how far a point is from its planes, or its box in the
// world. Others find the pairs that have reached the expiry of their certificate, and compute gap,
// normal and witness points at known features. Two move free bodies.
//
// The package passes the columns of soa to package asm, and owns batches: many queries in one call,
// one query a row, so that a backend can work on several rows at a time. It refuses build tags,
// backends and decisions: engine and its packages decide what results mean.
//
// Results are exact, as in package asm: every backend returns the same bits, and the lowest index
// wins a tie. A batch returns the bits of its single queries. Only Resize of a batch allocates.
// Ranges are half-open, lo ≤ i < hi. Lengths are in m. Each function names its frame.
//
// A ball is a centre with a rounding radius. It has no vertices and no planes. Only WorldBox,
// WorldBoxes and the axis gaps accept balls.
//
// Read support.go first, then axisgap.go.
package kernels
