package asm

// latticePairsGeneric is the Go loop of LatticePairs for the pairs first ≤ i < last. It writes
// every pair and advances only if the pair overlaps, as latticeSpansGeneric does.
func latticePairsGeneric(corners []uint64, a, b []uint32, first, last, n int, outA, outB []uint32) (done, next int) {
	for i := first; i < last; i++ {
		p, q := 2*a[i], 2*b[i]
		over, under := corners[p+1]-corners[q], corners[q+1]-corners[p]
		outA[n], outB[n] = a[i], b[i]
		may := ((over&under&LatticeGuards ^ LatticeGuards) - 1) >> 63
		if does := (((over-LatticeOnes)&(under-LatticeOnes)&LatticeGuards ^ LatticeGuards) - 1) >> 63; may != does {
			return i, n
		}
		n += int(may)
	}
	return last, n
}
