package sched

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/scree-dem/scree/internal/require"
)

// TestMoreWorkersThanProcessors runs loops on far more workers than can run at the same time. No
// worker may wait long for one that does not run. If a worker spun without end, or if the caller
// needed every worker, each loop would take a time slice of 10 ms or more.
func TestMoreWorkersThanProcessors(t *testing.T) {
	loops := 3000
	if require.Quick() {
		loops = 200 // enough to see that they end
	}
	tests := []struct {
		workers       int
		before, after int // GOMAXPROCS when the pool is made, and when it is used
	}{
		{4, 1, 1}, {16, 2, 2}, {64, 2, 1},
		// The pool is made for more processors than there are later, so workers spin although they
		// should park.
		{4, 4, 1}, {16, 16, 1}, {64, 64, 1},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("workers=%d/procs=%d,%d", test.workers, test.before, test.after), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(test.before))
			p := New(test.workers)
			defer p.Close()
			runtime.GOMAXPROCS(test.after)
			s := &sums{per: make([]paddedSum, test.workers)}
			start := time.Now()
			for range loops {
				p.For(256, 1, s)
			}
			// Two thirds of a time slice per loop: a hundred times what a loaded machine takes.
			if took, limit := time.Since(start), time.Duration(loops)*7*time.Millisecond; took > limit {
				t.Errorf("%d loops of no work take %v, expected less than %v", loops, took, limit)
			}
			var done int64
			for i := range s.per {
				done += s.per[i].v
			}
			if done%int64(256*loops) != 0 || done == 0 {
				t.Errorf("%d indices done, want a multiple of %d", done, 256*loops)
			}
		})
	}
}

// pacer makes each of two chunks take a given time. Neither proceeds before the other has started,
// so they are on different workers.
type pacer struct {
	pause [2]time.Duration
	other [2]chan struct{}
	by    [2]int // the worker of each chunk
}

func newPacer(first, second time.Duration) *pacer {
	return &pacer{
		pause: [2]time.Duration{first, second},
		other: [2]chan struct{}{make(chan struct{}), make(chan struct{})},
	}
}

func (p *pacer) Range(lo, _, worker int) {
	p.by[lo] = worker
	close(p.other[lo])
	<-p.other[1-lo]
	time.Sleep(p.pause[lo])
}

// TestStatsAreTrue compares the statistics with loops of known imbalance: one of two workers is
// busy for 20 ms, the other for a part of that. The lower bounds must hold on any machine; the
// upper bounds must hold in the best of several tries.
func TestStatsAreTrue(t *testing.T) {
	const long = 20 * time.Millisecond
	tests := []struct {
		name      string
		short     time.Duration
		imbalance float64 // 2·long/(long+short) - 1
	}{
		{"one does it all", 0, 1},
		{"one does a third", long / 3, 0.5},
		{"both the same", long, 0},
	}
	const within = 0.15
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var s Stats
			for try := 0; try < 10; try++ {
				p := New(2)
				defer p.Close()
				pace := newPacer(test.short, long)
				start := time.Now()
				p.For(2, 1, pace)
				wall := time.Since(start)
				s = p.Stats()
				if s.Calls != 1 || s.Inline != 0 || s.Chunks != 2 {
					t.Fatalf("%d calls, %d inline, %d chunks", s.Calls, s.Inline, s.Chunks)
				}
				if s.Wall < long || s.Wall > wall {
					t.Fatalf("wall %v, want at least %v and at most the %v around the call", s.Wall, long, wall)
				}
				for chunk, pause := range pace.pause {
					w := &s.Workers[pace.by[chunk]]
					if w.Chunks != 1 || w.Busy < pause || w.Busy > s.Wall || w.Idle != s.Wall-w.Busy {
						t.Fatalf("the worker that paused %v: %+v within %v", pause, *w, s.Wall)
					}
				}
				if s.Idle != s.Workers[0].Idle+s.Workers[1].Idle {
					t.Fatalf("idle %v of %+v", s.Idle, s.Workers)
				}
				if s.Imbalance > test.imbalance-within && s.Imbalance < test.imbalance+within {
					return
				}
			}
			t.Errorf("imbalance %g, want %g within %g", s.Imbalance, test.imbalance, within)
		})
	}
}
