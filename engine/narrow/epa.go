package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// epa answers a pair whose K holds the origin, or nearly: the shallowest facet of K.
//
// Source: van den Bergen 2001. A polytope inside K grows by supports through its triangle nearest to the
// origin until no support moves that triangle. Departures: distances have a sign, so an origin on
// the surface or slightly outside is nothing special; the key of a triangle is a proven bound (see
// measure); expansion goes on until every triangle within a tie of the best is settled; and the result
// is not a triangle but the facet of K behind it, found by its features and evaluated by full support,
// so the answer does not depend on the path. The answer is proven when the least key comes within
// ProofTol of it. Cost: a support and about six triangles per expansion, 5 to 30 of them as a rule;
// at most maxCorners. Failure: NotConverged when the rim of an insertion breaks, the cap is reached,
// or the proof misses.
func (s *Search) epa(out *Answer) {
	high, low, ok := s.expand()
	s.settleAs(high, low, ok, out)
}

// settleAs answers a pair whose polytope has been expanded, with the bounds that expand found.
func (s *Search) settleAs(high, low float64, ok bool, out *Answer) {
	if !ok {
		out.Status = NotConverged
		return
	}
	best := s.settle(high, low)
	if best.id.Kind == soa.NoFacet || best.h-low > s.tol.proof {
		out.Status = NotConverged
		return
	}
	s.facetsAnswer(best, out)
}

// expand grows the polytope. high is the least h_K seen, low a lower bound of the depth.
func (s *Search) expand() (high, low float64, ok bool) {
	s.corners, s.tris, s.heap, s.done = s.corners[:0], s.tris[:0], s.heap[:0], s.done[:0]
	s.from = s.from[:0]
	if !s.tetrahedron() {
		return 0, 0, false
	}
	high, low = math.Inf(1), math.Inf(1)
	tie := s.tol.tie
	for {
		t := s.pop()
		if t < 0 {
			return high, low, true
		}
		key, dir := s.tris[t].key, s.tris[t].dir
		if key > high+2*tie {
			return high, min(low, key), true
		}
		ia, ha := s.a.highest(dir)
		ib, hb := s.b.lowest(dir)
		h := ha - hb
		high = min(high, h)
		if high < -s.tol.close {
			return high, high, true // apart after all
		}
		if h-key <= tie {
			low = min(low, key)
			s.done = append(s.done, t)
			continue
		}
		c := corner{s.a.at(ia).Sub(s.b.at(ib)), uint16(ia), uint16(ib)}
		seen := s.sees(c.p, t)
		if seen < 0 {
			low = min(low, key)
			s.done = append(s.done, t)
			continue
		}
		if len(s.corners) == maxCorners || !s.insert(c, seen) {
			return 0, 0, false
		}
		if seen != t && !s.tris[t].gone {
			s.push(t)
		}
	}
}

// sees returns a triangle that p lies above, t if it can be, or -1.
func (s *Search) sees(p vec.Vec3, t int32) int32 {
	visible := s.tol.visible
	if u := &s.tris[t]; u.n.Dot(p)-u.d > visible {
		return t
	}
	for i := range s.tris {
		if u := &s.tris[i]; !u.gone && u.n.Dot(p)-u.d > visible {
			return int32(i)
		}
	}
	return -1
}

// tetrahedron starts the polytope with GJK's simplex, or where that is flat or not complete with one
// spanned by supports. The origin may lie outside: negative keys bring it in.
func (s *Search) tetrahedron() bool {
	if s.n != 4 || !s.solid() {
		s.span()
		if !s.solid() {
			return false
		}
	}
	c := s.c
	if c[1].p.Sub(c[0].p).Cross(c[2].p.Sub(c[0].p)).Dot(c[3].p.Sub(c[0].p)) > 0 {
		c[1], c[2] = c[2], c[1] // corner 3 lies below the triangle 0 1 2
	}
	for _, k := range c {
		s.corners = append(s.corners, k)
		s.from = append(s.from, -1)
	}
	s.addTriangle(0, 1, 2)
	s.addTriangle(0, 2, 3)
	s.addTriangle(0, 3, 1)
	s.addTriangle(1, 3, 2)
	s.tris[0].other = [3]int32{2, 3, 1}
	s.tris[1].other = [3]int32{0, 3, 2}
	s.tris[2].other = [3]int32{1, 3, 0}
	s.tris[3].other = [3]int32{2, 1, 0}
	return true
}

// solid says whether the simplex is a tetrahedron whose faces have normals one can trust.
func (s *Search) solid() bool {
	const flat = 1.0 / (1 << 36)
	return s.n == 4 && s.thicker(flat)
}

// thicker says whether the volume of four corners exceeds a share of the product of three edges.
func (s *simplex) thicker(share float64) bool {
	e, f, g := s.c[1].p.Sub(s.c[0].p), s.c[2].p.Sub(s.c[0].p), s.c[3].p.Sub(s.c[0].p)
	v := e.Cross(f).Dot(g)
	return v*v > share*share*e.Norm2()*f.Norm2()*g.Norm2()
}

// span builds a tetrahedron of vertices of K that are far apart: the extremes along an axis, then
// at right angles to their line, then to their plane.
func (s *Search) span() {
	s.n = 2
	widest := -1.0
	for _, d := range [3]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		p, q := s.vertexAlong(d), s.vertexAlong(d.Neg())
		if w := p.p.Sub(q.p).Norm2(); w > widest {
			widest, s.c[0], s.c[1] = w, p, q
		}
	}
	line := s.c[1].p.Sub(s.c[0].p)
	u := line.Perpendicular()
	w := line.Cross(u).Unit()
	s.farthest(2, func(p vec.Vec3) float64 { return line.Cross(p.Sub(s.c[0].p)).Norm2() }, u, w)
	n := line.Cross(s.c[2].p.Sub(s.c[0].p)).Unit()
	s.farthest(3, func(p vec.Vec3) float64 { return math.Abs(n.Dot(p.Sub(s.c[0].p))) }, n)
	s.n = 4
}

// farthest sets corner k to the support along ±dirs with the largest measure.
func (s *Search) farthest(k int, measure func(vec.Vec3) float64, dirs ...vec.Vec3) {
	best := -1.0
	for _, d := range dirs {
		for _, c := range [2]corner{s.vertexAlong(d), s.vertexAlong(d.Neg())} {
			if m := measure(c.p); m > best {
				best, s.c[k] = m, c
			}
		}
	}
}

// vertexAlong returns the vertex of K farthest along d.
func (s *Search) vertexAlong(d vec.Vec3) corner {
	ia, _ := s.a.highest(d)
	ib, _ := s.b.lowest(d)
	return corner{s.a.at(ia).Sub(s.b.at(ib)), uint16(ia), uint16(ib)}
}
