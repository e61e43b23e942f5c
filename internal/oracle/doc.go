// Package oracle computes the engine's results slowly and in an obvious way, as a reference for
// tests: gap and normal by trying every relevant direction, the same in exact arithmetic, the
// common volume by clipping with 256 bits, plane sections by clipping a square, and displacements
// and rotation angles between poses with 600 bits.
//
// It contains no method of the engine and shares no code path with one. It has no tolerances that
// affect a result, and it is not fast. Only tests and package bench may import it.
//
// Frame and units: a Body is in the world frame, or in a frame moved to an origin that the caller
// chose; lengths in m. Read body.go first, then gap.go.
package oracle
