package asm

// Interval returns the least and the greatest of x[k]*dx + y[k]*dy + z[k]*dz, and the lowest index
// k of each:
//
//	min, max, kMin, kMax = math.Inf(1), math.Inf(-1), 0, 0
//	for i := range x {
//		v := (float64(x[i]*dx) + float64(y[i]*dy)) + float64(z[i]*dz)
//		if v < min {
//			min, kMin = v, i
//		}
//		if v > max {
//			max, kMax = v, i
//		}
//	}
//
//	len(x) == len(y) == len(z); fastest if a multiple of 8 and 64-byte aligned
//
// Exact. The results have the unit of x times that of d. The direction d need not be a unit vector.
// Without points, Interval returns the empty interval from +Inf to -Inf.
func Interval(x, y, z []float64, dx, dy, dz float64) (min, max float64, kMin, kMax int) {
	if len(y) != len(x) || len(z) != len(x) {
		panic("asm: Interval: columns of unequal length")
	}
	return interval(x, y, z, dx, dy, dz)
}
