package asm

// Support returns the lowest k that maximises x[k]*dx + y[k]*dy + z[k]*dz, and that maximum:
//
//	k, max = 0, math.Inf(-1)
//	for i := range x {
//		v := (float64(x[i]*dx) + float64(y[i]*dy)) + float64(z[i]*dz)
//		if v > max {
//			k, max = i, v
//		}
//	}
//
//	len(x) == len(y) == len(z); fastest if a multiple of 8 and 64-byte aligned
//
// Exact. max has the unit of x times that of d. The direction d need not be a unit vector. Without
// points, Support returns 0 and -Inf.
func Support(x, y, z []float64, dx, dy, dz float64) (k int, max float64) {
	if len(y) != len(x) || len(z) != len(x) {
		panic("asm: Support: columns of unequal length")
	}
	return support(x, y, z, dx, dy, dz)
}

// SupportPairs computes the support of many sets of points, each in one direction. The sets are
// ranges of x, y and z, and may overlap or repeat.
//
//	for q := range dx {
//		lo, hi := first[q], first[q]+count[q]
//		k, max := Support(x[lo:hi], y[lo:hi], z[lo:hi], dx[q], dy[q], dz[q])
//		index[q], value[q] = uint32(k), max
//	}
//
//	len(x) == len(y) == len(z) <= math.MaxUint32
//	len(dx) == len(dy) == len(dz) == len(first) == len(count) == len(index) == len(value)
//	first[q] + count[q] <= len(x) for each q
//
// Exact. index counts from the first point of its own set. An empty set has index 0 and value -Inf.
func SupportPairs(x, y, z []float64, first, count []uint32, dx, dy, dz []float64, index []uint32, value []float64) {
	if len(y) != len(x) || len(z) != len(x) {
		panic("asm: SupportPairs: columns of unequal length")
	}
	if n := len(dx); len(dy) != n || len(dz) != n || len(first) != n || len(count) != n ||
		len(index) != n || len(value) != n {
		panic("asm: SupportPairs: queries of unequal length")
	}
	supportPairs(x, y, z, first, count, dx, dy, dz, index, value)
}
