package pairs

import (
	"strings"
	"time"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/sched"
)

// batchRows is how many rows are worked on at a time: enough that three loops over them cost nothing beside the
// rows, few enough that the batches in flight take some megabytes.
const batchRows = 4096

// textRows is how many rows of output a task writes.
const textRows = 256

// batch is rows on their way from reader to writer.
type batch struct {
	block     fileio.Block
	questions []question
	results   []result
	tracks    []*track // of each row, nil for those without

	order []int32 // rows by task
	spans []span
	costs []float64

	texts []fileio.RowText // of textRows rows each
	read  int64            // bytes of the file, up to and with this batch
}

func newBatch() *batch {
	return &batch{
		questions: make([]question, batchRows), results: make([]result, batchRows), tracks: make([]*track, batchRows),
		texts: make([]fileio.RowText, (batchRows+textRows-1)/textRows),
	}
}

// team works on batches: three loops on the pool, one after the other.
type team struct {
	pool    *sched.Pool
	table   *fileio.Blocks
	options *Options
	shapes  *Shapes
	readers []reader
	solvers []solver
	tracks  tracks
	stats   *Stats

	// The batch at work.
	*batch
}

func newTeam(pool *sched.Pool, table *fileio.Blocks, shapes *Shapes, o *Options, stats *Stats) *team {
	c := &team{
		pool: pool, table: table, options: o, shapes: shapes, stats: stats, tracks: newTracks(maxTracks),
		readers: make([]reader, pool.Workers()), solvers: make([]solver, pool.Workers()),
	}
	for i := range c.readers {
		c.readers[i] = reader{shapes: shapes, known: map[string]*shape{}}
	}
	return c
}

// The loops of a batch.
type (
	reading   team
	answering team
	writing   team
)

// work answers a batch.
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
		q.a, q.b = nil, nil // A batch that waits to be written keeps no shapes.
	}
	c.stats.Tracks = c.tracks.seen
	if write {
		c.pool.For(n, textRows, (*writing)(c))
	}
}

// Range reads rows.
func (c *reading) Range(lo, hi, worker int) {
	r := &c.readers[worker]
	for i := lo; i < hi; i++ {
		r.read(c.table, &c.block, i, &c.questions[i])
		c.results[i] = result{fault: c.questions[i].fault}
	}
}

// Task answers the rows of a span in their order.
func (c *answering) Task(task, worker int) {
	s := &c.spans[task]
	w := &c.solvers[worker]
	k := s.track
	if k == nil {
		w.solveAll(c.order[s.from:s.to], c.questions, c.results, c.options)
		return
	}
	for _, i := range c.order[s.from:s.to] {
		q := &c.questions[i]
		if now := (trackBodies{q.a.id, q.b.id, q.roundA, q.roundB}); k.bodies != now {
			k.memory.Reset()
			k.bodies = now
		}
		w.solve(q, c.options, &k.memory, -1, &c.results[i])
	}
}

// Range writes rows; lo is a multiple of textRows.
func (c *writing) Range(lo, hi, _ int) {
	to := &c.texts[lo/textRows]
	to.Reset()
	for i := lo; i < hi; i++ {
		c.results[i].write(to, c.block.Row+i, c.options.Location)
	}
}

// Columns are those of the output.
var Columns = []string{
	"row", "status", "gap", "nx", "ny", "nz", "x", "y", "z", "wax", "way", "waz", "wbx", "wby", "wbz",
	"type", "volume", "level", "message",
}

// Words of the column status.
const (
	apart    = "apart"
	touching = "touching"
	failed   = "error"
)

// write appends the row of a result.
func (r *result) write(to *fileio.RowText, row int, where Location) {
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
	for _, x := range [3]float64{r.normal.X, r.normal.Y, r.normal.Z} {
		to.Float(x)
	}
	points(to, r.located && where != None, r.location.X, r.location.Y, r.location.Z)
	points(to, r.hasPoints, r.onA.X, r.onA.Y, r.onA.Z, r.onB.X, r.onB.Y, r.onB.Z)
	to.Text(r.kind.String())
	to.Empty(1) // The volume goes with the location of the common volume.
	to.Text(r.level.String())
	to.Empty(1)
	to.EndRow()
}

// points appends coordinates, or as many values that are not there.
func points(to *fileio.RowText, there bool, x ...float64) {
	if !there {
		to.Empty(len(x))
		return
	}
	for _, v := range x {
		to.Float(v)
	}
}

// message says in one line why a row has no answer, without the names of packages.
func (r *result) message() string {
	text := strings.ReplaceAll(fileio.InRow(r.fault), "\n", "; ")
	for _, prefix := range []string{"pairs: ", "geometry: ", "fileio: ", "soa: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return text
}
