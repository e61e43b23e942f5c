package sched

import (
	"sync/atomic"
	"time"
)

// Stats describes what a pool has done. Times cover only shared loops. Loops of one chunk, and all
// loops of a pool with one worker, are counted in Inline and not timed.
type Stats struct {
	Calls  int64         // loops that were shared between workers
	Inline int64         // loops that ran on the caller alone
	Chunks int64         // calls of bodies: chunks of For, tasks of ForTasks
	Steals int64         // spans of chunks taken from another worker
	Parks  int64         // times a worker went to sleep
	Wall   time.Duration // sum of the durations of the calls
	Idle   time.Duration // sum over workers of the time in calls without a body to run
	// Imbalance is Wall times the number of workers, divided by the sum of Busy, minus one. It is 0
	// if all workers worked through all calls, and Workers()-1 if one worker did everything. If the
	// slowest worker is busy from fork to join, it equals max/mean - 1 of the busy times per call,
	// averaged over calls.
	Imbalance float64
	Workers   []WorkerStats
}

// WorkerStats is the part of Stats for one worker.
type WorkerStats struct {
	Chunks int64         // bodies it called
	Steals int64         // spans it took from other workers
	Parks  int64         // times it went to sleep
	Busy   time.Duration // time in loops, including stealing
	Idle   time.Duration // Wall minus Busy
}

// counters holds the totals of a worker since New. Only the worker writes them; any goroutine may
// read them.
type counters struct {
	chunks, steals, parks, busy atomic.Int64
}

// callCounters holds the totals of calls. Only the holder of the turn writes them.
type callCounters struct {
	calls, inline, wall atomic.Int64
}

func (c *callCounters) add(wall int64) {
	c.calls.Add(1)
	c.wall.Add(wall)
}

// publish adds the counts of w since its last publish to its totals.
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
		// For a running loop, Busy may be counted while Wall is not yet.
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

// now returns the monotonic clock, ns. It is used for statistics and to bound a spin, never for
// results.
func now() int64 { return int64(time.Since(birth)) }
