package multipole

import (
	"math"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/geometry/inside/internal/clusters"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

// Options are the options of New. A zero leaves the choice to New.
type Options struct {
	Degree int // p of the expansions; 0: the least degree ≥ leastDegree whose bound proves all cells; or DegreeOfTriangles
	Leaf   int // largest number of triangles in an undivided cluster
	Depth  int // levels of conversions; see WellChosen and PreChosen
	Points int // expected number of points, for WellChosen
	Memory int // bytes that the lists of cells may take; 0: the free memory of the machine

	Separation float64 // d of equation (16), above 1; 0: 2
	Box        vec.Box // of the evaluation tree, at most MaxBox times as long as the surface; zero: the surface's box
	Never      bool    // evaluate expansions in all cells, and choose a depth that has expansions
}

// DegreeOfTriangles selects a degree p ~ log N for N triangles, as section 2.1.3 does: the least p
// with d^p ≥ √N. A conversion omits terms of order d^-p, so they shrink with N like the mesh size.
const DegreeOfTriangles = -1

// degreeOf returns the degree that DegreeOfTriangles selects, at most MaxDegree.
func degreeOf(triangles int, d float64) int {
	p := 1
	for power := d * d; power < float64(triangles) && p < MaxDegree; p++ {
		power *= d * d
	}
	return p
}

// Depths that New chooses: from the numbers of triangles and points, or from triangles alone.
const (
	WellChosen = 0
	PreChosen  = -1
)

// Defaults of Options, and the limits of New's choices.
const (
	defaultLeaf = 16

	// defaultSeparation is d of equation (16). With a smaller value, the bound is looser. With a
	// larger one, more nodes are near a cell.
	defaultSeparation = 2.0

	// MaxSeparation is the largest d. With a larger value, the tables of the offsets of (24) take
	// too much memory. d = 8 has 37³ offsets.
	MaxSeparation = 8.0

	// MaxBox is how many times as long as the surface the evaluation box may be, together with the
	// surface. Each factor of two is a level at the top of the cluster tree, whose keys have
	// clusters.MaxLevel levels.
	MaxBox = 64.0

	// leastDegree and lastDegree are the degrees that New tries. Below leastDegree the bound hardly
	// ever separates 0 from 1. Above lastDegree, summing the few remaining cells exactly costs less
	// than a higher degree for all cells.
	leastDegree, lastDegree = 4, 6

	// MaxDepth is the largest number of levels of conversions. Each level has up to eight times the
	// cells of its parent level.
	MaxDepth = 8
)

// Method is a surface set up for the fast multipole method. A point's winding number is computed
// from the local expansion of its evaluation cell and the solid angles of near nodes.
type Method struct {
	Degree int
	Depth  int     // levels of conversions, Extra included
	Extra  int     // levels at the top that the evaluation box adds
	Bound  float64 // of a winding number's error, over all cells that use expansions
	Cells  int     // undivided evaluation cells that points may lie in
	Summed int     // cells whose bound does not separate 0 from 1: summed exactly
	Near   int     // cells that no node is far from: summed exactly

	tree    *clusters.Octree
	box     vec.Box      // of the evaluation tree, scaled; points outside are summed exactly
	apart   float64      // d of equation (16)
	never   bool         // Options.Never
	moments []asm.Twelve // of each node down to Depth, blocks(Degree) each

	divided []int32 // of each evaluation cell: its first child of eight; -1-k if it is leaf k
	leaves  []leaf

	nears       int // total length of all lists of near nodes
	conversions int // total number of conversions

	scratch clusters.Scratch[workspace]
}

// leaf is an undivided evaluation cell.
type leaf struct {
	center  vec.Vec3
	perSide float64 // 1 over the side of the cell
	bound   float64
	near    []int32 // nodes
	local   []float64
}

// New sets up a surface that has triangles. The result is the same with any pool, bit by bit. If
// the lists of cells do not fit into memory, New returns an error that wraps geometry.ErrTooLarge,
// before allocating memory for them.
func New(s *tri.Surface, o Options, pool *sched.Pool) (*Method, error) {
	leafTris := o.Leaf
	if leafTris <= 0 {
		leafTris = defaultLeaf
	}
	m := plant(s, leafTris, &o, pool)
	first, last := leastDegree, lastDegree
	if o.Degree != 0 {
		first = min(o.Degree, MaxDegree)
		if o.Degree == DegreeOfTriangles {
			first = degreeOf(len(m.tree.Tris), m.apart)
		}
		last = first
	}
	for m.Degree = first; ; m.Degree++ {
		switch {
		case o.Depth > 0:
			m.Depth = min(o.Depth, MaxDepth) + m.Extra
		case o.Depth == PreChosen || o.Points <= 0:
			m.Depth = m.chooseDepth(prePoints * float64(len(m.tree.Tris)))
		default:
			m.Depth = m.chooseDepth(float64(o.Points))
		}
		m.gather(pool)
		if proven, err := m.spreadOut(pool, newMemoryLimit(m, &o), m.Degree < last); proven || err != nil {
			return m, err
		}
		clear(m.leaves) // The next degree needs the memory of these lists.
		m.divided, m.leaves, m.nears, m.conversions = m.divided[:0], m.leaves[:0], 0, 0
	}
}

// plant builds the cluster tree in a root that contains the surface and the evaluation box.
func plant(s *tri.Surface, leafTris int, o *Options, pool *sched.Pool) *Method {
	m := &Method{apart: o.Separation, never: o.Never}
	if m.apart == 0 {
		m.apart = defaultSeparation
	}
	root, least := s.Box(), 0
	own := root.Size().MaxAbs()
	if o.Box != (vec.Box{}) {
		root = root.Union(o.Box)
		for side := 0.5 * root.Size().MaxAbs(); side >= own; side *= 0.5 {
			m.Extra++
		}
	}
	if o.Never {
		least = m.farDepth()
	}
	m.tree = clusters.NewIn(root, s, leafTris, least, treeDepth+m.Extra, pool)
	m.box = m.tree.Nodes[0].Box
	if o.Box != (vec.Box{}) {
		m.box = vec.Box{Min: o.Box.Min.Scale(m.tree.Scale), Max: o.Box.Max.Scale(m.tree.Scale)}
	}
	return m
}

// farDepth returns the least depth at which (16) can put a node far from a cell: their centers are
// at most √3(2^level - 1) sides apart, and near up to √3/2·(d+1).
func (m *Method) farDepth() int {
	level := 1
	for math.Ldexp(1, level)-1 <= 0.5*(m.apart+1) {
		level++
	}
	return level + m.Extra
}

// treeDepth is how many levels the clusters have. It exceeds the levels of conversions, because
// small nodes near a point cost less.
const treeDepth = 10

// gather computes the moments of all nodes down to Depth, from the leaves up: equations (22) and
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

// octant returns the position of child k relative to its parent's center, in sides of the child.
func octant(k int) vec.Vec3 {
	return vec.V(float64(k&1)-0.5, float64(k>>1&1)-0.5, float64(k>>2)-0.5)
}
