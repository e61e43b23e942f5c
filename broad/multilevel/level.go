package multilevel

import (
	"math"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/vec"
)

const (
	// fullCell is the mean number of rows per cell up to which smaller rows join a level. Lines of
	// cells are compared eight rows at a time.
	fullCell = 8
	// maxLevels is the largest number of levels. The smallest sizes share the last level.
	maxLevels = 64
)

// makeLevels divides the rows by size and chooses the grid of each level.
func (m *Method) makeLevels() {
	g := &m.grids
	m.work = broad.Resize(m.work, max(broad.WorkersOf(g.Pool), len(m.work)))
	for i := range m.work {
		w := &m.work[i]
		if w.all.N > 0 {
			clear(w.count[w.least : w.most+1])
		}
		w.all, w.least, w.most = broad.NoBounds, broad.SizeBins, 0
	}
	m.chunk = broad.ChunksOf(len(g.Box))
	broad.RunOn(g.Pool, m.chunk.N, (*sizePass)(m))
	all := &m.work[0] // cleared at the start of the next search
	for i := range m.work[1:] {
		w := &m.work[1+i]
		all.all.Merge(&w.all)
		all.least, all.most = min(all.least, w.least), max(all.most, w.most)
		for bin := w.least; bin <= w.most; bin++ {
			all.count[bin] += w.count[bin]
		}
	}
	lo, hi := all.all.Lo, all.all.Hi
	if len(g.Box) >= broad.FewRows {
		lo, hi = broad.DenseBox(len(g.Box), func(i int) *vec.Box { return &g.Box[i] })
	}
	if m.divide(all, hi.Sub(lo)); len(g.Levels) == 1 {
		g.Levels[0].Bounds = all.all
	}
	g.OneDenseGrid = true
	g.ChooseGrids(0)
}

// sizePass counts the rows of its chunks by size, and gathers their bounds.
type sizePass Method

func (m *sizePass) Range(lo, hi, worker int) {
	w := &m.work[worker]
	count, all, boxes := &w.count, &w.all, m.grids.Box
	first, last := m.chunk.Spans(lo, hi)
	for i := first; i < last; i++ {
		box := &boxes[i]
		size, _ := broad.SizeOf(box)
		bin := broad.SizeBin(size)
		count[bin]++
		w.least, w.most = min(w.least, bin), max(w.most, bin)
		all.Add(box)
	}
}

// divide makes the levels from the largest size down. Each level begins at the largest size not yet
// in a level, so neighbouring sizes share a level, wherever they lie on the scale. A smaller octave
// joins the level if the level then has at most fullCell rows per cell, or per row of its largest
// octave if these are fewer. Comparing longer runs costs less than searching one more level.
func (m *Method) divide(all *workspace, span vec.Vec3) {
	g, count := &m.grids, &all.count
	g.Levels = g.Levels[:0]
	rows, most := 0.0, 0.0 // of the level, and the largest number that it may have
	for top := all.most; all.all.N > 0 && top >= all.least; {
		if count[top] == 0 {
			top--
			continue
		}
		octave := 0.0
		for bin := top; bin > top-broad.BinsPerOctave && bin >= 0; bin-- {
			octave += float64(count[bin])
		}
		if rows += octave; len(g.Levels) == 0 || rows > most && len(g.Levels) < maxLevels {
			g.Levels = append(g.Levels, broad.Grid{Bounds: broad.NoBounds})
			size := math.Float64frombits(uint64(top+1) << 49)
			cells := (span.X/size + 1) * (span.Y/size + 1) * (span.Z/size + 1)
			if !(cells <= octave) {
				cells = octave
			}
			rows, most = octave, fullCell*cells
		}
		for bin := top; bin > top-broad.BinsPerOctave && bin >= 0; bin-- {
			g.LevelAt[0][bin] = uint16(len(g.Levels) - 1)
		}
		top -= broad.BinsPerOctave
	}
}
