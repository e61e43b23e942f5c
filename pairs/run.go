package pairs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/sched"
)

// inFlight is the number of batches: one is read, one is processed, one is written, and one waits.
const inFlight = 4

// ErrOutput reports that the output could not be written.
var ErrOutput = errors.New("writing the answers")

// Run answers a table of pairs and writes the rows in the order of the input:
//
//	reader ──► batch ──► read rows ─► tracks to tasks ─► answer ─► text ──► batch ──► writer
//	one goroutine         loops of the pool, batch after batch              one goroutine
//
// name is the name of the input for messages. If out is nil, Run only computes the statistics. The
// memory is bounded: inFlight batches, maxTracks tracks, the given shapes, and maxBuiltins builtins
// plus those of one batch.
//
// If the error wraps ErrRows, some rows have no answer and all others are answered. If it wraps
// context.Canceled, ctx was cancelled and the complete rows are written. The statistics are valid
// in both cases. Errors in the header of the table, a line that is too long, and errors of in and
// out end the run.
func Run(ctx context.Context, in io.Reader, name string, shapes *Shapes, out io.Writer, o Options) (*Stats, error) {
	began := time.Now()
	table, err := openTable(ctx, in, name)
	if err != nil {
		return nil, err
	}
	var pool *sched.Pool
	if !o.Pin {
		pool = sched.New(o.Workers)
	} else if pool, err = sched.NewPinned(o.Workers); err != nil {
		return nil, err
	}
	defer pool.Close()
	stats := &Stats{Workers: pool.Workers()}
	c := newTeam(pool, table, shapes, &o, stats)

	free, read := make(chan *batch, inFlight), make(chan *batch, inFlight)
	for range inFlight {
		free <- newBatch()
	}
	quit := make(chan struct{})
	readDone := make(chan error, 1)
	go func() { readDone <- readAll(table, free, read, quit) }()
	w := startWriter(out, free)

	err = c.loop(ctx, read, w)
	close(quit)
	writeErr := w.end()
	stats.finish(began)
	if err == nil && writeErr == nil {
		err = <-readDone // After an error the reader may wait for its input for ever.
	}
	if writeErr != nil {
		return stats, fmt.Errorf("pairs: %w: %w", ErrOutput, writeErr)
	}
	if err != nil {
		return stats, err
	}
	return stats, stats.fault(name)
}

// openTable reads the header of the table. It returns early if ctx is cancelled, because a terminal
// may take long.
func openTable(ctx context.Context, in io.Reader, name string) (*fileio.Blocks, error) {
	type opened struct {
		table *fileio.Blocks
		err   error
	}
	done := make(chan opened, 1)
	go func() {
		t, err := fileio.NewBlocks(in, name, required, optional)
		done <- opened{t, err}
	}()
	select {
	case d := <-done:
		return d.table, d.err
	case <-ctx.Done():
		return nil, fmt.Errorf("pairs: interrupted before the first row: %w", ctx.Err())
	}
}

// readAll fills batches until the table ends or quit is closed.
func readAll(table *fileio.Blocks, free <-chan *batch, read chan<- *batch, quit <-chan struct{}) error {
	defer close(read)
	for {
		select {
		case b := <-free:
			if !table.Next(&b.block, batchRows) {
				return table.Err()
			}
			b.read = table.Read()
			read <- b
		case <-quit:
			return nil
		}
	}
}

// loop processes batches as they arrive.
func (c *team) loop(ctx context.Context, read <-chan *batch, w *writer) error {
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("pairs: interrupted after row %d: %w", c.stats.Pairs, ctx.Err())
		default:
		}
		select {
		case b, more := <-read:
			if !more {
				return nil
			}
			c.work(b, w.out != nil)
			if c.options.Progress != nil {
				c.options.Progress(b.read, c.stats.Pairs)
			}
			if !w.put(b) {
				return nil // w.end returns the error.
			}
		case <-w.failed:
			return nil // The writer returns no more batches, so the reader may never deliver another one.
		case <-ctx.Done():
		}
	}
}

// writer writes batches in the order of the calls of put.
type writer struct {
	out    io.Writer // nil: batches are only returned
	free   chan<- *batch
	work   chan *batch
	failed chan struct{}
	done   chan struct{}
	err    error
}

func startWriter(out io.Writer, free chan<- *batch) *writer {
	w := &writer{
		out: out, free: free, work: make(chan *batch, inFlight), failed: make(chan struct{}), done: make(chan struct{}),
	}
	go w.run()
	return w
}

func (w *writer) run() {
	defer close(w.done)
	if w.out != nil {
		if w.err = fileio.NewTableWriter(w.out, Columns).Flush(); w.err != nil {
			close(w.failed)
			return
		}
	}
	for b := range w.work {
		if w.out != nil {
			for i := 0; i < b.block.Len(); i += textRows {
				if _, w.err = w.out.Write(b.texts[i/textRows].Bytes()); w.err != nil {
					close(w.failed)
					return
				}
			}
		}
		w.free <- b
	}
}

// put passes a batch to the writer. It returns false if the writer has failed.
func (w *writer) put(b *batch) bool {
	select {
	case w.work <- b:
		return true
	case <-w.failed:
		return false
	}
}

// end waits until everything is written, and returns the error of the writer.
func (w *writer) end() error {
	close(w.work)
	<-w.done
	return w.err
}
