// Package curve puts points into the order of a space-filling curve, so that points near each other in space
// are mostly near each other in the order.
package curve

import (
	"cmp"
	"math"
	"slices"
)

// Names of the orders.
const (
	None    = "none"    // as the points are given
	Random  = "random"  // the same for the same number of points
	Morton  = "morton"  // along the curve of Morton 1966, which jumps
	Hilbert = "hilbert" // along the curve of Hilbert 1891, on which neighbours always touch
)

// Names lists the orders.
var Names = []string{None, Random, Morton, Hilbert}

// bits is the number of bits of a coordinate, so that the three of a point fit into one key. Points that share a cell
// of 2⁻²¹ of the largest extent keep their order.
const bits = 21

// Order returns the indices of points in the order of the given name. Coordinates may be in any unit. Those that are
// not finite count as the least.
func Order(name string, x, y, z []float64) []uint32 {
	type place struct {
		key   uint64
		index uint32
	}
	places := make([]place, len(x))
	scale := cube(x, y, z)
	for i := range places {
		at := [3]uint32{scale.cell(x[i], 0), scale.cell(y[i], 1), scale.cell(z[i], 2)}
		p := place{index: uint32(i)}
		switch name {
		case Random:
			p.key = mix(uint64(i))
		case Morton:
			p.key = interleave(at)
		case Hilbert:
			p.key = interleave(transpose(at))
		}
		places[i] = p
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.index, b.index)) })
	order := make([]uint32, len(places))
	for k, p := range places {
		order[k] = p.index
	}
	return order
}

// grid is the cube that holds the points, of half the size, so that no difference overflows.
type grid struct {
	least [3]float64
	side  float64
}

func cube(columns ...[]float64) (g grid) {
	for k, c := range columns {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, v := range c {
			if v-v == 0 {
				lo, hi = min(lo, 0.5*v), max(hi, 0.5*v)
			}
		}
		if lo <= hi {
			g.least[k], g.side = lo, max(g.side, hi-lo)
		}
	}
	return g
}

// cell returns the cell of a coordinate along axis k.
func (g *grid) cell(v float64, k int) uint32 {
	const cells = 1 << bits
	share := (float64(0.5*v) - g.least[k]) / g.side
	if !(share > 0) {
		return 0
	}
	return uint32(min(share*cells, cells-1))
}

// interleave returns the bits of three cells, the highest first, those of x before those of y and z.
func interleave(at [3]uint32) (key uint64) {
	for bit := bits - 1; bit >= 0; bit-- {
		for _, c := range at {
			key = key<<1 | uint64(c>>bit&1)
		}
	}
	return key
}

// transpose returns the three numbers whose interleaved bits are the place of a cell on Hilbert's curve, by the method
// of Skilling 2004: it undoes the reflections and the exchanges of axes of each level, the coarsest first, and then the
// Gray code.
func transpose(x [3]uint32) [3]uint32 {
	for q := uint32(1) << (bits - 1); q > 1; q >>= 1 {
		for i := range x {
			if x[i]&q != 0 {
				x[0] ^= q - 1
			} else {
				t := (x[0] ^ x[i]) & (q - 1)
				x[0] ^= t
				x[i] ^= t
			}
		}
	}
	x[1] ^= x[0]
	x[2] ^= x[1]
	t := uint32(0)
	for q := uint32(1) << (bits - 1); q > 1; q >>= 1 {
		if x[2]&q != 0 {
			t ^= q - 1
		}
	}
	for i := range x {
		x[i] ^= t
	}
	return x
}

// mix returns different keys without any order for different numbers (SplitMix64, Steele, Lea & Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
