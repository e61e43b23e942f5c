package lll

import (
	"cmp"
	"slices"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/vec"
)

const (
	// fewRows is the largest number of new rows that are compared with all other rows one by one.
	// If there are more, Method.build finds their pairs together.
	fewRows = 8
	// swapsPerRow bounds the swaps per row in an update. If rows have moved farther, building all
	// orders anew is faster.
	swapsPerRow = 64
)

// mark is the beginning of a row along an axis or, if the lowest bit is set, its end.
type mark uint32

func (k mark) row() int  { return int(k >> 1) }
func (k mark) end() mark { return k & 1 }

// Method is a neighbour search with linked linear lists. An update costs one visit per mark, plus
// the swaps of marks. Memory: 48 bytes per row, and 12 per pair.
type Method struct {
	// Swaps counts the swaps of neighbouring marks in the last search, by case: two beginnings; two
	// ends; a beginning before an end; an end before a beginning.
	Swaps [4]int

	build  broad.Method
	order  [3][]mark
	place  [3][]int32 // by mark
	name   []uint64
	pairs  matrix
	known  bool
	values [3][]float64 // by mark, for the current search
	found  broad.PairList
	fresh  []bool // by row: it is new
	moved  []int32
}

// New returns the method. build finds the pairs of many new rows together. If it is nil, each new
// row is compared with all others.
func New(build broad.Method) *Method { return &Method{build: build} }

// Search implements broad.Method.
func (m *Method) Search(r *broad.Rows, p *broad.PairList) error {
	m.Swaps = [4]int{}
	m.read(r.Box)
	fresh := m.match(r)
	if m.known && !m.update(len(r.Box)) {
		m.known = false
	}
	if !m.known {
		fresh = len(r.Box)
		m.empty(len(r.Box))
	}
	if fresh > 0 {
		if err := m.insert(r, fresh); err != nil {
			m.known = false
			return err
		}
	}
	m.known = true
	if int64(m.pairs.n) > r.Most {
		p.A, p.B = p.A[:0], p.B[:0]
		return broad.ErrTooManyPairs
	}
	m.pairs.write(p)
	return nil
}

// read stores the coordinates of the marks in m.values.
func (m *Method) read(boxes []vec.Box) {
	for axis := range m.values {
		m.values[axis] = broad.Resize(m.values[axis], 2*len(boxes))
	}
	x, y, z := m.values[0], m.values[1], m.values[2]
	for i := range boxes {
		b := &boxes[i]
		x[2*i], x[2*i+1] = b.Min.X, b.Max.X
		y[2*i], y[2*i+1] = b.Min.Y, b.Max.Y
		z[2*i], z[2*i+1] = b.Min.Z, b.Max.Z
	}
}

// before reports whether mark a comes before mark b along an axis. Marks are sorted by coordinate,
// with beginnings first so that touching boxes overlap, then by row.
func (m *Method) before(axis int, a, b mark) bool {
	x, y := m.values[axis][a], m.values[axis][b]
	return x < y || x == y && (a.end() < b.end() || a.end() == b.end() && a < b)
}

// empty clears all orders and pairs, for n rows that are all new.
func (m *Method) empty(n int) {
	for axis := range m.order {
		m.order[axis] = m.order[axis][:0]
	}
	m.pairs.empty(n)
	m.fresh = broad.Resize(m.fresh, n)
	for i := range m.fresh {
		m.fresh[i] = true
	}
}

// match transfers the orders and pairs to the rows of r, by name, and returns the number of new
// rows. The names of both searches are ascending, so the rows keep their order.
func (m *Method) match(r *broad.Rows) (fresh int) {
	n, old := len(r.Box), len(m.place[0])/2
	same := m.known && n == old && slices.Equal(m.name, r.Name)
	m.fresh = broad.Resize(m.fresh, n)
	clear(m.fresh)
	if same {
		return 0
	}
	if !m.known {
		m.name = append(m.name[:0], r.Name...)
		return n
	}
	nameOf := func(names []uint64, i int) uint64 {
		if len(names) == 0 {
			return uint64(i)
		}
		return names[i]
	}
	m.moved = broad.Resize(m.moved, old)
	i := 0
	for k := range old {
		name := nameOf(m.name, k)
		for i < n && nameOf(r.Name, i) < name {
			m.fresh[i] = true
			fresh++
			i++
		}
		if m.moved[k] = -1; i < n && nameOf(r.Name, i) == name {
			m.moved[k] = int32(i)
			i++
		}
	}
	for ; i < n; i++ {
		m.fresh[i] = true
		fresh++
	}
	for axis, order := range m.order {
		kept := order[:0]
		for _, k := range order {
			if to := m.moved[k.row()]; to >= 0 {
				kept = append(kept, mark(to)<<1|k.end())
			}
		}
		m.order[axis] = kept
		m.place[axis] = broad.Resize(m.place[axis], 2*n)
		m.number(axis)
	}
	m.pairs.renumber(m.moved, n)
	m.name = append(m.name[:0], r.Name...)
	return fresh
}

// number computes the places of the marks along an axis.
func (m *Method) number(axis int) {
	for at, k := range m.order[axis] {
		m.place[axis][k] = int32(at)
	}
}

// update sorts the orders by insertion and updates the pairs. It returns false if that takes too
// many swaps.
//
// A swap of two beginnings or of two ends does not change the pairs. A swap of a beginning before
// an end of another row removes a pair. A swap of an end before a beginning adds a pair if the rows
// overlap along both other axes; their places there tell.
func (m *Method) update(rows int) bool {
	left := swapsPerRow*rows + 1024
	for axis, order := range m.order {
		place := m.place[axis]
		for at := 1; at < len(order); at++ {
			k := order[at]
			j := at
			for ; j > 0 && m.before(axis, k, order[j-1]); j-- {
				other := order[j-1]
				order[j], place[other] = other, int32(j)
				order[j-1], place[k] = k, int32(j-1)
				switch {
				case k.end() == other.end():
					m.Swaps[k.end()]++
				case k.end() == 1:
					m.Swaps[2]++
					m.pairs.remove(k.row(), other.row())
				default:
					m.Swaps[3]++
					if m.overlap((axis+1)%3, k.row(), other.row()) && m.overlap((axis+2)%3, k.row(), other.row()) {
						m.pairs.add(k.row(), other.row())
					}
				}
			}
			if left -= at - j; left < 0 {
				return false
			}
		}
	}
	return true
}

// overlap reports whether two rows overlap along an axis, by their places in its order.
func (m *Method) overlap(axis, i, j int) bool {
	place := m.place[axis]
	return place[2*i] < place[2*j+1] && place[2*j] < place[2*i+1]
}

// insert merges the marks of all new rows into the orders, and adds their pairs.
func (m *Method) insert(r *broad.Rows, fresh int) error {
	var marks []mark
	for i, is := range m.fresh {
		if is {
			marks = append(marks, mark(2*i), mark(2*i+1))
		}
	}
	for axis := range m.order {
		slices.SortFunc(marks, func(a, b mark) int {
			return cmp.Or(cmp.Compare(m.values[axis][a], m.values[axis][b]), cmp.Compare(a.end(), b.end()), cmp.Compare(a, b))
		})
		m.order[axis] = m.merged(axis, marks)
		m.place[axis] = broad.Resize(m.place[axis], len(m.order[axis]))
		m.number(axis)
	}
	if fresh <= fewRows || m.build == nil {
		for i, is := range m.fresh {
			if int64(m.pairs.n) > r.Most {
				return broad.ErrTooManyPairs
			}
			for j := 0; is && j < len(r.Box); j++ {
				if j != i && !(m.fresh[j] && j < i) && r.Box[i].Overlaps(r.Box[j]) {
					m.pairs.add(i, j)
				}
			}
		}
		return nil
	}
	rows := broad.Rows{Box: r.Box, Name: r.Name, Most: r.Most, Pool: r.Pool}
	if err := m.build.Search(&rows, &m.found); err != nil {
		return err
	}
	// Backwards, because then each pair is inserted at the front of its matrix row if all rows are
	// new.
	for k := m.found.Len() - 1; k >= 0; k-- {
		if i, j := int(m.found.A[k]), int(m.found.B[k]); m.fresh[i] || m.fresh[j] {
			m.pairs.add(i, j)
		}
	}
	return nil
}

// merged returns the order of an axis with the sorted marks inserted.
func (m *Method) merged(axis int, marks []mark) []mark {
	old := m.order[axis]
	all := make([]mark, 0, len(old)+len(marks))
	i := 0
	for _, k := range marks {
		for i < len(old) && m.before(axis, old[i], k) {
			all = append(all, old[i])
			i++
		}
		all = append(all, k)
	}
	return append(all, old[i:]...)
}
