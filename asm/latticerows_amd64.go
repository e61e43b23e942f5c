//go:build !purego && !race

package asm

func latticeRows(lower, upper []uint64, row, from, to, start []uint32, lines *[9]uint32, first, last, n int, out, end, doubt []uint32) (done, doubts int) {
	switch {
	case useAVX2:
		return latticeRowsAVX2(lower, upper, row, from, to, start, lines, first, last, n, out, end, doubt)
	case useAVX512:
		return latticeRowsAVX512(lower, upper, row, from, to, start, lines, first, last, n, out, end, doubt)
	}
	return latticeRowsGeneric(lower, upper, row, from, to, start, lines, first, last, n, out, end, doubt)
}

// latticeRowsAVX2 is LatticeRows with a box in each of four lanes.
//
//go:noescape
func latticeRowsAVX2(lower, upper []uint64, row, from, to, start []uint32, lines *[9]uint32, first, last, n int, out, end, doubt []uint32) (done, doubts int)

// latticeRowsAVX512 is LatticeRows with a box in each of eight lanes.
//
//go:noescape
func latticeRowsAVX512(lower, upper []uint64, row, from, to, start []uint32, lines *[9]uint32, first, last, n int, out, end, doubt []uint32) (done, doubts int)
