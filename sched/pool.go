package sched

import (
	"math"
	"runtime"
)

// Ranger is the body of a parallel loop over indices. Range does the work of the indices lo <= i <
// hi as the given worker. Implement it on a long-lived pointer, so that a call of For does not
// allocate.
type Ranger interface{ Range(lo, hi, worker int) }

// Tasker is the body of a parallel loop over tasks with known costs. Task does one task as the
// given worker. Implement it on a long-lived pointer, so that a call of ForTasks does not allocate.
type Tasker interface{ Task(task, worker int) }

// chunksPerWorker is the number of chunks per worker if the caller of For leaves the grain to it.
// It is large enough that stealing can balance a worker that runs at a third of the others' speed.
// It is small enough that a chunk of any useful loop takes much longer than the 20 to 40 ns of
// handing it out.
const chunksPerWorker = 8

// maxChunks is the largest number of chunks of a loop, because a deque slot stores a range of
// chunks as two 32-bit numbers.
const maxChunks = math.MaxUint32

// Pool is a set of workers that run one parallel loop at a time. Any goroutine may call its
// methods. A Pool must be made by New or NewPinned.
//
// The workers refer to the team but not to the Pool. So a Pool that is dropped without Close is
// garbage collected, and its workers then end.
type Pool struct {
	team    *team
	cleanup runtime.Cleanup
}

// New starts a pool of the given number of workers, including the caller of For. If workers <= 0,
// there are runtime.GOMAXPROCS(0) workers. A pool of one worker starts no goroutine and runs
// everything on the caller.
func New(workers int) *Pool {
	procs := runtime.GOMAXPROCS(0)
	if workers <= 0 {
		workers = procs
	}
	return start(newTeam(workers, procs, nil))
}

func start(c *team) *Pool {
	p := &Pool{team: c}
	p.cleanup = runtime.AddCleanup(p, (*team).dismiss, c)
	for _, w := range c.workers[1:] {
		c.exits.Add(1)
		go c.serve(w, false)
	}
	return p
}

// Workers returns the number of workers, including the caller. Worker indices are below it.
func (p *Pool) Workers() int { return len(p.team.workers) }

// DividedFor returns the number of workers for which callers should divide loops: Workers, or in a
// pool of NewRecording the number that its Recorder asks for.
func (p *Pool) DividedFor() int {
	if r := p.team.recorder; r != nil {
		return r.Workers
	}
	return p.Workers()
}

// Close ends the workers and waits until they have ended. It also waits for a loop that another
// goroutine runs. Close may be called twice. A closed pool still serves For and ForTasks, on the
// caller alone.
func (p *Pool) Close() {
	c := p.team
	c.takeTurn("Close")
	defer c.turn.Unlock()
	p.cleanup.Stop()
	c.dismiss()
	c.exits.Wait()
}

// For calls body.Range for chunks that cover 0 <= i < n, each index exactly once, and returns when
// all calls have returned. Chunk k is [k*grain, min((k+1)*grain, n)), for any number of workers. If
// grain <= 0, For uses about eight chunks per worker. If there would be more than 2^32-1 chunks, it
// uses a larger grain. The order of the chunks, and which worker runs a chunk, are unspecified.
//
// If body panics, For panics with a *BodyPanic. For does not allocate.
func (p *Pool) For(n, grain int, body Ranger) {
	if n <= 0 {
		return
	}
	c := p.team
	if grain <= 0 {
		grain = ceilDiv(n, chunksPerWorker*p.DividedFor())
	}
	if uint64(ceilDiv(n, grain)) > maxChunks {
		grain = int(uint64(n)/maxChunks) + 1
	}
	fault := c.callRange(n, grain, body)
	// The cleanup of p must not dismiss the workers while they run the loop.
	runtime.KeepAlive(p)
	if fault != nil {
		panic(fault)
	}
}

// ForTasks calls body.Task once for each task 0 <= t < len(costs), and returns when all calls have
// returned. Each worker starts with a contiguous run of tasks and processes it in ascending order.
// All runs cost about the same. Costs are only hints, in any unit. NaN and negative costs count as
// 0, infinite costs as very large. ForTasks panics if there are 2^32 tasks or more.
//
// If body panics, ForTasks panics with a *BodyPanic. ForTasks does not allocate if an earlier call
// had at least as many tasks. It reads costs only before the first task starts.
func (p *Pool) ForTasks(costs []float64, body Tasker) {
	if len(costs) == 0 {
		return
	}
	if uint64(len(costs)) > maxChunks {
		panic("sched: ForTasks: 2^32 tasks or more")
	}
	fault := p.team.callTasks(costs, body)
	runtime.KeepAlive(p)
	if fault != nil {
		panic(fault)
	}
}

// Stats returns the statistics since New. Any goroutine may call it at any time, even a body. A
// running loop is counted only for workers that have finished their part.
func (p *Pool) Stats() Stats { return p.team.stats() }

// ceilDiv returns a/b rounded up, for a, b > 0, without overflow.
func ceilDiv(a, b int) int { return (a-1)/b + 1 }
