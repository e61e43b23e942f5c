//go:build !purego && !race

package asm

import "github.com/scree-dem/scree/vec"

// The numbers of the bytes of each of four 32-bit lanes.
const (
	lane0 = 0x03020100 + 0x04040404*iota
	lane1
	lane2
	lane3
)

// latticeKept holds, for each mask of four lanes, the byte numbers of a table look-up that moves
// the lanes of the mask to the front.
var latticeKept = [16][4]uint32{
	{}, {lane0}, {lane1}, {lane0, lane1},
	{lane2}, {lane0, lane2}, {lane1, lane2}, {lane0, lane1, lane2},
	{lane3}, {lane0, lane3}, {lane1, lane3}, {lane0, lane1, lane3},
	{lane2, lane3}, {lane0, lane2, lane3}, {lane1, lane2, lane3}, {lane0, lane1, lane2, lane3},
}

// latticeLanes holds the numbers of four lanes, and the number that each kept lane adds to a sum.
// Below bit 8 the sum is the offset of its mask in latticeKept; from bit 8 on it is how many bytes
// are kept.
var latticeLanes = [2][4]uint32{{0, 1, 2, 3}, {4<<8 | 1<<4, 4<<8 | 2<<4, 4<<8 | 4<<4, 4<<8 | 8<<4}}

func latticeSpans(lower, upper []uint64, spans []LatticeSpan, span, box []uint32) (done, n int) {
	if useNEON {
		return latticeSpansNEON(lower, upper, spans, span, box)
	}
	return latticeSpansGeneric(lower, upper, spans, span, box)
}

func latticeRows(lower, upper []uint64, row, from, to, start []uint32, lines *[9]uint32, first, last, n, chunk int, out []uint32, lists []NameList, doubt []uint32) (done, next, doubts int) {
	if useNEON {
		return latticeRowsNEON(lower, upper, row, from, to, start, lines, first, last, n, chunk, out, lists, doubt)
	}
	return latticeRowsGeneric(lower, upper, row, from, to, start, lines, first, last, n, chunk, out, lists, doubt)
}

// latticePairs does the same as LatticePairs for groups of four pairs. It stops before a group that
// has a pair in doubt.
func latticePairs(corners []uint64, a, b []uint32, first, n int, outA, outB []uint32) (done, next int) {
	if useNEON {
		return latticePairsNEON(corners, a, b, first, n, outA, outB)
	}
	return first, n
}

func latticeCorners(boxes []vec.Box, f *LatticeFrame, corners []uint64) {
	if useNEON {
		latticeCornersNEON(boxes, f, corners)
		return
	}
	latticeCornersGeneric(boxes, f, corners)
}

// latticeSpansNEON does the same as LatticeSpans, four boxes at a time.
//
//go:noescape
func latticeSpansNEON(lower, upper []uint64, spans []LatticeSpan, span, box []uint32) (done, n int)

// latticeRowsNEON does the same as LatticeRows, four boxes at a time.
//
//go:noescape
func latticeRowsNEON(lower, upper []uint64, row, from, to, start []uint32, lines *[9]uint32, first, last, n, chunk int, out []uint32, lists []NameList, doubt []uint32) (done, next, doubts int)

// latticePairsNEON does the same as latticePairs, four pairs at a time.
//
//go:noescape
func latticePairsNEON(corners []uint64, a, b []uint32, first, n int, outA, outB []uint32) (done, next int)

// latticeCornersNEON does the same as LatticeCorners, two coordinates at a time.
//
//go:noescape
func latticeCornersNEON(boxes []vec.Box, f *LatticeFrame, corners []uint64)
