package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// apart answers a pair whose distance d and direction n, A to B, are known to a few roundings: it names
// the features that are nearest and lets finalise and witness do the rest.
//
// The nearest features are a facet of K (face and vertex, crossing edges) when the foot of the origin
// lies inside one, otherwise a vertex and a vertex or edge. They are drawn from the vertices that n
// touches; how far from the support a vertex may be is the error of n, which grows as the distance
// falls. The answer is the first pair, in the order of ids, that holds its own foot and is proven: a
// support along its own normal bounds the gap from below to within nearTol. Distances
// alone cannot tell features apart: at the optimum they are flat, the bounds are not.
// If no pair is proven it says NotConverged.
func (s *Search) apart(n vec.Vec3, d float64, out *Answer) {
	s.near(n, s.band(d))
	if !s.nearestFeature(n, d, out) {
		out.Status = NotConverged
		return
	}
	// Which of several that tie are asked depends on n and d, which are the search's. They are asked
	// once more along the direction of one that is proven.
	if gap := float64(out.Gap * s.scale); gap > 0 && math.Abs(gap-d) > s.tol.tie {
		again := Answer{Level: out.Level}
		s.near(out.Axis, s.band(gap))
		if s.nearestFeature(out.Axis, gap, &again) && again.Gap > 0 {
			*out = again
		}
	}
}

// apartNear answers a pair apart whose distance is about d, and whose direction leans from n by an angle of this cosine at most. It asks apart
// along n, along the facets of K to which two descents lead from there, and along the face that parts the bodies most.
//
// GJK ends as soon as its bounds of the distance meet, or rounding lets it come no closer. The direction may then be off by the root
// of their relative difference. Among features that lean from each other by less than that it is too far off to name one.
func (s *Search) apartNear(n vec.Vec3, d, cosine float64, out *Answer) {
	if s.apart(n, d, out); out.Status != NotConverged || s.scale != 1 {
		return
	}
	i, j := s.supports(n)
	f, _ := faceAlong(s.va, i, n)
	g, _ := faceAlong(s.vb, j, s.rot.TMulVec(n.Neg()))
	for _, start := range [2]spot{onFaceVertex(f, j), onVertexFace(i, g)} {
		if at, ok := s.down(start); ok {
			if on := s.stand(&at); on.ok && s.apartAlong(on.n, on.gap, out) {
				return
			}
		}
	}
	m, gap := s.partingFace(n, cosine)
	s.apartAlong(m, gap, out)
}

// apartAlong is apart for a gap that may be none. It says whether there is an answer.
func (s *Search) apartAlong(n vec.Vec3, gap float64, out *Answer) bool {
	if !(gap > 0) {
		return false
	}
	*out = Answer{Level: out.Level}
	s.apart(n, gap, out)
	return out.Status != NotConverged
}

// partingFace returns the direction of the face that parts the bodies most, of those at an angle to n of no less than cosine, and the
// gap along it.
func (s *Search) partingFace(n vec.Vec3, cosine float64) (best vec.Vec3, gap float64) {
	gap = math.Inf(-1)
	for f := range s.va.NFaces {
		if m, d := s.planeA(f); m.Dot(n) >= cosine {
			if _, low := s.b.lowest(m); low-d > gap {
				best, gap = m, low-d
			}
		}
	}
	back := s.rot.TMulVec(n).Neg()
	for g := range s.vb.NFaces {
		if s.vb.Normal(soa.Face(g)).Dot(back) >= cosine {
			m, d := s.planeB(g)
			if _, low := s.a.lowest(m); low-d > gap {
				best, gap = m.Neg(), low-d
			}
		}
	}
	return best, gap
}

// band is how far below the support a vertex may lie that a direction of a distance d touches.
func (s *Search) band(d float64) float64 {
	return min(2*s.tol.tie*max(1, s.unit/d), s.unit/(1<<10))
}

// near lists the vertices within band of the support, and the edges between them.
func (s *Search) near(n vec.Vec3, band float64) {
	_, ha := s.a.highest(n)
	_, hb := s.b.lowest(n)
	s.nearA = appendBelow(s.nearA[:0], &s.a, n.Neg(), band-ha)
	s.nearB = appendBelow(s.nearB[:0], &s.b, n, band+hb)
	s.edgesA = s.edgesAmong(s.edgesA[:0], s.va, s.nearA)
	s.edgesB = s.edgesAmong(s.edgesB[:0], s.vb, s.nearB)
}

// answers writes the answer if the features hold their own foot and are proven nearest. d is about
// their distance.
//
// The error of the gap does not depend on d. From below: the support along n parts the bodies by
// the gap less nearTol, ProofTol/8. From above: the feet lie no farther than footTol outside of the
// features, so points of the bodies are √(gap² + footTol²) apart at most, which for a gap above
// closeTol is 0.06 ProofTol more. A gap of zero or less answers where d says that the true one is
// no more than closeTol above it: other features may part the bodies there.
func (s *Search) answers(id soa.FacetID, d float64, out *Answer) bool {
	gap, n, ok := s.finalise(id)
	if !ok || !(gap > 0) && !(d <= s.tol.close && d-gap <= s.tol.close) {
		return false
	}
	_, hi := s.a.highest(n)
	if _, lo := s.b.lowest(n); !(math.Abs(gap-(lo-hi)) <= s.tol.near) {
		return false
	}
	wa, inside := s.witness(id, gap, n)
	if !inside {
		return false
	}
	s.write(id, gap, n, wa, out)
	return true
}

// appendBelow appends the vertices with n·p ≤ limit.
func appendBelow(to []uint16, h *hull, n vec.Vec3, limit float64) []uint16 {
	for i := range h.x {
		if float64(h.x[i]*n.X)+float64(h.y[i]*n.Y)+float64(h.z[i]*n.Z) <= limit {
			to = append(to, uint16(i))
		}
	}
	return to
}

// nearestFeature answers by the nearest features, of those near lists.
func (s *Search) nearestFeature(n vec.Vec3, d float64, out *Answer) bool {
	return s.nearestFacet(n, d, out) || s.nearestCorner(d, out)
}

// nearestFacet answers by the lowest facet of K that is d away and holds the foot of the origin.
func (s *Search) nearestFacet(n vec.Vec3, d float64, out *Answer) bool {
	// A face whose plane is that far away is turned from n by a cosine of no less than 1 − error/d.
	cosine := 1 - 2*s.tol.proof/d
	for f := range s.va.NFaces {
		m, plane := s.planeA(f)
		if m.Dot(n) >= cosine {
			_, low := s.b.lowest(m)
			if s.answers(s.faceOfA(f, plane-low).id, d, out) {
				return true
			}
		}
	}
	back := s.rot.TMulVec(n).Neg()
	for g := range s.vb.NFaces {
		if s.vb.Normal(soa.Face(g)).Dot(back) >= cosine {
			m, plane := s.planeB(g)
			_, low := s.a.lowest(m)
			if s.answers(s.faceOfB(g, plane-low).id, d, out) {
				return true
			}
		}
	}
	for _, ea := range s.edgesA {
		for _, eb := range s.edgesB {
			if s.answers(soa.FacetID{A: ea, B: eb, Kind: soa.EdgeEdge}, d, out) {
				return true
			}
		}
	}
	return false
}

// nearestCorner answers by the lowest pair of vertices, or vertex and edge.
func (s *Search) nearestCorner(d float64, out *Answer) bool {
	for _, i := range s.nearA {
		for _, j := range s.nearB {
			if s.answers(soa.FacetID{A: i, B: j, Kind: soa.VertexVertex}, d, out) {
				return true
			}
		}
	}
	for _, i := range s.nearA {
		for _, e := range s.edgesB {
			if s.answers(soa.FacetID{A: i, B: e, Kind: soa.VertexEdge}, d, out) {
				return true
			}
		}
	}
	for _, e := range s.edgesA {
		for _, j := range s.nearB {
			if s.answers(soa.FacetID{A: e, B: j, Kind: soa.EdgeVertex}, d, out) {
				return true
			}
		}
	}
	return false
}

// edgesAmong lists the edges whose two ends are both in near.
func (s *Search) edgesAmong(to []uint16, v *soa.View, near []uint16) []uint16 {
	if len(near) < 2 {
		return to
	}
	for len(s.mark) < v.NVerts {
		s.mark = append(s.mark, false)
	}
	for _, i := range near {
		s.mark[i] = true
	}
	for e, h := range v.Edge {
		if s.mark[v.Tail[h]] && s.mark[v.Head(h)] {
			to = append(to, uint16(e))
		}
	}
	for _, i := range near {
		s.mark[i] = false
	}
	return to
}
