package sched

// A worker with nothing to do spins for a bounded time, then sleeps until it is woken.

const (
	// spinTime is how long a worker spins before it parks. It is about the time to wake a parked
	// worker (75 µs, BenchmarkAfterPause), so waiting costs at most twice the better choice. If it
	// is longer, spinning takes time from other processes that share the processors. If it is
	// shorter, a serial stretch between two loops costs the second loop half of its speed-up.
	spinTime = 75_000 // ns

	// relaxMost bounds the pause between two checks, in iterations of an empty loop (0.3 to 1 ns
	// each). It is long enough that a hunting worker does not keep pulling the owner's cache lines
	// away.
	relaxMost = 256
)

// sees reports whether there is work for w in any deque.
func (c *team) sees(w *worker) bool {
	if !w.deque.empty() {
		return true
	}
	for _, v := range w.victims {
		if !v.deque.empty() {
			return true
		}
	}
	return false
}

// idle reports whether w has reason to sleep. Worker 0 has one while other workers are inside and
// there is nothing to steal. Another worker has one while there is nothing to enter for.
func (c *team) idle(w *worker) bool {
	g := c.gate.Load()
	if w.index == 0 {
		return g&insideMask != 0 && !c.sees(w)
	}
	return !c.shut.Load() && !(isOpen(g) && c.sees(w))
}

// park puts w to sleep until it is woken, unless idle returns false.
//
// No wake-up is lost. A goroutine that makes work visible, leaves the gate last, or dismisses the
// team does this first and then looks for parked workers. w first sets parked and then checks idle.
// Atomic operations have one total order, so one of the two sees the other.
//
// awake is decremented before parked is set. So awake may be too low for a moment, which costs a
// needless search for parked workers. It is never too high, which could leave a worker asleep while
// there is work.
func (c *team) park(w *worker) {
	c.awake.Add(-1)
	w.parked.Store(true)
	if !c.idle(w) && w.parked.CompareAndSwap(true, false) {
		c.awake.Add(1)
		return
	}
	w.total.parks.Add(1)
	<-w.wake
}

// wake wakes w if it is parked, and reports whether it was.
func (c *team) wake(w *worker) bool {
	if !w.parked.Load() || !w.parked.CompareAndSwap(true, false) {
		return false
	}
	c.awake.Add(1)
	w.wake <- struct{}{}
	return true
}

// wakeOne wakes the first parked worker, and reports whether there was one.
func (c *team) wakeOne() bool {
	for _, w := range c.workers {
		if c.wake(w) {
			return true
		}
	}
	return false
}

// spinner bounds a wait. Each call of again pauses, longer each time, and returns false once
// spinTime has passed.
type spinner struct {
	turns int
	until int64
}

func (s *spinner) again() bool {
	if s.turns == 0 {
		s.until = now() + spinTime
	}
	s.turns++
	if s.turns%16 == 0 && now() >= s.until {
		return false
	}
	for i := min(8*s.turns, relaxMost); i > 0; i-- {
	}
	return true
}
