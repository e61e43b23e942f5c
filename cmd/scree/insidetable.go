package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside"
	"github.com/scree-dem/scree/vec"
)

var (
	pointColumns  = []string{"x", "y", "z"}
	insideColumns = []string{"row", "inside", "value"}
)

const (
	// insideRows is how many points are answered at a time.
	insideRows = 1 << 16
	// insideWork bounds points times faces of a batch of methods that try all faces, so that an
	// interruption waits for a second or two.
	insideWork = 1 << 27
	// treeRows is that of fmm, which divides the points of each call into clusters of their own.
	treeRows = 1 << 20
	// parseRows is how many rows a reader takes at least.
	parseRows = 1 << 12
	// insideInFlight is how many batches there are: one read, one answered, one written.
	insideInFlight = 3
)

// insideRun answers a table of points, batch by batch:
//
//	reader, with a goroutine for each part of a block ──► Locate on all workers ──► writer
//
// Memory is that of the method and of three batches.
type insideRun struct {
	mesh     *geometry.Mesh
	meshName string
	o        inside.Options
	size     int64 // of the table, bytes; 0: not known
	columns  []string
	progress func(read int64)
	report   insideReport

	solid *inside.Solid
}

// pointBatch is rows of a table, and their answers.
type pointBatch struct {
	first  int64 // row of the first, from 1
	read   int64 // bytes of the file, up to and with these
	points []vec.Vec3
	places []inside.Place
	values []float64
}

// run answers a table. An error that wraps context.Canceled leaves the batches before in out.
func (r *insideRun) run(ctx context.Context, in io.Reader, name string, out io.Writer) error {
	heads := make(chan error, 1)
	free, read := make(chan *pointBatch, insideInFlight), make(chan *pointBatch, insideInFlight)
	for range insideInFlight {
		free <- &pointBatch{}
	}
	quit, readErr := make(chan struct{}), error(nil)
	defer close(quit)
	go func() {
		defer close(read)
		readErr = readPoints(in, name, r.columns, r.rows(), heads, free, read, quit)
	}()
	select {
	case err := <-heads:
		if err != nil {
			return err
		}
	case <-ctx.Done():
		return fmt.Errorf("interrupted before the first row: %w", ctx.Err())
	}
	var first *pointBatch // nil: a table without rows, or with a wrong one
	select {
	case first = <-read:
	case <-ctx.Done():
		return fmt.Errorf("interrupted before the first row: %w", ctx.Err())
	}
	if first == nil && readErr != nil {
		return readErr
	}
	if err := r.setUp(ctx, first); err != nil {
		return err
	}
	defer r.solid.Close()
	w := startPointWriter(out, free)
	ended, err := r.loop(ctx, first, read, w)
	if problem := w.end(); problem != nil {
		return problem
	}
	if ended {
		err = readErr
	}
	return err
}

// rows returns how many points are answered at a time.
func (r *insideRun) rows() int {
	switch r.o.Method {
	case inside.FMM:
		return treeRows
	case inside.Ray, inside.Winding:
		return min(insideRows, 1+insideWork/max(len(r.mesh.Faces), 1))
	}
	return insideRows
}

// loop answers the first batch and the others as they come, until read is closed.
func (r *insideRun) loop(ctx context.Context, b *pointBatch, read <-chan *pointBatch, w *pointWriter) (ended bool, err error) {
	for b != nil {
		if err := r.answer(b); err != nil {
			return false, err
		}
		if !w.put(b) {
			return false, nil // The writer says why.
		}
		select {
		case <-ctx.Done():
			return false, fmt.Errorf("interrupted after row %d: %w", r.report.Points, ctx.Err())
		default:
		}
		select {
		case b = <-read:
		case <-w.failed:
			return false, nil
		case <-ctx.Done():
			return false, fmt.Errorf("interrupted after row %d: %w", r.report.Points, ctx.Err())
		}
	}
	return true, nil
}

// expected estimates the points of the table from its first batch.
func (r *insideRun) expected(b *pointBatch) int {
	if b == nil {
		return 0
	}
	n := float64(len(b.points))
	return int(max(n, n*float64(r.size)/float64(max(b.read, 1))))
}

// setUp prepares the mesh for the points that the first batch lets expect.
func (r *insideRun) setUp(ctx context.Context, first *pointBatch) error {
	began := time.Now()
	r.o.Points = r.expected(first)
	solid, err := await(ctx, "the mesh was set up", func() (*inside.Solid, error) { return inside.New(r.mesh, r.o) })
	if errors.Is(err, context.Canceled) {
		return err
	} else if err != nil {
		return meshFault(r.meshName, err)
	}
	r.solid, r.mesh = solid, nil
	p, q := &r.report, &solid.Report
	p.Setup, p.Workers = time.Since(began).Seconds(), solid.Workers()
	p.Triangles, p.Components, p.Cavities, p.Boundary, p.Turned = q.Triangles, q.Components, q.Cavities, q.BoundaryEdges, q.Turned
	if q.Open != nil {
		p.Open = fileio.NumberedAs(r.meshName, q.Open).Error()
	}
	p.Empty, p.Area, p.Volume, p.Degree, p.Depth, p.Bound, p.Bytes = q.Empty, q.Area, q.Volume, q.Degree, q.Depth, q.Bound, q.Bytes
	return nil
}

// answer answers a batch.
func (r *insideRun) answer(b *pointBatch) error {
	n := len(b.points)
	if cap(b.places) < n {
		b.places, b.values = make([]inside.Place, cap(b.points)), make([]float64, cap(b.points))
	}
	b.places, b.values = b.places[:n], b.values[:n]
	began := time.Now()
	if err := r.solid.Locate(b.points, b.places, b.values); err != nil {
		return err // The rows are finite, so this is a fault of the method.
	}
	p := &r.report
	p.Seconds += time.Since(began).Seconds()
	p.Points += int64(n)
	for _, place := range b.places {
		switch place {
		case inside.Inside:
			p.Inside++
		case inside.On:
			p.On++
		}
	}
	if r.progress != nil {
		r.progress(b.read)
	}
	return nil
}

// newPointTable reads the header of a table. Without columns of the caller's the table has x, y and z and no others.
func newPointTable(in io.Reader, name string, columns []string) (*fileio.Blocks, error) {
	if columns != nil {
		return fileio.NewBlocksOf(in, name, columns)
	}
	t, err := fileio.NewBlocks(in, name, pointColumns, nil)
	if fault := (*fileio.InputError)(nil); errors.As(err, &fault) && strings.HasSuffix(fault.Item, "unknown columns") {
		fault.Want += ": --columns names the three to take, and leaves others alone"
	}
	return t, err
}

// readPoints reads batches of rows until the table ends or quit is closed.
func readPoints(
	in io.Reader, name string, columns []string, rows int, heads chan<- error, free <-chan *pointBatch, read chan<- *pointBatch, quit <-chan struct{},
) error {
	t, err := newPointTable(in, name, columns)
	heads <- err
	if err != nil {
		return err
	}
	p := pointParser{table: t, readers: make([]fileio.BlockRow, runtime.GOMAXPROCS(0))}
	first := int64(1)
	for {
		select {
		case b := <-free:
			b.first, b.points = first, b.points[:0]
			for len(b.points) < rows && t.Next(&p.block, rows-len(b.points)) {
				if b.points, err = p.parse(b.points); err != nil {
					return err
				}
			}
			if len(b.points) == 0 {
				return t.Err()
			}
			first += int64(len(b.points))
			b.read = t.Read()
			read <- b // There is room for all batches.
		case <-quit:
			return nil
		}
	}
}

// pointParser turns blocks of text into points.
type pointParser struct {
	table   *fileio.Blocks
	block   fileio.Block
	readers []fileio.BlockRow
}

// parse appends the points of the block, read by several goroutines. The error is that of the first
// row that is wrong.
func (p *pointParser) parse(points []vec.Vec3) ([]vec.Vec3, error) {
	n, from := p.block.Len(), len(points)
	for range n {
		points = append(points, vec.Vec3{})
	}
	into := points[from:]
	parts := min(len(p.readers), 1+n/parseRows)
	faults := make([]error, parts)
	var wait sync.WaitGroup
	for k := range parts {
		wait.Go(func() {
			faults[k] = p.part(into, k*n/parts, (k+1)*n/parts, &p.readers[k])
		})
	}
	wait.Wait()
	for _, err := range faults {
		if err != nil {
			return points, err
		}
	}
	return points, nil
}

func (p *pointParser) part(into []vec.Vec3, lo, hi int, row *fileio.BlockRow) error {
	var x [3]float64
	for i := lo; i < hi; i++ {
		if err := row.Set(p.table, &p.block, i); err != nil {
			return err
		}
		if err := row.Floats(0, x[:]); err != nil {
			return err
		}
		into[i] = vec.V(x[0], x[1], x[2])
	}
	return nil
}

// pointWriter writes batches in the order in which it gets them, and hands them back.
type pointWriter struct {
	table  *fileio.TableWriter // nil: batches are only handed back
	free   chan<- *pointBatch
	work   chan *pointBatch
	failed chan struct{}
	done   chan struct{}
	err    error
}

func startPointWriter(out io.Writer, free chan<- *pointBatch) *pointWriter {
	w := &pointWriter{free: free, work: make(chan *pointBatch, insideInFlight), failed: make(chan struct{}), done: make(chan struct{})}
	if out != nil {
		w.table = fileio.NewTableWriter(out, insideColumns)
	}
	go w.run()
	return w
}

func (w *pointWriter) run() {
	defer close(w.done)
	for b := range w.work {
		if w.table != nil {
			for i, place := range b.places {
				w.table.Int(b.first + int64(i))
				w.table.Text(place.String())
				w.table.Float(b.values[i])
				if w.table.EndRow() != nil {
					break // Flush returns it too.
				}
			}
			if w.err = flush(w.table); w.err != nil {
				close(w.failed)
				return
			}
		}
		w.free <- b
	}
	w.err = flush(w.table)
}

// put hands over a batch; false when the writer has failed.
func (w *pointWriter) put(b *pointBatch) bool {
	select {
	case w.work <- b:
		return true
	case <-w.failed:
		return false
	}
}

// end waits until all is written.
func (w *pointWriter) end() error {
	close(w.work)
	<-w.done
	return w.err
}
