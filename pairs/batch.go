package pairs

import (
	"strings"
	"time"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/sched"
)

// batchRows is the number of rows in a batch. It is large enough that the cost of three parallel
// loops does not matter, and small enough that all batches take only some megabytes.
const batchRows = 4096

// textRows is the number of output rows that one task writes. It divides batchRows.
const textRows = 256

// batch holds rows on their way from the reader to the writer.
type batch struct {
	block     fileio.Block
	questions [batchRows]question
	results   [batchRows]result
	tracks    [batchRows]*track // by row; nil without a track

	order []int32 // row indices, sorted by task
	spans []span
	costs []float64

	texts, contacts [batchRows / textRows]fileio.RowText // textRows rows each
	read            int64                                // bytes of the file read so far, this batch included
}

// team processes batches, one at a time, with three parallel loops on the pool.
type team struct {
	pool    *sched.Pool
	table   *fileio.Blocks
	options *Options
	shapes  *ShapeSet
	readers []reader
	solvers []solver
	tracks  tracks
	stats   *Stats

	// The current batch.
	*batch
}

func newTeam(pool *sched.Pool, table *fileio.Blocks, shapes *ShapeSet, o *Options, stats *Stats) *team {
	c := &team{
		pool: pool, table: table, options: o, shapes: shapes, stats: stats, tracks: newTracks(maxTracks),
		readers: make([]reader, pool.Workers()), solvers: make([]solver, pool.Workers()),
	}
	for i := range c.readers {
		c.readers[i] = reader{shapes: shapes, known: map[string]*shape{}}
	}
	return c
}

// The loops over a batch.
type (
	reading   team
	answering team
	writing   team
)

// work processes a batch. It formats the output rows only if write is set.
func (c *team) work(b *batch, write bool) {
	c.batch = b
	if c.shapes.trim() {
		for i := range c.readers {
			clear(c.readers[i].known)
		}
	}
	n := b.block.Len()
	c.pool.For(n, spanRows, (*reading)(c))
	c.tracks.trim()
	c.tracks.plan(b)
	began := time.Now()
	c.pool.ForTasks(b.costs, (*answering)(c))
	c.stats.answered += time.Since(began)
	for i := range n {
		q := &b.questions[i]
		c.stats.count(b.block.Row+i, q, &b.results[i])
		q.a, q.b = nil, nil // Release the shapes while the batch waits for the writer.
	}
	c.stats.Tracks = c.tracks.seen
	if write {
		c.pool.For(n, textRows, (*writing)(c))
	}
}

// Range parses rows lo to hi-1.
func (c *reading) Range(lo, hi, worker int) {
	r := &c.readers[worker]
	for i := lo; i < hi; i++ {
		r.read(c.table, &c.block, i, &c.questions[i])
		c.results[i] = result{fault: c.questions[i].fault, contacts: c.results[i].contacts[:0]}
	}
}

// Task answers the rows of a span in order.
func (c *answering) Task(task, worker int) {
	s := &c.spans[task]
	w := &c.solvers[worker]
	k := s.track
	for _, i := range c.order[s.from:s.to] {
		q := &c.questions[i]
		if k == nil {
			w.solve(q, c.options, nil, &c.results[i])
			continue
		}
		if now := (trackBodies{q.a.id, q.b.id, q.roundA, q.roundB}); k.bodies != now {
			k.memory.Reset()
			if k.bodies, k.posed = now, false; k.more != nil {
				*k.more = trackMore{numbered: k.more.numbered}
			}
		}
		w.solve(q, c.options, k, &c.results[i])
		k.pa, k.pb, k.posed = q.pa, q.pb, true
	}
}

// Range formats rows lo to hi-1. lo is a multiple of textRows.
func (c *writing) Range(lo, hi, _ int) {
	to, list := &c.texts[lo/textRows], &c.contacts[lo/textRows]
	to.Reset()
	list.Reset()
	for i := lo; i < hi; i++ {
		c.results[i].write(to, c.block.Row+i, c.options.Location)
		if c.results[i].fault == nil {
			c.results[i].writeContacts(list, c.block.Row+i)
		}
	}
}

// Columns are the columns of the output.
var Columns = []string{
	"row", "status", "gap", "nx", "ny", "nz", "x", "y", "z", "wax", "way", "waz", "wbx", "wby", "wbz",
	"type", "volume", "level", "message",
}

// Values of the column status.
const (
	apart    = "apart"
	touching = "touching"
	failed   = "error"
)

// write appends the output row of a result.
func (r *result) write(to *fileio.RowText, row int, where LocationChoice) {
	to.Int(int64(row))
	if r.fault != nil {
		to.Text(failed)
		to.Empty(len(Columns) - 3)
		to.Text(r.message())
		to.EndRow()
		return
	}
	status := apart
	if r.touching {
		status = touching
	}
	to.Text(status)
	to.Float(r.gap)
	points(to, true, r.normal.X, r.normal.Y, r.normal.Z)
	points(to, r.located && where != None, r.location.X, r.location.Y, r.location.Z)
	points(to, r.hasPoints, r.onA.X, r.onA.Y, r.onA.Z, r.onB.X, r.onB.Y, r.onB.Z)
	to.Text(r.kind.String())
	points(to, r.volume > 0, r.volume)
	to.Text(r.level.String())
	to.Empty(1)
	to.EndRow()
}

// points appends coordinates, or empty values unless there is set.
func points(to *fileio.RowText, there bool, x ...float64) {
	if !there {
		to.Empty(len(x))
		return
	}
	for _, v := range x {
		to.Float(v)
	}
}

// message returns the reason why a row has no answer, on one line, without package prefixes, and without the
// control characters that names of files may have.
func (r *result) message() string {
	text := strings.ReplaceAll(fileio.InRow(r.fault), "\n", "; ")
	return mark.OneLine(mark.WithoutPackage(strings.TrimPrefix(text, "pairs: ")))
}
