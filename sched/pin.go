package sched

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/scree-dem/scree/internal/cpu"
)

// ErrPin marks workers that cannot be pinned: the system does not support it, or there are fewer
// logical processors than workers.
var ErrPin = errors.New("workers cannot be pinned")

// unpinned is the cpu of a worker that may run on any processor.
const unpinned = -1

// NewPinned starts a pool like New, and ties the thread of each worker to its own logical processor
// until Close. If workers <= 0, there are as many workers as the process may use processors, at
// most GOMAXPROCS. NewPinned uses one logical processor of each core before a second one of any
// core. It places neighbouring workers where they share caches. Worker 0 is the caller of For: no
// other worker gets its processor, and PinCaller ties the caller to it.
//
// Only Linux supports pinning. On other systems, if there are more workers than logical processors,
// or if the system refuses, NewPinned returns an error that wraps ErrPin, and no pool. The set of
// processors that the process may use is read once, by the first call.
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

// Open starts a pool: NewPinned if pin is set, otherwise New.
func Open(workers int, pin bool) (*Pool, error) {
	if pin {
		return NewPinned(workers)
	}
	return New(workers), nil
}

// PinCaller ties the calling goroutine to its thread, and the thread to the processor of worker 0.
// The same goroutine must call the returned function to undo this. PinCaller is meant for the
// goroutine that makes all calls of a pool of NewPinned. For a pool of New it does nothing.
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

// CPUs returns the logical processor of each worker, or nil if the workers are not pinned.
func (p *Pool) CPUs() []int {
	var cpus []int
	for _, w := range p.team.workers {
		if w.cpu != unpinned {
			cpus = append(cpus, w.cpu)
		}
	}
	return cpus
}

// settle ties the calling goroutine, which serves as w, to w's processor, and reports the result to
// NewPinned. A goroutine that replaces one that ended in a body does not report; if pinning fails,
// it continues unpinned.
func (c *team) settle(w *worker) {
	runtime.LockOSThread()
	err := cpu.Pin(w.cpu)
	if !w.settled {
		w.settled = true
		c.pinned <- err
	}
}

// unpin restores the thread. If that fails, the thread stays locked and ends with its goroutine.
func unpin() {
	if cpu.Unpin() == nil {
		runtime.UnlockOSThread()
	}
}

// stealOrder returns the workers from which worker i of n tries to steal, in order. Nearest indices
// come first, and the next index before the previous one, because their runs are neighbours in
// space. Pinned workers are first grouped by distance: those that share a core or a second-level
// cache with i, then a third-level cache, then a package. Within a group the order is that of the
// indices. For unpinned workers it is unknown where they run.
func stealOrder(i, n int, places []cpu.Topology) []int {
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
