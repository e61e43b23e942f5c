package sched

import (
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/scree-dem/scree/internal/cpu"
)

const (
	// overheadLines is the number of deques that a worker looks at, or fills, one after the other, in a
	// measurement. Their lines fit a first-level cache, so it pays only for those that the other core has written.
	overheadLines = 16
	// overheadTurns is the number of turns, of which the fastest counts.
	overheadTurns = 200
	// forkWork, ns, is the work of each worker in a loop whose rest is the cost of a fork and join. It is
	// long enough for both workers to come.
	forkWork = 5000
)

// MeasureOverheads measures the costs of scheduling on this machine, each as the least of many turns. Two neighbouring
// cores take the turns, for StealFar two that are as far apart as the process may use. With one processor, all costs
// are those of one core.
func MeasureOverheads() Overheads {
	var d [overheadLines]deque
	var gate atomic.Uint64
	all := func(f func(d *deque)) func() {
		return func() {
			for i := range d {
				f(&d[i*5%overheadLines]) // in an order that the processor does not foresee
			}
		}
	}
	give := func(d *deque) { d.push(makeSpan(0, 1)) }
	take := func(d *deque) { d.steal() }
	pass := func(d *deque) { d.push(makeSpan(0, 1)); d.pop() }
	come := func() { gate.Add(1) }
	near, far := [2]int{unpinned, unpinned}, [2]int{unpinned, unpinned}
	if cpus, err := cpu.Allowed(); err == nil && len(cpus) > 1 {
		places := cpu.Places(cpus)
		two, rest := cpu.Choose(places, 2), cpu.Choose(places, len(places))
		near, far = [2]int{two[0].CPU, two[1].CPU}, [2]int{rest[0].CPU, rest[len(rest)-1].CPU}
	}
	o := Overheads{
		Chunk:     chunkOverhead(),
		Look:      inTurns(near, all(take), all(pass)) / overheadLines,
		StealNear: inTurns(near, func() { take(&d[0]) }, func() { give(&d[0]) }),
		StealFar:  inTurns(far, func() { take(&d[0]) }, func() { give(&d[0]) }),
		// The caller gives a worker its run. The worker comes and goes by a word that all write.
		Enter: float64(inTurns(near, all(give), all(take))/overheadLines) + float64(2*inTurns(near, come, come)),
	}
	o.Fork = max(forkOverhead()-o.Enter, 0)
	return o
}

// inTurns lets two threads, pinned to cpus, run mine and theirs in turns. It returns the time of mine, ns.
func inTurns(cpus [2]int, mine, theirs func()) float64 {
	var turn atomic.Int64
	times := func(side int64, f func()) int64 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if n := cpus[side]; n != unpinned && cpu.Pin(n) == nil {
			defer func() { _ = cpu.Unpin() }()
		}
		least, clock := int64(math.MaxInt64), int64(math.MaxInt64)
		for k := range int64(overheadTurns) {
			for turn.Load() != 2*k+side {
				if runtime.GOMAXPROCS(0) == 1 {
					runtime.Gosched()
				}
			}
			began := now()
			f()
			ended := now()
			least, clock = min(least, ended-began), min(clock, now()-ended)
			turn.Add(1)
		}
		return max(least-clock, 0)
	}
	go times(0, theirs)
	return float64(times(1, mine))
}

// chunkOverhead returns the time in which a worker cuts a chunk off its run, and takes it.
func chunkOverhead() float64 {
	const chunks = 1 << 12
	c := newTeam(2, 2, nil)
	c.ranger, c.n, c.grain = waits(0), chunks, 1
	var times []int64
	for range overheadTurns {
		c.workers[0].deque.push(makeSpan(0, chunks))
		began := now()
		c.work(c.workers[0])
		times = append(times, now()-began)
	}
	return float64(slices.Min(times)) / chunks
}

// forkOverhead returns the time of a loop of one chunk for each of two workers, less that of a chunk.
func forkOverhead() float64 {
	p, err := NewPinned(2) // Otherwise both may run on one processor while others are busy.
	if err != nil {
		p = New(2)
	}
	defer p.Close()
	if unpinCaller, err := p.PinCaller(); err == nil {
		defer unpinCaller()
	}
	work := int64(forkWork)
	if min(runtime.GOMAXPROCS(0), runtime.NumCPU()) == 1 {
		work *= 2 // one after the other
	}
	var times []int64
	for range 20 * overheadTurns {
		began := now()
		p.For(2, 1, waits(forkWork))
		times = append(times, now()-began-work)
	}
	return float64(slices.Min(times))
}

// waits is a body that takes so many ns, whatever else the processor does.
type waits int64

func (w waits) Range(int, int, int) {
	if w > 0 {
		for end := now() + int64(w); now() < end; {
		}
	}
}
