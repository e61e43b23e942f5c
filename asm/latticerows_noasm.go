//go:build purego || race || (!amd64 && !arm64)

package asm

func latticeRows(lower, upper []uint64, row, from, to, start []uint32, lines *[9]uint32, first, last, n, chunk int, out []uint32, lists []NameList, doubt []uint32) (done, next, doubts int) {
	return latticeRowsGeneric(lower, upper, row, from, to, start, lines, first, last, n, chunk, out, lists, doubt)
}
