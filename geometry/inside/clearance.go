package inside

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/vec"
)

// Clearance tests whether a surface comes near a point. It is a tree of boxes around the triangles.
// Several goroutines may use it at once.
type Clearance struct {
	surface *tri.Surface // times 2^-exp
	exp     int
	nodes   []clearNode
	order   []uint32 // triangles; those of a leaf are consecutive
}

// clearNode is a box around some triangles. Its first child is the next node.
type clearNode struct {
	box    vec.Box
	lo, hi uint32 // of a leaf: range of order
	second uint32 // the second child; 0 for a leaf
}

// clearLeaf is the largest number of triangles of a leaf.
const clearLeaf = 8

// Clearance builds the tree of the solid's surface.
func (s *Solid) Clearance() *Clearance { return newClearance(s.surface) }

func newClearance(s *tri.Surface) *Clearance {
	box := s.Box()
	s, exp := s.Rescaled(box.Size().MaxAbs())
	c := &Clearance{surface: s, exp: exp, order: make([]uint32, len(s.Tris))}
	middles := make([]vec.Vec3, len(s.Tris)) // times 3
	for t := range s.Tris {
		p, q, r := s.Corners(t)
		c.order[t], middles[t] = uint32(t), p.Add(q).Add(r)
	}
	c.split(middles, 0, uint32(len(s.Tris)))
	return c
}

// split appends the node of the triangles order[lo:hi] and all nodes below it. It halves the
// triangles by their middles, along the longest side of the middles' box.
func (c *Clearance) split(middles []vec.Vec3, lo, hi uint32) {
	at := len(c.nodes)
	c.nodes = append(c.nodes, clearNode{})
	box, spread := vec.EmptyBox(), vec.EmptyBox()
	for _, t := range c.order[lo:hi] {
		p, q, r := c.surface.Corners(int(t))
		box, spread = box.With(p).With(q).With(r), spread.With(middles[t])
	}
	node := clearNode{box: box, lo: lo, hi: hi}
	if hi-lo > clearLeaf {
		along := func(v vec.Vec3) float64 { return v.X }
		switch size := spread.Size(); {
		case size.Y >= size.X && size.Y >= size.Z:
			along = func(v vec.Vec3) float64 { return v.Y }
		case size.Z >= size.X:
			along = func(v vec.Vec3) float64 { return v.Z }
		}
		slices.SortFunc(c.order[lo:hi], func(s, t uint32) int {
			return cmp.Or(cmp.Compare(along(middles[s]), along(middles[t])), cmp.Compare(s, t))
		})
		half := lo + (hi-lo)/2
		c.split(middles, lo, half)
		node.second = uint32(len(c.nodes))
		c.split(middles, half, hi)
	}
	c.nodes[at] = node
}

// Within reports whether a point of the surface is less than r away from p, up to the rounding of
// the distance. p and r are in m, in the frame of the mesh. No point is less than a negative r away.
func (c *Clearance) Within(p vec.Vec3, r float64) bool {
	if c.exp != 0 {
		p, r = tri.Ldexp(p, -c.exp), math.Ldexp(r, -c.exp)
	}
	return c.within(0, p, float64(r*math.Abs(r)))
}

func (c *Clearance) within(at uint32, p vec.Vec3, square float64) bool {
	n := &c.nodes[at]
	off := n.box.Min.Sub(p).Max(p.Sub(n.box.Max)).Max(vec.Vec3{})
	switch {
	case !(off.Norm2() < square):
		return false
	case n.second != 0:
		return c.within(at+1, p, square) || c.within(n.second, p, square)
	}
	for _, t := range c.order[n.lo:n.hi] {
		u, v, w := c.surface.Corners(int(t))
		if squareToTriangle(p, u, v, w) < square {
			return true
		}
	}
	return false
}

// squareToTriangle returns the squared distance of p from a triangle, which may be flat.
func squareToTriangle(p, a, b, c vec.Vec3) float64 {
	ab, bc, ca := b.Sub(a), c.Sub(b), a.Sub(c)
	n := ab.Cross(c.Sub(a))
	// The projection of p onto the plane is in the triangle if it is on the inner side of all
	// edges.
	if n2 := n.Norm2(); n2 > 0 && n.Cross(ab).Dot(p.Sub(a)) >= 0 && n.Cross(bc).Dot(p.Sub(b)) >= 0 && n.Cross(ca).Dot(p.Sub(c)) >= 0 {
		h := n.Dot(p.Sub(a))
		return float64(h*h) / n2
	}
	return min(squareToSegment(p, a, ab), squareToSegment(p, b, bc), squareToSegment(p, c, ca))
}

// squareToSegment returns the squared distance of p from the segment from a to a + along.
func squareToSegment(p, a, along vec.Vec3) float64 {
	d, t := p.Sub(a), 0.0
	if l2 := along.Norm2(); l2 > 0 {
		t = min(max(d.Dot(along)/l2, 0), 1)
	}
	return d.AddScaled(-t, along).Norm2()
}
