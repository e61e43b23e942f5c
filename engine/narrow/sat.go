package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// SeparatingAxes answers two polyhedra by the separating axis test: the normals of all faces, and of all pairs of edges
// whose arcs cross on the Gauss map. The gap is exact for a pair that overlaps and for one within reach and within dtol,
// m, of each other; it may be a positive lower bound above both for others. The list gets type and contacts, and
// keeps what the next step starts from. Other kinds of pieces are answered by Resolve and have no contacts.
//
// Source: Gottschalk et al. 1996 for the axes, Gregorius 2013 for the pruning and for trying the last axis first. Faces
// of A come first, then those of B, then edges, and the first axis that keeps the bodies farther apart than asked ends
// the test. A pair that was apart is tried along its last axis. One that touched has its last facet evaluated first: the
// depth along it bounds the answer from above, so that fewer pairs of edges need a support. Where we depart: of
// facets that tie the lowest id wins, so that depth and normal are those of Exhaustive to the bit; and for a pair closer
// than asked, whose distance is no matter of axes alone, the nearest corners are searched as in Direct.
// Cost: vertices × faces, and four signs for each pair of edges; one support where the last axis still separates. It
// always converges.
func (s *Search) SeparatingAxes(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *ContactList, out *Answer) {
	if s.keptApart(a, pa, b, pb, max(reach, dtol), list, out) || !s.begin(a, pa, b, pb, dtol, list, out) {
		return
	}
	far := s.farFrom(reach, dtol)
	facet, apart := s.axes(s.boundOf(list.memory.facet), far)
	switch {
	case apart:
		s.farAnswer(facet.n, -facet.h-s.tol.round, out)
	case !s.facetsAnswer(facet, out):
		d, n := s.allCorners()
		s.nearestOf(facet, d, n, out)
	}
	s.end(dtol, updateNone, list, out)
}

// keptApart answers a pair that was apart and that the axis of the step before still keeps farther apart than far, m.
func (s *Search) keptApart(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, far float64, list *ContactList, out *Answer) bool {
	list.belongTo(a, b)
	return polyhedra(a, b) && list.Type == NoType && s.excluded(a, pa, b, pb, far, list, out)
}

// farFrom returns the gap, in the scale of the search, above which a lower bound is an answer.
func (s *Search) farFrom(reach, dtol float64) float64 { return max(s.nearness(dtol), reach*s.scale) }

// boundOf returns an upper bound of the depth: that along the normal of a facet of an earlier answer, by full support.
func (s *Search) boundOf(id soa.FacetID) shallowest {
	if n, ok := s.normalOf(id); ok {
		return shallowest{h: s.a.top(n) - s.b.bottom(n), n: n}
	}
	return shallowest{h: math.Inf(1)}
}

// normalOf returns the normal of a facet of K of an earlier answer, if it has one and the shapes have it.
func (s *Search) normalOf(id soa.FacetID) (vec.Vec3, bool) {
	if id.Kind == soa.NoFacet || id.Kind > soa.EdgeEdge || !inRange(s.va, s.vb, id) {
		return vec.Vec3{}, false
	}
	_, n, ok := s.finalise(id)
	return n, ok
}

// axes returns the shallowest facet of K, which is no deeper than bound; or, with true, an axis along which the gap
// exceeds far.
func (s *Search) axes(bound shallowest, far float64) (shallowest, bool) {
	limit := -far - s.tol.round - s.tol.tie
	if bound.h < limit {
		return bound, true
	}
	s.hA, s.hB, s.mB, s.edges = s.hA[:0], s.hB[:0], s.mB[:0], s.edges[:0]
	face := math.Inf(1)
	for f := range s.va.NFaces {
		n, d := s.planeA(f)
		h := d - s.b.bottom(n)
		if s.hA = append(s.hA, h); h < limit {
			return shallowest{h: h, n: n}, true
		}
		face = min(face, h)
	}
	for g := range s.vb.NFaces {
		m, d := s.planeB(g)
		h := d - s.a.bottom(m)
		if s.hB, s.mB = append(s.hB, h), append(s.mB, m); h < limit {
			return shallowest{h: h, n: m.Neg()}, true
		}
		face = min(face, h)
	}
	w := &s.fronts
	w.edges = w.edges[:0]
	for e := range s.vb.Edge {
		w.edges = append(w.edges, s.edgeOfB(e))
	}
	// A bound that is a face's must not keep out the edges that tie with it, nor may rounding: hence the tie.
	best := min(face, bound.h+s.tol.tie)
	for e := range s.va.Edge {
		if best = s.edgeAgainst(e, w.edges, best, face); best < limit {
			return s.leastEdge(), true
		}
	}
	least := face
	for _, e := range s.edges {
		least = min(least, e.h)
	}
	return s.choose(least), false
}

// leastEdge returns the shallowest of the pairs of edges noted.
func (s *Search) leastEdge() shallowest {
	least := shallowest{h: math.Inf(1)}
	for _, e := range s.edges {
		if e.h < least.h {
			_, n, _ := s.finalise(e.FacetID)
			least = shallowest{e.h, e.FacetID, n}
		}
	}
	return least
}
