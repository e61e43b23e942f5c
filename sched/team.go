package sched

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/scree-dem/scree/internal/cpu"
)

// The fork and the join of one loop, with four workers and 16 chunks. Numbers are chunks; "hunt"
// means to search other deques for work:
//
//	worker 0 (caller)   load deques, open gate | 0 1 2 3 | hunt ........ 7 | close gate, return
//	worker 1            spin or park ...       | 4 5 6 | hunt: nothing, leave, spin, park ...
//	worker 2            spin or park ...           | 8 9 10 11 | 14 15 |
//	worker 3            asleep ........................ enters late, finds 12 13 of its own |
//
// The gate is one word. It contains an epoch, which is odd while a loop is open, and the number of
// workers 1, 2, ... that are inside. A worker enters by CAS if the gate is open and some deque has
// work. It leaves when its own deque is empty and it has found nothing to steal. Work that is in no
// deque is being done by a worker that is inside. When the caller has nothing left to do, it reads
// the gate and checks that all deques are empty. It then closes the gate by a CAS that requires
// zero workers inside.
//
// Proof that the loop is then finished. Only the owner of a deque adds to it, and only while
// inside. Suppose that a deque which the caller saw empty gets work later. Then its owner was
// inside at that time or later. But the owner has left when the CAS succeeds, and it leaves only
// with an empty deque. Nobody is inside, so no work is in progress either. The same holds if
// workers entered and left between the read of the gate and the CAS.
//
// No worker is indispensable. If a worker never wakes, its first run stays in its deque, and other
// workers steal it. Every leaving worker changes the gate, so the CAS that closes it synchronises
// with all of them. Hence the caller sees all writes of the bodies, and may write the fields of the
// next loop without locks.

// worker is one member of a team. Index 0 is the goroutine that calls For.
type worker struct {
	deque deque

	index   int
	cpu     int           // the logical processor of its thread, or unpinned
	settled bool          // it has reported to NewPinned whether its thread could be pinned
	victims []*worker     // the workers to steal from, in this order
	wake    chan struct{} // capacity 1: the worker that clears parked sends one token
	parked  atomic.Bool   // set by the worker before it sleeps, cleared by whoever wakes it
	_       [cacheLine]byte

	// Written by this worker only, while inside; not shared.
	chunk  uint32 // the chunk whose body is running
	chunks int64  // number done since the last publish
	steals int64  // number of steals since the last publish
	since  int64  // time at which it entered

	total counters
	_     [cacheLine]byte
}

// team holds what the workers of a pool share.
type team struct {
	workers []*worker
	spin    bool  // waiting workers spin before they park
	limit   int32 // largest number of workers that are kept awake, including the caller

	_     [cacheLine]byte
	gate  atomic.Uint64 // epoch<<32 | workers inside
	_     [cacheLine]byte
	awake atomic.Int32 // workers that are not parked, including the caller
	shut  atomic.Bool
	// failed is the lowest chunk that has panicked, or noFailure. Chunks above it are skipped.
	failed atomic.Uint64
	_      [cacheLine]byte

	turn  sync.Mutex     // held by the goroutine that is worker 0
	exits sync.WaitGroup // counts the goroutines of workers 1, 2, ...

	pinned chan error // one result per worker 1, 2, ..., while NewPinned waits for them

	// The current loop. Its caller writes these fields while the gate is closed. Either ranger or
	// tasker is nil.
	ranger   Ranger
	tasker   Tasker
	n, grain int       // for ranger
	prefix   []float64 // for tasker: prefix[t] is the cost of all tasks before t; reused

	faultMu sync.Mutex
	fault   *BodyPanic

	callTotal callCounters
	recorder  *Recorder // nil, except in a pool of NewRecording
}

const insideMask = 1<<32 - 1

func isOpen(gate uint64) bool { return gate>>32&1 == 1 }

// newTeam makes the team without starting goroutines. procs is how many goroutines can run at the
// same time. places has one place per worker, or is nil if the workers are not pinned.
func newTeam(workers, procs int, places []cpu.Topology) *team {
	c := &team{
		workers: make([]*worker, workers),
		spin:    workers <= procs,
		// One more than can run at the same time. When Go wakes a goroutine, it puts it into a slot
		// from which other processors hesitate to steal until the next goroutine takes the slot.
		// Measured with 16 workers on 2 processors: a loop of 185 µs of work took 128 µs, and
		// 175 µs without the extra one.
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

// takeTurn makes the calling goroutine worker 0, and waits while another goroutine is worker 0. It
// panics if it would have to wait inside a body. If the body belongs to this pool, it would wait
// for itself. If the body belongs to another pool, it would block that pool for an unbounded time.
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

// insideBody reports whether the calling goroutine runs a loop body of some pool. It walks the
// stack, which is the only portable method. takeTurn calls it only if the pool is busy.
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

// callRange runs one For as worker 0. It returns the panic to propagate, or nil.
func (c *team) callRange(n, grain int, body Ranger) *BodyPanic {
	c.takeTurn("For")
	defer c.endTurn()
	c.ranger, c.n, c.grain = body, n, grain
	chunks := uint64(ceilDiv(n, grain))
	if c.recorder != nil {
		c.recorder.open(int(chunks), nil)
	}
	if c.alone(chunks) {
		c.runInline(uint32(chunks))
		return c.fault
	}
	started := now()
	for i, w := range c.workers {
		if lo, hi := rangeRun(chunks, i, len(c.workers)); lo < hi {
			w.deque.push(makeSpan(lo, hi))
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
	if c.recorder != nil {
		c.recorder.open(len(costs), costs)
	}
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

// alone reports whether the caller runs the loop without opening the gate.
func (c *team) alone(chunks uint64) bool {
	return chunks == 1 || len(c.workers) == 1 || c.shut.Load()
}

// endTurn prepares the team for the next call. It is deferred because a body may call
// runtime.Goexit on the caller's goroutine, as a failing test does.
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

// lead does worker 0's part of a loop, from after opening the gate until closing it.
func (c *team) lead() {
	w := c.workers[0]
	closed := false
	defer func() {
		if !closed {
			// A body has called runtime.Goexit on this goroutine. Other workers still use the
			// caller's data, so the loop must be finished before the goroutine ends.
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

// join waits until the loop is finished, closes the gate and returns true. It returns false as soon
// as there is work to steal.
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

// serve is the main loop of worker w >= 1. If inside is true, it replaces a goroutine that ended in
// a body, and w already counts as inside the gate.
func (c *team) serve(w *worker, inside bool) {
	dismissed := false
	defer func() {
		if !dismissed {
			// The body has called runtime.Goexit, so this goroutine ends. A new one continues as
			// the same worker.
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

// enter waits until there is work and enters the gate. It returns false if the team is dismissed.
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

// dismiss tells the workers to end. It does not wait for them.
func (c *team) dismiss() {
	c.shut.Store(true)
	for _, w := range c.workers[1:] {
		c.wake(w)
	}
}
