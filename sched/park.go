package sched

// How a worker with nothing to do waits: it spins for a bounded time, then sleeps until it is woken.

const (
	// spinTime is how long a worker looks for work before it parks: about what it takes to wake a parked
	// one (75 µs, BenchmarkAfterPause), so that waiting costs at most twice the better choice. With
	// more, spinning takes time from other processes when processors are shared; with less, serial
	// stretches between two loops cost the second one half its speed-up.
	spinTime = 75_000 // ns

	// relaxMost bounds the pause between two looks, in turns of an empty loop (0.3 to 1 ns each): long
	// enough that a hunting worker does not keep pulling the owner's cache lines away.
	relaxMost = 256
)

// sees tells whether there is work for w in any deque.
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

// idle tells whether w has reason to sleep. Worker 0 sleeps only while others are inside, the others
// while there is nothing to enter for.
func (c *team) idle(w *worker) bool {
	g := c.gate.Load()
	if w.index == 0 {
		return g&insideMask != 0 && !c.sees(w)
	}
	return !c.shut.Load() && !(isOpen(g) && c.sees(w))
}

// park puts w to sleep until it is woken. Whoever makes work visible, leaves the gate last or dismisses
// the team does so first and looks for sleepers second; w announces itself first and looks for
// reasons to stay second. In the one order of all atomic operations one of the two sees the other.
// awake goes down before parked goes up, so that it may be too low for a moment, which costs a vain
// look for sleepers, but never too high, which could leave one asleep beside work.
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

// wake wakes w if it is parked, and tells whether it was.
func (c *team) wake(w *worker) bool {
	if !w.parked.Load() || !w.parked.CompareAndSwap(true, false) {
		return false
	}
	c.awake.Add(1)
	w.wake <- struct{}{}
	return true
}

// wakeOne wakes the first worker that is parked, and tells whether there was one.
func (c *team) wakeOne() bool {
	for _, w := range c.workers {
		if c.wake(w) {
			return true
		}
	}
	return false
}

// spinner bounds a wait: again pauses, longer each time, until spinTime has passed.
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
