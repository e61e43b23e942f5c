package search

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/facets"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// NearestOf answers a pair that facet, a facet of K, proves apart. d and n are the least distance
// between corners and its direction.
//
// The distance is that of the facet if the projection of the origin lies inside the facet.
// Otherwise it is that of the nearest two vertices, or vertex and edge. NearestOf tries both,
// because only the proof shows which of them holds.
//
// Among facets that tie, facet may be one beside the projection, with a direction that misses some
// of the nearest features. If nothing is proven, the candidates come from a wider band below the
// support, and at last from all vertices.
//
// A pair slightly farther apart than CloseTol, with nearly parallel faces or edges, is a special
// case: rounding may put the projection outside every facet that is proven. The facet then still
// answers if its distance is that of the pair to ProofTol.
func (s *Searcher) NearestOf(facet facets.Shallowest, d float64, n vec.Vec3, out *pair.Answer) {
	if facet.ID.Kind == soa.NoFacet {
		return
	}
	for _, widen := range [3]float64{0, s.LengthScale / (1 << 20), math.Inf(1)} {
		if s.NearestAlong(-facet.H, facet.N, widen, out) || s.NearestAlong(d, n, widen, out) {
			return
		}
	}
	out.Status = pair.NotConverged
	facet = s.Separating(pair.NegInf)
	if _, d := s.Meet(vec.Vec3{}, facet.N); d+facet.H <= s.Tol.Proof {
		s.WriteFacet(facet.ID, math.Inf(1), out)
	}
}

// NearestAlong answers a pair whose distance and direction may be d and n, and reports whether the
// answer is proven. The candidates lie within widen of the support, or within Band(d) if that is
// larger.
func (s *Searcher) NearestAlong(d float64, n vec.Vec3, widen float64, out *pair.Answer) bool {
	*out = pair.Answer{AnsweredBy: pair.BySearch}
	s.Near(n, max(s.Band(d), widen))
	return s.nearestFeature(n, d, out)
}

// Exhaustive answers the cores of two polyhedra by trying everything: all facets of K (see
// Separating) and, for a pair apart, all pairs of vertices and edges. Exhaustive converges for all
// shapes of package geometry, so it answers the pairs that are NotConverged otherwise. Balls and
// planes use Pair, which is exhaustive for them.
//
// Cost: a few µs for two cubes that overlap, growing with the edges of A times the edges of B. A
// pair apart takes four times as long.
func (s *Searcher) Exhaustive(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *pair.Answer) {
	if !pair.Polyhedra(a, b) {
		s.Pair(a, pa, b, pb, reach, out)
		return
	}
	*out = pair.Answer{AnsweredBy: pair.BySearch}
	if !s.Load(a, pa, b, pb) {
		out.Status = pair.Degenerate
		return
	}
	// Of facets that tie, Separating returns the one with the lowest id, whose h_K may be a tie
	// above that of the facet that ended the search. The floor is lower by two ties, so that the
	// facet returned still proves a gap above reach.
	reach = max(reach*s.Scale, s.Tol.Close)
	best := s.Separating(-reach - s.Tol.Round - 2*s.Tol.Tie)
	lower := -best.H - s.Tol.Round
	if lower > reach {
		s.FarAnswer(best.N, lower, out)
		return
	}
	s.FacetOrDistance(best, out)
}

// FacetOrDistance answers a pair by its shallowest facet. If the facet proves the pair apart, the
// nearer of the facet and all corners answers.
func (s *Searcher) FacetOrDistance(best facets.Shallowest, out *pair.Answer) {
	if !s.FacetsAnswer(best, out) {
		s.Distance(best, out)
	}
}

// Distance answers a pair that the facet best of K proves apart.
func (s *Searcher) Distance(best facets.Shallowest, out *pair.Answer) {
	d, n := s.allCorners()
	s.NearestOf(best, d, n, out)
}
