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
// at most maxCorners. Where rounding breaks the rim of an insertion, or makes the polytope concave so that the proof misses, it is grown
// once more, and exact arithmetic decides what a corner sees. Failure: NotConverged where that does not help, or the cap is
// reached.
func (s *Search) epa(out *Answer) {
	start := s.simplex
	if s.grown(out); out.Status != NotConverged {
		return
	}
	s.simplex, s.exact = start, true
	*out = Answer{Level: out.Level}
	s.grown(out)
	s.exact = false
}

// grown is epa once. A pair that turns out to be apart is left to what parts it.
func (s *Search) grown(out *Answer) {
	high, low, ok := s.expand()
	if ok && high < -s.tol.close {
		s.apartNear(s.axis, -high, -1, out)
		return
	}
	s.settleAs(high, low, ok, out)
}

// settleAs answers a pair whose polytope has been expanded, with the bounds that expand found.
func (s *Search) settleAs(high, low float64, ok bool, out *Answer) {
	if !ok {
		out.Status = NotConverged
		return
	}
	best := s.settle(high, low)
	// A facet below the bound shows that the polytope does not enclose the origin: one thin all over may not.
	if best.id.Kind == soa.NoFacet || math.Abs(best.h-low) > s.tol.proof {
		out.Status = NotConverged
		return
	}
	s.facetsAnswer(best, out)
}

// expand grows the polytope. high is the least h_K seen, low a lower bound of the depth.
func (s *Search) expand() (high, low float64, ok bool) {
	s.corners, s.tris, s.heap, s.done = s.corners[:0], s.tris[:0], s.heap[:0], s.done[:0]
	s.from, s.tooFar = s.from[:0], math.Inf(1)
	if !s.octahedron() && !s.tetrahedron() {
		return 0, 0, false
	}
	high = math.Inf(1)
	tie := s.tol.tie
	for {
		t := s.pop()
		if t < 0 {
			return high, s.lowOfDone(), true
		}
		key, dir := s.tris[t].key, s.tris[t].dir
		if key > high+2*tie {
			return high, min(s.lowOfDone(), key), true
		}
		ia, ha := s.a.highest(dir)
		ib, hb := s.b.lowest(dir)
		h := ha - hb
		high = min(high, h)
		s.tooFar = high + 2*s.tol.proof
		if high < -s.tol.close {
			s.axis = dir
			return high, high, true // apart after all
		}
		seen := int32(-1)
		c := corner{s.a.at(ia).Sub(s.b.at(ib)), uint16(ia), uint16(ib)}
		if h-key > tie && !s.isCorner(c) {
			seen = s.seenFrom(c.p, t)
		}
		if seen < 0 {
			s.done = append(s.done, t)
			continue
		}
		if len(s.corners) == maxCorners || !s.insert(c, seen) {
			return 0, 0, false
		}
		if seen != t && !s.tris[t].gone {
			s.push(key, t)
		}
	}
}

// lowOfDone returns the least key of the triangles that no support has moved, and drops those that are gone since: the support of
// one next to them saw them.
func (s *Search) lowOfDone() float64 {
	low := math.Inf(1)
	kept := s.done[:0]
	for _, t := range s.done {
		if u := &s.tris[t]; !u.gone {
			low = min(low, u.key)
			kept = append(kept, t)
		}
	}
	s.done = kept
	return low
}

// isCorner says whether the polytope has a corner already. Put in once more it would move nothing, and might be again and again.
func (s *Search) isCorner(c corner) bool {
	for i := range s.corners {
		if s.corners[i].a == c.a && s.corners[i].b == c.b {
			return true
		}
	}
	return false
}

// seenFrom returns a triangle that p lies above, t if it can be, or -1.
func (s *Search) seenFrom(p vec.Vec3, t int32) int32 {
	if s.sees(&s.tris[t], p) {
		return t
	}
	for i := range s.tris {
		if u := &s.tris[i]; !u.gone && s.sees(u, p) {
			return int32(i)
		}
	}
	return -1
}

func (s *Search) addCorner(c corner) {
	s.corners, s.from = append(s.corners, c), append(s.from, -1)
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
		s.addCorner(k)
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
