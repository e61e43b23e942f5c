package sched

import (
	"context"
	"fmt"
)

// Await runs f in its own goroutine and returns the result of f. If ctx ends first, Await returns
// an error at once, which consists of the text interrupted and the error of ctx. f then runs to its
// end, and its result is dropped. Await is meant for calls that cannot be cancelled, such as
// reading from a terminal.
func Await[T any](ctx context.Context, interrupted string, f func() (T, error)) (value T, err error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return value, fmt.Errorf("%s: %w", interrupted, ctx.Err())
	}
}

// Ahead reads batches in its own goroutine while earlier batches are processed. The number of
// batches is fixed, so the memory is bounded.
type Ahead[B any] struct {
	free, ready chan *B
	quit        chan struct{}
	err         error // why reading ended; valid after ready is closed
}

// ReadAhead starts reading. next fills a batch, and returns false at the end or together with an
// error. The caller must call End when it needs no more batches.
func ReadAhead[B any](batches int, next func(*B) (bool, error)) *Ahead[B] {
	a := &Ahead[B]{free: make(chan *B, batches), ready: make(chan *B, batches), quit: make(chan struct{})}
	for range batches {
		a.free <- new(B)
	}
	go func() {
		defer close(a.ready)
		for {
			select {
			case b := <-a.free:
				more, err := next(b)
				if a.err = err; !more || err != nil {
					return
				}
				a.ready <- b // Never blocks: ready has space for all batches.
			case <-a.quit:
				return
			}
		}
	}()
	return a
}

// Take returns the next batch, or nil at the end of the input, which may be an error. If ctx has
// ended, Take returns an error of the form of Await, and does not wait for the input.
func (a *Ahead[B]) Take(ctx context.Context, interrupted string) (*B, error) {
	select {
	case b := <-a.ready:
		if b != nil && ctx.Err() == nil {
			return b, nil
		}
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s: %w", interrupted, ctx.Err())
	}
	return nil, a.err
}

// Back returns a batch for reuse.
func (a *Ahead[B]) Back(b *B) { a.free <- b }

// End stops reading after the current batch.
func (a *Ahead[B]) End() { close(a.quit) }
