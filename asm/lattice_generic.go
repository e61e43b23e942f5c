package asm

// latticeSpansGeneric is the Go loop of LatticeSpans. It writes every index and advances only if
// the box overlaps: a branch would be mispredicted often.
func latticeSpansGeneric(lower, upper []uint64, spans []LatticeSpan, span, box []uint32) (done, n int) {
	for s := range spans {
		q := &spans[s]
		if len(box)-n < int(q.Hi-q.Lo)+latticeRoom {
			return s, n
		}
		low, high := lower[q.Lo:q.Hi], upper[q.Lo:q.Hi]
		high = high[:len(low)]
		toSpan, toBox := span[n:], box[n:]
		toSpan = toSpan[:len(toBox)]
		k := 0
		for i := range low {
			toSpan[k], toBox[k] = uint32(s), q.Lo+uint32(i)
			apart := (q.Upper-low[i])&(high[i]-q.Lower)&LatticeGuards ^ LatticeGuards
			k += int((apart - 1) >> 63)
		}
		n += k
	}
	return len(spans), n
}
