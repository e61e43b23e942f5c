package lll

import (
	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/soa"
)

// matrix is a sparse upper triangular matrix. Row i is a linked list of the columns j > i with
// which i pairs, in ascending order.
type matrix struct {
	n    int     // number of pairs
	head []int32 // by row: its first element, or -1
	cell []element
	free int32 // the first unused element, or -1
}

type element struct{ column, next int32 }

// empty removes all pairs and sets the number of rows.
func (m *matrix) empty(rows int) {
	m.n, m.free, m.cell = 0, -1, m.cell[:0]
	m.head = broad.Resize(m.head, rows)
	for i := range m.head {
		m.head[i] = -1
	}
}

// find returns the link to the first element of row i whose column is at least j.
func (m *matrix) find(i, j int) *int32 {
	at := &m.head[i]
	for *at >= 0 && int(m.cell[*at].column) < j {
		at = &m.cell[*at].next
	}
	return at
}

// add stores a pair. It does nothing if the pair is already stored.
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
	*at = int32(len(m.cell)) // set before append, which may move the elements
	m.cell = append(m.cell, element{int32(j), next})
}

// remove removes a pair. It does nothing if the pair is not stored.
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

// renumber moves rows and columns to the numbers in to, which must keep their order. It removes
// rows whose new number is negative.
func (m *matrix) renumber(to []int32, rows int) {
	old := broad.PairList{}
	m.write(&old)
	m.empty(rows)
	for k := old.Len() - 1; k >= 0; k-- {
		if i, j := to[old.A[k]], to[old.B[k]]; i >= 0 && j >= 0 {
			m.add(int(i), int(j))
		}
	}
}

// write writes the pairs, sorted.
func (m *matrix) write(p *broad.PairList) {
	p.A, p.B = p.A[:0], p.B[:0]
	for i, k := range m.head {
		for ; k >= 0; k = m.cell[k].next {
			p.A, p.B = append(p.A, soa.Piece(i)), append(p.B, soa.Piece(m.cell[k].column))
		}
	}
}
