package multilevel

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/broad"
)

// If all rows are in one grid, each row searches all cells around it and lists the rows with larger
// numbers. Every pair is compared twice, but pairs need no sorting by their first row. This costs
// less than searching half of the cells and sorting the pairs.

// leastRoom is the number of pairs per row for which a chunk has room at first.
const leastRoom = 6

// scanRows does steps 3 and 4 of find if all rows are in one grid.
func (m *Method) scanRows(r *broad.Rows, p *broad.PairList) error {
	n := len(r.Box)
	m.chunk = broad.ChunksOf(n)
	m.lists.Begin(n, m.chunk.N, leastRoom*m.chunk.Size+asm.LatticeListSlack, r.Most)
	for i := range m.work {
		m.work[i].doubt = broad.Resize(m.work[i].doubt, m.chunk.Size)
	}
	broad.RunOn(r.Pool, m.chunk.N, (*rowPass)(m))
	p.A, p.B = m.lists.Collect(p.A, p.B, r.Pool)
	if m.lists.Full() {
		return broad.ErrTooManyPairs
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

// scanChunk finds the pairs of chunk k, one line of cells after the other. It returns false if
// there are more pairs than allowed.
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
		if done < end || kept-told >= broad.CountEvery {
			if m.lists.AddCount(kept - told) {
				m.lists.Keep(k, list, at)
				return false
			}
			told = kept
		}
	}
	m.lists.Keep(k, list, at)
	return !m.lists.AddCount(kept - told)
}

// settle checks the lists of the entries in doubt, which the lattice cannot decide. It removes rows
// whose boxes do not overlap, and returns how many it has removed.
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
