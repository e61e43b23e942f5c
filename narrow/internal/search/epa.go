package search

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/facets"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// EPA answers a pair whose K contains the origin, or nearly so, by the shallowest facet of K.
//
// Source: van den Bergen 2001. A polytope inside K grows by supports through its triangle nearest
// to the origin, until no support moves that triangle outward. Departures:
//
//   - Distances are signed, so an origin on the surface or slightly outside needs no special case.
//   - The key of a triangle is a proven lower bound of its distance (see Measure).
//   - Expansion continues until every triangle within a tie of the best is settled: no support
//     moves it.
//   - The result is not a triangle but the facet of K behind it. The facet is found by its features
//     and evaluated by full supports, so the answer does not depend on the path.
//
// The answer is proven if the least key comes within ProofTol of it. Cost: one support and about
// six triangles per expansion, usually 5 to 30 expansions, at most maxCorners.
//
// Rounding may break the horizon of an insertion, or make the polytope concave so that the proof
// misses. EPA then runs once more, with exact arithmetic deciding which triangles a corner sees.
// Failure: NotConverged if the second run fails too, or if the polytope reaches maxCorners.
func (s *Searcher) EPA(out *pair.Answer) {
	start := s.Simplex
	if s.expandAndSettle(out); out.Status != pair.NotConverged {
		return
	}
	s.Simplex, s.exact = start, true
	*out = pair.Answer{AnsweredBy: out.AnsweredBy}
	s.expandAndSettle(out)
	s.exact = false
}

// expandAndSettle expands the polytope once and answers by it. If the expansion shows the bodies to
// be apart, apartNear answers.
func (s *Searcher) expandAndSettle(out *pair.Answer) {
	high, low, ok := s.Expand()
	if ok && high < -s.Tol.Close {
		s.apartNear(s.Axis, -high, -1, out)
		return
	}
	s.settleAs(high, low, ok, out)
}

// settleAs answers a pair from its expanded polytope and the bounds that Expand returned.
func (s *Searcher) settleAs(high, low float64, ok bool, out *pair.Answer) {
	if !ok {
		out.Status = pair.NotConverged
		return
	}
	best := s.settle(high, low)
	// A facet shallower than the lower bound shows that the polytope does not enclose the origin.
	// This can happen if all of the polytope is thin.
	if best.ID.Kind == soa.NoFacet || math.Abs(best.H-low) > s.Tol.Proof {
		out.Status = pair.NotConverged
		return
	}
	s.FacetsAnswer(best, out)
}

// Expand grows the polytope. high is the least h_K evaluated, low a lower bound of the depth. ok is
// false if there is no initial polytope, if an insertion fails, or if maxCorners is reached.
func (s *Searcher) Expand() (high, low float64, ok bool) {
	s.Corners, s.Tris, s.Heap, s.settled = s.Corners[:0], s.Tris[:0], s.Heap[:0], s.settled[:0]
	s.From, s.TooFar = s.From[:0], math.Inf(1)
	if !s.Octahedron() && !s.tetrahedron() {
		return 0, 0, false
	}
	high = math.Inf(1)
	tie := s.Tol.Tie
	for {
		t := s.pop()
		if t < 0 {
			return high, s.leastSettledKey(), true
		}
		key, dir := s.Tris[t].Key, s.Tris[t].dir
		if key > high+2*tie {
			return high, min(s.leastSettledKey(), key), true
		}
		ia, ha := s.HullA.Highest(dir)
		ib, hb := s.HullB.Lowest(dir)
		h := ha - hb
		high = min(high, h)
		s.TooFar = high + 2*s.Tol.Proof
		if high < -s.Tol.Close {
			s.Axis = dir
			return high, high, true // the bodies are apart after all
		}
		seen := int32(-1)
		c := facets.Corner{P: s.HullA.At(ia).Sub(s.HullB.At(ib)), A: uint16(ia), B: uint16(ib)}
		if h-key > tie && !s.isCorner(c) {
			seen = s.seenFrom(c.P, t)
		}
		if seen < 0 {
			s.settled = append(s.settled, t)
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

// leastSettledKey returns the least key of the settled triangles. It also drops from s.settled the
// triangles removed since they were settled, because a later corner saw them.
func (s *Searcher) leastSettledKey() float64 {
	low := math.Inf(1)
	kept := s.settled[:0]
	for _, t := range s.settled {
		if u := &s.Tris[t]; !u.Gone {
			low = min(low, u.Key)
			kept = append(kept, t)
		}
	}
	s.settled = kept
	return low
}

// isCorner reports whether c is already a corner of the polytope. Inserting it again would change
// nothing, and could repeat without end.
func (s *Searcher) isCorner(c facets.Corner) bool {
	for i := range s.Corners {
		if s.Corners[i].A == c.A && s.Corners[i].B == c.B {
			return true
		}
	}
	return false
}

// seenFrom returns a triangle that p lies above, preferably t, or -1 if there is none.
func (s *Searcher) seenFrom(p vec.Vec3, t int32) int32 {
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

func (s *Searcher) addCorner(c facets.Corner) {
	s.Corners, s.From = append(s.Corners, c), append(s.From, -1)
}

// tetrahedron starts the polytope with GJK's simplex, or if that is flat or incomplete with a
// tetrahedron spanned by supports. The origin may lie outside: triangles that it lies beyond have
// negative keys and are expanded first.
func (s *Searcher) tetrahedron() bool {
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

// solid reports whether the simplex is a tetrahedron thick enough for its faces to have reliable
// normals.
func (s *Searcher) solid() bool {
	const flat = 1.0 / (1 << 36)
	return s.N == 4 && s.Thicker(flat)
}

// initialTetrahedron sets the simplex to four vertices of K that are far apart. It takes the two
// extremes along a coordinate axis, then an extreme perpendicular to their line, then one
// perpendicular to the plane of the three.
func (s *Searcher) initialTetrahedron() {
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

// farthest sets corner k of the simplex to the support along ±dirs with the largest measure.
func (s *Searcher) farthest(k int, measure func(vec.Vec3) float64, dirs ...vec.Vec3) {
	best := -1.0
	for _, d := range dirs {
		for _, c := range [2]facets.Corner{s.VertexAlong(d), s.VertexAlong(d.Neg())} {
			if m := measure(c.P); m > best {
				best, s.C[k] = m, c
			}
		}
	}
}
