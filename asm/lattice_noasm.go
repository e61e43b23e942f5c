//go:build purego || race || (!amd64 && !arm64)

package asm

func latticeSpans(lower, upper []uint64, spans []LatticeSpan, span, box []uint32) (done, n int) {
	return latticeSpansGeneric(lower, upper, spans, span, box)
}
