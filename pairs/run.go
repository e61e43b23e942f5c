package pairs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/distribution"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/sched"
)

// inFlight is the number of batches: one is read, one is processed, one is written, and one waits.
const inFlight = 4

// ErrOutput reports that the output could not be written.
var ErrOutput = errors.New("writing the answers")

// Run answers a table of pairs and writes the rows in the order of the input:
//
//	reader ──► batch ──► read rows ─► tracks to tasks ─► answer ─► text ──► batch ──► write
//	one goroutine         loops of the pool, batch after batch             beside the next batch
//
// name is the name of the input for messages. If out is nil, Run only computes the statistics. The
// memory is bounded: inFlight batches, maxTracks tracks, the given shapes, and maxBuiltins builtins
// plus those of one batch. Options.Distributions adds two columns of up to 32 MB.
//
// If the error wraps ErrRows, some rows have no answer and all others are answered. If it wraps
// context.Canceled, ctx was cancelled and the complete rows are written. The statistics are valid
// in both cases. Options that mean nothing, whose errors wrap ErrOption, errors in the header of the table, a line that is too long, and errors of in and
// out end the run.
func Run(ctx context.Context, in io.Reader, name string, shapes *ShapeSet, out io.Writer, o Options) (*Stats, error) {
	began := time.Now()
	if err := o.check(); err != nil {
		return nil, err
	}
	if shapes == nil || shapes.builtins == nil {
		return nil, mark.Errorf(ErrShapes, "pairs: the shapes are nil or empty, expected those of LoadShapes")
	}
	// The header is read beside this goroutine, because a terminal may take long.
	table, err := sched.Await(ctx, "pairs: interrupted before the first row", func() (*fileio.Blocks, error) {
		return fileio.NewBlocks(in, name, required, optional)
	})
	if err != nil {
		return nil, err
	}
	pool, err := sched.Open(o.Workers, o.Pin)
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	stats := &Stats{Workers: pool.Workers()}
	if o.Distributions {
		stats.gaps, stats.depths = &distribution.Sample{}, &distribution.Sample{}
	}
	err = newTeam(pool, table, shapes, &o, stats).answer(ctx, out)
	stats.finish(began)
	if err != nil {
		return stats, err
	}
	return stats, stats.fault(name)
}

// answer processes all batches of the table. While one batch is processed, the next ones are read
// and the one before is written.
func (c *team) answer(ctx context.Context, out io.Writer) error {
	batches := sched.ReadAhead(inFlight, c.next)
	defer batches.End()
	var writing errgroup.Group
	written := func() error {
		if err := writing.Wait(); err != nil {
			return fmt.Errorf("pairs: %w: %w", ErrOutput, err)
		}
		return nil
	}
	list := c.options.Contacts
	writing.Go(func() (err error) {
		if out != nil {
			err = fileio.NewTableWriter(out, Columns).Flush()
		}
		if list != nil && err == nil {
			err = fileio.NewTableWriter(list, ContactColumns).Flush()
		}
		return err
	})
	for {
		b, err := batches.Take(ctx, fmt.Sprintf("pairs: interrupted after row %d", c.stats.Pairs))
		if b == nil {
			return cmp.Or(written(), err)
		}
		c.work(b, out != nil || list != nil)
		if c.options.Progress != nil {
			c.options.Progress(b.read, c.stats.Pairs)
		}
		if err := written(); err != nil {
			return err
		}
		writing.Go(func() error {
			defer batches.Back(b)
			return errors.Join(b.write(out, &b.texts), b.write(list, &b.contacts))
		})
	}
}

// next fills a batch. It returns false at the end of the table.
func (c *team) next(b *batch) (bool, error) {
	if !c.table.Next(&b.block, batchRows) {
		return false, c.table.Err()
	}
	b.read = c.table.Read()
	return true, nil
}

// write writes texts of a batch to out, unless out is nil.
func (b *batch) write(out io.Writer, texts *[batchRows / textRows]fileio.RowText) error {
	for i := 0; out != nil && i < b.block.Len(); i += textRows {
		if _, err := out.Write(texts[i/textRows].Bytes()); err != nil {
			return err
		}
	}
	return nil
}
