//go:build !purego && !race

package asm

func planeDistance(nx, ny, nz, d []float64, px, py, pz float64) (int, float64) {
	if useNEON && len(d) >= fewest {
		return planeDistanceNEON(nx, ny, nz, d, px, py, pz)
	}
	return planeDistanceGeneric(nx, ny, nz, d, px, py, pz)
}

// planeDistanceNEON is PlaneDistance: a plane in each of two lanes.
//
//go:noescape
func planeDistanceNEON(nx, ny, nz, d []float64, px, py, pz float64) (face int, max float64)
