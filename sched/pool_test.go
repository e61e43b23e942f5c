package sched

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/scree-dem/scree/internal/require"
)

// census counts the visits of each index. It also checks that a worker index is in range and not
// used by two bodies at the same time.
type census struct {
	t       *testing.T
	grain   int // if > 0, the chunk that each range must be
	n       int
	visits  []atomic.Int32
	present []atomic.Int32
}

func newCensus(t *testing.T, n, grain, workers int) *census {
	return &census{t: t, n: n, grain: grain,
		visits: make([]atomic.Int32, n), present: make([]atomic.Int32, workers)}
}

func (c *census) Range(lo, hi, worker int) {
	if worker < 0 || worker >= len(c.present) {
		c.t.Errorf("worker %d of %d", worker, len(c.present))
		return
	}
	if c.present[worker].Add(1) != 1 {
		c.t.Errorf("two bodies as worker %d", worker)
	}
	if c.grain > 0 && (lo%c.grain != 0 || hi != min(lo+c.grain, c.n)) {
		c.t.Errorf("chunk [%d, %d) with grain %d of %d", lo, hi, c.grain, c.n)
	}
	for i := lo; i < hi; i++ {
		c.visits[i].Add(1)
	}
	c.present[worker].Add(-1)
}

func (c *census) once() {
	c.t.Helper()
	for i := range c.visits {
		if v := c.visits[i].Swap(0); v != 1 {
			c.t.Fatalf("index %d of %d visited %d times", i, len(c.visits), v)
		}
	}
}

// taskCensus is a census of tasks.
type taskCensus struct{ census }

func (c *taskCensus) Task(task, worker int) { c.Range(task, task+1, worker) }

func newTaskCensus(t *testing.T, n, workers int) *taskCensus {
	return &taskCensus{census{t: t, n: n,
		visits: make([]atomic.Int32, n), present: make([]atomic.Int32, workers)}}
}

func TestForEveryIndexOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 4, 7, 16} {
		t.Run(fmt.Sprintf("workers=%d", workers), func(t *testing.T) {
			p := New(workers)
			defer p.Close()
			if p.Workers() != workers {
				t.Fatalf("%d workers", p.Workers())
			}
			for _, n := range []int{-1, 0, 1, 2, 3, 5, 15, 16, 17, 63, 64, 65, 1000, 4099} {
				for _, grain := range []int{-3, 0, 1, 2, 7, 64, 1000, 5000, math.MaxInt} {
					c := newCensus(t, max(n, 0), max(grain, 0), workers)
					if grain == math.MaxInt {
						c.grain = max(n, 1)
					}
					for range 3 {
						p.For(n, grain, c)
						c.once()
					}
				}
			}
		})
	}
}

// chunkRecorder counts chunks and indices without visiting the indices, and records the widest
// chunk.
type chunkRecorder struct {
	chunks, indices atomic.Int64
	widest          atomic.Int64
}

func (r *chunkRecorder) Range(lo, hi, _ int) {
	r.chunks.Add(1)
	r.indices.Add(int64(hi - lo))
	for w := r.widest.Load(); int64(hi-lo) > w && !r.widest.CompareAndSwap(w, int64(hi-lo)); {
		w = r.widest.Load()
	}
}

func TestForDefaultGrain(t *testing.T) {
	p := New(4)
	defer p.Close()
	var r chunkRecorder
	p.For(1_000_000, 0, &r)
	if got := r.chunks.Load(); got != 4*chunksPerWorker {
		t.Errorf("%d chunks, want %d", got, 4*chunksPerWorker)
	}
	if r.indices.Load() != 1_000_000 || r.widest.Load() != 31250 {
		t.Errorf("%d indices, the widest chunk has %d", r.indices.Load(), r.widest.Load())
	}
}

func TestForHugeRanges(t *testing.T) {
	p := New(3)
	defer p.Close()
	for _, c := range []struct{ n, grain int }{
		{math.MaxInt, math.MaxInt / 100}, {math.MaxInt, math.MaxInt}, {math.MaxInt, math.MaxInt - 1},
		{math.MaxInt/2 + 1, math.MaxInt / 1000},
	} {
		var r chunkRecorder
		p.For(c.n, c.grain, &r)
		if r.indices.Load() != int64(c.n) || r.widest.Load() > int64(c.grain) {
			t.Errorf("n=%d grain=%d: %d indices in %d chunks, the widest %d",
				c.n, c.grain, r.indices.Load(), r.chunks.Load(), r.widest.Load())
		}
	}
}

func TestForTasksEveryTaskOnce(t *testing.T) {
	costs := map[string]func(i, n int) float64{
		"equal":     func(i, n int) float64 { return 1 },
		"zero":      func(i, n int) float64 { return 0 },
		"rising":    func(i, n int) float64 { return float64(i) },
		"falling":   func(i, n int) float64 { return float64(n - i) },
		"one heavy": func(i, n int) float64 { return float64(1 - min(1, abs(i-n/2))) },
		"last only": func(i, n int) float64 { return float64((i + 1) / n) },
		"doubling":  func(i, n int) float64 { return math.Ldexp(1, i-500) },
		"halving":   func(i, n int) float64 { return math.Ldexp(1, 500-i) },
		"NaN":       func(i, n int) float64 { return math.NaN() },
		"negative":  func(i, n int) float64 { return -float64(i) },
		"infinite":  func(i, n int) float64 { return math.Inf(1 - 2*(i%2)) },
		"huge":      func(i, n int) float64 { return math.MaxFloat64 },
		"mixed": func(i, n int) float64 {
			return []float64{1, math.NaN(), -5, math.Inf(1), 0, 1e-320}[i%6]
		},
	}
	for _, workers := range []int{1, 2, 5, 16} {
		p := New(workers)
		for name, cost := range costs {
			t.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(t *testing.T) {
				for _, n := range []int{0, 1, 2, 3, 15, 16, 17, 1000} {
					column := make([]float64, n)
					for i := range column {
						column[i] = cost(i, n)
					}
					c := newTaskCensus(t, n, workers)
					p.ForTasks(column, c)
					c.once()
				}
			})
		}
		p.Close()
	}
}

func abs(i int) int { return max(i, -i) }

func TestDefaultWorkers(t *testing.T) {
	for _, n := range []int{0, -1} {
		p := New(n)
		if p.Workers() != runtime.GOMAXPROCS(0) {
			t.Errorf("New(%d) has %d workers, GOMAXPROCS is %d", n, p.Workers(), runtime.GOMAXPROCS(0))
		}
		p.Close()
	}
}

// meeting blocks one chunk until all other chunks are done. Only another worker can do them, so the
// test hangs if nothing is stolen.
type meeting struct {
	n    int
	done atomic.Int64
	all  chan struct{}
	host atomic.Int64 // the worker that waits
	hold int          // the chunk that waits
}

func newMeeting(n, hold int) *meeting { return &meeting{n: n, hold: hold, all: make(chan struct{})} }

func (m *meeting) Range(lo, _, worker int) {
	if lo == m.hold {
		m.host.Store(int64(worker))
		<-m.all
		return
	}
	if m.done.Add(1) == int64(m.n-1) {
		close(m.all)
	}
}

func (m *meeting) Task(task, worker int) { m.Range(task, task+1, worker) }

func TestWorkIsStolen(t *testing.T) {
	for _, workers := range []int{2, 4, 16} {
		for _, hold := range []int{0, 31, 63} {
			t.Run(fmt.Sprintf("workers=%d/hold=%d", workers, hold), func(t *testing.T) {
				p, q := New(workers), New(workers)
				defer p.Close()
				defer q.Close()
				m := newMeeting(64, hold)
				p.For(64, 1, m)
				checkStolen(t, p, m)
				costs := make([]float64, 64)
				for i := range costs {
					costs[i] = 1
				}
				m = newMeeting(64, hold)
				q.ForTasks(costs, m)
				checkStolen(t, q, m)
			})
		}
	}
}

func checkStolen(t *testing.T, p *Pool, m *meeting) {
	t.Helper()
	s := p.Stats()
	if s.Chunks != 64 || s.Calls != 1 || s.Inline != 0 {
		t.Errorf("%d chunks in %d calls, %d inline", s.Chunks, s.Calls, s.Inline)
	}
	var chunks, steals int64
	for _, w := range s.Workers {
		chunks += w.Chunks
		steals += w.Steals
	}
	if chunks != s.Chunks || steals != s.Steals {
		t.Errorf("workers add up to %d chunks, %d steals, the pool says %d, %d", chunks, steals, s.Chunks, s.Steals)
	}
	// If the blocked chunk is the first of its run, other workers must steal the rest of the run.
	// If it is the last of its run, there may be no steal, because the other workers may do their
	// own runs.
	if m.hold == 0 && s.Steals == 0 {
		t.Error("nothing was stolen")
	}
	if s.Wall <= 0 || s.Idle < 0 || s.Imbalance < 0 {
		t.Errorf("wall %v, idle %v, imbalance %g", s.Wall, s.Idle, s.Imbalance)
	}
}

// ownership records which worker ran each chunk.
type ownership struct{ by []int32 }

func (o *ownership) Range(lo, hi, worker int) {
	for i := lo; i < hi; i++ {
		o.by[i] = int32(worker)
	}
}

func TestOneWorkerGoesInOrder(t *testing.T) {
	p := New(1)
	defer p.Close()
	var o order
	p.For(100, 7, &o)
	if len(o.seen) != 100 {
		t.Fatalf("%d indices", len(o.seen))
	}
	for i, v := range o.seen {
		if v != i {
			t.Fatalf("index %d at place %d", v, i)
		}
	}
	if s := p.Stats(); s.Inline != 1 || s.Calls != 0 || s.Chunks != 15 || s.Workers[0].Chunks != 15 {
		t.Errorf("stats %+v", s)
	}
}

type order struct{ seen []int }

func (o *order) Range(lo, hi, _ int) {
	for i := lo; i < hi; i++ {
		o.seen = append(o.seen, i)
	}
}

func TestCallersTakeTurns(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		p := New(workers)
		// All callers share one census, which detects a worker index used twice across calls.
		c := newCensus(t, 64, 1, workers)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 200 {
					p.For(64, 1, c)
				}
			})
		}
		wg.Wait()
		for i := range c.visits {
			if v := c.visits[i].Load(); v != 800 {
				t.Fatalf("workers=%d: index %d visited %d times, want 800", workers, i, v)
			}
		}
		p.Close()
	}
}

func TestManyTinyLoops(t *testing.T) {
	for _, c := range []struct{ workers, loops int }{{1, 100_000}, {2, 100_000}, {3, 100_000}, {16, 100_000}} {
		t.Run(fmt.Sprintf("workers=%d", c.workers), func(t *testing.T) {
			p := New(c.workers)
			defer p.Close()
			loops := c.loops
			if require.Quick() {
				loops /= 10
			}
			s := &sums{per: make([]paddedSum, c.workers)}
			for i := range loops {
				p.For(i%5+1, 1, s)
			}
			var got, want int64
			for i := range s.per {
				got += s.per[i].v
			}
			for i := range loops {
				want += int64(i%5 + 1)
			}
			if got != want {
				t.Errorf("%d indices done, want %d", got, want)
			}
		})
	}
}

// paddedSum keeps the sums of two workers in different cache lines.
type paddedSum struct {
	v int64
	_ [cacheLine - 8]byte
}

// sums counts indices per worker in plain variables. The race detector reports if calls with one
// worker index are not ordered, or not ordered before the return of For.
type sums struct{ per []paddedSum }

func (s *sums) Range(lo, hi, worker int) { s.per[worker].v += int64(hi - lo) }
func (s *sums) Task(_, worker int)       { s.per[worker].v++ }

// TestBodiesSeeTheCaller lets the caller write a column between loops that read and rewrite it in
// plain variables, for the race detector.
func TestBodiesSeeTheCaller(t *testing.T) {
	p := New(4)
	defer p.Close()
	col := &column{v: make([]int64, 257)}
	for round := range int64(500) {
		for i := range col.v {
			col.v[i] += round
		}
		p.For(len(col.v), 4, col)
	}
	var want int64
	for round := range int64(500) {
		want = 2 * (want + round) % 1_000_003
	}
	for i, v := range col.v {
		if v != want {
			t.Fatalf("element %d is %d, want %d", i, v, want)
		}
	}
}

type column struct{ v []int64 }

func (c *column) Range(lo, hi, _ int) {
	for i := lo; i < hi; i++ {
		c.v[i] = 2 * c.v[i] % 1_000_003
	}
}
