//go:build purego || race || (!amd64 && !arm64)

package asm

import "github.com/scree-dem/scree/vec"

func latticeSpans(lower, upper []uint64, spans []LatticeSpan, span, box []uint32) (done, n int) {
	return latticeSpansGeneric(lower, upper, spans, span, box)
}

func latticeRows(lower, upper []uint64, row, from, to, start []uint32, lines *[9]uint32, first, last, n, chunk int, out []uint32, lists []NameList, doubt []uint32) (done, next, doubts int) {
	return latticeRowsGeneric(lower, upper, row, from, to, start, lines, first, last, n, chunk, out, lists, doubt)
}

func latticePairs(_ []uint64, _, _ []uint32, first, n int, _, _ []uint32) (done, next int) {
	return first, n
}

func latticeCorners(boxes []vec.Box, f *LatticeFrame, corners []uint64) {
	latticeCornersGeneric(boxes, f, corners)
}
