package search

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/facets"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// EPA answers a pair whose K holds the origin, or nearly: the shallowest facet of K.
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
func (s *Finder) EPA(out *pair.Answer) {
	start := s.Simplex
	if s.grown(out); out.Status != pair.NotConverged {
		return
	}
	s.Simplex, s.exact = start, true
	*out = pair.Answer{AnsweredBy: out.AnsweredBy}
	s.grown(out)
	s.exact = false
}

// grown is epa once. A pair that turns out to be apart is left to what parts it.
func (s *Finder) grown(out *pair.Answer) {
	high, low, ok := s.Expand()
	if ok && high < -s.Tol.Close {
		s.apartNear(s.Axis, -high, -1, out)
		return
	}
	s.settleAs(high, low, ok, out)
}

// settleAs answers a pair whose polytope has been expanded, with the bounds that expand found.
func (s *Finder) settleAs(high, low float64, ok bool, out *pair.Answer) {
	if !ok {
		out.Status = pair.NotConverged
		return
	}
	best := s.settle(high, low)
	// A facet below the bound shows that the polytope does not enclose the origin: one thin all over may not.
	if best.ID.Kind == soa.NoFacet || math.Abs(best.H-low) > s.Tol.Proof {
		out.Status = pair.NotConverged
		return
	}
	s.FacetsAnswer(best, out)
}

// Expand grows the polytope. high is the least h_K seen, low a lower bound of the depth.
func (s *Finder) Expand() (high, low float64, ok bool) {
	s.Corners, s.Tris, s.Heap, s.done = s.Corners[:0], s.Tris[:0], s.Heap[:0], s.done[:0]
	s.From, s.TooFar = s.From[:0], math.Inf(1)
	if !s.Octahedron() && !s.tetrahedron() {
		return 0, 0, false
	}
	high = math.Inf(1)
	tie := s.Tol.Tie
	for {
		t := s.pop()
		if t < 0 {
			return high, s.lowOfDone(), true
		}
		key, dir := s.Tris[t].Key, s.Tris[t].dir
		if key > high+2*tie {
			return high, min(s.lowOfDone(), key), true
		}
		ia, ha := s.HullA.Highest(dir)
		ib, hb := s.HullB.Lowest(dir)
		h := ha - hb
		high = min(high, h)
		s.TooFar = high + 2*s.Tol.Proof
		if high < -s.Tol.Close {
			s.Axis = dir
			return high, high, true // apart after all
		}
		seen := int32(-1)
		c := facets.Corner{P: s.HullA.At(ia).Sub(s.HullB.At(ib)), A: uint16(ia), B: uint16(ib)}
		if h-key > tie && !s.isCorner(c) {
			seen = s.seenFrom(c.P, t)
		}
		if seen < 0 {
			s.done = append(s.done, t)
			continue
		}
		if len(s.Corners) == maxCorners || !s.insert(c, seen) {
			return 0, 0, false
		}
		if seen != t && !s.Tris[t].Gone {
			s.push(key, t)
		}
	}
}

// lowOfDone returns the least key of the triangles that no support has moved, and drops those that are gone since: the support of
// one next to them saw them.
func (s *Finder) lowOfDone() float64 {
	low := math.Inf(1)
	kept := s.done[:0]
	for _, t := range s.done {
		if u := &s.Tris[t]; !u.Gone {
			low = min(low, u.Key)
			kept = append(kept, t)
		}
	}
	s.done = kept
	return low
}

// isCorner reports whether the polytope has a corner already. Put in once more it would move nothing, and might be again and again.
func (s *Finder) isCorner(c facets.Corner) bool {
	for i := range s.Corners {
		if s.Corners[i].A == c.A && s.Corners[i].B == c.B {
			return true
		}
	}
	return false
}

// seenFrom returns a triangle that p lies above, t if it can be, or -1.
func (s *Finder) seenFrom(p vec.Vec3, t int32) int32 {
	if s.sees(&s.Tris[t], p) {
		return t
	}
	for i := range s.Tris {
		if u := &s.Tris[i]; !u.Gone && s.sees(u, p) {
			return int32(i)
		}
	}
	return -1
}

func (s *Finder) addCorner(c facets.Corner) {
	s.Corners, s.From = append(s.Corners, c), append(s.From, -1)
}

// tetrahedron starts the polytope with GJK's simplex, or where that is flat or not complete with one
// spanned by supports. The origin may lie outside: negative keys bring it in.
func (s *Finder) tetrahedron() bool {
	if s.N != 4 || !s.solid() {
		s.initialTetrahedron()
		if !s.solid() {
			return false
		}
	}
	c := s.C
	if c[1].P.Sub(c[0].P).Cross(c[2].P.Sub(c[0].P)).Dot(c[3].P.Sub(c[0].P)) > 0 {
		c[1], c[2] = c[2], c[1] // corner 3 lies below the triangle 0 1 2
	}
	for _, k := range c {
		s.addCorner(k)
	}
	s.addTriangle(0, 1, 2)
	s.addTriangle(0, 2, 3)
	s.addTriangle(0, 3, 1)
	s.addTriangle(1, 3, 2)
	s.Tris[0].Other = [3]int32{2, 3, 1}
	s.Tris[1].Other = [3]int32{0, 3, 2}
	s.Tris[2].Other = [3]int32{1, 3, 0}
	s.Tris[3].Other = [3]int32{2, 1, 0}
	return true
}

// solid reports whether the simplex is a tetrahedron whose faces have normals one can trust.
func (s *Finder) solid() bool {
	const flat = 1.0 / (1 << 36)
	return s.N == 4 && s.Thicker(flat)
}

// initialTetrahedron builds a tetrahedron of vertices of K that are far apart: the extremes along an axis, then
// at right angles to their line, then to their plane.
func (s *Finder) initialTetrahedron() {
	s.N = 2
	widest := -1.0
	for _, d := range [3]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		p, q := s.VertexAlong(d), s.VertexAlong(d.Neg())
		if w := p.P.Sub(q.P).Norm2(); w > widest {
			widest, s.C[0], s.C[1] = w, p, q
		}
	}
	line := s.C[1].P.Sub(s.C[0].P)
	u := line.Perpendicular()
	w := line.Cross(u).Unit()
	s.farthest(2, func(p vec.Vec3) float64 { return line.Cross(p.Sub(s.C[0].P)).Norm2() }, u, w)
	n := line.Cross(s.C[2].P.Sub(s.C[0].P)).Unit()
	s.farthest(3, func(p vec.Vec3) float64 { return math.Abs(n.Dot(p.Sub(s.C[0].P))) }, n)
	s.N = 4
}

// farthest sets corner k to the support along ±dirs with the largest measure.
func (s *Finder) farthest(k int, measure func(vec.Vec3) float64, dirs ...vec.Vec3) {
	best := -1.0
	for _, d := range dirs {
		for _, c := range [2]facets.Corner{s.VertexAlong(d), s.VertexAlong(d.Neg())} {
			if m := measure(c.P); m > best {
				best, s.C[k] = m, c
			}
		}
	}
}
