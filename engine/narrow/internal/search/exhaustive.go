package search

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/facets"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// NearestOf answers a pair that a facet of K proves apart, from that facet and the nearest corners, d apart along n. The
// distance is that of the facet, if the foot of the origin lies inside it, and otherwise that of the nearest two
// vertices, or vertex and edge. Which of the two holds shows in the proof: both are tried. Of several facets that tie
// this may be one beside the foot, whose direction does not touch all the features it should: if
// nothing is proven they are drawn from a wider band below the support, at last from all vertices. A pair little
// farther apart than CloseTol, with faces or edges that are next to parallel, may have its foot outside of every facet that is
// proven, by a rounding: if its distance is that of the facet to ProofTol, the facet answers all the same.
func (s *Finder) NearestOf(facet facets.Shallowest, d float64, n vec.Vec3, out *pair.Answer) {
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

// NearestAlong answers a pair whose distance and direction may be d and n.
func (s *Finder) NearestAlong(d float64, n vec.Vec3, widen float64, out *pair.Answer) bool {
	*out = pair.Answer{AnsweredBy: pair.BySearch}
	s.Near(n, max(s.Band(d), widen))
	return s.nearestFeature(n, d, out)
}

// Exhaustive answers the cores of two polyhedra by trying everything: all facets of K (see separating) and, for a
// pair apart, all pairs of vertices and edges. It always converges and is what NotConverged falls back
// to. Balls and planes go their usual way, which is exhaustive already. Cost: a few µs for two cubes that
// overlap, growing with edges of A times edges of B; four times that for a pair apart.
func (s *Finder) Exhaustive(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *pair.Answer) {
	if !pair.Polyhedra(a, b) {
		s.Pair(a, pa, b, pb, reach, out)
		return
	}
	*out = pair.Answer{AnsweredBy: pair.BySearch}
	if !s.Load(a, pa, b, pb) {
		out.Status = pair.Degenerate
		return
	}
	// Of facets that tie the lowest is named: one above the floor must not stand for one below, which ends the search.
	reach = max(reach*s.Scale, s.Tol.Close)
	best := s.Separating(-reach - s.Tol.Round - 2*s.Tol.Tie)
	lower := -best.H - s.Tol.Round
	if lower > reach {
		s.FarAnswer(best.N, lower, out)
		return
	}
	if s.FacetsAnswer(best, out) {
		return
	}
	s.Distance(best, out)
}

// Distance answers a pair that some facet of K proves apart.
func (s *Finder) Distance(best facets.Shallowest, out *pair.Answer) {
	d, n := s.allCorners()
	s.NearestOf(best, d, n, out)
}
