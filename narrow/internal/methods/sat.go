package methods

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/facets"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// SeparatingAxes answers two polyhedra by the separating axis test. The axes are the normals of all
// faces, and of all pairs of edges whose arcs cross on the Gauss map. The gap is exact for a pair
// that overlaps, and for one within reach or dtol, m, of each other. For other pairs it may be a
// positive lower bound above both. The list gets type and contacts, and stores where the next step
// starts.
//
// Source: Gottschalk et al. 1996 for the axes, Gregorius 2013 for the pruning and for trying the
// last axis first. Faces of A come first, then those of B, then edges. The first axis that
// separates the bodies by more than needed ends the test. A pair that was apart is tested along its
// last axis. For a pair that touched, the last facet is evaluated first: the depth along it is an
// upper bound, so fewer pairs of edges need a support.
//
// Departures: Of facets that tie, the lowest id wins, so depth and normal equal those of Exhaustive
// to the bit. The distance of a pair within reach is not determined by axes alone, so the nearest
// corners are searched as in Direct.
//
// Cost: vertices × faces, and four signs for each pair of edges; one support if the last axis still
// separates. SeparatingAxes always converges.
func (s *Methods) SeparatingAxes(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *typing.ContactList, out *pair.Answer,
) (exhaustive bool) {
	return s.answerWithList((*Methods).alongAxes, a, pa, b, pb, reach, dtol, list, out)
}

// alongAxes answers a loaded pair for SeparatingAxes.
func (s *Methods) alongAxes(far float64, kept *typing.ListMemory, out *pair.Answer) (exhaustive bool) {
	facet, apart := s.axes(s.boundOf(kept.Facet), far)
	if apart {
		s.FarAnswer(facet.N, -facet.H-s.Tol.Round, out)
	} else {
		s.FacetOrDistance(facet, out)
	}
	return false
}

// boundOf returns an upper bound of the depth: the h_K along the normal of a facet of an earlier
// answer, by full supports. Without such a facet the bound is +Inf.
func (s *Methods) boundOf(id soa.FacetID) facets.Shallowest {
	if n, ok := s.normalOf(id); ok {
		return facets.Shallowest{H: s.HullA.Top(n) - s.HullB.Bottom(n), N: n}
	}
	return facets.Shallowest{H: math.Inf(1)}
}

// normalOf returns the normal of a facet of K of an earlier answer. It returns false if there is no
// such facet, or if the shapes do not have it.
func (s *Methods) normalOf(id soa.FacetID) (vec.Vec3, bool) {
	if id.Kind == soa.NoFacet || id.Kind > soa.EdgeEdge || !pair.InRange(s.ViewA, s.ViewB, id) {
		return vec.Vec3{}, false
	}
	_, n, ok := s.Finalise(id)
	return n, ok
}

// axes returns the shallowest facet of K, which must be no deeper than bound. If an axis has a gap
// above far, axes returns that axis and true instead.
func (s *Methods) axes(bound facets.Shallowest, far float64) (facets.Shallowest, bool) {
	limit := -far - s.Tol.Round - s.Tol.Tie
	if bound.H < limit {
		return bound, true
	}
	face := s.FaceAxes(limit)
	if face < limit {
		return s.OnFace(len(s.H)-1, face), true
	}
	// A bound that comes from a face must not exclude the edges that tie with it, and rounding must
	// not either. Hence the tie.
	apart := s.allEdges(min(face, bound.H+s.Tol.Tie), face, limit) < limit
	least := facets.Scored{H: face}
	for _, e := range s.Edges {
		if e.H < least.H {
			least = e
		}
	}
	if apart {
		_, n, _ := s.Finalise(least.FacetID)
		return facets.Shallowest{H: least.H, ID: least.FacetID, N: n}, true
	}
	return s.Choose(least.H), false
}
