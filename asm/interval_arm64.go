//go:build !purego && !race

package asm

func interval(x, y, z []float64, dx, dy, dz float64) (lo, hi float64, kLo, kHi int) {
	if useNEON && len(x) >= fewest {
		return intervalNEON(x, y, z, dx, dy, dz)
	}
	return intervalGeneric(x, y, z, dx, dy, dz)
}

// intervalNEON is Interval: a point in each of two lanes.
//
//go:noescape
func intervalNEON(x, y, z []float64, dx, dy, dz float64) (lo, hi float64, kLo, kHi int)
