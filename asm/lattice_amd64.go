//go:build !purego && !race

package asm

func latticeSpans(lower, upper []uint64, spans []LatticeSpan, span, box []uint32) (done, n int) {
	switch {
	case useAVX2:
		return latticeSpansAVX2(lower, upper, spans, span, box)
	case useAVX512:
		return latticeSpansAVX512(lower, upper, spans, span, box)
	}
	return latticeSpansGeneric(lower, upper, spans, span, box)
}

// latticeSpansAVX2 is LatticeSpans with a box in each of four lanes.
//
//go:noescape
func latticeSpansAVX2(lower, upper []uint64, spans []LatticeSpan, span, box []uint32) (done, n int)

// latticeSpansAVX512 is LatticeSpans with a box in each of eight lanes.
//
//go:noescape
func latticeSpansAVX512(lower, upper []uint64, spans []LatticeSpan, span, box []uint32) (done, n int)
