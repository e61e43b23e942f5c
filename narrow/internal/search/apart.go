package search

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Apart answers a pair whose distance d and direction n, from A to B, are known to a few roundings.
// Apart only names the nearest features: Finalise and Witness compute the answer. If no features
// are proven, the status is NotConverged.
//
// The nearest features form a facet of K (face and vertex, or crossing edges) if the projection of
// the origin lies inside one. Otherwise they are a vertex and a vertex, or a vertex and an edge.
// The candidates are drawn from the vertices near the support along n. How far from the support a
// vertex may lie is the error of n, which grows as the distance falls.
//
// The answer is the first candidate, in the order of ids, that contains its own projection and is
// proven: a support along its own normal bounds the gap from below to within nearTol. Distances
// alone cannot tell features apart because near the optimum many features have almost the same
// distance. The bounds differ clearly.
func (s *Searcher) Apart(n vec.Vec3, d float64, out *pair.Answer) {
	s.Near(n, s.Band(d))
	if !s.nearestFeature(n, d, out) {
		out.Status = pair.NotConverged
		return
	}
	// If several candidates tie, which of them are tried depends on n and d, which depend on the
	// search. Trying again along the direction of a proven feature pair removes that dependence.
	if gap := float64(out.Gap * s.Scale); gap > 0 && math.Abs(gap-d) > s.Tol.Tie {
		again := pair.Answer{AnsweredBy: out.AnsweredBy}
		s.Near(out.Axis, s.Band(gap))
		if s.nearestFeature(out.Axis, gap, &again) && again.Gap > 0 {
			*out = again
		}
	}
}

// apartNear answers a pair whose distance is about d. cosine is a lower bound of the cosine of the
// angle between n and the true direction. apartNear tries Apart along n, then along the facets of K
// that two descents from there reach, then along the face that separates the bodies most.
//
// GJK ends as soon as its bounds of the distance meet, or rounding prevents progress. The error of
// its direction may then be as large as the root of the relative difference of the bounds. If the
// candidate features differ in direction by less than that error, n cannot single out one of them.
func (s *Searcher) apartNear(n vec.Vec3, d, cosine float64, out *pair.Answer) {
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
	m, gap := s.separatingFace(n, cosine)
	s.apartAlong(m, gap, out)
}

// apartAlong calls Apart with the distance gap, and reports whether there is an answer. It returns
// false if gap is not positive.
func (s *Searcher) apartAlong(n vec.Vec3, gap float64, out *pair.Answer) bool {
	if !(gap > 0) {
		return false
	}
	*out = pair.Answer{AnsweredBy: out.AnsweredBy}
	s.Apart(n, gap, out)
	return out.Status != pair.NotConverged
}

// separatingFace returns the face normal with the largest gap, from A to B, and that gap. Only
// faces whose normal has a cosine of at least cosine with n are tried.
func (s *Searcher) separatingFace(n vec.Vec3, cosine float64) (best vec.Vec3, gap float64) {
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

// nearestFeature answers by the nearest features among the candidates that Near listed.
func (s *Searcher) nearestFeature(n vec.Vec3, d float64, out *pair.Answer) bool {
	return s.nearestFacet(n, d, out) || s.nearestCorner(d, out)
}

// nearestFacet answers by the facet of K with the lowest id that is d away and contains the
// projection of the origin.
func (s *Searcher) nearestFacet(n vec.Vec3, d float64, out *pair.Answer) bool {
	// If the plane of a face is that far away, the cosine between its normal and n is at least 1 −
	// error/d.
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
	return s.anyAnswers(soa.EdgeEdge, s.EdgesA, s.EdgesB, d, out)
}

// nearestCorner answers by the lowest pair of vertices, or of a vertex and an edge.
func (s *Searcher) nearestCorner(d float64, out *pair.Answer) bool {
	return s.anyAnswers(soa.VertexVertex, s.NearA, s.NearB, d, out) ||
		s.anyAnswers(soa.VertexEdge, s.NearA, s.EdgesB, d, out) || s.anyAnswers(soa.EdgeVertex, s.EdgesA, s.NearB, d, out)
}

// anyAnswers answers by the first pair of a feature in ofA and one in ofB that Answers accepts. d
// is an estimate of the distance.
func (s *Searcher) anyAnswers(kind soa.FacetKind, ofA, ofB []uint16, d float64, out *pair.Answer) bool {
	for _, a := range ofA {
		for _, b := range ofB {
			if s.Answers(soa.FacetID{A: a, B: b, Kind: kind}, d, out) {
				return true
			}
		}
	}
	return false
}
