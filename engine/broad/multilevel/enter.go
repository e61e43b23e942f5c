package multilevel

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/engine/broad"
)

const (
	// cellBinBits: the cells of a bin of the first sorting pass. Their part of the table stays in
	// the first-level cache during the second.
	cellBinBits = 9
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

func pack(x, y, z uint64) uint64 { return x | y<<laneY | z<<laneZ }

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
	m.records, m.binned = broad.Resize(m.records, n), broad.Resize(m.binned, n)
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
		for i := first; i < last; i++ {
			box, r := &m.box[i], &m.records[i]
			l := &m.levels[m.at[binOf(sizeOf(box))]]
			r.row = uint32(i)
			if l.hashed {
				at := l.cellBelow(&box.Min, 0)
				r.cell = l.base + l.place(at.x, at.y, at.z)
			} else {
				x, y, z := l.corner(&box.Min)
				r.lower = pack(x, y, z)
				r.cell = l.base + uint32((int(z>>(l.bits&63))*l.ny+int(y>>(l.bits&63)))*l.nx+int(x>>((l.bits-fineX)&63)))
				x, y, z = l.corner(&box.Max)
				r.upper = pack(x, y, z) | asm.LatticeGuards
			}
			count[r.cell>>m.shift]++
		}
	}
}

// binPass moves the records of its chunks to their bins.
type binPass Method

func (m *binPass) Range(lo, hi, _ int) {
	for k := lo; k < hi; k++ {
		first, last := m.chunk.Span(k)
		at := m.binsOf.Of(k)
		for i := first; i < last; i++ {
			r := &m.records[i]
			bin := r.cell >> m.shift
			m.binned[at[bin]] = *r
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
		for i := len(in) - 1; i >= 0; i-- {
			r := &in[i]
			at := start[r.cell&mask] - 1
			start[r.cell&mask] = at
			m.lower[at], m.upper[at], m.row[at] = r.lower, r.upper, r.row
		}
		if m.alone {
			(*Method)(m).reach(int(first), int(first)+len(in))
		}
	}
}
