package main

import (
	"context"
	"fmt"
)

// ahead reads batches of a table in its own goroutine, while the caller works on earlier batches.
type ahead[B any] struct {
	free, ready chan *B
	quit        chan struct{}
	err         error // why reading ended; valid after ready is closed
}

// readAhead starts a reader that runs up to batches batches ahead. next fills a batch and returns
// false if nothing was left to read.
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
				a.ready <- b // Never blocks: ready has space for all batches.
			case <-a.quit:
				return
			}
		}
	}()
	return a
}

// take returns the next batch, or nil at the end of the table. After an interruption the error
// contains the text where.
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

// back returns the batch b to the reader for reuse.
func (a *ahead[B]) back(b *B) { a.free <- b }

// end stops the reader.
func (a *ahead[B]) end() { close(a.quit) }
