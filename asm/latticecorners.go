package asm

import "github.com/scree-dem/scree/vec"

// LatticeFrame is where a lattice lies: its origin, m, its steps per metre, and the highest
// coordinate, below 1<<LatticeLane.
type LatticeFrame struct{ From, Step, Last [3]float64 }

// LatticeCorners rounds the corners of boxes down to a lattice: corners[2*i] is the lower corner of
// box i, and corners[2*i+1] the upper one with its guards set. What lies beyond the lattice is at
// its border. The coordinates of a corner p are, for each axis, with a NaN as 0,
//
//	uint64(min(max((p - From) * Step, 0), Last))
//
//	len(corners) == 2*len(boxes), 0 <= Last < 1<<LatticeLane
//
// Exact: a difference and a product, each rounded.
func LatticeCorners(boxes []vec.Box, f *LatticeFrame, corners []uint64) {
	if len(corners) != 2*len(boxes) {
		panic("asm: LatticeCorners: columns of unequal length")
	}
	latticeCorners(boxes, f, corners)
}

// Corners is LatticeCorners of one box.
func (f *LatticeFrame) Corners(b *vec.Box) (lower, upper uint64) {
	return f.corner(&b.Min), f.corner(&b.Max) | LatticeGuards
}
