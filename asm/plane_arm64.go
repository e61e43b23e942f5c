//go:build !purego && !race

package asm

func planeDistance(nx, ny, nz, d []float64, px, py, pz float64) (int, float64) {
	if useNEON && len(d) >= fewest {
		return planeDistanceNEON(nx, ny, nz, d, px, py, pz)
	}
	return planeDistanceGeneric(nx, ny, nz, d, px, py, pz)
}

func planeDistanceBatch(nx, ny, nz, d, px, py, pz []float64, index []uint32, value []float64) {
	if !useNEON || len(d) < fewest {
		planeDistanceBatchGeneric(nx, ny, nz, d, px, py, pz, index, value)
		return
	}
	for q := range px {
		f, v := planeDistanceNEON(nx, ny, nz, d, px[q], py[q], pz[q])
		index[q], value[q] = uint32(f), v
	}
}

// planeDistanceNEON is PlaneDistance: a plane in each of two lanes.
//
//go:noescape
func planeDistanceNEON(nx, ny, nz, d []float64, px, py, pz float64) (face int, max float64)
