package sched

import (
	"fmt"

	"github.com/scree-dem/scree/internal/cpu"
)

// MaxCores is the largest number of cores of a Target.
const MaxCores = 1024

// Target is a machine on which Replay runs loops, one worker on each core.
type Target struct {
	Cores   int // 1 to MaxCores
	L3Cores int // cores that share a third-level cache; 0: all
	Overheads
}

// Overheads are the costs of scheduling, ns. MeasureOverheads measures them.
type Overheads struct {
	Chunk     float64 // to take a chunk from the own deque
	Look      float64 // to see that the deque of another worker is empty
	StealNear float64 // to steal from a core that shares a third-level cache
	StealFar  float64 // to steal from another core
	Fork      float64 // to start and to end a loop
	Enter     float64 // more of it for each worker beside the caller, which gives it its run, and waits until it has come and gone
}

// Replayed is a loop as Replay has run it. Busy / (Cores × Time) of a Target is its efficiency.
type Replayed struct {
	Shared    bool    // the loop was shared between workers
	Time      float64 // ns, from the call to the return
	Busy      float64 // ns, sum over the workers: chunks and Chunk, Look, StealNear, StealFar
	Near, Far int64   // steals
}

// Replay runs recorded loops on another machine in virtual time. It calls the functions by which a
// pool divides runs, halves what a worker cuts off, keeps it in a deque, and orders victims. As in a pool, a
// loop of one chunk, and each loop on one core, runs on the caller alone.
//
// All workers begin at one time. A worker without work steals in the order of its victims at once, or waits for the next
// span that any worker pushes; the one that has waited longest gets it. So no core is idle while a deque has work.
// Without Overheads, a loop then takes at most total/cores + (1 − 1/cores) × its longest chunk (Graham 1969).
//
// Not modelled: wake-ups of sleeping workers, contention for a deque, and what cores do to each other's caches and memory.
// The result is the same on every run. Replay panics if the target has fewer than 1 or more than MaxCores cores.
func Replay(loops []Loop, t Target) []Replayed {
	if t.Cores < 1 || t.Cores > MaxCores {
		panic(fmt.Sprintf("sched: Replay on %d cores, expected 1 to %d", t.Cores, MaxCores))
	}
	r := replay{Target: t, workers: make([]replayWorker, t.Cores)}
	places := make([]cpu.Topology, t.Cores)
	for i := range places {
		places[i] = cpu.Topology{CPU: i, Core: i, L2: i}
		if t.L3Cores > 0 {
			places[i].L3 = i / t.L3Cores * t.L3Cores
		}
	}
	for i := range r.workers {
		r.workers[i].l3, r.workers[i].victims = places[i].L3, stealOrder(i, t.Cores, places)
	}
	all := make([]Replayed, len(loops))
	for i := range loops {
		r.loop, r.result = &loops[i], &all[i]
		r.run()
	}
	return all
}

// replay is a loop that runs in virtual time.
type replay struct {
	Target
	workers []replayWorker
	loop    *Loop
	prefix  []float64 // nil: a loop over ranges
	sums    []float64 // memory of prefix
	result  *Replayed
	order   int   // number of calls of at
	idle    []int // workers that have found nothing, the one that has waited longest first
	end     float64
}

type replayWorker struct {
	deque   deque
	next    float64 // ns, the time at which it acts
	order   int     // of those who act at one time; 0: it does not act
	hand    span
	l3      int
	victims []int
}

// at makes worker i act at a time, ns, with nothing in hand but a span, which may be empty.
func (r *replay) at(time float64, i int, s span) {
	r.order++
	r.workers[i].next, r.workers[i].order, r.workers[i].hand = time, r.order, s
}

// first returns the worker that acts next, or nil. Of two at one time it is the one that was told first.
func (r *replay) first() (i int, w *replayWorker) {
	for k := range r.workers {
		if v := &r.workers[k]; v.order > 0 && (w == nil || v.next < w.next || v.next == w.next && v.order < w.order) {
			i, w = k, v
		}
	}
	return i, w
}

// run replays one loop.
func (r *replay) run() {
	chunks := len(r.loop.Times)
	if chunks <= 1 || r.Cores == 1 {
		for _, t := range r.loop.Times {
			r.result.Time += t
		}
		r.result.Busy = r.result.Time
		return
	}
	r.result.Shared, r.prefix, r.idle = true, nil, r.idle[:0]
	if r.loop.Costs != nil {
		r.sums = prefixCosts(r.sums, r.loop.Costs)
		r.prefix = r.sums
	}
	begin := r.Fork + float64(r.Enter*float64(min(r.Cores, chunks)-1))
	r.end = begin
	lo := uint32(0)
	for i := range r.workers {
		var hi uint32
		if r.prefix != nil {
			hi = uint32(runEnd(r.prefix, int(lo), i, r.Cores))
		} else {
			lo, hi = rangeRun(uint64(chunks), i, r.Cores)
		}
		if lo < hi {
			r.workers[i].deque.push(makeSpan(lo, hi))
			r.at(begin, i, 0)
		} else {
			r.idle = append(r.idle, i)
		}
		lo = hi
	}
	// Whoever has a run takes its first chunk before others look for work.
	for _, i := range r.idle {
		r.at(begin, i, 0)
	}
	r.idle = r.idle[:0]
	for i, w := r.first(); w != nil; i, w = r.first() {
		w.order = 0
		r.turn(i, w, w.next, w.hand)
	}
	// The last worker looks at all others before it leaves.
	r.result.Time = r.end + float64(r.Look*float64(r.Cores-1))
}

// turn is what worker i does at a time: run the first chunk of the span in its hand or its deque, or
// steal, or wait.
func (r *replay) turn(i int, w *replayWorker, now float64, s span) {
	if s.lo() == s.hi() {
		var ok bool
		if s, ok = w.deque.pop(); !ok {
			r.steal(i, w, now)
			return
		}
	}
	lo, hi := s.lo(), s.hi()
	for hi-lo > 1 {
		mid := halve(r.prefix, lo, hi)
		w.deque.push(makeSpan(mid, hi))
		hi = mid
		if len(r.idle) > 0 {
			r.at(now, r.idle[0], 0)
			r.idle = r.idle[1:]
		}
	}
	took := r.Chunk + r.loop.Times[lo]
	r.result.Busy += took
	r.end = max(r.end, now+took)
	r.at(now+took, i, 0)
}

// steal takes the far part of the work of the first victim that has any.
func (r *replay) steal(i int, w *replayWorker, now float64) {
	took := 0.0
	for _, v := range w.victims {
		from := &r.workers[v]
		s, ok, _ := from.deque.steal()
		if !ok {
			took += r.Look
			continue
		}
		if from.l3 == w.l3 {
			r.result.Near++
			took += r.StealNear
		} else {
			r.result.Far++
			took += r.StealFar
		}
		r.result.Busy += took
		r.at(now+took, i, s)
		return
	}
	r.idle = append(r.idle, i)
}
