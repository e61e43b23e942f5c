package asm

// PlaneDistance returns the greatest signed distance of the point p from the planes n·q = d, and the
// lowest index of a plane it belongs to.
//
//	face, max = 0, math.Inf(-1)
//	for i := range d {
//		v := ((float64(nx[i]*px) + float64(ny[i]*py)) + float64(nz[i]*pz)) - d[i]
//		if v > max {
//			face, max = i, v
//		}
//	}
//
//	len(nx) == len(ny) == len(nz) == len(d); best a multiple of 8 and 64-byte aligned
//
// Exact. The distance is in units of d when n is unit; positive is on the side n points to. A pad, a
// plane with n = 0 and d = math.MaxFloat64, never wins against a finite distance of a plane before
// it. No planes give 0 and -Inf.
func PlaneDistance(nx, ny, nz, d []float64, px, py, pz float64) (face int, max float64) {
	if n := len(d); len(nx) != n || len(ny) != n || len(nz) != n {
		panic("asm: PlaneDistance: columns of unequal length")
	}
	return planeDistance(nx, ny, nz, d, px, py, pz)
}
