package asm

import "github.com/scree-dem/scree/vec"

// LatticeFrame is the position of a lattice, for each axis: its origin in m, its steps per metre,
// and its highest coordinate, which is less than 1<<LatticeLane.
type LatticeFrame struct{ From, Step, Last [3]float64 }

// LatticeCorners rounds the corners of boxes down to a lattice. corners[2*i] is the lower corner of
// box i, and corners[2*i+1] its upper corner with set guards. Points beyond the lattice move to its
// border. The coordinates of a corner p are, for each axis, with a NaN counted as 0,
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

// Corners does the same as LatticeCorners for one box.
func (f *LatticeFrame) Corners(b *vec.Box) (lower, upper uint64) {
	return f.corner(&b.Min), f.corner(&b.Max) | LatticeGuards
}
