package sched

import (
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/scree-dem/scree/internal/cpu"
)

const (
	// overheadLines is the number of deques that a worker looks at, or fills, one after the other, in a
	// measurement. Their lines fit a first-level cache, so a turn pays only for those that the other core has written.
	overheadLines = 16
	// overheadTurns is the number of turns, of which typical chooses one.
	overheadTurns = 200
	// forkWork, ns, is the work of each worker in a loop whose rest is the cost of a fork and join. It is
	// long enough for both workers to come.
	forkWork = 5000
)

// MeasureOverheads measures the costs of scheduling on two processors of this machine. With one
// processor, all costs are those of one core. StealFar is StealNear unless the process may use
// processors with different third-level caches.
func MeasureOverheads() Overheads {
	o := Overheads{Chunk: chunkOverhead()}
	var d [overheadLines]deque
	var gate atomic.Uint64
	first := func(f func(d *deque)) func() { return func() { f(&d[0]) } }
	each := func(f func(d *deque)) func() {
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
	mine, at := processors()
	near := at[1] // shares a third-level cache
	if near == unpinned {
		near = at[0]
	}
	o.StealNear = inTurns(mine, near, first(take), first(give))
	o.StealFar = o.StealNear
	if far := max(at[2], at[3]); far != unpinned {
		o.StealFar = inTurns(mine, far, first(take), first(give))
	}
	o.Look = inTurns(mine, near, each(take), each(pass)) / overheadLines
	// The caller gives a worker its run. The worker comes and goes by a word that all write.
	o.Enter = inTurns(mine, near, each(give), each(take))/overheadLines + 2*inTurns(mine, near, come, come)
	o.Fork = max(forkOverhead()-o.Enter, 0)
	return o
}

// inTurns lets two threads run mine and theirs in turns, each on its processor, if pinned. It returns
// the time of mine, ns.
func inTurns(cpuMine, cpuTheirs int, mine, theirs func()) float64 {
	on := func(n int, f func()) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if n != unpinned && cpu.Pin(n) == nil {
			defer func() { _ = cpu.Unpin() }()
		}
		f()
	}
	var turn atomic.Int64
	await := func(n int64) {
		for turn.Load() != n {
			if runtime.GOMAXPROCS(0) == 1 {
				runtime.Gosched()
			}
		}
	}
	go on(cpuTheirs, func() {
		for k := range int64(overheadTurns) {
			await(2 * k)
			theirs()
			turn.Add(1)
		}
	})
	var times, clock []int64
	on(cpuMine, func() {
		for k := range int64(overheadTurns) {
			await(2*k + 1)
			began := now()
			mine()
			ended := now()
			times, clock = append(times, ended-began), append(clock, now()-ended)
			turn.Add(1)
		}
	})
	return float64(max(typical(times)-typical(clock), 0))
}

// chunkOverhead returns the time in which a worker cuts a chunk off its run, and takes it.
func chunkOverhead() float64 {
	const chunks = 1 << 12
	c := newTeam(2, 2, nil)
	c.ranger, c.n, c.grain = nothing{}, chunks, 1
	var times []int64
	for range overheadTurns {
		c.workers[0].deque.push(makeSpan(0, chunks))
		began := now()
		c.work(c.workers[0])
		times = append(times, now()-began)
	}
	return float64(typical(times)) / chunks
}

type nothing struct{}

func (nothing) Range(int, int, int) {}

// forkOverhead returns the time of a loop of one chunk for each of two workers, less that of a chunk.
func forkOverhead() float64 {
	p := New(2)
	defer p.Close()
	var times []int64
	for range 50 * overheadTurns { // for so long that the system runs the two on two processors
		began := now()
		p.For(2, 1, waits{})
		times = append(times, now()-began-forkWork)
	}
	return float64(typical(times))
}

// waits is a body that takes forkWork, whatever else the processor does.
type waits struct{}

func (waits) Range(int, int, int) {
	for end := now() + forkWork; now() < end; {
	}
}

// typical returns the time that a tenth of the measurements do not exceed. Other processes disturb the
// others.
func typical(times []int64) int64 {
	slices.Sort(times)
	return times[len(times)/10]
}

// processors returns a logical processor and another one at each distance (see cpu.Distance), where
// there is one that the process may use.
func processors() (first int, at [4]int) {
	at = [4]int{unpinned, unpinned, unpinned, unpinned}
	cpus, err := cpu.Allowed()
	if err != nil {
		return unpinned, at
	}
	places := cpu.Places(cpus)
	for _, p := range places[1:] {
		at[cpu.Distance(places[0], p)] = p.CPU
	}
	return cpus[0], at
}
