package kernels

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// HilbertKeys writes the place of the points lo ≤ i < hi along a Hilbert curve to keys[i]: sorted by it, points
// near each other in memory are near in space. The curve goes through the cells of a cube of 1<<bits cells a
// side whose lowest corner is origin, m; perMetre is the cells in a metre. A point outside the cube counts to
// the cell nearest along each axis; a coordinate that is not a number counts as 0.
//
//	1 <= bits <= asm.HilbertBits; len(keys) >= hi
func HilbertKeys(points *soa.Vec3s, origin vec.Vec3, perMetre float64, bits, lo, hi int, keys []uint64) {
	const rows = 64 // a block of cells on the stack
	var x, y, z [rows]uint32
	side := float64(uint32(1) << bits)
	for from := lo; from < hi; from += rows {
		to := min(from+rows, hi)
		for i := from; i < to; i++ {
			x[i-from] = cellOf(points.X[i]-origin.X, perMetre, side)
			y[i-from] = cellOf(points.Y[i]-origin.Y, perMetre, side)
			z[i-from] = cellOf(points.Z[i]-origin.Z, perMetre, side)
		}
		n := to - from
		asm.HilbertKeys(x[:n], y[:n], z[:n], bits, keys[from:to])
	}
}

// cellOf returns which of side cells a place lies in.
func cellOf(place, perMetre, side float64) uint32 {
	c := place * perMetre
	switch {
	case !(c > 0):
		return 0
	case c >= side:
		return uint32(side - 1)
	}
	return uint32(c)
}
