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
	if m.lists.Full() {
		return broad.ErrCrowded
	}
	return nil
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
	g := &m.grids
	grid := asm.LatticeGrid{Lower: g.Lower, Upper: g.Upper, Row: g.Row, From: g.From, To: g.To, Start: g.Start}
	list := m.lists.List(k)
	at, told, kept := 0, 0, 0
	for i := first; i < last; {
		lines, end := g.LinesOf(i)
		end = min(end, last)
		done, next, doubts := asm.LatticeRows(&grid, &lines, i, end, at, k, list, m.lists.Rows(), doubt)
		kept += next - at - m.settle(list, doubt[:doubts])
		if i, at = done, next; done < end {
			list = m.lists.Grow(list)
		}
		if done < end || kept-told >= broad.TellAt {
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

// settle drops from the lists of entries in doubt the rows whose boxes do not overlap, and returns
// how many these are.
func (m *Method) settle(names, doubt []uint32) (dropped int) {
	for _, i := range doubt {
		row := m.grids.Row[i]
		list := &m.lists.Rows()[row]
		kept := uint32(0)
		all := names[list.First:][:list.Count]
		for _, other := range all {
			if broad.Overlap(&m.grids.Box[row], &m.grids.Box[other]) {
				all[kept] = other
				kept++
			}
		}
		dropped += int(list.Count - kept)
		list.Count = kept
	}
	return dropped
}
