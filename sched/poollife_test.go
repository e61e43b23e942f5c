package sched

import (
	"errors"
	"runtime"
	"testing"
	"time"
)

func TestClose(t *testing.T) {
	before := runtime.NumGoroutine()
	p := New(5)
	c := newCensus(t, 100, 3, 5)
	p.For(100, 3, c)
	c.once()
	p.Close()
	p.Close()
	if now := settle(before); now > before {
		t.Errorf("%d goroutines before, %d after Close", before, now)
	}
	// A closed pool works on the caller alone.
	o := &ownership{by: make([]int32, 100)}
	for i := range o.by {
		o.by[i] = -1
	}
	p.For(100, 3, o)
	for i, w := range o.by {
		if w != 0 {
			t.Fatalf("index %d by worker %d after Close", i, w)
		}
	}
	tc := newTaskCensus(t, 3, 5)
	p.ForTasks([]float64{1, 2, 3}, tc)
	tc.once()
	if p.Workers() != 5 {
		t.Errorf("Workers %d after Close", p.Workers())
	}
}

// settle waits until at most want goroutines are left, or for five seconds, and returns their
// number.
func settle(want int) int {
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > want; {
		if time.Now().After(deadline) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return runtime.NumGoroutine()
}

func TestDroppedPoolEndsItsWorkers(t *testing.T) {
	before := runtime.NumGoroutine()
	func() {
		p := New(6)
		c := newCensus(t, 50, 1, 6)
		p.For(50, 1, c)
		c.once()
	}()
	after := 0
	for range 100 {
		runtime.GC()
		if after = runtime.NumGoroutine(); after <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after the pool was collected", before, after)
}

// TestStatsArithmetic sets the counters to known values: a call of 100 ns on two workers, of which
// one is busy for 75 ns and the other for 25.
func TestStatsArithmetic(t *testing.T) {
	c := newTeam(2, 2, nil)
	c.callTotal.add(100)
	for i, busy := range []int64{75, 25} {
		w := &c.workers[i].total
		w.busy.Add(busy)
		w.chunks.Add(int64(3 + i))
		w.steals.Add(int64(i))
	}
	s := c.stats()
	if s.Calls != 1 || s.Chunks != 7 || s.Steals != 1 || s.Wall != 100 || s.Idle != 25+75 ||
		s.Workers[0].Idle != 25 || s.Workers[1].Busy != 25 || s.Workers[1].Chunks != 4 {
		t.Errorf("stats %+v", s)
	}
	if s.Imbalance != 1 {
		t.Errorf("imbalance %g, want 100*2/(75+25) - 1", s.Imbalance)
	}
}

func TestNoAllocation(t *testing.T) {
	costs := make([]float64, 100)
	for i := range costs {
		costs[i] = float64(i % 7)
	}
	for _, workers := range []int{1, 2, 4} {
		checkNoAllocation(t, New(workers), costs)
	}
	if p, err := NewPinned(2); !errors.Is(err, ErrPin) {
		checkNoAllocation(t, p, costs)
	}
}

func checkNoAllocation(t *testing.T, p *Pool, costs []float64) {
	defer p.Close()
	workers := p.Workers()
	s := &sums{per: make([]paddedSum, workers)}
	call := func() {
		p.For(1000, 10, s)
		p.For(1000, 0, s)
		p.ForTasks(costs, s)
	}
	call()
	if workers == 1 {
		if a := testing.AllocsPerRun(100, call); a != 0 {
			t.Errorf("one worker: %g allocations per call", a)
		}
		return
	}
	// All allocations of the process are counted. They include the runtime's sudogs for parked
	// workers, of which it makes and caches a few. If each call allocated, the count would be 2000.
	const calls = 2000
	for range 100 {
		call()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		call()
	}
	runtime.ReadMemStats(&after)
	if d := after.Mallocs - before.Mallocs; d > calls/20 {
		t.Errorf("%d workers: %d allocations in %d calls", workers, d, calls)
	}
}
