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
	leafTriangles = 16 // the largest number in an undivided cluster
	depth         = 14

	// far, in radii of a cluster from its center, is the distance beyond which the dipoles replace
	// the cluster: the accuracy scale of Barill et al. (2018). The first omitted term decreases
	// with its fourth power. With a smaller value, errors are larger. With a larger one, more
	// clusters are summed.
	far = 2.0

	// cheapFans is how many fans of four edges cost about as much as the children of a node. A node
	// with at most so many fans is summed exactly instead.
	cheapFans = 2
)

// Method is a surface set up for sums by clusters.
type Method struct {
	tree    *clusters.Octree
	places  []place
	dipoles []asm.DipoleCluster

	scratch clusters.Scratch[workspace]
}

// New sets up a surface that has triangles. The result is the same with any pool, bit by bit.
func New(s *tri.Surface, pool *sched.Pool) *Method {
	m := &Method{tree: clusters.New(s, leafTriangles, depth, pool)}
	m.places, m.dipoles = gather(m.tree)
	return m
}

// Bytes returns the memory of the method.
func (m *Method) Bytes() int { return m.tree.Bytes() + 32*len(m.places) + 176*len(m.dipoles) }

// farthest is the largest absolute coordinate at which points are summed, scaled like the tree.
// Points beyond it are moved there. The surface has a size of about 1, so its solid angle is below
// 2⁻¹¹⁵ at both places. With a larger value, products of distances overflow.
const farthest = 0x1p60

// workspace is the scratch of one call of Range.
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

// Range locates at most clusters.MaxPoints points. It stores in places where they lie and, if
// values is not nil, in values their winding numbers. The slices have one length. A point is inside
// if its number exceeds 1/2. The points are sorted along a Morton curve, so that a group of eight
// has a small box. Range may be called from several goroutines, and allocates nothing after the
// first call of each.
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

// walk adds a node to the sums of the groups in mask: by its dipoles for groups whose box is far,
// exactly if few fans describe the node, and otherwise by its children.
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

// leastFar is the square of the distance below which dipoles are not used, because their products
// of moments would underflow.
const leastFar = 0x1p-200

// near reports whether a box is too near a node for the node's dipoles.
func (p *place) near(b *vec.Box) bool {
	reach := far * p.radius
	off := b.Min.Sub(p.center).Max(p.center.Sub(b.Max)).Max(vec.Vec3{})
	return !(off.Norm2() > max(float64(reach*reach), leastFar))
}

// summed reports whether a near node is summed exactly.
func summed(n *clusters.Node) bool {
	return n.NChild == 0 || n.FanLo < n.FanHi && n.FanHi-n.FanLo <= cheapFans
}

// leftOut returns the part of the winding number that the sums lack about point i of the run, and
// whether the point lies on the surface. plain is the point, not scaled. leftOut follows the path
// of walk.
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
