//go:build !purego && !race

package asm

import "github.com/scree-dem/scree/vec"

func latticeSpans(lower, upper []uint64, spans []LatticeSpan, span, box []uint32) (done, n int) {
	switch {
	case useAVX2:
		return latticeSpansAVX2(lower, upper, spans, span, box)
	case useAVX512:
		return latticeSpansAVX512(lower, upper, spans, span, box)
	}
	return latticeSpansGeneric(lower, upper, spans, span, box)
}

// latticeSpansAVX2 does the same as LatticeSpans, with one box in each of four lanes.
//
//go:noescape
func latticeSpansAVX2(lower, upper []uint64, spans []LatticeSpan, span, box []uint32) (done, n int)

// latticeSpansAVX512 does the same as LatticeSpans, with one box in each of eight lanes.
//
//go:noescape
func latticeSpansAVX512(lower, upper []uint64, spans []LatticeSpan, span, box []uint32) (done, n int)

func latticeRows(lower, upper []uint64, row, from, to, start []uint32, lines *[9]uint32, first, last, n, chunk int, out []uint32, lists []NameList, doubt []uint32) (done, next, doubts int) {
	switch {
	case useAVX2:
		return latticeRowsAVX2(lower, upper, row, from, to, start, lines, first, last, n, chunk, out, lists, doubt)
	case useAVX512:
		return latticeRowsAVX512(lower, upper, row, from, to, start, lines, first, last, n, chunk, out, lists, doubt)
	}
	return latticeRowsGeneric(lower, upper, row, from, to, start, lines, first, last, n, chunk, out, lists, doubt)
}

// latticeRowsAVX2 does the same as LatticeRows, with one box in each of four lanes.
//
//go:noescape
func latticeRowsAVX2(lower, upper []uint64, row, from, to, start []uint32, lines *[9]uint32, first, last, n, chunk int, out []uint32, lists []NameList, doubt []uint32) (done, next, doubts int)

// latticeRowsAVX512 does the same as LatticeRows, with one box in each of eight lanes.
//
//go:noescape
func latticeRowsAVX512(lower, upper []uint64, row, from, to, start []uint32, lines *[9]uint32, first, last, n, chunk int, out []uint32, lists []NameList, doubt []uint32) (done, next, doubts int)

// latticePairs does the same as LatticePairs for whole registers of pairs. It stops before a
// register that has a pair in doubt.
func latticePairs(corners []uint64, a, b []uint32, first, n int, outA, outB []uint32) (done, next int) {
	switch {
	case useAVX2:
		return latticePairsAVX2(corners, a, b, first, n, outA, outB)
	case useAVX512:
		return latticePairsAVX512(corners, a, b, first, n, outA, outB)
	}
	return first, n
}

// latticePairsAVX2 does the same as latticePairs, with one pair in each of four lanes.
//
//go:noescape
func latticePairsAVX2(corners []uint64, a, b []uint32, first, n int, outA, outB []uint32) (done, next int)

// latticePairsAVX512 does the same as latticePairs, with one pair in each of eight lanes.
//
//go:noescape
func latticePairsAVX512(corners []uint64, a, b []uint32, first, n int, outA, outB []uint32) (done, next int)

func latticeCorners(boxes []vec.Box, f *LatticeFrame, corners []uint64) {
	done := 0
	if useAVX512 {
		done = latticeCornersAVX512(boxes, f, corners)
	}
	latticeCornersGeneric(boxes[done:], f, corners[2*done:])
}

// latticeCornersAVX512 does the same as LatticeCorners for the boxes i < done. done is the largest
// multiple of 4 up to len(boxes).
//
//go:noescape
func latticeCornersAVX512(boxes []vec.Box, f *LatticeFrame, corners []uint64) (done int)
