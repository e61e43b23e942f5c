package treecode

import (
	"math"
	"math/bits"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/geometry/inside/internal/clusters"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

const (
	leafTriangles = 16 // of a cluster that is not divided
	depth         = 14

	// far, in radii of a cluster from its center, is beyond where its dipoles stand for it: the
	// accuracy scale of Barill et al. (2018). The first term that is left out falls with its fourth
	// power. Smaller: larger errors. Larger: more clusters.
	far = 2.0

	// cheapFans is how many fans of four edges cost about as much as the children of a node: such
	// a node is summed exactly instead.
	cheapFans = 2
)

// Method is a surface set up for sums by clusters.
type Method struct {
	tree    *clusters.Tree
	places  []place
	dipoles []asm.DipoleCluster

	scratch clusters.Scratch[workspace]
}

// New sets up a surface that has triangles. The pool changes no bit.
func New(s *tri.Surface, pool *sched.Pool) *Method {
	m := &Method{tree: clusters.New(s, leafTriangles, depth, pool)}
	m.places, m.dipoles = gather(m.tree)
	return m
}

// Bytes is the memory that the method keeps.
func (m *Method) Bytes() int { return m.tree.Bytes() + 32*len(m.places) + 176*len(m.dipoles) }

// farthest is how far from 0 a point is summed, scaled as the tree is: one beyond is moved there. The surface's size is about 1, so its
// solid angle is below 2⁻¹¹⁵ at both places. Larger: products of distances overflow.
const farthest = 0x1p60

// workspace is what one call of Range needs.
type workspace struct {
	sums  *clusters.Sums
	order clusters.Order
	run   [clusters.RunPoints]vec.Vec3
	of    asm.Dipoles
	sum   [clusters.RunPoints]float64
}

func newWorkspace() *workspace {
	w := &workspace{sums: clusters.NewSums()}
	w.of.X, w.of.Y, w.of.Z = w.sums.Columns()
	w.of.Sum = w.sum[:]
	return w
}

// Range answers at most clusters.MaxPoints points: places gets where they lie and values, if not nil,
// their winding numbers. The slices have one length. A point is inside where its number exceeds 1/2.
// The points are sorted along a Morton curve, so that a group of eight has a small box. Range may be
// called from several goroutines, and allocates nothing once each has called it.
func (m *Method) Range(points []vec.Vec3, places []tri.Place, values []float64) {
	w := m.scratch.Take(newWorkspace)
	defer m.scratch.Give(w)
	rows, _ := w.order.Sort(points)
	for len(rows) > 0 {
		n := min(len(rows), clusters.RunPoints)
		for i, r := range rows[:n] {
			w.run[i] = points[r.At].Scale(m.tree.Scale).Max(vec.V(-farthest, -farthest, -farthest)).Min(vec.V(farthest, farthest, farthest))
		}
		w.sums.Load(w.run[:n])
		clear(w.sum[:])
		m.walk(w, 0, w.sums.Groups())
		for i, r := range rows[:n] {
			value, doubtful := w.sums.Winding(i)
			value += float64(w.sum[i] * (1 / (4 * math.Pi)))
			on := false
			switch {
			case w.sums.Lost(i):
				value, on = m.tree.PointWinding(0, points[r.At])
			case doubtful:
				var part float64
				part, on = m.leftOut(w, 0, i, points[r.At])
				value += part
			}
			places[r.At] = tri.ByValue(value, on)
			if values != nil {
				values[r.At] = value
			}
		}
		rows = rows[n:]
	}
}

// walk adds a node to the sums of the groups of a mask: by its dipoles where a group's box is
// far, exactly where little is left of the node, else by its children.
func (m *Method) walk(w *workspace, at int32, mask uint32) {
	n, p := &m.tree.Nodes[at], &m.places[at]
	near := uint32(0)
	for g := mask; g != 0; g &= g - 1 {
		if k := bits.TrailingZeros32(g); p.near(w.sums.Group(k)) {
			near |= 1 << k
		}
	}
	for lo, hi := range clusters.Stretches(mask &^ near) {
		asm.DipoleAngles(&w.of, &m.dipoles[at], lo, hi)
	}
	switch {
	case near == 0:
	case summed(n):
		m.tree.AddGroups(w.sums, at, near)
	default:
		for c := n.Child; c < n.Child+n.NChild; c++ {
			m.walk(w, c, near)
		}
	}
}

// leastFar is the square of the distance below which dipoles are not asked, since their products of moments would underflow.
const leastFar = 0x1p-200

// near reports whether a box is too near a node for its dipoles.
func (p *place) near(b *vec.Box) bool {
	reach := far * p.radius
	off := b.Min.Sub(p.center).Max(p.center.Sub(b.Max)).Max(vec.Vec3{})
	return !(off.Norm2() > max(float64(reach*reach), leastFar))
}

// summed reports whether a node that is near is summed exactly.
func summed(n *clusters.Node) bool {
	return n.NChild == 0 || n.FanLo < n.FanHi && n.FanHi-n.FanLo <= cheapFans
}

// leftOut returns what the sums of a node lack of the winding number about point i of the run, and whether the point lies on the
// surface; plain is the point, not scaled. It goes the way of walk.
func (m *Method) leftOut(w *workspace, at int32, i int, plain vec.Vec3) (value float64, on bool) {
	n := &m.tree.Nodes[at]
	switch {
	case !n.NextTo(w.run[i]) || !m.places[at].near(w.sums.GroupOf(i)):
	case summed(n):
		return m.tree.LeftOut(w.sums, at, i, plain)
	default:
		for c := n.Child; c < n.Child+n.NChild; c++ {
			part, here := m.leftOut(w, c, i, plain)
			value, on = value+part, on || here
		}
	}
	return value, on
}
