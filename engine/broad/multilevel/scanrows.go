package multilevel

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/engine/broad"
)

// Where all rows are in one grid, each looks at all cells around its own, and keeps the rows of
// larger numbers. Every pair is looked at twice, and none is sorted by its first row: that costs
// less than to look at half of the cells and to sort what is found.

// leastRoom is the pairs for which a chunk has room at first, a row.
const leastRoom = 6

// scanRows is the third and the fourth step of find, of one grid.
func (m *Method) scanRows(r *broad.Rows, p *broad.Pairs) error {
	n := len(r.Box)
	m.chunk = broad.ChunksOf(n)
	m.lists.Begin(n, m.chunk.N, leastRoom*m.chunk.Size+asm.LatticeListRoom, r.Most)
	for i := range m.work {
		m.work[i].doubt = broad.Resize(m.work[i].doubt, m.chunk.Size)
	}
	broad.RunOn(r.Pool, m.chunk.N, (*rowPass)(m))
	p.A, p.B = m.lists.Collect(p.A, p.B, r.Pool)
	m.box = nil
	if m.lists.Full() {
		return broad.ErrCrowded
	}
	return nil
}

// reach writes from and to of the entries first ≤ i < last: from the cell of the least lower
// corner that may overlap the box, to that after the box's upper corner.
func (m *Method) reach(first, last int) {
	l := &m.levels[0]
	back, half := l.back[0], (l.bits-fineX)&63
	for i := first; i < last; i++ {
		m.from[i] = uint32(max(int(m.lower[i]&lane)-back, 0)) >> half
		m.to[i] = uint32(m.upper[i]&lane)>>half + 1
	}
}

// rowPass finds the pairs of the entries of its chunks.
type rowPass Method

func (m *rowPass) Range(lo, hi, worker int) {
	w := &m.work[worker]
	for k := lo; k < hi; k++ {
		if !(*Method)(m).scanChunk(k, w.doubt) {
			return
		}
	}
}

// scanChunk finds the pairs of a chunk of entries, line of cells by line. It returns false where
// there are more pairs than a list may have.
func (m *Method) scanChunk(k int, doubt []uint32) bool {
	first, last := m.chunk.Span(k)
	n := len(m.box)
	grid := asm.LatticeGrid{
		Lower: m.lower[:n+pad], Upper: m.upper[:n+pad], Row: m.row[:n+pad],
		From: m.from[:n], To: m.to[:n], Start: m.start,
	}
	list := m.lists.List(k)
	at, told, kept := 0, 0, 0
	for i := first; i < last; {
		lines, end := m.linesOf(i)
		end = min(end, last)
		done, next, doubts := asm.LatticeRows(&grid, &lines, i, end, at, k, list, m.lists.Rows(), doubt)
		kept += next - at - m.settle(list, doubt[:doubts])
		if i, at = done, next; done < end {
			list = m.lists.Grow(list)
		}
		if done < end || kept-told >= tellAt {
			if m.lists.Tell(kept - told) {
				m.lists.Keep(k, list, at)
				return false
			}
			told = kept
		}
	}
	m.lists.Keep(k, list, at)
	return !m.lists.Tell(kept - told)
}

// linesOf returns the first cells of the line of entry i and of the eight around it, and the last
// entry of its line. Lines beyond the border are the empty one.
func (m *Method) linesOf(i int) (lines [9]uint32, end int) {
	l := &m.levels[0]
	y := int(m.lower[i]>>laneY&lane) >> (l.bits & 63)
	z := int(m.lower[i]>>laneZ) >> (l.bits & 63)
	nz := m.cells / (l.nx * l.ny)
	for k := range lines {
		lines[k] = uint32(m.cells)
		if u, v := y+k%3-1, z+k/3-1; u >= 0 && u < l.ny && v >= 0 && v < nz {
			lines[k] = uint32((v*l.ny + u) * l.nx)
		}
	}
	return lines, int(m.start[(z*l.ny+y+1)*l.nx])
}

// settle drops from the lists of entries in doubt the rows whose boxes do not overlap, and returns
// how many these are.
func (m *Method) settle(names, doubt []uint32) (dropped int) {
	for _, i := range doubt {
		row := m.row[i]
		list := &m.lists.Rows()[row]
		kept := uint32(0)
		all := names[list.First:][:list.Count]
		for _, other := range all {
			if overlap(&m.box[row], &m.box[other]) {
				all[kept] = other
				kept++
			}
		}
		dropped += int(list.Count - kept)
		list.Count = kept
	}
	return dropped
}
