package asm

// LatticePairs writes those of the listed pairs of boxes that overlap to outA and outB, from
// element n on. It stops at a pair in doubt: one that overlaps by less than a step along some axis.
// done is the first such pair i >= first, or len(a). next is the end of the written pairs.
//
//	for i := first; i < len(a); i++ {
//		p, q := corners[2*a[i]:], corners[2*b[i]:]
//		over, under := p[1]-q[0], q[1]-p[0]
//		if over&under&LatticeGuards == LatticeGuards {
//			if (over-LatticeOnes)&(under-LatticeOnes)&LatticeGuards != LatticeGuards {
//				return i, n
//			}
//			outA[n], outB[n], n = a[i], b[i], n+1
//		}
//	}
//	return len(a), n
//
//	len(a) == len(b), 2*a[i] + 1 < len(corners), 2*b[i] + 1 < len(corners)
//	0 <= first <= len(a), 0 <= n <= first, len(outA) == len(outB) == len(a)
//
// The corners are those of LatticeCorners. Exact: integers. LatticePairs leaves undefined elements
// in the outputs after next.
func LatticePairs(corners []uint64, a, b []uint32, first, n int, outA, outB []uint32) (done, next int) {
	if len(b) != len(a) || len(outA) != len(a) || len(outB) != len(a) {
		panic("asm: LatticePairs: columns of unequal length")
	}
	if first < 0 || first > len(a) || n < 0 || n > first {
		panic("asm: LatticePairs: a range outside the columns")
	}
	for first < len(a) {
		first, n = latticePairs(corners, a, b, first, n, outA, outB)
		last := min(first+latticeRoom, len(a))
		if first, n = latticePairsGeneric(corners, a, b, first, last, n, outA, outB); first < last {
			break
		}
	}
	return first, n
}
