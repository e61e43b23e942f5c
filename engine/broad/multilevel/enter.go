package multilevel

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/engine/broad"
)

const (
	// cellBinBits: the cells of a bin of the first sorting pass. Their part of the table, 32 KiB,
	// stays in the first-level cache during the second.
	cellBinBits = 13
	maxCellBins = 1024
	laneY       = asm.LatticeLane + 1
	laneZ       = 2*asm.LatticeLane + 2
	lane        = 1<<asm.LatticeLane - 1
	// pad is how far the comparison reads beyond the last entry.
	pad = 8
)

// record is a row on its way into its cell.
type record struct {
	lower, upper uint64
	cell, row    uint32
}

// enter sorts the rows by cell, in two counting passes: by the high bits of the cell chunk by
// chunk, then each bin by the rest. Both are stable, so entries of a cell are in the order of
// rows.
func (m *Method) enter(r *broad.Rows) {
	cells := m.cells
	m.shift = cellBinBits
	for (cells-1)>>m.shift >= maxCellBins {
		m.shift++
	}
	n := len(r.Box)
	m.binsOf.Reset(broad.ChunksOf(n).N, max(0, (cells-1)>>m.shift)+1)
	m.corners, m.cell = broad.Resize(m.corners, 2*n), broad.Resize(m.cell, n)
	m.binned = broad.Resize(m.binned, n)
	m.over(r, (*cellPass)(m))
	m.binsOf.Offsets()
	m.over(r, (*binPass)(m))
	m.lower, m.upper = broad.Resize(m.lower, n+pad), broad.Resize(m.upper, n+pad)
	m.row = broad.Resize(m.row, n+pad)
	if m.alone {
		m.from, m.to = broad.Resize(m.from, n), broad.Resize(m.to, n)
	}
	for k := range m.start[cells:] {
		m.start[cells+k] = uint32(n)
	}
	if cells > 0 {
		broad.RunOn(r.Pool, m.binsOf.Bins, (*placePass)(m))
	}
}

// cellPass finds the cell of each row of its chunks and counts them by bin.
type cellPass Method

func (m *cellPass) Range(lo, hi, _ int) {
	for k := lo; k < hi; k++ {
		first, last := m.chunk.Span(k)
		count := m.binsOf.Of(k)
		if m.alone {
			(*Method)(m).cellsAlone(first, last, count)
			continue
		}
		for i := first; i < last; i++ {
			box := &m.box[i]
			l := &m.levels[m.at[binOf(sizeOf(box))]]
			if l.hashed {
				at := l.cellBelow(&box.Min, 0)
				m.cell[i] = l.base + l.place(at.x, at.y, at.z)
			} else {
				m.corners[2*i], m.corners[2*i+1] = l.Corners(box)
				m.cell[i] = l.cellOf(m.corners[2*i])
			}
			count[m.cell[i]>>m.shift]++
		}
	}
}

// cellsAlone is cellPass of the rows first ≤ i < last where all are in one grid.
func (m *Method) cellsAlone(first, last int, count []uint32) {
	l, shift := m.levels[0], m.shift&31
	corners, cells := m.corners[2*first:2*last], m.cell[first:last]
	asm.LatticeCorners(m.box[first:last], &l.LatticeFrame, corners)
	for i := range cells {
		cell := l.cellOf(corners[2*i])
		cells[i] = cell
		count[cell>>shift]++
	}
}

// cellOf returns the cell of a lower corner on the lattice.
func (l *level) cellOf(lower uint64) uint32 {
	x, y, z := uint32(lower&lane), uint32(lower>>laneY&lane), uint32(lower>>laneZ)
	return l.base + (z>>(l.bits&31)*uint32(l.ny)+y>>(l.bits&31))*uint32(l.nx) + x>>((l.bits-fineX)&31)
}

// binPass moves the rows of its chunks to their bins.
type binPass Method

func (m *binPass) Range(lo, hi, _ int) {
	binned, shift := m.binned, m.shift&31
	for k := lo; k < hi; k++ {
		first, last := m.chunk.Span(k)
		at := m.binsOf.Of(k)
		cells, corners := m.cell[first:last], m.corners[2*first:2*last]
		for i, cell := range cells {
			bin := cell >> shift
			binned[at[bin]] = record{corners[2*i], corners[2*i+1], cell, uint32(first + i)}
			at[bin]++
		}
	}
}

// placePass sorts its bins by cell and writes that part of the table of cells.
type placePass Method

func (m *placePass) Range(lo, hi, _ int) {
	cells := m.cells
	for bin := lo; bin < hi; bin++ {
		start := m.start[bin<<m.shift : min((bin+1)<<m.shift, cells)]
		first := m.binsOf.First[bin]
		in := m.binned[first:m.binsOf.First[bin+1]]
		clear(start)
		mask := uint32(1)<<m.shift - 1
		for i := range in {
			start[in[i].cell&mask]++
		}
		end := first
		for k, n := range start {
			end += n
			start[k] = end
		}
		// From the back: each cell's end moves down to its start.
		lower, upper, row := m.lower, m.upper, m.row
		for i := len(in) - 1; i >= 0; i-- {
			r := &in[i]
			at := start[r.cell&mask] - 1
			start[r.cell&mask] = at
			lower[at], upper[at], row[at] = r.lower, r.upper, r.row
		}
		if m.alone {
			(*Method)(m).reach(int(first), int(first)+len(in))
		}
	}
}
