package multipole

import (
	"math"
	"math/bits"

	"github.com/scree-dem/scree/geometry/inside/internal/clusters"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/vec"
)

// workspace is the scratch of one call of Range.
type workspace struct {
	sums *clusters.Sums
	rows [2][clusters.MaxPoints]clusters.Row[uint32] // by leaf, plus 1
	run  [clusters.RunPoints]vec.Vec3
}

// Range locates at most clusters.MaxPoints points by equation (20). It stores in places where they
// lie and, if values is not nil, in values their winding numbers. The slices have one length.
// Points are sorted by their leaves: all points of a leaf share the sums of near nodes. Range may
// be called from several goroutines, and allocates nothing after the first call of each.
func (m *Method) Range(points []vec.Vec3, places []tri.Place, values []float64) {
	w := m.scratch.Take(func() *workspace { return &workspace{sums: clusters.NewSums()} })
	defer m.scratch.Give(w)
	rows := w.sort(m, points)
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && n < clusters.RunPoints && rows[n].Key == rows[0].Key {
			n++
		}
		for i, r := range rows[:n] {
			w.run[i] = points[r.At].Scale(m.tree.Scale)
		}
		leaf := int32(rows[0].Key) - 1
		m.leafRun(w, leaf, w.run[:n])
		for i, r := range rows[:n] {
			value, on := m.answer(w, leaf, i, points[r.At])
			places[r.At] = tri.ByValue(value, on)
			if values != nil {
				values[r.At] = value
			}
		}
		rows = rows[n:]
	}
}

// leafRun sums the near nodes of a leaf about a run of points. If the leaf's bound does not
// separate 0 from 1, it sums the root instead. at is -1 outside the evaluation box.
func (m *Method) leafRun(w *workspace, at int32, run []vec.Vec3) {
	if at < 0 {
		return
	}
	w.sums.Load(run)
	for _, n := range m.nearOf(&m.leaves[at]) {
		m.tree.Add(w.sums, n)
	}
}

// allNear is the list of near nodes of a leaf that has no expansion: the root.
var allNear = []int32{0}

// nearOf returns the nodes that are summed about the points of a leaf.
func (m *Method) nearOf(l *leaf) []int32 {
	if m.replaces(l.bound) {
		return allNear
	}
	return l.near
}

// answer returns the winding number of point i of the run, which is x, and whether it lies on the
// surface.
func (m *Method) answer(w *workspace, at int32, i int, x vec.Vec3) (value float64, on bool) {
	if at < 0 || w.sums.Lost(i) {
		return m.tree.PointWinding(0, x)
	}
	l := &m.leaves[at]
	value, doubtful := w.sums.Winding(i)
	if doubtful {
		for _, n := range m.nearOf(l) {
			part, here := m.tree.LeftOut(w.sums, n, i, x)
			value, on = value+part, on || here
		}
	}
	if !m.replaces(l.bound) {
		u := w.run[i].Sub(l.center).Scale(l.perSide)
		value -= float64(sumRegular(m.Degree, u, l.local) * (1 / (4 * math.Pi)))
	}
	return value, on
}

// sort finds the leaves of points, -1 outside all, and sorts the points by leaf.
func (w *workspace) sort(m *Method, points []vec.Vec3) []clusters.Row[uint32] {
	rows := w.rows[0][:len(points)]
	for i, x := range points {
		rows[i] = clusters.Row[uint32]{Key: uint32(m.leafOf(x.Scale(m.tree.Scale)) + 1), At: uint32(i)}
	}
	return clusters.SortRows(rows, w.rows[1][:len(points)], bits.Len(uint(len(m.leaves))))
}

// leafOf returns the leaf that contains a scaled point, or -1 outside the evaluation box.
func (m *Method) leafOf(x vec.Vec3) int32 {
	if !m.box.Overlaps(vec.Box{Min: x, Max: x}) {
		return -1
	}
	c := m.tree.CellOf(x, m.Depth)
	next := m.divided[0]
	for shift := m.Depth - 1; next >= 0; shift-- {
		next = m.divided[next+(c[0]>>shift&1|c[1]>>shift&1<<1|c[2]>>shift&1<<2)]
	}
	return -1 - next
}

// Bytes returns the memory of the method.
func (m *Method) Bytes() int {
	return m.tree.Bytes() + 4*m.nears + 4*len(m.divided) + (88+8*rowsOf(m.Degree))*len(m.leaves) + 96*len(m.moments)
}
