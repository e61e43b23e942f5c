package broad

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Grids holds boxes entered in grids, one grid per kind and range of sizes. The caller divides the
// sizes into Levels, and calls ChooseGrids, Enter and then Scan.
//
//	sizes  1 ─┬─ level 0, cells 1    each box searches half of the cells around it in its own level,
//	      1/2 ┼─ level 1, cells 1/2   and all cells around it in every level of larger boxes
//	      1/4 ┴─ level 2 …
//
// Memory: 48 bytes per row to sort it, 20 for its entry, and 4 to 48 for the cells.
type Grids struct {
	Box  []vec.Box  // by row, m
	Kind []soa.Kind // by row; nil: all are of kind 0
	// Rows lists the rows to enter, in ascending order, if Subset is set. Otherwise all rows are
	// entered.
	Rows   []uint32
	Subset bool
	Levels []Grid
	// LevelAt is the level of a kind and a size bin.
	LevelAt [soa.NKinds][SizeBins]uint16
	// OneDenseGrid tells that all rows are in one dense grid, and that Start has one extra line of
	// empty cells. The caller sets it to ask for this line; ChooseGrids clears it if the rows are
	// not in one dense grid.
	OneDenseGrid bool
	Pool         *sched.Pool

	corners []uint64 // by entered row: its two corners on the lattice of its level
	cell    []uint32 // by entered row
	binned  []record

	// By entry: its corners on the lattice of its level, and its row. If OneDenseGrid, also the
	// range of cells of a line that it searches.
	Lower, Upper []uint64
	Row          []uint32
	From, To     []uint32
	Start        []uint32 // by cell of all levels, and one more: the cell's first entry
	Cells        int      // of all levels

	binsOf Histogram
	shift  uint // from a cell to its bin
	chunk  Chunking
	work   []gridWork
	scan   scan
}

// gridWork holds what one worker writes during a pass.
type gridWork struct {
	levels      []Bounds
	spans       []asm.LatticeSpan
	span, other []uint32
	_           [64]byte // keeps the data of two workers in different cache lines
}

// WorkersOf returns the number of workers of a pool, or 1 if pool is nil.
func WorkersOf(pool *sched.Pool) int {
	if pool == nil {
		return 1
	}
	return pool.Workers()
}

// Release drops the references to the caller's data. Near still works afterwards.
func (g *Grids) Release() { g.Box, g.Kind, g.Rows, g.Pool = nil, nil, nil, nil }

// n returns the number of entered rows.
func (g *Grids) n() int {
	if g.Subset {
		return len(g.Rows)
	}
	return len(g.Box)
}

// row returns the i-th entered row.
func (g *Grids) row(i int) int {
	if g.Subset {
		return int(g.Rows[i])
	}
	return i
}

// levelOf returns the level of a row.
func (g *Grids) levelOf(row int) uint16 {
	size, _ := SizeOf(&g.Box[row])
	if g.Kind == nil {
		return g.LevelAt[0][SizeBin(size)]
	}
	return g.LevelAt[g.Kind[row]][SizeBin(size)]
}

// over runs a pass over the chunks of the entered rows.
func (g *Grids) over(pass sched.Ranger) {
	g.chunk = ChunksOf(g.n())
	RunOn(g.Pool, g.chunk.N, pass)
}

// ChooseGrids chooses the grid of each level. The caller sets the bounds of a level to those of its
// rows, or to NoBounds; then ChooseGrids computes them. shared is the number of cells that all
// levels together may take beyond those that their rows justify. The first levels get them first.
func (g *Grids) ChooseGrids(shared float64) {
	g.work = Resize(g.work, max(WorkersOf(g.Pool), len(g.work)))
	g.findBounds()
	base := uint32(0)
	for k := range g.Levels {
		l := &g.Levels[k]
		taken := l.choose(shared, l.Lo, l.Hi)
		if l.Hashed && l.N >= FewRows {
			// A few rows that have flown far away are entered at the border of the grid of the
			// others.
			lo, hi := DenseBox(g.n(), func(i int) *vec.Box { return &g.Box[g.row(i)] })
			if few := *l; g.mostWithin(k, &vec.Box{Min: lo, Max: hi}) {
				if took := few.choose(shared, l.Lo.Max(lo), l.Hi.Min(hi)); !few.Hashed {
					*l, taken = few, took
				}
			}
		}
		shared -= taken
		l.base = base
		base += l.Cells
	}
	g.Cells = int(base)
	ends := 1
	if g.OneDenseGrid = g.OneDenseGrid && len(g.Levels) == 1 && !g.Levels[0].Hashed; g.OneDenseGrid {
		ends += g.Levels[0].nx
	}
	g.Start = Resize(g.Start, g.Cells+ends)
}

// findBounds computes the bounds of the levels if they are not known.
func (g *Grids) findBounds() {
	known := true
	for k := range g.Levels {
		known = known && g.Levels[k].N > 0
	}
	if known {
		return
	}
	for i := range g.work {
		w := &g.work[i]
		w.levels = Resize(w.levels, len(g.Levels))
		for k := range w.levels {
			w.levels[k] = NoBounds
		}
	}
	g.over((*boundsPass)(g))
	for k := range g.Levels {
		l := &g.Levels[k]
		l.Bounds = NoBounds
		for i := range g.work {
			l.Merge(&g.work[i].levels[k])
		}
	}
}

// boundsPass gathers the bounds of each level.
type boundsPass Grids

func (p *boundsPass) Range(lo, hi, worker int) {
	g, levels := (*Grids)(p), p.work[worker].levels
	first, last := g.chunk.Spans(lo, hi)
	for i := first; i < last; i++ {
		row := g.row(i)
		levels[g.levelOf(row)].Add(&g.Box[row])
	}
}

// mostWithin reports whether most boxes of a level have their lower corner in bulk.
func (g *Grids) mostWithin(level int, bulk *vec.Box) bool {
	n := 0
	for i := range g.n() {
		if row := g.row(i); bulk.Holds(g.Box[row].Min) && int(g.levelOf(row)) == level {
			n++
		}
	}
	return nearlyAll(n, g.Levels[level].N)
}

// Near appends runs of rows to runs and returns the result. The runs contain all rows whose boxes
// overlap box, and possibly other rows and repetitions. Near returns false if it would have to
// visit too many cells. Cost: the cells that the box reaches into, on every level.
func (g *Grids) Near(box *vec.Box, runs [][]uint32) ([][]uint32, bool) {
	for k := range g.Levels {
		l := &g.Levels[k]
		if around := l.Around(); !Overlap(box, &around) {
			continue
		}
		if !l.Hashed {
			lower, upper := l.Corners(box)
			at := l.reachOf(lower, upper)
			for z := at.z0; z <= at.z1; z++ {
				for y := at.y0; y <= at.y1; y++ {
					line := l.line(y, z)
					if from, to := g.Start[line+at.x0], g.Start[line+at.x1+1]; from < to {
						runs = append(runs, g.Row[from:to])
					}
				}
			}
			continue
		}
		from, to := l.cellsAround(box)
		if tooManyCells(from, to) {
			return runs, false
		}
		for z := from.z; z <= to.z; z++ {
			for y := from.y; y <= to.y; y++ {
				for x := from.x; x <= to.x; x++ {
					at := l.base + l.place(x, y, z)
					runs = append(runs, g.Row[g.Start[at]:g.Start[at+1]])
				}
			}
		}
	}
	return runs, true
}
