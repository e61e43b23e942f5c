package sched

import "sync/atomic"

// dequeSize is the number of slots of a deque, a power of two. A worker starts on a run of chunks with
// its deque empty, and sets one part aside with each cut on the way down to a single chunk. A cut
// leaves at most three quarters (see splitTasks), so 2^32-1 tasks take at most 77 cuts.
const dequeSize = 128

// cacheLine keeps what different workers write apart. It is two lines of 64 bytes, for the prefetcher
// of amd64 fetches them in pairs, and arm64 has lines of 128 bytes.
const cacheLine = 128

// span is a range of chunks [lo, hi) in one word, so that a slot is read and written at once.
type span uint64

func makeSpan(lo, hi uint32) span { return span(uint64(lo)<<32 | uint64(hi)) }

func (s span) lo() uint32 { return uint32(s >> 32) }
func (s span) hi() uint32 { return uint32(s) }

// deque is the work-stealing deque of Chase and Lev 2005 with a ring that never grows. The owner pushes
// and pops at the bottom, anyone steals at the top:
//
//	       top                bottom
//	        v                    v
//	... | far half | quarter | eighth | free ...
//	  thieves take this    the owner takes this
//
// Slot i lives at slots[i mod dequeSize] and holds work for top <= i < bottom.
//
// Why nothing is lost or done twice. The operations of sync/atomic behave as if executed in one
// sequentially consistent order (go.dev/ref/mem), so it is enough to look at interleavings; the fences
// that Lê et al. 2013 need on weaker models are implied. Let a thief read top = t (1), read
// bottom > t (2), read slot t (3) and win the CAS from t to t+1 (4).
//
//   - top only grows, by such a CAS, and at 64 bits does not wrap. So it is t all the way from 1 to 4,
//     there is no ABA problem, and each t is won once, by a thief or by the owner.
//   - No pop takes element t between 1 and 4: it would read top = t = its b, and need the CAS itself.
//   - A pop that takes element t without CAS, before or after, has stored bottom = t and then read
//     top < t. That read comes before 1, so 2, later still, sees bottom = t and the thief gives
//     up; unless the owner has pushed a new element t meanwhile, and then 3 reads the new one, for
//     push writes the slot before bottom.
//   - No push writes the slot between 2 and 4. As element t it would need the pop excluded above. As
//     element t+dequeSize it would need to have read top > t.
//
// So the thief has what was last pushed as t, and nobody else has. What the owner pops without CAS no
// thief wins later, by the third point; what it pops with CAS is the thief's case with itself as the
// winner. After a vain or a contended pop bottom is back at b+1 >= top.
//
// Cost: a push is two atomic stores, a pop one, a steal one CAS; a pop of the last element one CAS more.
type deque struct {
	top    atomic.Int64
	_      [cacheLine - 8]byte
	bottom atomic.Int64
	_      [cacheLine - 8]byte
	slots  [dequeSize]atomic.Uint64
}

// push adds s at the bottom. Only the owner may call it, or whoever knows that the owner is not
// at work. It panics if the deque is full, which splitting makes impossible.
func (d *deque) push(s span) {
	b := d.bottom.Load()
	if b-d.top.Load() >= dequeSize {
		panic("sched: deque overflow")
	}
	d.slots[b&(dequeSize-1)].Store(uint64(s))
	d.bottom.Store(b + 1)
}

// pop takes the span pushed last. Only the owner may call it.
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

// steal takes the span pushed first. lost says that somebody else took it meanwhile, so that
// another try may succeed; with neither ok nor lost the deque was empty.
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

// empty tells whether there is nothing to steal. For a deque whose owner is not at work the answer is
// exact at the moment top is read.
func (d *deque) empty() bool {
	t := d.top.Load()
	return d.bottom.Load() <= t
}
