package sched

import (
	"errors"
	"fmt"
	"math"
	"runtime/debug"
)

// noFailure is above every chunk.
const noFailure = math.MaxUint64

// ErrGoexit is the Value of a BodyPanic when a body ended its goroutine with runtime.Goexit, as the
// Fatal methods of package testing do, on a worker other than the caller. On the caller's goroutine
// Goexit does what it always does, after the loop has been brought to an end.
var ErrGoexit = errors.New("sched: the body called runtime.Goexit")

// BodyPanic is what For and ForTasks panic with when a body has panicked. If several have, it is the
// one with the lowest indices.
type BodyPanic struct {
	Value  any    // what the body panicked with
	Lo, Hi int    // the indices, or the task Lo, it was given
	Worker int    // the worker it ran on
	Stack  []byte // of that worker, at the panic
}

// Error gives the value and the stack of the worker, for the stack of the caller does not show the body.
func (p *BodyPanic) Error() string {
	return fmt.Sprintf("sched: body panicked at [%d, %d) on worker %d: %v\n\nstack of worker %d:\n%s",
		p.Lo, p.Hi, p.Worker, p.Value, p.Worker, p.Stack)
}

// Unwrap returns the value if it is an error, so that errors.Is and errors.As look through.
func (p *BodyPanic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// record notes that the chunk w was at has panicked with value, or has called runtime.Goexit if
// value is nil (panic(nil) has a value since Go 1.21). It must be called by the deferred function that
// recovered, while the stack still shows the body. The lowest chunk wins, because chunks below it
// are never dropped: so the panic that is carried does not depend on timing.
func (c *team) record(w *worker, value any) {
	if value == nil {
		value = ErrGoexit
	}
	c.faultMu.Lock()
	defer c.faultMu.Unlock()
	if c.failed.Load() <= uint64(w.chunk) {
		return
	}
	c.failed.Store(uint64(w.chunk))
	lo, hi := c.bounds(w.chunk)
	c.fault = &BodyPanic{Value: value, Lo: lo, Hi: hi, Worker: w.index, Stack: debug.Stack()}
}
