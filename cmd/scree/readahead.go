package main

import (
	"context"
	"fmt"
)

// ahead is the batches of a table, which a goroutine of its own reads while those before are worked on.
type ahead[B any] struct {
	free, ready chan *B
	quit        chan struct{}
	err         error // why there are no more, once ready is closed
}

// readAhead reads as many batches ahead as told. next fills a batch and reports whether it holds anything.
func readAhead[B any](batches int, next func(*B) (bool, error)) *ahead[B] {
	a := &ahead[B]{free: make(chan *B, batches), ready: make(chan *B, batches), quit: make(chan struct{})}
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
				a.ready <- b // There is room for all batches.
			case <-a.quit:
				return
			}
		}
	}()
	return a
}

// take returns the next batch, nil at the end of the table. Of an interruption the error says where it came.
func (a *ahead[B]) take(ctx context.Context, where string) (*B, error) {
	select {
	case b := <-a.ready:
		if b != nil && ctx.Err() == nil {
			return b, nil
		}
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted %s: %w", where, ctx.Err())
	}
	return nil, a.err
}

// back gives back a batch that was taken.
func (a *ahead[B]) back(b *B) { a.free <- b }

// end ends the reading.
func (a *ahead[B]) end() { close(a.quit) }
