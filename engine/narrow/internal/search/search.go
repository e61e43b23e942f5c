package search

import (
	"github.com/scree-dem/scree/engine/narrow/internal/ball"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/engine/narrow/internal/proof"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Finder is the workspace of a search: what proofs need, and the polytope of EPA.
type Finder struct {
	proof.Prover
	polytope
}

// Pair answers any pair of pieces by their cores. A's kind must not come after B's in the order ball, block, facet,
// plane, as in soa.Pairs; two facets, or a facet and a plane, have no contact and are Degenerate, as is a pose that is not
// finite or no rotation. The gap matters only up to reach ≥ 0, m: a pair farther apart may be answered with a bound
// (Answer.Exact).
func (s *Finder) Pair(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *pair.Answer) {
	s.ForgetProof()
	switch {
	case a.Kind == soa.Ball && b.Kind == soa.Ball:
		ball.BallBall(a, pa, b, pb, reach, out)
	case a.Kind == soa.Ball && (b.Kind == soa.Block || b.Kind == soa.Facet):
		ball.BallPolyhedron(a, pa, b, pb, reach, out)
	case pair.Polyhedra(a, b):
		s.polyhedra(a, pa, b, pb, reach, out)
	case b.Kind == soa.Plane && (a.Kind == soa.Ball || a.Kind == soa.Block):
		ball.OnPlane(a, pa, pb, out)
	default:
		*out = pair.Answer{Status: pair.Degenerate}
	}
}

// polyhedra answers two blocks, or a block and a facet: by the facet of K that a descent from the line of centres finds, if that is proven (see
// cold), and otherwise by GJK, and where they overlap EPA; blocks with few edges that are nearly at
// one place by all facets. A facet is a dihedron (two faces, back to back), so K is full-dimensional and nothing is special; the
// point that PFC adds at the facet's centre lies in the convex hull of the corners and adds nothing to K.
func (s *Finder) polyhedra(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *pair.Answer) {
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
	if s.N = 0; s.AtOnePlace() {
		s.EPA(out)
		return
	}
	s.SearchLoaded(reach, out)
}

// Iterate answers the cores of two polyhedra by GJK, and where they overlap EPA, and nothing else: no descent
// and no certificate.
func (s *Finder) Iterate(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *pair.Answer) {
	*out = pair.Answer{AnsweredBy: pair.BySearch}
	s.ForgetProof()
	if !s.Load(a, pa, b, pb) {
		out.Status = pair.Degenerate
		return
	}
	s.SearchLoaded(reach, out)
}

// SearchLoaded is GJK and EPA of a pair that is loaded.
func (s *Finder) SearchLoaded(reach float64, out *pair.Answer) {
	s.answerAs(s.GJK(reach*s.Scale), out)
}

// answerAs answers a pair for which GJK ended in a way.
func (s *Finder) answerAs(how gjkResult, out *pair.Answer) {
	switch how {
	case GJKFar:
		s.FarAnswer(s.Axis, s.Lower, out)
	case GJKApart:
		s.ApartFound(out)
	case GJKOverlap:
		s.EPA(out)
	default:
		s.stalled(out)
	}
}

// ApartFound answers a pair of which GJK has found a point v of K and a bound of the gap. Along m the gap is −h_K(m) ≤ −m·v, and the
// largest is no less than the bound: there the cosine of m and −v is lower/upper or more.
func (s *Finder) ApartFound(out *pair.Answer) {
	s.apartNear(s.Nearby.Scale(-1/s.Upper), s.Upper, (s.Lower-s.Tol.Proof)/s.Upper, out)
}

// stalled answers a pair that GJK has neither separated nor found to overlap.
//
// That is so next to touching. A point of K at a distance d from the origin has a direction that is off by a rounding over d, and where
// facets of K lean from each other by next to nothing, the support along it may be far from the nearest. Such a pair is tried as one apart,
// and where nothing is proven, as one that overlaps.
func (s *Finder) stalled(out *pair.Answer) {
	if s.Upper > s.Tol.Close {
		if s.ApartFound(out); out.Status != pair.NotConverged {
			return
		}
	}
	s.N = 0 // the witness has used the simplex
	*out = pair.Answer{AnsweredBy: out.AnsweredBy}
	s.EPA(out)
}
