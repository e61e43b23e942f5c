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

// inFlight is how many batches there are: one being read, one worked on, one written, and one on the way.
const inFlight = 4

// ErrOutput says that the answers could not be written.
var ErrOutput = errors.New("writing the answers")

// Run answers a table of pairs. The rows go out in their order:
//
//	reader ──► batch ──► read rows ─► tracks to tasks ─► answer ─► text ──► batch ──► writer
//	one goroutine         loops of the pool, batch after batch              one goroutine
//
// name is that of the input, for messages. out may be nil: then nothing but the statistics is made. Memory is
// bounded: inFlight batches, maxTracks tracks, and beside the shapes given maxBuiltins and those of a batch.
//
// An error that wraps ErrRows says that rows have no answer; all others are answered. One that wraps
// context.Canceled says that ctx was: what is complete is written then. The statistics hold in both cases.
// Errors in the head of the table, a line too long, and those of in and out end it.
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
		err = <-readDone // Otherwise it may wait for its input for ever.
	}
	if writeErr != nil {
		return stats, fmt.Errorf("pairs: %w: %w", ErrOutput, writeErr)
	}
	if err != nil {
		return stats, err
	}
	return stats, stats.fault(name)
}

// openTable reads the head of the table, which a terminal may take its time for.
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

// readAll fills batches until the table ends.
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

// loop works on batches as they come.
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
				return nil // The writer says why.
			}
		case <-w.failed:
			return nil // What it holds does not come back, so nothing more may come to be read.
		case <-ctx.Done():
		}
	}
}

// writer writes batches in the order in which it gets them.
type writer struct {
	out    io.Writer // nil: batches are only handed back
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

// put hands over a batch; false when the writer has failed.
func (w *writer) put(b *batch) bool {
	select {
	case w.work <- b:
		return true
	case <-w.failed:
		return false
	}
}

// end waits until all is written.
func (w *writer) end() error {
	close(w.work)
	<-w.done
	return w.err
}
