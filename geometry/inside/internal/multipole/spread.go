package multipole

import (
	"math"
	"slices"
	"sync/atomic"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/geometry/inside/internal/clusters"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

// The evaluation tree has a box of its own, by default that of all triangles. Its top is the root's
// cell, which contains that box and all triangles. So all cells of a level have one size, for
// clusters and for points. A larger box adds levels at the top of the clusters. Cells outside the
// box have no expansions: about points there, the root is summed. A cell is divided while divided clusters are near it.
// A cell's local expansion is its parent's, translated by (25), plus conversions by (24) of
// clusters. A cluster is converted if it is near the cell's parent but not near the cell, so each
// conversion happens at the highest possible level.

// leastOffset is how many cells apart a cluster and a cell may be, along an axis, for a conversion,
// if d is at most 2. A cluster farther away stays near. With a smaller value, clusters of large
// triangles stay near. With a larger one, operators take more memory.
const leastOffset = 7

// maxOffset returns that number of cells for the separation d. If the radii of a cluster and a cell
// are those of their corners, √3/2 sides, the centers of two near parents are at most √3(d+1) sides
// of a child apart. Those of their children are at most √3 sides farther.
func maxOffset(d float64) int32 {
	return max(leastOffset, int32(math.Ceil(2*cornerRadius*(d+2))))
}

// front has the evaluation cells of one level whose children are made next.
type front struct {
	at    []int32 // their indices in Method.divided
	cell  [][3]int32
	near  [][]int32
	local [][]float64
	bound []float64
}

// conversion is one term of equation (24): operator, node, and cell of the chunk.
type conversion struct{ op, node, cell int32 }

// spreader is the data that one worker needs to make the children of a chunk of cells.
type spreader struct {
	*Method
	level    int
	most     int32 // maxOffset
	wide     int32 // number of offsets along an axis
	cuts     *cuts
	reach    []reach   // of each node
	norms    []float64 // of each node: the norms of its moments over 4π, Degree of them
	down     []operator
	ops      []operator // kept for all chunks if they are small
	scratch  operator
	singular []float64
	pairs    []conversion
	sorted   []conversion
	first    []int32
	near     []int32 // of a chunk, until its length is known
	parent   []asm.Twelve
}

// keptBytes is the largest size of all operators of one worker that it keeps, in bytes: those of
// degree 6 and d = 2 fit. Other operators are computed anew for each chunk of cells.
const keptBytes = 80 << 20

func (m *Method) newSpreader(c *cuts, reach []reach, norms []float64) *spreader {
	p := m.Degree
	s := &spreader{Method: m, cuts: c, reach: reach, norms: norms, most: maxOffset(m.apart)}
	s.wide = 2*s.most + 1
	all := int(s.wide * s.wide * s.wide)
	s.down = make([]operator, 8)
	for k := range s.down {
		s.down[k] = newOperator(p)
		s.down[k].toChild(p, octant(k).Scale(0.5))
	}
	s.ops = make([]operator, all)
	s.scratch = newOperator(p)
	s.singular = make([]float64, terms(2*p))
	s.first = make([]int32, all+1)
	s.parent = make([]asm.Twelve, blocks(p))
	return s
}

// children has the eight children of each parent of a chunk.
type children struct {
	near   []int32
	nearHi []int // of each cell: where its list in near ends
	cell   [][3]int32
	local  []float64
	bound  []float64
	pairs  int // number of conversions
}

// spreadOut makes the evaluation tree and the local expansions of its leaves. If mayStop is set,
// spreadOut stops at the first cell whose bound does not separate 0 from 1, and returns proven =
// false. It then skips the conversions of that cell's chunk. It returns an error if the lists of a
// level do not fit into memory.
func (m *Method) spreadOut(pool *sched.Pool, r *memoryLimit, mayStop bool) (proven bool, err error) {
	p := m.Degree
	reaches, norms := m.measure(pool)
	spreaders := make([]*spreader, pool.Workers())
	tables := newCuts(p, maxOffset(m.apart))
	for w := range spreaders {
		spreaders[w] = m.newSpreader(tables, reaches, norms)
	}
	top := new(children)
	spreaders[0].top(top)
	f := m.settle([]*children{top}, 0)
	for level := 1; len(f.at) > 0; level++ {
		if fits, err := r.reserve(spreaders, f, level, pool); err != nil {
			return false, err
		} else if !fits {
			m.close(f, level-1)
			break
		}
		chunks := make([]*children, (len(f.at)+chunkParents-1)/chunkParents)
		var stop atomic.Bool
		clusters.Each(pool, len(chunks), 1, func(lo, hi, worker int) {
			s := spreaders[worker]
			s.level = level
			for c := lo; c < hi && !stop.Load(); c++ {
				chunks[c] = new(children)
				s.makeChildren(f, c*chunkParents, min((c+1)*chunkParents, len(f.at)), chunks[c])
				if mayStop && slices.ContainsFunc(chunks[c].bound, unproven) {
					stop.Store(true)
					return
				}
				chunks[c].pairs = len(s.pairs)
				s.convert(chunks[c])
			}
		})
		if stop.Load() {
			return false, nil
		}
		f = m.settle(chunks, level)
	}
	for i := range m.leaves {
		l := &m.leaves[i]
		if m.beyond(l.center, 1/l.perSide) {
			continue
		}
		m.Cells++
		switch {
		case l.bound == 0:
			m.Near++
		case m.replaces(l.bound):
			m.Summed++
		default:
			m.Bound = max(m.Bound, l.bound)
		}
	}
	return true, nil
}

// replaces reports whether the points of a cell with this bound are summed exactly, without the
// cell's expansion.
func (m *Method) replaces(bound float64) bool { return !m.never && unproven(bound) }

// unproven reports whether a cell's bound fails to separate 0 from 1.
func unproven(bound float64) bool { return bound >= separates }

// measure computes the data that the bounds need, for all nodes that are converted.
func (m *Method) measure(pool *sched.Pool) (r []reach, norms []float64) {
	t, p, nb := m.tree, m.Degree, blocks(m.Degree)
	n := len(m.moments) / nb
	r, norms = make([]reach, n), make([]float64, n*p)
	clusters.Each(pool, n, 64, func(lo, hi, _ int) {
		for i := lo; i < hi; i++ {
			node, moments := &t.Nodes[i], m.moments[nb*i:nb*(i+1)]
			perSide := 1 / t.CellSide(int(node.Level))
			a := node.Radius * perSide * (1 + 0x1p-40)
			near := (m.apart + 1) * max(a, cornerRadius)
			r[i].near = near * near
			if a >= maxRadius {
				r[i].near = math.Inf(1)
			}
			r[i].step = uint8(min(math.Ceil(a*radiusSteps), radiusSteps*maxRadius))
			r[i].far = t.Flux(node, p) * perSide * perSide * (1 + 0x1p-40) / (4 * math.Pi)
			for s := 1; s <= p; s++ {
				norms[p*i+s-1] = momentNorm(s, func(row int) float64 {
					return moments[(row-1)/columnsOfBlock].X[(row-1)%columnsOfBlock]
				}) / (4 * math.Pi)
			}
		}
	})
	return r, norms
}

// separates is the error bound below which a winding number is known: 0 and 1 are twice that apart.
// The remainder allows for rounding.
// Smaller: more exact sums. Larger: a place may be wrong.
const separates = 0.5 - 0x1p-20

// chunkParents is how many cells a worker divides at a time.
const chunkParents = 512

// top makes the cell of level 0. Only the root is near it.
func (s *spreader) top(c *children) {
	c.local = make([]float64, rowsOf(s.Degree))
	c.cell, c.bound = [][3]int32{{}}, []float64{0}
	c.near, c.nearHi = []int32{0}, []int{1}
}

// makeChildren divides the parents lo ≤ i < hi of a front. It leaves the conversions of the
// children in s.pairs.
func (s *spreader) makeChildren(f *front, lo, hi int, c *children) {
	rows := rowsOf(s.Degree)
	s.pairs, s.near = s.pairs[:0], s.near[:0]
	c.local = make([]float64, 8*(hi-lo)*rows)
	for i := lo; i < hi; i++ {
		parent := f.local[i]
		clear(s.parent)
		for k := 1; k < terms(s.Degree); k++ {
			addRow(s.parent, k, parent[k])
		}
		for k := range 8 {
			at := int32(8*(i-lo) + k)
			cell := childOf(f.cell[i], k)
			c.cell = append(c.cell, cell)
			c.bound = append(c.bound, f.bound[i])
			local := c.local[int(at)*rows : (int(at)+1)*rows]
			local[0] = parent[0]
			s.down[k].addTo(s.parent, local)
			s.meet(cell, at, f.near[i], &c.bound[at])
			c.nearHi = append(c.nearHi, len(s.near))
		}
	}
	c.near = slices.Clone(s.near)
}

// childOf returns child k of a cell.
func childOf(cell [3]int32, k int) [3]int32 {
	for j := range cell {
		cell[j] = 2*cell[j] + int32(k>>j&1)
	}
	return cell
}

// beyond reports whether a cell lies outside the evaluation box. The cell is enlarged by more than
// the rounding error of assigning points to cells.
func (m *Method) beyond(center vec.Vec3, side float64) bool {
	half := float64((0.5 + 0x1p-20) * side)
	to := vec.V(half, half, half)
	return !m.box.Overlaps(vec.Box{Min: center.Sub(to), Max: center.Add(to)})
}

// meet divides the nodes near a cell's parent into two kinds. Nodes near the cell are appended to
// s.near. Other nodes are converted: they are appended to s.pairs, and their error is added to
// bound (equation 16).
func (s *spreader) meet(cell [3]int32, at int32, nearParent []int32, bound *float64) {
	if s.beyond(s.tree.CellCenter(cell, s.level), s.tree.CellSide(s.level)) {
		return // no point evaluates the cell
	}
	p := s.Degree
	for _, n := range nearParent {
		parent := &s.tree.Nodes[n]
		if parent.NChild == 0 || int(parent.Level) >= s.level {
			s.near = append(s.near, n) // The node has no children of the level.
			continue
		}
		for n := parent.Child; n < parent.Child+parent.NChild; n++ {
			node := &s.tree.Nodes[n]
			x, y, z := cell[0]-node.Cell[0], cell[1]-node.Cell[1], cell[2]-node.Cell[2]
			square := x*x + y*y + z*z
			if float64(square) <= s.reach[n].near || max(x, -x, y, -y, z, -z) > s.most {
				s.near = append(s.near, n)
				continue
			}
			op := ((x+s.most)*s.wide+y+s.most)*s.wide + z + s.most
			s.pairs = append(s.pairs, conversion{op, n, at})
			*bound += s.cuts.bound(square, &s.reach[n], s.norms[p*int(n):p*int(n+1)])
		}
	}
}

// convert computes the conversions of a chunk, sorted by operator: each operator stays in the
// nearest cache for all conversions that need it. Within a cell the conversions are in the order of
// operators and nodes.
func (s *spreader) convert(c *children) {
	clear(s.first)
	for _, p := range s.pairs {
		s.first[p.op+1]++
	}
	for op := range len(s.first) - 1 {
		s.first[op+1] += s.first[op]
	}
	if cap(s.sorted) < len(s.pairs) {
		s.sorted = make([]conversion, len(s.pairs)+len(s.pairs)/4)
	}
	s.sorted = s.sorted[:len(s.pairs)]
	for _, p := range s.pairs {
		s.sorted[s.first[p.op]] = p
		s.first[p.op]++
	}
	rows, nb := rowsOf(s.Degree), blocks(s.Degree)
	var o operator
	now := int32(-1)
	for _, p := range s.sorted {
		if p.op != now {
			now = p.op
			o = s.operator(now)
		}
		o.addTo(s.moments[nb*int(p.node):nb*int(p.node+1)], c.local[int(p.cell)*rows:(int(p.cell)+1)*rows])
	}
}

// operator returns the conversion of an offset.
func (s *spreader) operator(op int32) operator {
	if o := s.ops[op]; o != nil {
		return o
	}
	o := s.scratch
	if 8*len(s.ops)*columnsOfBlock*blocks(s.Degree)*rowsOf(s.Degree) <= keptBytes {
		o = newOperator(s.Degree)
		s.ops[op] = o
	}
	d := vec.V(float64(op/(s.wide*s.wide)-s.most), float64(op/s.wide%s.wide-s.most), float64(op%s.wide-s.most))
	o.toLocal(s.Degree, d, s.singular)
	return o
}

// settle turns the new cells that have little near them into leaves. It returns the front of the
// other cells.
func (m *Method) settle(chunks []*children, level int) *front {
	rows := rowsOf(m.Degree)
	f := new(front)
	for _, c := range chunks {
		m.conversions += c.pairs
		m.nears += len(c.near)
		from := 0
		for i, to := range c.nearHi {
			near := c.near[from:to:to]
			from = to
			local := c.local[i*rows : (i+1)*rows : (i+1)*rows]
			at := int32(len(m.divided))
			m.divided = append(m.divided, 0)
			if level < m.Depth && m.worth(near, level) {
				f.at, f.cell = append(f.at, at), append(f.cell, c.cell[i])
				f.near = append(f.near, near)
				f.local, f.bound = append(f.local, local), append(f.bound, c.bound[i])
			} else {
				m.addLeaf(at, c.cell[i], level, c.bound[i], near, local)
			}
		}
	}
	// Children are in the order of their parents.
	next := int32(len(m.divided))
	for _, at := range f.at {
		m.divided[at] = next
		next += 8
	}
	return f
}

// addLeaf makes a leaf of an evaluation cell.
func (m *Method) addLeaf(at int32, cell [3]int32, level int, bound float64, near []int32, local []float64) {
	m.divided[at] = -1 - int32(len(m.leaves))
	m.leaves = append(m.leaves, leaf{m.tree.CellCenter(cell, level), 1 / m.tree.CellSide(level), bound, near, local})
}

// close makes leaves of all cells of a front. level is the front's level.
func (m *Method) close(f *front, level int) {
	m.Depth = level
	for i, at := range f.at {
		m.addLeaf(at, f.cell[i], level, f.bound[i], f.near[i], f.local[i])
	}
}

// worth reports whether dividing a cell is useful: whether a node near it is divided.
func (m *Method) worth(near []int32, level int) bool {
	return slices.ContainsFunc(near, func(n int32) bool {
		node := &m.tree.Nodes[n]
		return node.NChild > 0 && int(node.Level) == level
	})
}
