// Package sched runs parallel loops on a pool of persistent workers with work stealing.
//
// The package owns the workers, their deques (Chase and Lev 2005), the fork and join of a loop, and
// statistics. It does not know what a loop computes. The caller passes the body of a loop as a
// Ranger (index ranges) or a Tasker (tasks with costs).
//
// A loop is divided into chunks. Each worker starts with a contiguous run of chunks and processes
// it in ascending order. A worker without chunks steals the far half of another worker's remaining
// chunks. The caller takes part as worker 0, and can finish every loop alone. So a worker that is
// asleep, or that the system does not run, delays no loop. No two bodies with the same worker index
// run at the same time, so bodies may index workspaces by it.
//
// A body must not do the following:
//   - Wait for another chunk of the same loop. That chunk may be queued on the same worker.
//   - Call the pool that runs it. Such a call panics: Go has no cheap way to identify the calling
//     goroutine, so the pool cannot serve it. Call Range(lo, hi, worker) of the inner body directly.
//     A goroutine that a body starts and waits for must not call the pool either.
//
// Calls from several goroutines wait for each other. If bodies panic, the caller panics with a
// *BodyPanic. It reports the panic that a serial loop would have met first, for any number of
// workers. Results depend on the number of workers and on timing only if the bodies do.
//
// Await and ReadAhead run one function beside the caller, without a pool: a call that cannot be
// cancelled, and the reading of batches.
//
// NewPinned ties workers to logical processors. A pinned worker first steals from workers with
// which it shares a cache.
//
// At most GOMAXPROCS+1 workers are kept awake, with the value of GOMAXPROCS at the time of New. If
// there are more workers than GOMAXPROCS, an idle worker sleeps at once. Otherwise it first spins
// for a bounded time.
//
// Times are in nanoseconds; costs may have any unit, the same for all tasks. Read pool.go first,
// then team.go; docs/scheduler.md has the figures.
package sched
