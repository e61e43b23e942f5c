package asm

// PlaneDistance returns the greatest signed distance max of the point p from the planes n·q = d,
// and the lowest index face of a plane with this distance:
//
//	face, max = 0, math.Inf(-1)
//	for i := range d {
//		v := ((float64(nx[i]*px) + float64(ny[i]*py)) + float64(nz[i]*pz)) - d[i]
//		if v > max {
//			face, max = i, v
//		}
//	}
//
//	len(nx) == len(ny) == len(nz) == len(d); fastest if a multiple of 8 and 64-byte aligned
//
// Exact. If n is a unit vector, the distance has the unit of d. It is positive on the side to which
// n points. A padding plane has n = 0 and d = math.MaxFloat64, and never wins against a finite
// distance of an earlier plane. Without planes, PlaneDistance returns 0 and -Inf.
func PlaneDistance(nx, ny, nz, d []float64, px, py, pz float64) (face int, max float64) {
	if n := len(d); len(nx) != n || len(ny) != n || len(nz) != n {
		panic("asm: PlaneDistance: columns of unequal length")
	}
	return planeDistance(nx, ny, nz, d, px, py, pz)
}
