package sched

import (
	"sync/atomic"
	"time"
)

// Stats tells what a pool did. Times cover only loops that were shared out; loops of one chunk,
// and all loops of a pool with one worker, are counted in Inline and not timed.
type Stats struct {
	Calls  int64         // loops that were shared out
	Inline int64         // loops that ran on the caller alone
	Chunks int64         // bodies called: chunks of For, tasks of ForTasks
	Steals int64         // spans of chunks taken from another worker
	Parks  int64         // times a worker went to sleep
	Wall   time.Duration // sum of the durations of the calls
	Idle   time.Duration // sum over workers of the time in calls without a body to run
	// Imbalance is Wall times the number of workers over the sum of Busy, minus one: 0 if all
	// workers worked through all calls, Workers()-1 if one did it all. It is max/mean - 1 of the
	// busy times per call, averaged over calls, when the slowest worker is busy from fork to join.
	Imbalance float64
	Workers   []WorkerStats
}

// WorkerStats is one worker's share of Stats.
type WorkerStats struct {
	Chunks int64         // bodies it called
	Steals int64         // spans it took from others
	Parks  int64         // times it went to sleep
	Busy   time.Duration // time with work at hand, stealing included
	Idle   time.Duration // Wall less Busy
}

// counters is what a worker adds up since New. Only the worker writes, anyone reads.
type counters struct {
	chunks, steals, parks, busy atomic.Int64
}

// callCounters is what worker 0 adds up per call. Only the holder of the turn writes.
type callCounters struct {
	calls, inline, wall atomic.Int64
}

func (c *callCounters) add(wall int64) {
	c.calls.Add(1)
	c.wall.Add(wall)
}

// publish adds what w counted while inside to its totals.
func (w *worker) publish() {
	w.total.chunks.Add(w.chunks)
	w.total.busy.Add(now() - w.since)
	if w.steals != 0 {
		w.total.steals.Add(w.steals)
	}
	w.chunks, w.steals = 0, 0
}

// stats returns the counts since New.
func (c *team) stats() Stats {
	s := Stats{
		Calls:   c.callTotal.calls.Load(),
		Inline:  c.callTotal.inline.Load(),
		Wall:    time.Duration(c.callTotal.wall.Load()),
		Workers: make([]WorkerStats, len(c.workers)),
	}
	var busy time.Duration
	for i, from := range c.workers {
		w := &s.Workers[i]
		*w = WorkerStats{
			Chunks: from.total.chunks.Load(),
			Steals: from.total.steals.Load(),
			Parks:  from.total.parks.Load(),
			Busy:   time.Duration(from.total.busy.Load()),
		}
		// A loop under way can have Busy counted and Wall not yet.
		w.Idle = max(0, s.Wall-w.Busy)
		s.Chunks += w.Chunks
		s.Steals += w.Steals
		s.Parks += w.Parks
		s.Idle += w.Idle
		busy += w.Busy
	}
	if busy > 0 {
		s.Imbalance = max(0, float64(s.Wall)*float64(len(s.Workers))/float64(busy)-1)
	}
	return s
}

// birth is the origin of now; only differences matter.
var birth = time.Now()

// now is the monotonic clock in ns. It feeds the statistics and the bound of a spin, never a result.
func now() int64 { return int64(time.Since(birth)) }
