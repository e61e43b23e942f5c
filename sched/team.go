package sched

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/scree-dem/scree/internal/cpu"
)

// The fork and the join of one loop. With four workers and 16 chunks:
//
//	worker 0 (caller)   load deques, open gate | 0 1 2 3 | hunt ........ 7 | close gate, return
//	worker 1            spin or park ...       | 4 5 6 | hunt: nothing, leave, spin, park ...
//	worker 2            spin or park ...           | 8 9 10 11 | 14 15 |
//	worker 3            asleep ........................ enters late, finds 12 13 of its own |
//
// The gate is one word: an epoch, odd while a loop is open, and the number of workers 1, 2, ...
// that are inside. A worker enters by CAS if the gate is open and it sees work in some deque, and
// leaves when its own deque is empty and it found nothing to steal. Work in nobody's deque is in the
// hands of a worker that is inside. The caller, with nothing left to do, reads the gate, finds
// all deques empty, and closes by a CAS that demands zero workers inside.
//
// Why the loop is then finished. Only its owner, while inside, adds to a deque. So a deque the caller
// saw empty can have had work since only if its owner was inside at that time or later; the owner
// has left when the CAS succeeds, and leaves only with an empty deque. No one is inside, so no work is in
// hand either. The same holds if workers came and went between the read of the gate and the CAS.
//
// Nobody is needed: a worker that never wakes leaves its first run in its deque, where it is stolen.
// The CAS that closes the gate reads what each leaving worker wrote, so all that the bodies wrote
// is seen by the caller, and the fields of the next loop may be written without locks.

// worker is one member of a team. Index 0 stands for whoever calls For.
type worker struct {
	deque deque

	index   int
	cpu     int           // the logical processor its thread is tied to, or unpinned
	settled bool          // it has told NewPinned whether its thread could be tied
	victims []*worker     // whom to steal from, in this order
	wake    chan struct{} // capacity 1: a token for the one that took parked away
	parked  atomic.Bool   // set by the worker before it sleeps, taken away by the one that wakes it
	_       [cacheLine]byte

	// Written by this worker only, while inside; not shared.
	chunk  uint32 // the chunk whose body is running
	chunks int64  // done since the last publish
	steals int64  // likewise
	since  int64  // when it came inside

	total counters
	_     [cacheLine]byte
}

// team is what the workers of a pool share.
type team struct {
	workers []*worker
	spin    bool  // whether waiting workers spin before they park
	limit   int32 // how many workers are kept awake at most, the caller included

	_     [cacheLine]byte
	gate  atomic.Uint64 // epoch<<32 | workers inside
	_     [cacheLine]byte
	awake atomic.Int32 // workers that are not parked, the caller included
	shut  atomic.Bool
	// failed is the lowest chunk that panicked, noFailure if none did. Chunks above it are dropped.
	failed atomic.Uint64
	_      [cacheLine]byte

	turn  sync.Mutex     // held by the goroutine that is worker 0
	exits sync.WaitGroup // the goroutines of workers 1, 2, ...

	pinned chan error // one result of each of workers 1, 2, ..., while NewPinned waits for them

	// The loop under way, written by its caller while the gate is closed. One of ranger and tasker is nil.
	ranger   Ranger
	tasker   Tasker
	n, grain int       // for ranger
	prefix   []float64 // for tasker: prefix[t] is the cost of all tasks before t; kept for reuse

	faultMu sync.Mutex
	fault   *BodyPanic

	callTotal callCounters
}

const insideMask = 1<<32 - 1

func isOpen(gate uint64) bool { return gate>>32&1 == 1 }

// newTeam makes the team without starting anyone. procs is how many goroutines run at the same time;
// places has one place a worker, or none if they are not to be pinned.
func newTeam(workers, procs int, places []cpu.Place) *team {
	c := &team{
		workers: make([]*worker, workers),
		spin:    workers <= procs,
		// One more than can run, for Go puts a goroutine that is woken into a slot other processors
		// hesitate to steal from, until the next one pushes it out: 128 against 175 µs for a loop
		// of 185 µs with 16 workers on 2 processors.
		limit: int32(min(workers, procs+1)),
	}
	for i := range c.workers {
		c.workers[i] = &worker{index: i, cpu: unpinned, wake: make(chan struct{}, 1)}
		if places != nil {
			c.workers[i].cpu = places[i].CPU
		}
	}
	for i, w := range c.workers {
		for _, v := range stealOrder(i, workers, places) {
			w.victims = append(w.victims, c.workers[v])
		}
	}
	c.awake.Store(int32(workers))
	c.failed.Store(noFailure)
	return c
}

// takeTurn makes the calling goroutine worker 0, waiting for others that are. It panics if it is called
// from inside a body, be it another pool's, and would have to wait: it would do so for itself, or
// hold up the other pool for a time nobody bounds.
func (c *team) takeTurn(method string) {
	if c.turn.TryLock() {
		return
	}
	if insideBody() {
		panic("sched: " + method + " called from inside a loop body while the pool is at work; " +
			"call the inner body directly with the worker index the outer one was given")
	}
	c.turn.Lock()
}

// insideBody tells whether the calling goroutine runs a loop body of some pool. It walks the stack,
// the only portable way to know; takeTurn asks only when the pool is busy.
func insideBody() bool {
	var pcs [64]uintptr
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		if n == 0 {
			return false
		}
		frames := runtime.CallersFrames(pcs[:n])
		for more := true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			if strings.HasSuffix(f.Function, "/sched.(*team).runChunk") {
				return true
			}
		}
	}
}

// callRange runs one For as worker 0 and returns the panic to carry on, if there was one.
func (c *team) callRange(n, grain int, body Ranger) *BodyPanic {
	c.takeTurn("For")
	defer c.endTurn()
	c.ranger, c.n, c.grain = body, n, grain
	chunks := uint64(ceilDiv(n, grain))
	if c.alone(chunks) {
		c.runInline(uint32(chunks))
		return c.fault
	}
	started := now()
	per := uint64(len(c.workers))
	for i, w := range c.workers {
		lo, hi := chunks*uint64(i)/per, chunks*uint64(i+1)/per
		if lo < hi {
			w.deque.push(makeSpan(uint32(lo), uint32(hi)))
		}
	}
	c.share(chunks, started)
	return c.fault
}

// callTasks is callRange for ForTasks.
func (c *team) callTasks(costs []float64, body Tasker) *BodyPanic {
	c.takeTurn("ForTasks")
	defer c.endTurn()
	c.tasker = body
	if c.alone(uint64(len(costs))) {
		c.runInline(uint32(len(costs)))
		return c.fault
	}
	started := now()
	c.prefix = prefixCosts(c.prefix, costs)
	lo := 0
	for i, w := range c.workers {
		hi := runEnd(c.prefix, lo, i, len(c.workers))
		if lo < hi {
			w.deque.push(makeSpan(uint32(lo), uint32(hi)))
		}
		lo = hi
	}
	c.share(uint64(len(costs)), started)
	return c.fault
}

// alone tells whether the caller runs the loop without opening the gate.
func (c *team) alone(chunks uint64) bool {
	return chunks == 1 || len(c.workers) == 1 || c.shut.Load()
}

// endTurn leaves the team ready for the next call. It is deferred because a body may call
// runtime.Goexit (a failing test does) on the caller's goroutine.
func (c *team) endTurn() {
	c.ranger, c.tasker = nil, nil
	if c.fault != nil {
		c.fault = nil
		c.failed.Store(noFailure)
	}
	c.turn.Unlock()
}

// share opens the gate, works as worker 0 until the loop is finished, and closes the gate.
func (c *team) share(chunks uint64, started int64) {
	c.gate.Store((c.gate.Load()>>32 + 1) << 32)
	want := int32(min(chunks, uint64(c.limit)))
	for c.awake.Load() < want && c.wakeOne() {
	}
	c.workers[0].since = started
	c.lead()
	c.callTotal.add(now() - started)
}

// lead is worker 0's part between opening and closing the gate.
func (c *team) lead() {
	w := c.workers[0]
	closed := false
	defer func() {
		if !closed {
			// A body called runtime.Goexit on this goroutine. The others still use what the caller owns, so
			// the loop is brought to its end before the goroutine goes.
			c.lead()
		}
	}()
	for !closed {
		if !c.work(w) {
			continue
		}
		w.publish()
		closed = c.join(w)
		w.since = now()
	}
}

// join waits until the loop is finished and closes the gate, or returns false as soon as there
// is work to steal.
func (c *team) join(w *worker) bool {
	var s spinner
	for {
		g := c.gate.Load()
		if c.sees(w) {
			return false
		}
		if g&insideMask == 0 {
			if c.gate.CompareAndSwap(g, g+1<<32) {
				return true
			}
			continue
		}
		if c.spin && s.again() {
			continue
		}
		c.park(w)
		s = spinner{}
	}
}

// serve is the life of worker w >= 1. inside says that it takes over from a goroutine that ended in
// a body, with its place inside the gate.
func (c *team) serve(w *worker, inside bool) {
	dismissed := false
	defer func() {
		if !dismissed {
			// The body called runtime.Goexit: this goroutine cannot be kept, the worker can.
			go c.serve(w, true)
			return
		}
		c.exits.Done()
	}()
	if w.cpu != unpinned {
		c.settle(w)
		defer unpin()
	}
	for inside || c.enter(w) {
		inside = false
		for !c.work(w) {
		}
		w.publish()
		if c.gate.Add(^uint64(0))&insideMask == 0 {
			c.wake(c.workers[0])
		}
	}
	dismissed = true
}

// enter waits until there is work and goes inside the gate. It returns false when the team is
// dismissed.
func (c *team) enter(w *worker) bool {
	var s spinner
	for {
		g := c.gate.Load()
		if isOpen(g) && c.sees(w) {
			if c.gate.CompareAndSwap(g, g+1) {
				w.since = now()
				return true
			}
			continue
		}
		if c.shut.Load() {
			return false
		}
		if c.spin && s.again() {
			continue
		}
		c.park(w)
		s = spinner{}
	}
}

// dismiss lets the workers end. It does not wait for them.
func (c *team) dismiss() {
	c.shut.Store(true)
	for _, w := range c.workers[1:] {
		c.wake(w)
	}
}
