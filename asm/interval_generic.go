package asm

import "math"

// intervalGeneric is the Go loop of Interval. It handles four points at a time, as supportGeneric
// does.
func intervalGeneric(x, y, z []float64, dx, dy, dz float64) (lo, hi float64, kLo, kHi int) {
	lo, hi = math.Inf(1), math.Inf(-1)
	y, z = y[:len(x)], z[:len(x)]
	i := 0
	for ; i < len(x)-3; i += 4 {
		v0 := float64(x[i]*dx) + float64(y[i]*dy) + float64(z[i]*dz)
		v1 := float64(x[i+1]*dx) + float64(y[i+1]*dy) + float64(z[i+1]*dz)
		v2 := float64(x[i+2]*dx) + float64(y[i+2]*dy) + float64(z[i+2]*dz)
		v3 := float64(x[i+3]*dx) + float64(y[i+3]*dy) + float64(z[i+3]*dz)
		if v0 < lo {
			lo, kLo = v0, i
		}
		if v0 > hi {
			hi, kHi = v0, i
		}
		if v1 < lo {
			lo, kLo = v1, i+1
		}
		if v1 > hi {
			hi, kHi = v1, i+1
		}
		if v2 < lo {
			lo, kLo = v2, i+2
		}
		if v2 > hi {
			hi, kHi = v2, i+2
		}
		if v3 < lo {
			lo, kLo = v3, i+3
		}
		if v3 > hi {
			hi, kHi = v3, i+3
		}
	}
	for ; i < len(x); i++ {
		v := float64(x[i]*dx) + float64(y[i]*dy) + float64(z[i]*dz)
		if v < lo {
			lo, kLo = v, i
		}
		if v > hi {
			hi, kHi = v, i
		}
	}
	return lo, hi, kLo, kHi
}
