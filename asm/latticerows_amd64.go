//go:build !purego && !race

package asm

func latticeRows(lower, upper []uint64, row, from, to, start []uint32, lines *[9]uint32, first, last, n, chunk int, out []uint32, lists []NameList, doubt []uint32) (done, next, doubts int) {
	switch {
	case useAVX2:
		return latticeRowsAVX2(lower, upper, row, from, to, start, lines, first, last, n, chunk, out, lists, doubt)
	case useAVX512:
		return latticeRowsAVX512(lower, upper, row, from, to, start, lines, first, last, n, chunk, out, lists, doubt)
	}
	return latticeRowsGeneric(lower, upper, row, from, to, start, lines, first, last, n, chunk, out, lists, doubt)
}

// latticeRowsAVX2 is LatticeRows with a box in each of four lanes.
//
//go:noescape
func latticeRowsAVX2(lower, upper []uint64, row, from, to, start []uint32, lines *[9]uint32, first, last, n, chunk int, out []uint32, lists []NameList, doubt []uint32) (done, next, doubts int)

// latticeRowsAVX512 is LatticeRows with a box in each of eight lanes.
//
//go:noescape
func latticeRowsAVX512(lower, upper []uint64, row, from, to, start []uint32, lines *[9]uint32, first, last, n, chunk int, out []uint32, lists []NameList, doubt []uint32) (done, next, doubts int)
