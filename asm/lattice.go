package asm

// LatticeLane is the bits of a coordinate on a lattice; LatticeGuards has the bit above each of
// the three coordinates in a word:
//
//	bit 62      41      20
//	   [g|  z  |g|  y  |g|  x  ]
const (
	LatticeLane   = 20
	LatticeGuards = 1<<LatticeLane | 1<<(2*LatticeLane+1) | 1<<(3*LatticeLane+2)
)

// LatticeSpan is a box on a lattice, and the run of boxes that it is compared with: Lo ≤ i < Hi.
// The words of a box are its lower corner, with guards clear, and its upper corner, with guards
// set.
type LatticeSpan struct {
	Lower, Upper uint64
	Lo, Hi       uint32
	Of           uint32 // what the caller likes
	_            uint32
}

// latticeRoom is how much longer columns and output are than what counts: a register.
const latticeRoom = 8

// LatticeSpans writes, for each span and each box of its run that overlaps the span's, the index
// of the span to span and that of the box to box. It returns how many spans are done and how many
// overlaps there are. It ends before a span for whose whole run there is no room in the output.
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
// Exact: integers. Columns are read up to 8 beyond a run; what the output holds beyond n is not
// specified.
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
