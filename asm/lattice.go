package asm

// LatticeLane is the number of bits of a coordinate on a lattice. A word holds three coordinates
// and a guard bit above each. LatticeGuards has these guard bits set:
//
//	bit 62      41      20
//	   [g|  z  |g|  y  |g|  x  ]
const (
	LatticeLane   = 20
	LatticeGuards = 1<<LatticeLane | 1<<(2*LatticeLane+1) | 1<<(3*LatticeLane+2)
)

// LatticeSpan is a box on a lattice, and the index range Lo ≤ i < Hi of the boxes that it is
// compared with. Lower is the lower corner of the box, with clear guards. Upper is the upper
// corner, with set guards.
type LatticeSpan struct {
	Lower, Upper uint64
	Lo, Hi       uint32
	Of           uint32 // for the caller; kernels do not read it
	_            uint32
}

// latticeRoom is how many more elements columns and outputs must have than the kernels use: one
// register.
const latticeRoom = 8

// LatticeSpans finds the overlaps of each span with the boxes of its range. It writes the index of
// the span to span and that of the box to box. It returns the number of spans that are done, and
// the number of overlaps n. It stops before a span if the output might not hold all boxes of its
// range.
//
//	for s, q := range spans {
//		if len(box) - n < int(q.Hi - q.Lo) + 8 {
//			return s, n
//		}
//		for i := q.Lo; i < q.Hi; i++ {
//			if (q.Upper-lower[i])&(upper[i]-q.Lower)&LatticeGuards == LatticeGuards {
//				span[n], box[n] = uint32(s), i
//				n++
//			}
//		}
//	}
//	return len(spans), n
//
//	len(lower) == len(upper); q.Lo <= q.Hi and q.Hi + 8 <= len(lower), for every span
//	len(span) == len(box) <= 1<<30
//
// Exact: integers. LatticeSpans reads up to 8 elements after a range, and leaves undefined elements
// in the outputs after n.
func LatticeSpans(lower, upper []uint64, spans []LatticeSpan, span, box []uint32) (done, n int) {
	if len(lower) != len(upper) || len(span) != len(box) {
		panic("asm: LatticeSpans: columns of unequal length")
	}
	for i := range spans {
		if q := &spans[i]; q.Lo > q.Hi || int(q.Hi)+latticeRoom > len(lower) {
			panic("asm: LatticeSpans: a run outside the columns")
		}
	}
	return latticeSpans(lower, upper, spans, span, box)
}
