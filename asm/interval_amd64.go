//go:build !purego && !race

package asm

func interval(x, y, z []float64, dx, dy, dz float64) (lo, hi float64, kLo, kHi int) {
	if len(x) >= fewest {
		if useAVX2 {
			return intervalAVX2(&x[0], &y[0], &z[0], len(x), dx, dy, dz)
		}
		if useAVX512 {
			return intervalAVX512(&x[0], &y[0], &z[0], len(x), dx, dy, dz)
		}
	}
	return intervalGeneric(x, y, z, dx, dy, dz)
}

// intervalAVX2 is Interval of x[:n], y[:n] and z[:n], a point in each of four
// lanes. It is given addresses: whole slices are more than registers hold, and copying them costs a
// fifth of a call.
//
//go:noescape
func intervalAVX2(x, y, z *float64, n int, dx, dy, dz float64) (lo, hi float64, kLo, kHi int)

// intervalAVX512 is intervalAVX2 with eight lanes.
//
//go:noescape
func intervalAVX512(x, y, z *float64, n int, dx, dy, dz float64) (lo, hi float64, kLo, kHi int)
