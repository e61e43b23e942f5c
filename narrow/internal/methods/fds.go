package methods

import (
	"github.com/scree-dem/scree/narrow/internal/facets"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/proof"
	"github.com/scree-dem/scree/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// FastDirect answers two polyhedra by our own form of the fast direct search (FDS), which compares
// identities of features and has certificates; FastDirectPaper is the published form. FastDirect
// starts from what the list stores of the last step. For a pair not seen before it starts from nothing. It then inspects only
// pairs of a face and a vertex and pairs of edges, and of these only the features that face the
// other body. The list gets type and contacts.
//
// The gap is exact for a pair within reach or dtol, m, of each other. For other pairs it may be a
// positive lower bound above both. Status, an exact gap and normal, and the contacts do not depend
// on the list, except for which of several facets that tie is named: whatever is not proven is
// searched for. FastDirect always converges.
//
// Source, initial detection: the valid entrances of the paper are pairs of features that a plane
// can separate while their points coincide. They are the facets of K, and the tests of the paper
// find the shallowest of them, faces first, then edges. A valid entrance farther than both dtol and
// reach ends the search: the pair is apart. Departures from the paper:
//
//   - The valid vertex of a face is its nearest vertex, found by distance instead of by the edges
//     at each.
//   - Distances are signed and only the positive side is compared with dtol, so deep contacts are
//     not lost.
//   - The paper searches the slab of the first contact found, which need not be the shallowest.
//     FastDirect instead drops the features whose facets are deeper than the best because of the
//     inscribed balls of both bodies (see fronts). This loses no facet.
//   - The type is read from the contact plane at the end (see Contacts).
//
// Cost: 0.8 to 2.6 µs for two cubes that touch, 0.3 µs for two apart; vertices × faces in front,
// edges × edges in front.
//
// Source, updated detection: a pair that was apart is excluded again by its last axis, with one
// support. For a pair that touched, the paper tests locally whether the last contact is still a
// valid entrance and the nearest of its neighbours. The certificate Feature takes the place of this
// test, and also proves that no facet elsewhere is shallower. If it fails, the initial detection
// runs with the last facet first, and for edges only in the search region of the last contact
// planes (see slab). The features within dtol of the contact plane are compared with those of the
// last step by identity. FastDirectPaper compares their number.
//
// Cost: 60 ns for a pair apart. For two cubes that touch: 0.5 µs to prove a corner in a face, 0.7
// µs for two edges, 1.3 to 2.3 µs otherwise, mostly for the list.
func (s *Methods) FastDirect(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *typing.ContactList, out *pair.Answer,
) (exhaustive bool) {
	c := &s.Paper.Checks
	*c = Checks{Entrance: 1}
	if s.keptApart(a, pa, b, pb, max(reach, dtol), list, out) {
		return false
	}
	if list.Kept.Penetrating && list.Type != typing.NoType && s.provenAgain(a, pa, b, pb, list.Kept.Facet, &list.Kept.Proof, out) {
		s.AllToFrameA()
	} else {
		first := list.Kept.Facet
		if first.Kind == soa.NoFacet && list.Kept.Axis == (vec.Vec3{}) {
			c.Entrance = 0 // There is no last step.
		}
		if !s.begin(a, pa, b, pb, list, out) {
			return false
		}
		s.fastDirect(s.farFrom(reach, dtol), first, list, out)
	}
	s.end(dtol, true, list, out)
	return false
}

// provenAgain answers a pair that touched from its last facet, or from two faces within the budget
// of their proof, which it renews. It returns false if nothing is proven.
func (s *Methods) provenAgain(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, first soa.FacetID, was *proof.Proof, out *pair.Answer,
) bool {
	turn := 1 / min(a.Radius, b.Radius)
	if was.QuadA != 0 {
		if _, holds := proof.MotionLeft(&was.PoseBound, pa, pb, turn); holds && s.Place(a, pa, b, pb) && s.FacesInBudget(a, pa, b, pb, was, out) {
			return true
		}
	}
	if *was = (proof.Proof{}); !s.Feature(a, pa, b, pb, 0, first, out) {
		return false
	}
	if s.Last.Faces.QuadA != 0 {
		*was = s.FacesBudget(turn)
	}
	return true
}

// fastDirect is the initial detection of the loaded pair. first is a facet that may be the answer.
// near is the gap above which a lower bound is an answer.
func (s *Methods) fastDirect(near float64, first soa.FacetID, list *typing.ContactList, out *pair.Answer) {
	best, apart := s.frontFaces(first, near)
	if !apart {
		best, apart = s.frontEdges(best, near, list)
	}
	facet := s.Choose(best)
	switch {
	case apart:
		s.FarAnswer(facet.N, -facet.H-s.Tol.Round, out)
	case !s.FacetsAnswer(facet, out):
		s.nearestInFront(facet, near, out)
	}
}

// nearestInFront answers a pair that facet proves apart by no more than near. The answer is the
// facet if it contains the projection of the origin, or else comes from the corners next to its
// plane.
//
// A point nearest to the other body lies behind the plane by no more than the excess of the
// distance over the facet's gap. Therefore an edge with such a point has an end there. If the
// distance exceeds near, all corners are tried.
func (s *Methods) nearestInFront(facet facets.Shallowest, near float64, out *pair.Answer) {
	if facet.ID.Kind == soa.NoFacet {
		return
	}
	if s.NearestAlong(-facet.H, facet.N, 0, out) {
		return
	}
	s.Paper.Checks.Distance++
	s.Near(facet.N, near)
	if d, n := s.NearCorners(); d+facet.H <= near {
		if s.NearestAlong(d, n, 0, out) {
			return
		}
	}
	s.Distance(facet, out)
}
