package methods

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/facets"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/engine/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// SeparatingAxes answers two polyhedra by the separating axis test: the normals of all faces, and of all pairs of edges
// whose arcs cross on the Gauss map. The gap is exact for a pair that overlaps and for one within reach and within dtol,
// m, of each other; it may be a positive lower bound above both for others. The list gets type and contacts, and
// keeps what the next step starts from.
//
// Source: Gottschalk et al. 1996 for the axes, Gregorius 2013 for the pruning and for trying the last axis first. Faces
// of A come first, then those of B, then edges, and the first axis that keeps the bodies farther apart than asked ends
// the test. A pair that was apart is tried along its last axis. One that touched has its last facet evaluated first: the
// depth along it bounds the answer from above, so that fewer pairs of edges need a support. Where we depart: of
// facets that tie the lowest id wins, so that depth and normal are those of Exhaustive to the bit; and for a pair closer
// than asked, whose distance is no matter of axes alone, the nearest corners are searched as in Direct.
// Cost: vertices × faces, and four signs for each pair of edges; one support where the last axis still separates. It
// always converges.
func (s *Methods) SeparatingAxes(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *typing.ContactList, out *pair.Answer,
) (exhaustive bool) {
	return s.by((*Methods).alongAxes, a, pa, b, pb, reach, dtol, list, out)
}

// alongAxes is the way of SeparatingAxes.
func (s *Methods) alongAxes(far float64, kept *typing.ListMemory, out *pair.Answer) (exhaustive bool) {
	facet, apart := s.axes(s.boundOf(kept.Facet), far)
	if apart {
		s.FarAnswer(facet.N, -facet.H-s.Tol.Round, out)
	} else {
		s.nearestAtAll(facet, out)
	}
	return false
}

// boundOf returns an upper bound of the depth: that along the normal of a facet of an earlier answer, by full support.
func (s *Methods) boundOf(id soa.FacetID) facets.Shallowest {
	if n, ok := s.normalOf(id); ok {
		return facets.Shallowest{H: s.HullA.Top(n) - s.HullB.Bottom(n), N: n}
	}
	return facets.Shallowest{H: math.Inf(1)}
}

// normalOf returns the normal of a facet of K of an earlier answer, if it has one and the shapes have it.
func (s *Methods) normalOf(id soa.FacetID) (vec.Vec3, bool) {
	if id.Kind == soa.NoFacet || id.Kind > soa.EdgeEdge || !pair.InRange(s.ViewA, s.ViewB, id) {
		return vec.Vec3{}, false
	}
	_, n, ok := s.Finalise(id)
	return n, ok
}

// axes returns the shallowest facet of K, which is no deeper than bound; or, with true, an axis along which the gap
// exceeds far.
func (s *Methods) axes(bound facets.Shallowest, far float64) (facets.Shallowest, bool) {
	limit := -far - s.Tol.Round - s.Tol.Tie
	if bound.H < limit {
		return bound, true
	}
	s.H = s.H[:0]
	face := math.Inf(1)
	for k := range s.NFaces() {
		n, d, other := s.Face(k)
		h := d - other.Bottom(n)
		s.H = append(s.H, h)
		if face = min(face, h); h < limit {
			return s.OnFace(k, h), true
		}
	}
	s.bringEdges()
	// A bound that is a face's must not keep out the edges that tie with it, nor may rounding: hence the tie.
	best := min(face, bound.H+s.Tol.Tie)
	for e := range s.ViewA.Edge {
		if best = s.edgeAgainst(e, s.Fronts.Edges, best, face); best < limit {
			return s.leastEdge(), true
		}
	}
	least := face
	for _, e := range s.Edges {
		least = min(least, e.H)
	}
	return s.Choose(least), false
}

// leastEdge returns the shallowest of the pairs of edges noted.
func (s *Methods) leastEdge() facets.Shallowest {
	least := facets.Shallowest{H: math.Inf(1)}
	for _, e := range s.Edges {
		if e.H < least.H {
			_, n, _ := s.Finalise(e.FacetID)
			least = facets.Shallowest{H: e.H, ID: e.FacetID, N: n}
		}
	}
	return least
}
