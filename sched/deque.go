package sched

import "sync/atomic"

// dequeSize is the number of slots of a deque, a power of two. A worker starts a span of chunks
// with an empty deque. It cuts the span until a single chunk is left, and pushes one part at each
// cut. A cut leaves at most three quarters of the span (see splitTasks), so 2^32-1 tasks take at
// most 77 cuts.
const dequeSize = 128

// cacheLine separates data that different workers write. It is two lines of 64 bytes because the
// prefetcher of amd64 fetches lines in pairs, and because arm64 has lines of 128 bytes.
const cacheLine = 128

// span is a range of chunks [lo, hi) in one word, so that a slot can be read and written
// atomically.
type span uint64

func makeSpan(lo, hi uint32) span { return span(uint64(lo)<<32 | uint64(hi)) }

func (s span) lo() uint32 { return uint32(s >> 32) }
func (s span) hi() uint32 { return uint32(s) }

// deque is the work-stealing deque of Chase and Lev 2005 with a ring of fixed size. The owner
// pushes and pops at the bottom; thieves steal at the top:
//
//	       top                bottom
//	        v                    v
//	... | far half | quarter | eighth | free ...
//	  thieves take this    the owner takes this
//
// Slot i is slots[i mod dequeSize]. It holds work if top <= i < bottom.
//
// Proof that no work is lost or done twice. The operations of sync/atomic behave as if executed in
// one sequentially consistent order (go.dev/ref/mem). So it suffices to consider interleavings; the
// fences that Lê et al. 2013 need on weaker memory models are implied. Let a thief read top = t
// (1), read bottom > t (2), read slot t (3), and win the CAS of top from t to t+1 (4).
//
//   - Only such a CAS changes top, and it increments it. With 64 bits top does not wrap.
//     So top is t from 1 to 4, there is no ABA problem, and each t is won once, by a thief or by the owner.
//   - No pop takes element t between 1 and 4. It would read top = t, which is its b, and would have to win
//     the CAS itself.
//   - Suppose that a pop takes element t without CAS. Then it has stored bottom = t and afterwards read
//     top < t. This read precedes 1. So 2, which is later still, sees bottom = t, and the thief gives up.
//     The exception is that the owner has pushed a new element t meanwhile. Then 3 reads the new element,
//     because push writes the slot before bottom.
//   - No push writes the slot between 2 and 4. A push of element t would need the pop excluded above. A push
//     of element t+dequeSize would have to read top > t first.
//
// So the thief gets the last element pushed as t, and nobody else gets it. An element that the
// owner pops without CAS is not won by a thief later, by the third point. If the owner pops with
// CAS, the argument for the thief applies to the owner as the winner. After a pop that fails or has
// to use the CAS, bottom is again b+1 >= top.
//
// Cost: a push takes two atomic stores, a pop one, and a steal one CAS. A pop of the last element
// takes one more CAS.
type deque struct {
	top    atomic.Int64
	_      [cacheLine - 8]byte
	bottom atomic.Int64
	_      [cacheLine - 8]byte
	slots  [dequeSize]atomic.Uint64
}

// push adds s at the bottom. Only the owner may call it, or a goroutine that knows that the owner
// is not working. It panics if the deque is full, which dequeSize makes impossible.
func (d *deque) push(s span) {
	b := d.bottom.Load()
	if b-d.top.Load() >= dequeSize {
		panic("sched: deque overflow")
	}
	d.slots[b&(dequeSize-1)].Store(uint64(s))
	d.bottom.Store(b + 1)
}

// pop removes and returns the span pushed last. Only the owner may call it.
func (d *deque) pop() (span, bool) {
	b := d.bottom.Load() - 1
	d.bottom.Store(b)
	t := d.top.Load()
	if t > b {
		d.bottom.Store(b + 1)
		return 0, false
	}
	s := span(d.slots[b&(dequeSize-1)].Load())
	if t < b {
		return s, true
	}
	won := d.top.CompareAndSwap(t, t+1)
	d.bottom.Store(b + 1)
	return s, won
}

// steal removes and returns the span pushed first. lost tells that another worker has taken that
// span meanwhile, so that another try may succeed. If both ok and lost are false, the deque was
// empty.
func (d *deque) steal() (s span, ok, lost bool) {
	t := d.top.Load()
	if d.bottom.Load() <= t {
		return 0, false, false
	}
	s = span(d.slots[t&(dequeSize-1)].Load())
	if !d.top.CompareAndSwap(t, t+1) {
		return 0, false, true
	}
	return s, true, false
}

// empty reports whether there is nothing to steal. If the owner is not working, the result is exact
// at the moment top is read.
func (d *deque) empty() bool {
	t := d.top.Load()
	return d.bottom.Load() <= t
}
