//go:build purego || race || !amd64

package asm

func latticeRows(lower, upper []uint64, row, from, to, start []uint32, lines *[9]uint32, first, last, n int, out, end, doubt []uint32) (done, doubts int) {
	return latticeRowsGeneric(lower, upper, row, from, to, start, lines, first, last, n, out, end, doubt)
}
