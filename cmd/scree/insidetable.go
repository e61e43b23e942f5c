package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside"
	"github.com/scree-dem/scree/internal/distribution"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

var (
	pointColumns  = []string{"x", "y", "z"}
	insideColumns = []string{"row", "inside", "value"}
)

const (
	// insideRows is the number of points in a batch.
	insideRows = 1 << 16
	// insideWork limits points times faces of a batch for the methods that test all faces. An
	// interruption then takes effect within a second or two.
	insideWork = 1 << 27
	// treeRows is the batch size of fmm, which builds a cluster tree for the points of each call.
	treeRows = 1 << 20
	// parseRows is the least number of rows for which another parsing goroutine is used.
	parseRows = 1 << 12
	// insideInFlight is the number of batches in memory: one is read, one processed, one written.
	insideInFlight = 3
)

// insideRun processes a table of points, batch by batch:
//
//	reader, with a goroutine for each part of a block ──► Locate on all workers ──► writer
//
// It uses the memory of the method and of three batches.
type insideRun struct {
	mesh     *geometry.Mesh
	meshName string
	o        inside.Options
	size     int64 // size of the table, bytes; 0 if unknown
	columns  []string
	progress func(read int64) // called after each batch
	report   insideReport

	solid  *inside.Solid
	values *distribution.Sample // nil without --json
}

// pointBatch holds consecutive rows of a table and their results.
type pointBatch struct {
	first  int64 // number of the first row, counted from 1
	read   int64 // bytes of the file read so far, this batch included
	points []vec.Vec3
	places []inside.Place
	values []float64
}

// run processes the table in. If the error wraps context.Canceled, out holds the earlier batches.
func (r *insideRun) run(ctx context.Context, in io.Reader, name string, out io.Writer) error {
	table, err := sched.Await(ctx, "interrupted while the head of the table was read", func() (*fileio.Blocks, error) {
		return newPointTable(in, name, r.columns)
	})
	if err != nil {
		return err
	}
	p := pointParser{table: table, rows: r.rows(), first: 1, readers: make([]fileio.BlockRow, runtime.GOMAXPROCS(0))}
	batches := sched.ReadAhead(insideInFlight, p.next)
	defer batches.End()
	b, err := batches.Take(ctx, "interrupted before the first row")
	if err != nil {
		return err // Returned before the mesh is set up, which can take long.
	}
	if err := r.setUp(ctx, b); err != nil {
		return err
	}
	defer r.solid.Close()
	var answers *fileio.TableWriter
	if out != nil {
		answers = fileio.NewTableWriter(out, insideColumns)
	}
	var writing errgroup.Group // writes one batch while the next is processed
	for b != nil && err == nil {
		if err := cmp.Or(r.answer(b), writing.Wait()); err != nil {
			return err
		}
		done := b
		writing.Go(func() error {
			defer batches.Back(done)
			return done.write(answers)
		})
		b, err = batches.Take(ctx, fmt.Sprintf("interrupted after row %d", r.report.Points))
	}
	return cmp.Or(writing.Wait(), flush(answers), err)
}

// write appends the results to the table, if there is one.
func (b *pointBatch) write(table *fileio.TableWriter) error {
	for i := 0; table != nil && i < len(b.places); i++ {
		table.Int(b.first + int64(i))
		table.Text(b.places[i].String())
		table.Float(b.values[i])
		if table.EndRow() != nil {
			break // flush returns the error again.
		}
	}
	return flush(table)
}

// rows returns the number of points in a batch.
func (r *insideRun) rows() int {
	switch r.o.Method {
	case inside.FMM:
		return treeRows
	case inside.Ray, inside.Winding:
		return min(insideRows, 1+insideWork/max(len(r.mesh.Faces), 1))
	}
	return insideRows
}

// expected estimates the number of points in the table from its first batch.
func (r *insideRun) expected(b *pointBatch) int {
	if b == nil {
		return 0
	}
	n := float64(len(b.points))
	return int(max(n, n*float64(r.size)/float64(max(b.read, 1))))
}

// setUp prepares the mesh for the number of points estimated from the first batch.
func (r *insideRun) setUp(ctx context.Context, first *pointBatch) error {
	began := time.Now()
	r.o.Points = r.expected(first)
	solid, err := sched.Await(ctx, "interrupted while the mesh was set up", func() (*inside.Solid, error) {
		return inside.New(r.mesh, r.o)
	})
	if errors.Is(err, context.Canceled) {
		return err
	} else if err != nil {
		return meshFault(r.meshName, r.mesh, err)
	}
	p, q := &r.report, &solid.Report
	p.Setup, p.Workers = time.Since(began).Seconds(), solid.Workers()
	p.Triangles, p.Components, p.Cavities, p.Boundary, p.Turned = q.Triangles, q.Components, q.Cavities, q.BoundaryEdges, q.Turned
	if q.Open != nil {
		p.Open = fileio.Numbered(r.meshName, r.mesh, q.Open).Error()
	}
	r.solid, r.mesh = solid, nil
	if r.o.Method == inside.FMM {
		p.Separation, p.Extra, p.Cells, p.Summed, p.Near = r.o.Separation, q.Extra, q.Cells, q.Summed, q.Near
	}
	p.Empty, p.Area, p.Volume, p.Degree, p.Depth, p.Bound, p.Bytes = q.Empty, q.Area, q.Volume, q.Degree, q.Depth, q.Bound, q.Bytes
	return nil
}

// answer computes the places and values of a batch.
func (r *insideRun) answer(b *pointBatch) error {
	n := len(b.points)
	if cap(b.places) < n {
		b.places, b.values = make([]inside.Place, cap(b.points)), make([]float64, cap(b.points))
	}
	b.places, b.values = b.places[:n], b.values[:n]
	began := time.Now()
	if err := r.solid.Locate(b.points, b.places, b.values); err != nil {
		return err // The rows are finite, so the method has failed.
	}
	p := &r.report
	p.Seconds += time.Since(began).Seconds()
	p.Points += int64(n)
	for _, x := range b.values {
		r.values.Add(x)
	}
	for _, place := range b.places {
		switch place {
		case inside.Inside:
			p.Inside++
		case inside.On:
			p.On++
		}
	}
	r.progress(b.read)
	return nil
}

// newPointTable reads the header of a table. If columns is nil, the table must have x, y and z, and
// no other columns.
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

// pointParser parses blocks of text into points.
type pointParser struct {
	table   *fileio.Blocks
	rows    int   // largest number of rows in a batch
	first   int64 // number of the next row
	block   fileio.Block
	readers []fileio.BlockRow
}

// next reads the next batch. It returns false at the end of the table.
func (p *pointParser) next(b *pointBatch) (more bool, err error) {
	b.first, b.points = p.first, b.points[:0]
	for len(b.points) < p.rows && p.table.Next(&p.block, p.rows-len(b.points)) {
		if b.points, err = p.parse(b.points); err != nil {
			return false, err
		}
	}
	if len(b.points) == 0 {
		return false, p.table.Err()
	}
	p.first += int64(len(b.points))
	b.read = p.table.Read()
	return true, nil
}

// parse appends the points of the block, parsed by several goroutines. It returns the error of the
// first bad row.
func (p *pointParser) parse(points []vec.Vec3) ([]vec.Vec3, error) {
	n, from := p.block.Len(), len(points)
	points = slices.Grow(points, n)[:from+n] // append of a make allocates under the race detector
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
	return points, cmp.Or(faults...)
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
