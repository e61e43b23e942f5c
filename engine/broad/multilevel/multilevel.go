package multilevel

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/engine/broad"
	"github.com/scree-dem/scree/vec"
)

// Method is the grids of one search after the other. It is for one goroutine.
//
// Source: one level for each factor of two in size and a counting sort as in Ericson 2005, ch. 7.
// Cost: linear in rows and pairs at bounded density, whatever the ratio of sizes. Memory: 24 bytes
// a row to sort it, 20 for its entry, 4 to 32 for the cells, and 20 a pair. It allocates only to
// grow.
type Method struct {
	kept broad.Candidates // what is kept under a motion budget

	box    []vec.Box // of the search under way
	levels []level
	at     [sizeBins]uint8 // level of a size

	corners []uint64 // by row: two, on the lattice of its level
	cell    []uint32 // by row
	binned  []record
	start   []uint32 // by cell of all levels, and one more: its first entry
	lower   []uint64 // by entry: its corners on the lattice of its level
	upper   []uint64
	row     []uint32 // by entry
	cells   int      // of all levels
	alone   bool     // there is one level, and it is not hashed
	from    []uint32 // by entry, if alone: the cells of a line that it looks at
	to      []uint32
	binsOf  broad.Histogram
	shift   uint // of a cell, to its bin

	sorter broad.Sorter
	lists  broad.RowLists
	chunk  broad.Chunking
	work   []workspace
}

// workspace is what one worker writes to while a pass runs.
type workspace struct {
	count  [sizeBins]uint32 // rows by size; 0 between two searches
	all    bounds
	levels []bounds
	spans  []asm.LatticeSpan
	span   []uint32
	other  []uint32
	doubt  []uint32
	_      [64]byte // two workers never write to one cache line
}

// New returns the method.
func New() *Method { return &Method{} }

// Search implements broad.Method. With a motion budget it keeps candidates, and finds them anew
// when a row has moved farther.
func (m *Method) Search(r *broad.Rows, p *broad.Pairs) error {
	if r.Budget > 0 {
		return m.kept.Search(r, p, m.find)
	}
	return m.find(r, p)
}

// find finds the pairs from nothing but boxes.
func (m *Method) find(r *broad.Rows, p *broad.Pairs) error {
	m.begin(r)
	// 1 Levels: reads boxes; writes the levels and their bounds.
	m.makeLevels(r)
	// 2 Enter: counting sort of the rows by cell; writes lower, upper, row, start.
	m.enter(r)
	if m.alone {
		return m.scanRows(r, p)
	}
	// 3 Scan: runs of cells against each entry; writes the lists of the sorter.
	m.sorter.Begin(len(r.Box), broad.ChunksOf(len(r.Box)).N, r.Most, r.Pool)
	m.chunk = broad.ChunksOf(len(r.Box))
	broad.RunOn(r.Pool, m.chunk.N, (*scanPass)(m))
	full := m.sorter.Full()
	// 4 Sort: by A, then B.
	p.A, p.B = m.sorter.Collect(p.A, p.B)
	m.box = nil
	if full {
		return broad.ErrCrowded
	}
	return nil
}

func (m *Method) begin(r *broad.Rows) {
	m.box = r.Box
	workers := 1
	if r.Pool != nil {
		workers = r.Pool.Workers()
	}
	m.work = broad.Resize(m.work, max(workers, len(m.work)))
	for i := range m.work {
		w := &m.work[i]
		if w.all.n > 0 {
			clear(w.count[w.all.least : w.all.most+1])
		}
		w.all = noBounds
		w.spans = broad.Resize(w.spans, maxSpans)[:0]
		w.span, w.other = broad.Resize(w.span, maxHits), broad.Resize(w.other, maxHits)
	}
}

// over runs a pass over the chunks of the rows.
func (m *Method) over(r *broad.Rows, pass interface{ Range(lo, hi, worker int) }) {
	m.chunk = broad.ChunksOf(len(r.Box))
	broad.RunOn(r.Pool, m.chunk.N, pass)
}
