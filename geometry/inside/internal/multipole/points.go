package multipole

import (
	"math"

	"github.com/scree-dem/scree/geometry/inside/internal/clusters"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/vec"
)

// batch is how many points are sorted by their cells at a time: some slices of a grid, so that
// the points of a cell meet.
const batch = 1 << 15

// workspace is what one call of Range needs.
type workspace struct {
	sums *clusters.Sums
	rows [2][batch]pointRow
	run  [clusters.RunPoints]vec.Vec3
}

// pointRow is a point of a batch and its leaf.
type pointRow struct{ leaf, at int32 }

// Range answers points: equation (20). Places gets where they lie and values, if not nil, their
// winding numbers. The slices have one length. It may be called from several goroutines, and
// allocates nothing once each has called it.
func (m *Method) Range(points []vec.Vec3, places []tri.Place, values []float64) {
	if len(m.tree.Tris) == 0 {
		clear(places)
		clear(values)
		return
	}
	w := m.scratch.Take(func() *workspace { return &workspace{sums: clusters.NewSums()} })
	defer m.scratch.Give(w)
	for len(points) > 0 {
		n := min(len(points), batch)
		var v []float64
		if values != nil {
			v, values = values[:n], values[n:]
		}
		m.batch(w, points[:n], places[:n], v)
		points, places = points[n:], places[n:]
	}
}

// batch answers points that are sorted by their leaves: a run of a leaf shares what is near.
func (m *Method) batch(w *workspace, points []vec.Vec3, places []tri.Place, values []float64) {
	rows := w.sort(m, points)
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && n < clusters.RunPoints && rows[n].leaf == rows[0].leaf {
			n++
		}
		for i, r := range rows[:n] {
			w.run[i] = points[r.at].Scale(m.tree.Scale)
		}
		m.leafRun(w, rows[0].leaf, w.run[:n])
		for i, r := range rows[:n] {
			value, place := m.answer(w, r.leaf, i, points[r.at])
			places[r.at] = place
			if values != nil {
				values[r.at] = value
			}
		}
		rows = rows[n:]
	}
}

// leafRun sums what is near a run of points, or everything where the leaf's bound separates
// nothing.
func (m *Method) leafRun(w *workspace, at int32, run []vec.Vec3) {
	if at < 0 {
		return
	}
	w.sums.Load(run)
	for _, n := range m.nearOf(&m.leaves[at]) {
		m.tree.Add(w.sums, n)
	}
}

// allNear is the list of what is near a leaf that has no expansion: the root.
var allNear = []int32{0}

// nearOf returns the nodes that are summed about the points of a leaf.
func (m *Method) nearOf(l *leaf) []int32 {
	if l.bound >= separates {
		return allNear
	}
	return l.near
}

// answer is the winding number of point i of the run, which is x, and its place.
func (m *Method) answer(w *workspace, at int32, i int, x vec.Vec3) (value float64, place tri.Place) {
	if at < 0 || w.sums.Lost(i) {
		value, on := m.tree.PointWinding(0, x)
		if on {
			return value, tri.On
		}
		return value, tri.ByValue(value)
	}
	l := &m.leaves[at]
	value, doubtful := w.sums.Winding(i)
	on := false
	if doubtful {
		for _, n := range m.nearOf(l) {
			part, here := m.tree.LeftOut(w.sums, n, i, x)
			value, on = value+part, on || here
		}
	}
	if l.bound < separates {
		u := w.run[i].Sub(l.center).Scale(l.perSide)
		value -= float64(sumRegular(m.Degree, u, l.local) * (1 / (4 * math.Pi)))
	}
	if on {
		return value, tri.On
	}
	return value, tri.ByValue(value)
}

// sort finds the leaves of points, -1 beyond all, and sorts the points by them.
func (w *workspace) sort(m *Method, points []vec.Vec3) []pointRow {
	from, to := w.rows[0][:len(points)], w.rows[1][:len(points)]
	for i, x := range points {
		from[i] = pointRow{m.leafOf(x.Scale(m.tree.Scale)), int32(i)}
	}
	for shift := 0; shift == 0 || (len(m.leaves)+1)>>shift > 0; shift += 11 {
		var count [1 << 11]int32
		for _, r := range from {
			count[uint32(r.leaf+1)>>shift&(1<<11-1)]++
		}
		sum := int32(0)
		for k, c := range count {
			count[k], sum = sum, sum+c
		}
		for _, r := range from {
			at := &count[uint32(r.leaf+1)>>shift&(1<<11-1)]
			to[*at] = r
			*at++
		}
		from, to = to, from
	}
	return from
}

// leafOf returns the leaf that holds a scaled point, or -1 outside of the box of all triangles.
func (m *Method) leafOf(x vec.Vec3) int32 {
	if !m.tree.Nodes[0].Box.Overlaps(vec.Box{Min: x, Max: x}) {
		return -1
	}
	c := m.tree.CellOf(x, m.Depth)
	next := m.divided[0]
	for shift := m.Depth - 1; next >= 0; shift-- {
		next = m.divided[next+(c[0]>>shift&1|c[1]>>shift&1<<1|c[2]>>shift&1<<2)]
	}
	return -1 - next
}

// Bytes is the memory that the method keeps.
func (m *Method) Bytes() int {
	return m.tree.Bytes() + 4*m.nears + 4*len(m.divided) + (88+8*rowsOf(m.Degree))*len(m.leaves) + 96*len(m.moments)
}
