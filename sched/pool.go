package sched

import (
	"math"
	"runtime"
)

// Ranger is the body of a parallel loop over indices: Range does the work of the indices lo <= i < hi
// as the given worker. Implement it on a long-lived pointer, so that a call allocates nothing.
type Ranger interface{ Range(lo, hi, worker int) }

// Tasker is the body of a parallel loop over tasks with known costs: Task does one of them.
// Implement it on a long-lived pointer, so that a call allocates nothing.
type Tasker interface{ Task(task, worker int) }

// chunksPerWorker is what For aims at when the caller leaves the grain to it: enough pieces that
// stealing can even out a worker that runs at a third of the speed of the others, few enough that
// a piece of any useful loop outweighs the 20 to 40 ns it takes to hand it out.
const chunksPerWorker = 8

// maxChunks is how many chunks one call may have: a range of chunks is two 32-bit numbers in a
// deque slot.
const maxChunks = math.MaxUint32

// Pool is a set of workers that run one parallel loop at a time. All methods may be called from any
// goroutine. A Pool must be made by New.
//
// The workers hold the team and never the Pool, so a Pool that is dropped without Close is still
// collected, and its workers end then.
type Pool struct {
	team    *team
	cleanup runtime.Cleanup
}

// New starts a pool of the given number of workers, the caller of For being one of them; with
// workers <= 0 there are as many as runtime.GOMAXPROCS(0). A pool of one worker starts no goroutine
// and runs everything on the caller.
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

// Workers returns the number of workers, the caller included; bodies see indices below it.
func (p *Pool) Workers() int { return len(p.team.workers) }

// Close ends the workers and returns when they are gone. It waits for a loop that another goroutine
// runs. Closing twice is fine; a closed pool still serves For and ForTasks, all on the caller.
func (p *Pool) Close() {
	c := p.team
	c.takeTurn("Close")
	defer c.turn.Unlock()
	p.cleanup.Stop()
	c.dismiss()
	c.exits.Wait()
}

// For calls body.Range for chunks that together cover 0 <= i < n, each index exactly once, and
// returns when all have been done. Chunk k is [k*grain, min((k+1)*grain, n)), whatever the number of
// workers; grain <= 0 asks for about eight chunks per worker. A loop of more than 2^32-1 chunks gets a
// larger grain. The order of the chunks and the worker of each are not determined.
//
// A panic in body is carried to the caller as a *BodyPanic. For allocates nothing.
func (p *Pool) For(n, grain int, body Ranger) {
	if n <= 0 {
		return
	}
	c := p.team
	if grain <= 0 {
		grain = ceilDiv(n, chunksPerWorker*len(c.workers))
	}
	if uint64(ceilDiv(n, grain)) > maxChunks {
		grain = int(uint64(n)/maxChunks) + 1
	}
	fault := c.callRange(n, grain, body)
	// The workers must not be dismissed while they are at it.
	runtime.KeepAlive(p)
	if fault != nil {
		panic(fault)
	}
}

// ForTasks calls body.Task once for each task 0 <= t < len(costs), and returns when all have been
// done. Each worker starts with a contiguous run of tasks, all runs costing about the same, and
// goes through it in rising order. Costs are only hints, in any one unit: NaN and negative ones
// count as 0, infinite ones as very large. It panics if there are 2^32 tasks or more.
//
// A panic in body is carried to the caller as a *BodyPanic. ForTasks allocates nothing once the pool
// has seen a call with as many tasks; it reads costs only before the first task starts.
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

// Stats returns what happened since New. It may be called at any time, also
// by a body; a loop that is under way is counted as far as its workers have finished their part.
func (p *Pool) Stats() Stats { return p.team.stats() }

// ceilDiv returns a/b rounded up, for a, b > 0, without overflow.
func ceilDiv(a, b int) int { return (a-1)/b + 1 }
