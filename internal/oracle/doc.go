// Package oracle answers the engine's questions slowly and obviously, so that tests have a truth to
// compare with: gap and normal by trying every direction that can matter, the same in exact
// arithmetic, the common volume by clipping in 256 bits, plane sections by clipping a square, ways and turns between
// poses in 600 bits.
//
// It owns no method the engine uses and shares no code path with one. It refuses speed, tolerances
// that decide an answer, and importers other than tests and package bench.
//
// Frame and units: a Body lies in the world frame, or in one moved to an origin the caller chose;
// lengths in m. Read body.go first, then gap.go.
package oracle
