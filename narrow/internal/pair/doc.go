// Package pair represents two polyhedra in one frame. Frame holds the pair that the other internal
// packages work on: vertices, faces and edges in the frame of A, support functions, pairs of
// features, the gap, normal and witness points of a pair of features, and the Answer with its
// bounds and its certificates by motion and by axis. The package does not search for features:
// packages proof and search do.
//
// Frame: that of A, scaled by a power of two if lengths are extreme. Lengths have the unit of the
// shapes. Every tolerance is a multiple of the pair's length scale (tolerances.go). Read frame.go
// first, then finalise.go.
package pair
