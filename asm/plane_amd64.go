//go:build !purego && !race

package asm

func planeDistance(nx, ny, nz, d []float64, px, py, pz float64) (int, float64) {
	if len(d) >= fewest {
		if useAVX2 {
			return planeDistanceAVX2(&nx[0], &ny[0], &nz[0], &d[0], len(d), px, py, pz)
		}
		if useAVX512 {
			return planeDistanceAVX512(&nx[0], &ny[0], &nz[0], &d[0], len(d), px, py, pz)
		}
	}
	return planeDistanceGeneric(nx, ny, nz, d, px, py, pz)
}

// planeDistanceAVX2 is PlaneDistance of nx[:n], ny[:n], nz[:n] and d[:n], a plane in each of four
// lanes. It is given addresses: whole slices are more than registers hold, and copying them costs a
// fifth of a call.
//
//go:noescape
func planeDistanceAVX2(nx, ny, nz, d *float64, n int, px, py, pz float64) (face int, max float64)

// planeDistanceAVX512 is planeDistanceAVX2 with eight lanes.
//
//go:noescape
func planeDistanceAVX512(nx, ny, nz, d *float64, n int, px, py, pz float64) (face int, max float64)
