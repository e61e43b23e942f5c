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
	// FacetCentre adds to the points of a facet its centre, as PFC does, and asks GJK and EPA for every block and facet.
	// It changes no answer: a facet here is a dihedron, whose K with a block is a solid. It is there to compare.
	FacetCentre bool

	proof.Prover
	polytope
	colCentre pair.Column
}

// Pair answers any pair of pieces. A's kind must not come after B's in the order ball, block, facet,
// plane, as in soa.Pairs; two facets, or a facet and a plane, have no contact and are Degenerate, as is a pose that is not
// finite or no rotation. A pose is that of the shape's own frame, whose origin is the centroid: of a shape that lay elsewhere
// in its file add Rot·soa.Shapes.Origin to the position. The gap matters only up to reach ≥ 0, m: a pair farther apart may be
// answered with a bound (Answer.Exact). It panics on nil.
func (s *Finder) Pair(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *pair.Answer) {
	s.PairCores(a, pa, b, pb, pair.CoreReach(a, b, reach), out)
	out.Grow(a.Round, b.Round)
}

// PairCores is Pair for the cores of rounded pieces.
func (s *Finder) PairCores(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *pair.Answer) {
	s.ForgetProof()
	switch {
	case a.Kind == soa.Ball && b.Kind == soa.Ball:
		ball.BallBall(a, pa, b, pb, reach, out)
	case a.Kind == soa.Ball && b.Kind == soa.Block:
		ball.BallBlock(a, pa, b, pb, reach, out)
	case a.Kind == soa.Ball && b.Kind == soa.Facet:
		ball.BallFacet(a, pa, b, pb, reach, out)
	case a.Kind == soa.Block && b.Kind == soa.Block:
		s.BlockBlock(a, pa, b, pb, reach, out)
	case a.Kind == soa.Block && b.Kind == soa.Facet:
		s.BlockFacet(a, pa, b, pb, reach, out)
	case b.Kind == soa.Plane && (a.Kind == soa.Ball || a.Kind == soa.Block):
		ball.OnPlane(a, pa, pb, out)
	default:
		*out = pair.Answer{Status: pair.Degenerate}
	}
}

// Resolve is Pair followed, where it does not converge, by Exhaustive: it always ends with an answer or
// with Degenerate. It panics on nil. The engine calls the two apart, to count.
func (s *Finder) Resolve(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *pair.Answer) {
	s.ResolveCores(a, pa, b, pb, pair.CoreReach(a, b, reach), out)
	out.Grow(a.Round, b.Round)
}

// ResolveCores is Resolve for the cores of rounded pieces.
func (s *Finder) ResolveCores(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *pair.Answer) {
	s.PairCores(a, pa, b, pb, reach, out)
	if out.Status == pair.NotConverged {
		s.ExhaustiveCores(a, pa, b, pb, reach, out)
	}
}

// BlockBlock answers two blocks: by the facet of K that a descent from the line of centres finds, if that is proven (see
// cold), and otherwise by GJK, and where they overlap EPA; blocks with few edges that are nearly at
// one place by all facets.
func (s *Finder) BlockBlock(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *pair.Answer) {
	*out = pair.Answer{}
	out.Level = pair.LevelSearch
	if !s.Place(a, pa, b, pb) {
		out.Status = pair.Degenerate
		return
	}
	if s.AskAllFacets() {
		s.BringAll()
		s.FacetsAnswer(s.Separating(pair.NegInf), out)
		return
	}
	if s.Cold(reach, out) {
		return
	}
	s.BringAll()
	if s.N = 0; s.AtOnePlace() {
		s.EPA(out)
		return
	}
	s.SearchLoaded(reach, out)
}

// Iterate answers any pair as Pair does, but two polyhedra by GJK, and where they overlap EPA, and nothing else: no descent
// and no certificate. Where these do not converge the exhaustive search answers, and Iterate says so.
func (s *Finder) Iterate(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *pair.Answer,
) (exhaustive bool) {
	if !pair.Polyhedra(a, b) {
		s.Pair(a, pa, b, pb, reach, out)
		return false
	}
	*out = pair.Answer{Level: pair.LevelSearch}
	s.ForgetProof()
	if !s.Load(a, pa, b, pb) {
		out.Status = pair.Degenerate
		return false
	}
	s.SearchLoaded(pair.CoreReach(a, b, reach), out)
	if exhaustive = out.Status == pair.NotConverged; exhaustive {
		s.ExhaustiveCores(a, pa, b, pb, pair.CoreReach(a, b, reach), out)
	}
	out.Grow(a.Round, b.Round)
	return exhaustive
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

// stalled answers a pair that GJK has neither parted nor found to overlap.
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
	*out = pair.Answer{Level: out.Level}
	s.EPA(out)
}

// BlockFacet answers a block and a facet. A facet is a dihedron (two faces, back to back), so K is
// full-dimensional and nothing is special; the point PFC adds at the facet's centre is not needed, but see FacetCentre.
func (s *Finder) BlockFacet(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *pair.Answer) {
	if s.FacetCentre {
		s.blockFacetCentre(a, pa, b, pb, reach, out)
		return
	}
	s.BlockBlock(a, pa, b, pb, reach, out)
}
