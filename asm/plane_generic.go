package asm

import "math"

// planeDistanceGeneric is the Go loop of PlaneDistance. It handles four planes at a time, as
// supportGeneric does.
func planeDistanceGeneric(nx, ny, nz, d []float64, px, py, pz float64) (int, float64) {
	face, best := 0, math.Inf(-1)
	nx, ny, nz = nx[:len(d)], ny[:len(d)], nz[:len(d)]
	i := 0
	for ; i < len(d)-3; i += 4 {
		v0 := float64(nx[i]*px) + float64(ny[i]*py) + float64(nz[i]*pz) - d[i]
		v1 := float64(nx[i+1]*px) + float64(ny[i+1]*py) + float64(nz[i+1]*pz) - d[i+1]
		v2 := float64(nx[i+2]*px) + float64(ny[i+2]*py) + float64(nz[i+2]*pz) - d[i+2]
		v3 := float64(nx[i+3]*px) + float64(ny[i+3]*py) + float64(nz[i+3]*pz) - d[i+3]
		if v0 > best {
			face, best = i, v0
		}
		if v1 > best {
			face, best = i+1, v1
		}
		if v2 > best {
			face, best = i+2, v2
		}
		if v3 > best {
			face, best = i+3, v3
		}
	}
	for ; i < len(d); i++ {
		if v := float64(nx[i]*px) + float64(ny[i]*py) + float64(nz[i]*pz) - d[i]; v > best {
			face, best = i, v
		}
	}
	return face, best
}
