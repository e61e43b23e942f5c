package multipole

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/geometry/inside/internal/clusters"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

// Options of New. Zeros leave the choice to New.
type Options struct {
	Degree int // p of the expansions; 0: the least that proves all cells, from leastDegree on
	Leaf   int // triangles of a cluster that is not divided
	Depth  int // levels of conversions; see WellChosen and PreChosen
	Points int // how many points are expected, for WellChosen
	Memory int // bytes that the lists of cells may take; 0: what the machine has left
}

// Depths that New chooses: from the numbers of triangles and points, or of triangles alone.
const (
	WellChosen = 0
	PreChosen  = -1
)

// What zeros of Options stand for.
const (
	defaultLeaf = 16

	// apart is d of equation (16). Smaller: a looser bound. Larger: more nodes near a cell.
	apart = 2.0

	// Degrees that New tries. Below the least the bound hardly ever separates 0 from 1; above the
	// last the few cells that it leaves cost less, summed exactly, than a higher degree of all.
	leastDegree, lastDegree = 4, 6

	// MaxDepth is the most levels of conversions. Each level has up to eight times the cells.
	MaxDepth = 8
)

// Method is a surface set up for the fast multipole method. Points are answered from the
// expansions of evaluation cells that hold them, and from the solid angles of near nodes.
type Method struct {
	Degree int
	Depth  int
	Bound  float64 // of the error of a winding number by expansions, over all cells but those summed
	Cells  int     // evaluation cells that are not divided
	Summed int     // of these, cells whose bound does not tell 0 from 1: summed exactly

	tree    *clusters.Tree
	moments []asm.Twelve // of each node down to Depth, blocks(Degree) each

	divided []int32 // of each evaluation cell: its first child of eight, or -1-k: it is leaf k
	leaves  []leaf

	nears       int // nodes in the lists of what is near, of all cells
	conversions int // of all cells

	scratch clusters.Scratch[workspace]
}

// leaf is an evaluation cell that is not divided.
type leaf struct {
	center  vec.Vec3
	perSide float64 // 1 over the side of the cell
	bound   float64
	near    []int32 // nodes
	local   []float64
}

// New sets up a surface that has triangles. The pool changes no bit. The error wraps geometry.ErrTooLarge: the lists of cells do not fit
// into memory. It comes before memory is taken for them.
func New(s *tri.Surface, o Options, pool *sched.Pool) (*Method, error) {
	leafTris := o.Leaf
	if leafTris <= 0 {
		leafTris = defaultLeaf
	}
	m := &Method{tree: clusters.New(s, leafTris, treeDepth, pool)}
	first, last := leastDegree, lastDegree
	if o.Degree > 0 {
		first = min(o.Degree, MaxDegree)
		last = first
	}
	for m.Degree = first; ; m.Degree++ {
		switch {
		case o.Depth > 0:
			m.Depth = min(o.Depth, MaxDepth)
		case o.Depth == PreChosen || o.Points <= 0:
			m.Depth = m.chooseDepth(prePoints * float64(len(m.tree.Tris)))
		default:
			m.Depth = m.chooseDepth(float64(o.Points))
		}
		m.gather(pool)
		if proven, err := m.spreadOut(pool, newRoom(m, &o), m.Degree < last); proven || err != nil {
			return m, err
		}
		clear(m.leaves) // What the next degree makes needs the memory of its lists.
		m.divided, m.leaves, m.nears, m.conversions = m.divided[:0], m.leaves[:0], 0, 0
	}
}

// treeDepth is how many levels the clusters have: some below those of conversions, since small
// nodes near a point cost less.
const treeDepth = 10

// gather works out the moments of all nodes down to Depth, from the leaves up: equations (22) and
// (23).
func (m *Method) gather(pool *sched.Pool) {
	t, p := m.tree, m.Degree
	nb := blocks(p)
	last := min(m.Depth, t.Levels()-1)
	m.moments = make([]asm.Twelve, nb*int(t.First[last+1]))
	up := make([]operator, 8)
	for k := range up {
		up[k] = newOperator(p)
		up[k].toParent(p, octant(k).Scale(0.5))
	}
	for level := last; level >= 0; level-- {
		first, n := int(t.First[level]), int(t.First[level+1]-t.First[level])
		perSide := 1 / t.CellSide(level)
		clusters.Each(pool, n, 64, func(lo, hi, _ int) {
			e, sum := newEdges(p), make([]float64, rowsOf(p))
			local := make([]operator, 8)
			for k := range local {
				local[k] = append(operator(nil), up[k]...)
			}
			for at := first + lo; at < first+hi; at++ {
				node, to := &t.Nodes[at], m.moments[nb*at:nb*(at+1)]
				if level == last || node.NChild == 0 {
					for _, edge := range t.Rims[node.RimLo:node.RimHi] {
						a, b := t.Verts[edge[0]].Sub(node.Center), t.Verts[edge[1]].Sub(node.Center)
						e.add(a.Scale(perSide), b.Scale(perSide), to)
					}
					continue
				}
				clear(sum)
				for c := node.Child; c < node.Child+node.NChild; c++ {
					cell := t.Nodes[c].Cell
					k := cell[0]&1 | cell[1]&1<<1 | cell[2]&1<<2
					local[k].addTo(m.moments[nb*int(c):nb*int(c+1)], sum)
				}
				for k := 1; k < terms(p); k++ {
					addRow(to, k, sum[k])
				}
			}
		})
	}
}

// octant is the place of child k of a cell from its center, in sides of the child.
func octant(k int) vec.Vec3 {
	return vec.V(float64(k&1)-0.5, float64(k>>1&1)-0.5, float64(k>>2)-0.5)
}
