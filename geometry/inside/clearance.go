package inside

import (
	"math"

	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/internal/boxtree"
	"github.com/scree-dem/scree/vec"
)

// Clearance tests whether a surface comes near a point. It is a tree of boxes around the triangles.
// Several goroutines may use it at once.
type Clearance struct {
	surface *tri.Surface // times 2^-exp
	exp     int
	boxes   *boxtree.Tree // of the triangles
}

// Clearance builds the tree of the solid's surface.
func (s *Solid) Clearance() *Clearance { return newClearance(s.surface) }

func newClearance(s *tri.Surface) *Clearance {
	whole := s.Box()
	s, exp := s.Rescaled(whole.Size().MaxAbs())
	boxes := make([]vec.Box, len(s.Tris))
	for t := range boxes {
		p, q, r := s.Corners(t)
		boxes[t] = vec.EmptyBox().With(p).With(q).With(r)
	}
	return &Clearance{s, exp, boxtree.New(boxes)}
}

// Within reports whether a point of the surface is less than r away from p, up to the rounding of
// the distance. p and r are in m, in the frame of the mesh. No point is less than a negative r away.
func (c *Clearance) Within(p vec.Vec3, r float64) bool {
	if c.exp != 0 {
		p, r = p.Ldexp(-c.exp), math.Ldexp(r, -c.exp)
	}
	for t := range c.boxes.Over(vec.Box{Min: p, Max: p}.Enlarged(r)) {
		u, v, w := c.surface.Corners(t)
		if squareToTriangle(p, u, v, w) < float64(r*math.Abs(r)) {
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
