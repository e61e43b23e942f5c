package search

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Apart answers a pair whose distance d and direction n, A to B, are known to a few roundings: it names
// the features that are nearest and lets finalise and witness do the rest.
//
// The nearest features are a facet of K (face and vertex, crossing edges) when the foot of the origin
// lies inside one, otherwise a vertex and a vertex or edge. They are drawn from the vertices that n
// touches; how far from the support a vertex may be is the error of n, which grows as the distance
// falls. The answer is the first pair, in the order of ids, that holds its own foot and is proven: a
// support along its own normal bounds the gap from below to within nearTol. Distances
// alone cannot tell features apart: at the optimum they are flat, the bounds are not.
// If no pair is proven it says NotConverged.
func (s *Finder) Apart(n vec.Vec3, d float64, out *pair.Answer) {
	s.Near(n, s.Band(d))
	if !s.nearestFeature(n, d, out) {
		out.Status = pair.NotConverged
		return
	}
	// Which of several that tie are asked depends on n and d, which are the search's. They are asked
	// once more along the direction of one that is proven.
	if gap := float64(out.Gap * s.Scale); gap > 0 && math.Abs(gap-d) > s.Tol.Tie {
		again := pair.Answer{AnsweredBy: out.AnsweredBy}
		s.Near(out.Axis, s.Band(gap))
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
func (s *Finder) apartNear(n vec.Vec3, d, cosine float64, out *pair.Answer) {
	if s.Apart(n, d, out); out.Status != pair.NotConverged || s.Scale != 1 {
		return
	}
	i, j := s.Supports(n)
	f, _ := pair.FaceAlong(s.ViewA, i, n)
	g, _ := pair.FaceAlong(s.ViewB, j, s.Rot.TMulVec(n.Neg()))
	for _, start := range [2]pair.FeaturePair{pair.OnFaceVertex(f, j), pair.OnVertexFace(i, g)} {
		if at, ok := s.Down(start); ok {
			if on := s.Evaluate(&at); on.OK && s.apartAlong(on.N, on.Gap, out) {
				return
			}
		}
	}
	m, gap := s.partingFace(n, cosine)
	s.apartAlong(m, gap, out)
}

// apartAlong is apart for a gap that may be none. It reports whether there is an answer.
func (s *Finder) apartAlong(n vec.Vec3, gap float64, out *pair.Answer) bool {
	if !(gap > 0) {
		return false
	}
	*out = pair.Answer{AnsweredBy: out.AnsweredBy}
	s.Apart(n, gap, out)
	return out.Status != pair.NotConverged
}

// partingFace returns the direction of the face that parts the bodies most, of those at an angle to n of no less than cosine, and the
// gap along it.
func (s *Finder) partingFace(n vec.Vec3, cosine float64) (best vec.Vec3, gap float64) {
	gap = math.Inf(-1)
	back := s.Rot.TMulVec(n).Neg()
	for k := range s.NFaces() {
		if s.FaceToward(k, n, back) < cosine {
			continue
		}
		m, d, other := s.Face(k)
		if low := other.Bottom(m); low-d > gap {
			best, gap = m, low-d
			if k >= s.ViewA.NFaces {
				best = m.Neg()
			}
		}
	}
	return best, gap
}

// nearestFeature answers by the nearest features, of those near lists.
func (s *Finder) nearestFeature(n vec.Vec3, d float64, out *pair.Answer) bool {
	return s.nearestFacet(n, d, out) || s.nearestCorner(d, out)
}

// nearestFacet answers by the lowest facet of K that is d away and holds the foot of the origin.
func (s *Finder) nearestFacet(n vec.Vec3, d float64, out *pair.Answer) bool {
	// A face whose plane is that far away is turned from n by a cosine of no less than 1 − error/d.
	cosine := 1 - 2*s.Tol.Proof/d
	back := s.Rot.TMulVec(n).Neg()
	for k := range s.NFaces() {
		if s.FaceToward(k, n, back) >= cosine {
			m, plane, other := s.Face(k)
			if s.Answers(s.OnFace(k, plane-other.Bottom(m)).ID, d, out) {
				return true
			}
		}
	}
	for _, ea := range s.EdgesA {
		for _, eb := range s.EdgesB {
			if s.Answers(soa.FacetID{A: ea, B: eb, Kind: soa.EdgeEdge}, d, out) {
				return true
			}
		}
	}
	return false
}

// nearestCorner answers by the lowest pair of vertices, or vertex and edge.
func (s *Finder) nearestCorner(d float64, out *pair.Answer) bool {
	for _, i := range s.NearA {
		for _, j := range s.NearB {
			if s.Answers(soa.FacetID{A: i, B: j, Kind: soa.VertexVertex}, d, out) {
				return true
			}
		}
	}
	for _, i := range s.NearA {
		for _, e := range s.EdgesB {
			if s.Answers(soa.FacetID{A: i, B: e, Kind: soa.VertexEdge}, d, out) {
				return true
			}
		}
	}
	for _, e := range s.EdgesA {
		for _, j := range s.NearB {
			if s.Answers(soa.FacetID{A: e, B: j, Kind: soa.EdgeVertex}, d, out) {
				return true
			}
		}
	}
	return false
}
