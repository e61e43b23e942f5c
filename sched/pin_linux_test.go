package sched

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/scree-dem/scree/internal/cpu"
)

// affinity returns the processors on which the calling thread may run.
func affinity(t *testing.T) []int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		t.Error(err)
	}
	var cpus []int
	for n := range 1024 {
		if set.IsSet(n) {
			cpus = append(cpus, n)
		}
	}
	return cpus
}

func newPinned(t *testing.T, workers int) *Pool {
	t.Helper()
	p, err := NewPinned(workers)
	if errors.Is(err, cpu.ErrAffinity) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// locator records where each worker may run. Every worker runs one chunk, because no chunk returns
// before all have started.
type locator struct {
	t     *testing.T
	by    [][]int
	begun atomic.Int64
	all   chan struct{}
}

func newLocator(t *testing.T, workers int) *locator {
	return &locator{t: t, by: make([][]int, workers), all: make(chan struct{})}
}

func (l *locator) Range(_, _, worker int) {
	l.by[worker] = affinity(l.t)
	if l.begun.Add(1) == int64(len(l.by)) {
		close(l.all)
	}
	<-l.all
}

// tiedThreads counts the threads of this process that may run on fewer processors than the process.
func tiedThreads(t *testing.T) int {
	t.Helper()
	tasks, err := filepath.Glob("/proc/self/task/*/status")
	if err != nil || len(tasks) == 0 {
		t.Skip("the system does not list threads")
	}
	cpus, _ := cpu.Allowed()
	tied := 0
	for _, task := range tasks {
		text, err := os.ReadFile(task)
		if err != nil {
			continue // it has ended
		}
		_, after, _ := strings.Cut(string(text), "Cpus_allowed:\t")
		mask, _, _ := strings.Cut(after, "\n")
		n := 0
		for _, digit := range mask {
			if i := strings.IndexRune("0123456789abcdef", digit); i >= 0 {
				n += strings.Count(fmt.Sprintf("%b", i), "1")
			}
		}
		if n < len(cpus) {
			tied++
		}
	}
	return tied
}

func TestPinnedWorkers(t *testing.T) {
	all, err := cpu.Allowed()
	if err != nil {
		t.Skip(err)
	}
	if len(all) == 1 {
		t.Skip("one processor: every thread is where it would be pinned to")
	}
	// Allow the runtime to run as many workers at the same time as are pinned.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), len(all))))
	for workers := 1; workers <= min(len(all), 8); workers++ {
		p := newPinned(t, workers)
		cpus := p.CPUs()
		if len(cpus) != workers || len(slices.Compact(slices.Sorted(slices.Values(cpus)))) != workers {
			t.Fatalf("%d workers on %v", workers, cpus)
		}
		for range 3 {
			l := newLocator(t, workers)
			p.For(workers, 1, l)
			for w := 1; w < workers; w++ {
				if !slices.Equal(l.by[w], cpus[w:w+1]) {
					t.Errorf("worker %d of %d may run on %v, want %d", w, workers, l.by[w], cpus[w])
				}
			}
			if !slices.Equal(l.by[0], all) {
				t.Errorf("the caller may run on %v, want all of %v", l.by[0], all)
			}
		}
		if got := tiedThreads(t); got != workers-1 {
			t.Errorf("%d threads are tied, want %d", got, workers-1)
		}
		p.Close()
		if got := tiedThreads(t); got != 0 {
			t.Errorf("%d threads are tied after Close of %d workers", got, workers)
		}
	}
}

func TestPinCaller(t *testing.T) {
	p := newPinned(t, 1)
	defer p.Close()
	before := affinity(t)
	unpinCaller, err := p.PinCaller()
	if err != nil {
		t.Fatal(err)
	}
	if got := affinity(t); !slices.Equal(got, p.CPUs()) {
		t.Errorf("the caller may run on %v, want %v", got, p.CPUs())
	}
	// Another pool that is made meanwhile must not be confined to that processor.
	q := newPinned(t, 0)
	if got, want := q.Workers(), min(runtime.GOMAXPROCS(0), len(before)); got != want {
		t.Errorf("%d workers of a pool made by a pinned caller, want %d", got, want)
	}
	q.Close()
	unpinCaller()
	if got := affinity(t); !slices.Equal(got, before) {
		t.Errorf("the caller may run on %v afterwards, want %v", got, before)
	}
}

// leaver ends the goroutine of the first worker that is not the caller, while the caller waits.
type leaver struct {
	left bool
	gone chan struct{}
}

func (q *leaver) Range(_, _, worker int) {
	switch {
	case worker == 0:
		<-q.gone
	case !q.left:
		q.left = true
		close(q.gone)
		runtime.Goexit()
	}
}

// TestPinnedWorkerSurvivesGoexit lets a body end its goroutine, whose thread ends too. The
// goroutine that replaces it must be tied to the same processor.
func TestPinnedWorkerSurvivesGoexit(t *testing.T) {
	all, err := cpu.Allowed()
	if err != nil || len(all) < 2 {
		t.Skip("needs two processors")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), 2)))
	p := newPinned(t, 2)
	defer p.Close()
	func() {
		defer func() {
			if err, ok := recover().(error); !ok || !errors.Is(err, ErrGoexit) {
				t.Errorf("carried %v", err)
			}
		}()
		p.For(2, 1, &leaver{gone: make(chan struct{})})
	}()
	l := newLocator(t, 2)
	p.For(2, 1, l)
	if !slices.Equal(l.by[1], p.CPUs()[1:]) {
		t.Errorf("the worker that took over may run on %v, want %v", l.by[1], p.CPUs()[1:])
	}
}

// TestTiedThread checks that a thread can be tied and released, on which the pool relies.
func TestTiedThread(t *testing.T) {
	cpus, err := cpu.Allowed()
	if err != nil {
		t.Skip(err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, n := range cpus {
		if err := cpu.Pin(n); err != nil {
			t.Fatal(err)
		}
		if got := affinity(t); !slices.Equal(got, []int{n}) {
			t.Errorf("tied to %d, may run on %v", n, got)
		}
	}
	if err := cpu.Unpin(); err != nil {
		t.Fatal(err)
	}
	if got := affinity(t); !slices.Equal(got, cpus) {
		t.Errorf("may run on %v afterwards, want %v", got, cpus)
	}
	if err := cpu.Pin(1023); !slices.Contains(cpus, 1023) && !errors.Is(err, cpu.ErrAffinity) {
		t.Errorf("a processor that is not there: %v", err)
	}
}
