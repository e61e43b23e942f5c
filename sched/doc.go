// Package sched runs parallel loops on a pool of persistent workers with work stealing.
//
// It owns the workers, their deques (Chase and Lev 2005), the fork and the join of one loop, and
// the statistics of both. It refuses to know what is computed: particles, tiles and columns are the
// caller's, handed over as a Ranger (index ranges) or a Tasker (tasks with costs).
//
// Each worker first owns a contiguous run of the loop and goes through it from the near end; a worker
// with nothing left steals the far half of a neighbour's rest. The caller takes part as worker 0, and
// can finish every loop alone: a worker that is asleep, or that the system does not run, delays
// nobody. No two bodies run at the same time with the same worker index, so workspaces may be
// indexed by it.
//
// What a body must not do:
//   - wait for another chunk of the same loop, for it may be next in line on the same worker;
//   - call the pool that runs it. Go gives no cheap way to know the calling goroutine, so a nested call
//     is refused with a panic rather than served; call Range(lo, hi, worker) of the inner body directly.
//     A goroutine that a body starts and waits for must not call that pool either.
//
// Calls from several goroutines wait for each other. A panic in a body is carried to the caller as a
// *BodyPanic; the one reported is the one a serial loop would have met first, whatever the number of
// workers. Results depend on worker count and timing only as far as the bodies let them.
//
// Workers are pinned to logical processors on request (NewPinned), and then steal first from those they
// share a cache with.
//
// Of more workers than GOMAXPROCS (as found by New) only one more than that is kept awake. Workers spin for a
// bounded time between loops only if there are no more of them than that; otherwise they park at once.
//
// Times are in nanoseconds; costs have any one unit. Read pool.go first, then team.go; docs/scheduler.md has
// the figures.
package sched
