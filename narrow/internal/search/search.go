package search

import (
	"github.com/scree-dem/scree/narrow/internal/ball"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/proof"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Searcher is the workspace of a search: the workspace of proofs, and the polytope of EPA.
type Searcher struct {
	proof.Prover
	polytope
}

// Pair answers any pair of pieces by their cores (the pieces without their rounding radius). a.Kind
// must not come after b.Kind in the order ball, block, facet, plane, as in soa.Pairs. The gap
// matters only up to reach ≥ 0, m: for a pair farther apart, out may hold only a lower bound
// (Answer.Exact).
//
// The status is Degenerate if a pose is not finite or not a rotation. The status is also Degenerate
// for two facets, or a facet and a plane: these have no contact.
func (s *Searcher) Pair(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *pair.Answer) {
	s.ForgetProof()
	switch soa.KindPairOf(a.Kind, b.Kind).Gap {
	case soa.RoundAndRound:
		ball.BallBall(a, pa, b, pb, reach, out)
	case soa.RoundAndFaces:
		ball.BallPolyhedron(a, pa, b, pb, reach, out)
	case soa.FacesAndFaces:
		s.polyhedra(a, pa, b, pb, reach, out)
	case soa.OnHalfSpace:
		ball.OnPlane(a, pa, pb, out)
	default:
		*out = pair.Answer{Status: pair.Degenerate}
	}
}

// polyhedra answers two blocks, or a block and a facet.
//
// A descent from the line of centres finds a facet of K, which is the answer if it is proven
// (Cold). If it is not proven, GJK answers, and EPA if the bodies overlap. Blocks with few edges
// whose centres nearly coincide are answered by all facets of K.
//
// A facet is treated as a dihedron (two faces, back to back). K is then full-dimensional, so facets
// need no special case. PFC adds a point at the facet's centre: the point lies in the convex hull
// of the corners and adds nothing to K.
func (s *Searcher) polyhedra(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *pair.Answer) {
	*out = pair.Answer{}
	out.AnsweredBy = pair.BySearch
	if !s.Place(a, pa, b, pb) {
		out.Status = pair.Degenerate
		return
	}
	if s.TryAllFacets() {
		s.AllToFrameA()
		s.FacetsAnswer(s.Separating(pair.NegInf), out)
		return
	}
	if s.Cold(reach, out) {
		return
	}
	s.AllToFrameA()
	if s.N = 0; s.NearlyConcentric() {
		s.EPA(out)
		return
	}
	s.RunGJKEPA(reach, out)
}

// Iterate answers the cores of two polyhedra by GJK, and by EPA if they overlap. Iterate uses no
// descent and no certificate.
func (s *Searcher) Iterate(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *pair.Answer) {
	*out = pair.Answer{AnsweredBy: pair.BySearch}
	s.ForgetProof()
	if !s.Load(a, pa, b, pb) {
		out.Status = pair.Degenerate
		return
	}
	s.RunGJKEPA(reach, out)
}

// RunGJKEPA runs GJK, and EPA if the bodies overlap, for the pair that is loaded.
func (s *Searcher) RunGJKEPA(reach float64, out *pair.Answer) {
	s.answerAs(s.GJK(reach*s.Scale), out)
}

// answerAs answers the pair for which GJK returned how.
func (s *Searcher) answerAs(how gjkResult, out *pair.Answer) {
	switch how {
	case GJKFar:
		s.FarAnswer(s.Axis, s.Lower, out)
	case GJKApart:
		s.AnswerApart(out)
	case GJKOverlap:
		s.EPA(out)
	default:
		s.stalled(out)
	}
}

// AnswerApart answers a pair that GJK found apart. s.Nearby is a point of K, s.Upper its distance
// from the origin, and s.Lower a lower bound of the gap.
//
// Let m be the direction with the largest gap. That gap, −h_K(m), is at least Lower and at most
// −m·Nearby. Therefore the cosine of the angle between m and −Nearby is at least Lower/Upper.
//
// The status is NotConverged for features at most CloseTol apart, of which Upper is no estimate. All
// facets of K must then answer, by the lowest of those that tie. Answers accepts only facets that
// rounding puts apart, if the estimate exceeds CloseTol.
func (s *Searcher) AnswerApart(out *pair.Answer) {
	s.apartNear(s.Nearby.Scale(-1/s.Upper), s.Upper, (s.Lower-s.Tol.Proof)/s.Upper, out)
	if out.Gap*s.Scale <= s.Tol.Close {
		out.Status = pair.NotConverged
	}
}

// stalled answers a pair that GJK has neither separated nor found to overlap. Such a pair is next
// to touching: stalled treats it as apart first, and as overlapping if that proves nothing.
//
// The direction of a point of K at a distance d from the origin has an error of a rounding over d.
// If neighbouring facets of K are nearly coplanar, the support along that direction may be far from
// the nearest point.
func (s *Searcher) stalled(out *pair.Answer) {
	if s.Upper > s.Tol.Close {
		if s.AnswerApart(out); out.Status != pair.NotConverged {
			return
		}
	}
	s.N = 0 // AnswerApart may have overwritten the simplex
	*out = pair.Answer{AnsweredBy: out.AnsweredBy}
	s.EPA(out)
}
