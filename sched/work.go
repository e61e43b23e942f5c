package sched

// work runs the chunks in w's deque and then what it can steal, until it finds nothing more. It
// returns false if a body has panicked. The panic is then recorded, and some work may be left.
func (c *team) work(w *worker) (done bool) {
	defer func() {
		if !done {
			c.record(w, recover())
		}
	}()
	for {
		s, ok := w.deque.pop()
		if !ok {
			if s, ok = w.steal(); !ok {
				return true
			}
			w.steals++
		}
		c.runSpan(w, s)
	}
}

// steal takes the far part of the work of the first victim that has any.
func (w *worker) steal() (span, bool) {
	for _, v := range w.victims {
		for {
			s, ok, lost := v.deque.steal()
			if ok {
				return s, true
			}
			if !lost {
				break
			}
		}
	}
	return 0, false
}

// runSpan runs the first chunk of s and pushes the rest to w's deque. It pushes the far half first,
// then the far half of the near half, and so on. So the owner pops the chunks in ascending order.
// runSpan skips chunks above one that has panicked. It must run chunks below, because one of them
// may panic too.
func (c *team) runSpan(w *worker, s span) {
	lo, hi := s.lo(), s.hi()
	if uint64(lo) > c.failed.Load() {
		return
	}
	var prefix []float64
	if c.tasker != nil {
		prefix = c.prefix
	}
	for hi-lo > 1 {
		mid := halve(prefix, lo, hi)
		w.deque.push(makeSpan(mid, hi))
		hi = mid
		if c.awake.Load() < c.limit {
			c.wakeOne()
		}
	}
	c.runChunk(w, lo)
}

// runInline runs all chunks in order as worker 0. It stops at the first chunk that panics.
func (c *team) runInline(chunks uint32) {
	w := c.workers[0]
	done := false
	defer func() {
		if !done {
			c.record(w, recover())
		}
		w.total.chunks.Add(w.chunks)
		w.chunks = 0
		c.callTotal.inline.Add(1)
	}()
	for k := uint32(0); k < chunks; k++ {
		c.runChunk(w, k)
		if c.recorder != nil {
			c.recorder.lap()
		}
	}
	done = true
}

// runChunk runs one chunk. insideBody searches the stack for the name of this method.
func (c *team) runChunk(w *worker, chunk uint32) {
	w.chunk = chunk
	w.chunks++
	if c.tasker != nil {
		c.tasker.Task(int(chunk), w.index)
		return
	}
	lo, hi := c.bounds(chunk)
	c.ranger.Range(lo, hi, w.index)
}

// bounds returns the indices [lo, hi) of a chunk. Each task is a chunk.
func (c *team) bounds(chunk uint32) (lo, hi int) {
	if c.tasker != nil {
		return int(chunk), int(chunk) + 1
	}
	lo = int(chunk) * c.grain
	return lo, lo + min(c.grain, c.n-lo)
}
