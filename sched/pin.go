package sched

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/scree-dem/scree/internal/cpu"
)

// ErrPin marks workers that cannot be pinned: the system does not offer it, or there are fewer logical
// processors than workers.
var ErrPin = errors.New("workers cannot be pinned")

// unpinned is the cpu of a worker that the system may run anywhere.
const unpinned = -1

// NewPinned starts a pool as New does, with the thread of each worker tied to a logical processor of
// its own until Close; with workers <= 0 there are as many as the process may use. One logical
// processor of each core is taken before a second one of any, and neighbouring workers are put where
// they share cache. Worker 0 is whoever calls For: its processor is kept free of the others, and PinCaller
// ties the caller to it.
//
// Only Linux has it. Elsewhere, with more workers than logical processors, and where the system
// refuses, there is no pool and the error wraps ErrPin. What the process may use is asked once, by the
// first call.
func NewPinned(workers int) (*Pool, error) {
	cpus, err := cpu.Allowed()
	if err != nil {
		return nil, fmt.Errorf("sched: %w: %w", err, ErrPin)
	}
	procs := runtime.GOMAXPROCS(0)
	if workers <= 0 {
		workers = min(procs, len(cpus))
	}
	if workers > len(cpus) {
		return nil, fmt.Errorf("sched: %d workers for %d logical processors: %w", workers, len(cpus), ErrPin)
	}
	c := newTeam(workers, procs, cpu.Choose(cpu.Places(cpus), workers))
	c.pinned = make(chan error, workers)
	p := start(c)
	for range workers - 1 {
		err = errors.Join(err, <-c.pinned)
	}
	c.pinned = nil
	if err != nil {
		p.Close()
		return nil, fmt.Errorf("sched: %w: %w", err, ErrPin)
	}
	return p, nil
}

// PinCaller ties the calling goroutine to its thread and that thread to the processor of worker 0, until
// the function it returns is called, by the same goroutine. It is for the goroutine that makes all calls
// of a pool of NewPinned; for a pool of New it does nothing.
func (p *Pool) PinCaller() (unpinCaller func(), err error) {
	w := p.team.workers[0]
	if w.cpu == unpinned {
		return func() {}, nil
	}
	runtime.LockOSThread()
	if err := cpu.Pin(w.cpu); err != nil {
		runtime.UnlockOSThread()
		return nil, fmt.Errorf("sched: %w: %w", err, ErrPin)
	}
	return unpin, nil
}

// CPUs returns the logical processor of each worker, nil if they are not pinned.
func (p *Pool) CPUs() []int {
	var cpus []int
	for _, w := range p.team.workers {
		if w.cpu != unpinned {
			cpus = append(cpus, w.cpu)
		}
	}
	return cpus
}

// settle ties the calling goroutine, which serves as w, to the processor of w, and tells NewPinned of
// it. A goroutine that takes over from one that ended in a body has nobody to tell if it fails, and goes on.
func (c *team) settle(w *worker) {
	runtime.LockOSThread()
	err := cpu.Pin(w.cpu)
	if !w.settled {
		w.settled = true
		c.pinned <- err
	}
}

// unpin gives the thread back as it was. A thread that cannot be is left locked, and ends with its
// goroutine.
func unpin() {
	if cpu.Unpin() == nil {
		runtime.UnlockOSThread()
	}
}

// stealOrder returns whom worker i of n tries to steal from: nearest index first, the next one before
// the one behind, for their runs are neighbours in space. Pinned workers are asked first if they share a
// core or a second-level cache with i, then a third-level cache, then a package, and in the order of the
// index only within each of these. Where the workers of a pool that is not pinned run, nobody knows.
func stealOrder(i, n int, places []cpu.Place) []int {
	order := make([]int, 0, n-1)
	for d := 1; len(order) < n-1; d++ {
		order = append(order, (i+d)%n)
		if len(order) < n-1 {
			order = append(order, (i-d+n)%n)
		}
	}
	if places != nil {
		slices.SortStableFunc(order, func(a, b int) int {
			return cpu.Distance(places[i], places[a]) - cpu.Distance(places[i], places[b])
		})
	}
	return order
}
