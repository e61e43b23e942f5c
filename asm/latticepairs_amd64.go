//go:build !purego && !race

package asm

// latticePairs is LatticePairs of the pairs up to the last whole register before a pair in doubt.
func latticePairs(corners []uint64, a, b []uint32, first, n int, outA, outB []uint32) (done, next int) {
	switch {
	case useAVX2:
		return latticePairsAVX2(corners, a, b, first, n, outA, outB)
	case useAVX512:
		return latticePairsAVX512(corners, a, b, first, n, outA, outB)
	}
	return first, n
}

// latticePairsAVX2 is latticePairs with a pair in each of four lanes.
//
//go:noescape
func latticePairsAVX2(corners []uint64, a, b []uint32, first, n int, outA, outB []uint32) (done, next int)

// latticePairsAVX512 is latticePairs with a pair in each of eight lanes.
//
//go:noescape
func latticePairsAVX512(corners []uint64, a, b []uint32, first, n int, outA, outB []uint32) (done, next int)
