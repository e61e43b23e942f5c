package lll

import (
	"github.com/scree-dem/scree/engine/broad"
	"github.com/scree-dem/scree/soa"
)

// matrix is a sparse upper triangular matrix: of row i a linked list of the columns j > i of its
// pairs, in rising order.
type matrix struct {
	n    int     // pairs
	head []int32 // by row: its first element, -1 for none
	cell []element
	free int32 // the first of the elements that are not used, -1 for none
}

type element struct{ column, next int32 }

// empty drops all pairs, for rows of that number.
func (m *matrix) empty(rows int) {
	m.n, m.free, m.cell = 0, -1, m.cell[:0]
	m.head = broad.Resize(m.head, rows)
	for i := range m.head {
		m.head[i] = -1
	}
}

// find returns the link to the first element of row i whose column is not before j.
func (m *matrix) find(i, j int) *int32 {
	at := &m.head[i]
	for *at >= 0 && int(m.cell[*at].column) < j {
		at = &m.cell[*at].next
	}
	return at
}

// add stores a pair, which may be there.
func (m *matrix) add(i, j int) {
	i, j = min(i, j), max(i, j)
	at := m.find(i, j)
	if *at >= 0 && int(m.cell[*at].column) == j {
		return
	}
	m.n++
	next := *at
	if m.free >= 0 {
		k := m.free
		m.free = m.cell[k].next
		m.cell[k] = element{int32(j), next}
		*at = k
		return
	}
	*at = int32(len(m.cell)) // before the elements may move
	m.cell = append(m.cell, element{int32(j), next})
}

// remove drops a pair, which may not be there.
func (m *matrix) remove(i, j int) {
	i, j = min(i, j), max(i, j)
	at := m.find(i, j)
	k := *at
	if k < 0 || int(m.cell[k].column) != j {
		return
	}
	m.n--
	*at = m.cell[k].next
	m.cell[k].next, m.free = m.free, k
}

// renumber moves rows and columns to other numbers, in the same order, and drops those of which
// the number is below 0.
func (m *matrix) renumber(to []int32, rows int) {
	old := broad.Pairs{}
	m.write(&old)
	m.empty(rows)
	for k := old.Len() - 1; k >= 0; k-- {
		if i, j := to[old.A[k]], to[old.B[k]]; i >= 0 && j >= 0 {
			m.add(int(i), int(j))
		}
	}
}

// write writes the pairs in order.
func (m *matrix) write(p *broad.Pairs) {
	p.A, p.B = p.A[:0], p.B[:0]
	for i, k := range m.head {
		for ; k >= 0; k = m.cell[k].next {
			p.A, p.B = append(p.A, soa.Piece(i)), append(p.B, soa.Piece(m.cell[k].column))
		}
	}
}
