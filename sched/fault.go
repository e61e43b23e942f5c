package sched

import (
	"errors"
	"fmt"
	"math"
	"runtime/debug"
)

// noFailure is above every chunk.
const noFailure = math.MaxUint64

// ErrGoexit is the Value of a BodyPanic if a body called runtime.Goexit on a worker other than the
// caller. The Fatal methods of package testing call Goexit. On the caller's goroutine, Goexit ends
// the goroutine as usual after the loop has been finished.
var ErrGoexit = errors.New("sched: the body called runtime.Goexit")

// BodyPanic is the value with which For and ForTasks panic if a body has panicked. If several
// bodies have, it describes the one with the lowest indices.
type BodyPanic struct {
	Value  any    // the value with which the body panicked
	Lo, Hi int    // the indices of the body's call; for a task, Lo is the task
	Worker int    // the worker that ran the body
	Stack  []byte // stack of that worker at the panic
}

// Error returns the value and the stack of the worker, because the stack of the caller does not
// show the body.
func (p *BodyPanic) Error() string {
	return fmt.Sprintf("sched: body panicked at [%d, %d) on worker %d: %v\n\nstack of worker %d:\n%s",
		p.Lo, p.Hi, p.Worker, p.Value, p.Worker, p.Stack)
}

// Unwrap returns the value if it is an error, so that errors.Is and errors.As can inspect it.
func (p *BodyPanic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// record records that the current chunk of w has panicked with value. A nil value means that it has
// called runtime.Goexit, because panic(nil) has a non-nil value since Go 1.21. The deferred
// function that recovered must call record while the stack still shows the body. The lowest chunk
// wins. Chunks below it are never skipped, so the recorded panic does not depend on timing.
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
