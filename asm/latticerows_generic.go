package asm

// latticeRowsGeneric is the Go loop of LatticeRows. It writes every name and advances only if the
// box overlaps, as latticeSpansGeneric does.
func latticeRowsGeneric(lower, upper []uint64, row, from, to, start []uint32, lines *[9]uint32, first, last, n, chunk int, out []uint32, lists []NameList, doubt []uint32) (done, next, doubts int) {
	for i := first; i < last; i++ {
		low, high, self := lower[i], upper[i], row[i]
		unsure, at := uint64(0), n
		for _, line := range lines {
			lo, hi := start[line+from[i]], start[line+to[i]]
			if len(out)-n < int(hi-lo)+latticeRoom {
				return i, at, doubts
			}
			below, above, rows := lower[lo:hi], upper[lo:hi], row[lo:hi]
			above, rows = above[:len(below)], rows[:len(below)]
			to := out[n:]
			k := 0
			for j := range below {
				to[k] = rows[j]
				a, b := high-below[j], above[j]-low
				apart := a&b&LatticeGuards ^ LatticeGuards
				hit := ((apart - 1) & (uint64(self) - uint64(rows[j]))) >> 63
				unsure |= hit * ((a-LatticeOnes)&(b-LatticeOnes)&LatticeGuards ^ LatticeGuards)
				k += int(hit)
			}
			n += k
		}
		lists[self] = NameList{Chunk: uint32(chunk), First: uint32(at), Count: uint32(n - at)}
		if unsure != 0 {
			doubt[doubts] = uint32(i)
			doubts++
		}
	}
	return last, n, doubts
}
