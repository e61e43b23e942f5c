package clusters

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

// MaxLevel is the deepest level that a tree may have. A sorting key has 3·MaxLevel bits.
const MaxLevel = 16

// sideBits is the number of leading bits that the side of the root may have. With so few, the
// corners of all cells are exact, so that cells of one level differ exactly by a translation.
const sideBits = 12

// Node is a cluster: the triangles whose centroids lie in one cell of the octree.
type Node struct {
	Box    vec.Box  // of the triangles, which may extend beyond the cell
	Center vec.Vec3 // of the cell
	Radius float64  // of the triangles, about Center
	Area   float64  // of the triangles

	Lo, Hi         int32 // range of Tree.Tris
	Child, NChild  int32 // its children are a range of Tree.Nodes; none for a leaf
	RimLo, RimHi   int32 // range of Tree.Rims
	FanLo, FanHi   int32 // range of Tree.fans
	FourLo, FourHi int32 // range of Tree.fours, for leaves
	Cell           [3]int32
	Level          int32
}

// Octree is an octree of triangles. On each level down to a leaf, every triangle belongs to one node.
type Octree struct {
	Scale  float64    // the factor that scales lengths of the surface: a power of two
	Origin vec.Vec3   // the lowest corner of the root, scaled
	Side   float64    // of the root, scaled
	Verts  []vec.Vec3 // scaled
	plain  []vec.Vec3 // of the surface, not scaled: scaling may round numbers below 2^-1022
	Tris   [][3]uint32
	Nodes  []Node      // by level; within a level along a Morton curve
	First  []int32     // the nodes of level k are First[k] to First[k+1]
	Rims   [][2]uint32 // the directed edges of a node's triangles that have no opposite edge in the node
	fans   []asm.FanRun
	fours  []asm.FourTriangles

	flip []int32 // of each edge, 3·triangle + corner: its opposite edge, or -1
}

// New builds the tree of a surface that has triangles and finite vertices. A node of more than leaf
// triangles above level depth is divided. The result is the same with any pool, bit by bit.
func New(s *tri.Surface, leaf, depth int, pool *sched.Pool) *Octree {
	return NewIn(s.Box(), s, leaf, 0, depth, pool)
}

// NewIn builds a tree whose root contains a box, which must contain the surface. So a box that is
// larger than the surface adds levels at the top. Nodes above level least are divided, whatever
// their number of triangles.
func NewIn(box vec.Box, s *tri.Surface, leaf, least, depth int, pool *sched.Pool) *Octree {
	size := max(box.Size().MaxAbs(), math.Ldexp(max(box.Max.MaxAbs(), box.Min.MaxAbs()), -30))
	_, e := math.Frexp(size)
	t := &Octree{Scale: math.Ldexp(1, -min(max(e, -1000), 1000)), Verts: make([]vec.Vec3, len(s.Verts)), plain: s.Verts}
	for i, v := range s.Verts {
		t.Verts[i] = v.Scale(t.Scale)
	}
	depth = min(depth, MaxLevel)
	t.place(vec.Box{Min: box.Min.Scale(t.Scale), Max: box.Max.Scale(t.Scale)}, depth)
	t.Tris = s.Tris
	keys := t.sort(depth)
	t.divide(keys, leaf, least, depth)
	t.flip = flips(t.Tris, len(t.Verts))
	t.measure(pool)
	t.rims()
	t.fill(pool)
	t.flip = nil
	return t
}

// place chooses a root cell around the box. Its corners, and those of all cells down to depth, are
// exact.
func (t *Octree) place(box vec.Box, depth int) {
	side := box.Max.Sub(box.Min).MaxAbs()
	side = max(side, math.Ldexp(max(box.Max.MaxAbs(), box.Min.MaxAbs()), -30), 0x1p-900)
	_, e := math.Frexp(side)
	step := math.Ldexp(1, e-sideBits)
	// The box needs two steps more: one for rounding up, and one because the corner lies up to half
	// a step lower.
	t.Side = (math.Floor(side/step) + 2) * step
	corner := math.Ldexp(1, e-sideBits-1)
	t.Origin = vec.V(math.Floor(box.Min.X/corner)*corner, math.Floor(box.Min.Y/corner)*corner, math.Floor(box.Min.Z/corner)*corner)
}

// CellSide returns the side of the cells of a level.
func (t *Octree) CellSide(level int) float64 { return math.Ldexp(t.Side, -level) }

// CellOf returns the cell of a level that contains the point x. The cell may be outside the root.
func (t *Octree) CellOf(x vec.Vec3, level int) (c [3]int32) {
	h := t.CellSide(level)
	for k, v := range [3]float64{x.X - t.Origin.X, x.Y - t.Origin.Y, x.Z - t.Origin.Z} {
		c[k] = int32(math.Floor(v / h))
	}
	return c
}

// CellCenter returns the center of a cell.
func (t *Octree) CellCenter(c [3]int32, level int) vec.Vec3 {
	h := t.CellSide(level)
	at := func(o float64, k int32) float64 { return o + float64(h*(float64(k)+0.5)) }
	return vec.V(at(t.Origin.X, c[0]), at(t.Origin.Y, c[1]), at(t.Origin.Z, c[2]))
}

// sort sorts the triangles by the Morton keys of the cells of their centroids at level depth, and
// returns the keys.
func (t *Octree) sort(depth int) []uint64 {
	rows := make([]Row[uint64], len(t.Tris))
	top := int32(1)<<depth - 1
	for i, k := range t.Tris {
		mid := t.Verts[k[0]].Add(t.Verts[k[1]]).Add(t.Verts[k[2]]).Scale(1.0 / 3)
		c := t.CellOf(mid, depth)
		rows[i].At = uint32(i)
		for j, v := range c {
			rows[i].Key |= Spread(uint64(min(max(v, 0), top))) << j
		}
	}
	rows = SortRows(rows, make([]Row[uint64], len(rows)), 3*depth)
	keys, tris := make([]uint64, len(rows)), make([][3]uint32, len(rows))
	for i, r := range rows {
		keys[i], tris[i] = r.Key, t.Tris[r.At]
	}
	t.Tris = tris
	return keys
}

// Spread inserts two zero bits between consecutive bits of x. x has at most MaxLevel bits.
func Spread(x uint64) uint64 {
	x = (x | x<<16) & 0x0000ff0000ff
	x = (x | x<<8) & 0x00f00f00f00f
	x = (x | x<<4) & 0x0c30c30c30c3
	return (x | x<<2) & 0x249249249249
}

// divide makes the nodes, level by level.
func (t *Octree) divide(keys []uint64, leaf, least, depth int) {
	t.Nodes = append(t.Nodes, Node{Hi: int32(len(keys))})
	t.First = append(t.First, 0, 1)
	for level := 0; level < depth; level++ {
		first, end := int(t.First[level]), len(t.Nodes)
		shift := 3 * (depth - level - 1)
		for at := first; at < end; at++ {
			n := t.Nodes[at]
			if int(n.Hi-n.Lo) <= leaf && level >= least {
				continue
			}
			t.Nodes[at].Child = int32(len(t.Nodes))
			for lo := n.Lo; lo < n.Hi; {
				octant := keys[lo] >> shift
				size, _ := slices.BinarySearch(keys[lo:n.Hi], (octant+1)<<shift)
				child := Node{Lo: lo, Hi: lo + int32(size), Level: int32(level) + 1, Cell: n.Cell}
				for k := range child.Cell {
					child.Cell[k] = 2*child.Cell[k] + int32(octant>>k&1)
				}
				t.Nodes = append(t.Nodes, child)
				lo = child.Hi
			}
			t.Nodes[at].NChild = int32(len(t.Nodes)) - t.Nodes[at].Child
		}
		if len(t.Nodes) == end {
			return
		}
		t.First = append(t.First, int32(len(t.Nodes)))
	}
}

// Levels returns the number of levels.
func (t *Octree) Levels() int { return len(t.First) - 1 }

// measure computes box, center, radius and area of every node.
func (t *Octree) measure(pool *sched.Pool) {
	area := make([]float64, len(t.Tris))
	for i, k := range t.Tris {
		a, b, c := t.Verts[k[0]], t.Verts[k[1]], t.Verts[k[2]]
		area[i] = 0.5 * b.Sub(a).Cross(c.Sub(a)).Norm()
	}
	for level := t.Levels() - 1; level >= 0; level-- {
		Each(pool, int(t.First[level+1]-t.First[level]), 16, func(lo, hi, _ int) {
			for at := int(t.First[level]) + lo; at < int(t.First[level])+hi; at++ {
				t.measureNode(at, area)
			}
		})
	}
}

func (t *Octree) measureNode(at int, area []float64) {
	n := &t.Nodes[at]
	n.Center = t.CellCenter(n.Cell, int(n.Level))
	n.Box = vec.EmptyBox()
	far := 0.0
	for i := n.Lo; i < n.Hi; i++ {
		for _, v := range t.Tris[i] {
			far = max(far, t.Verts[v].Sub(n.Center).Norm2())
		}
	}
	n.Radius = math.Sqrt(far)
	if n.NChild == 0 {
		for i := n.Lo; i < n.Hi; i++ {
			n.Area += area[i]
			for _, v := range t.Tris[i] {
				n.Box = n.Box.With(t.Verts[v])
			}
		}
		return
	}
	for _, c := range t.Children(n) {
		n.Area += c.Area
		n.Box = n.Box.With(c.Box.Min).With(c.Box.Max)
	}
}

// Flux returns an upper bound of the integral of |v|^p over the triangles of a node, divided by the
// node's radius to the power p. v is the position relative to the node's center. The bound is at
// most the node's area.
func (t *Octree) Flux(n *Node, p int) (sum float64) {
	perRadius2 := 1 / float64(n.Radius*n.Radius)
	for _, k := range t.Tris[n.Lo:n.Hi] {
		a, b, c := t.Verts[k[0]], t.Verts[k[1]], t.Verts[k[2]]
		far := max(a.Sub(n.Center).Norm2(), b.Sub(n.Center).Norm2(), c.Sub(n.Center).Norm2()) * perRadius2
		term := 0.5 * b.Sub(a).Cross(c.Sub(a)).Norm()
		for range p / 2 {
			term *= far
		}
		if p&1 == 1 {
			term *= math.Sqrt(far)
		}
		sum += term
	}
	return sum
}

// Children returns the children of a node.
func (t *Octree) Children(n *Node) []Node { return t.Nodes[n.Child : n.Child+n.NChild] }

// ranger is a loop body of package sched.
type ranger func(lo, hi, worker int)

func (r ranger) Range(lo, hi, worker int) { r(lo, hi, worker) }

// Each calls body on chunks of 0 ≤ i < n.
func Each(pool *sched.Pool, n, grain int, body func(lo, hi, worker int)) {
	pool.For(n, grain, ranger(body))
}

// Bytes returns the memory of the tree.
func (t *Octree) Bytes() int {
	return 24*len(t.Verts) + 12*len(t.Tris) + 200*len(t.Nodes) + 8*len(t.Rims) + 240*len(t.fans) + 416*len(t.fours)
}
