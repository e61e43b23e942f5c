package methods

import (
	"github.com/scree-dem/scree/engine/narrow/internal/facets"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/engine/narrow/internal/proof"
	"github.com/scree-dem/scree/engine/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// FastDirect answers two polyhedra by the fast direct search, from what the list holds of the step before or, of a pair not seen
// before, from nothing: then only pairs of a face and a vertex and of two edges are looked at, and of those only the ones in
// front. The list gets type and contacts. The gap is exact for a pair within reach or within dtol, m, of each
// other; for others it may be a positive lower bound above both. Status, an exact gap and normal, and the contacts do not depend
// on what the list holds, but for which of several facets that tie it names: what is not proven is searched for.
//
// Source: the fast direct search. Of its initial detection: its valid entrances, pairs of features that a plane can part with
// their points superimposed, are the facets of K, and what its tests find is the shallowest of them. Faces come first,
// then edges. A valid entrance farther than dtol, and than reach, ends the search: the pair is apart.
// Where we depart from the paper: the valid vertex of a face is the nearest one, found by its distance
// instead of by the edges about each; distances are signed and only the positive side is compared with dtol, so deep
// contacts are not lost; instead of the features in the slab of the first contact found, which need not be
// the shallowest, those are looked at whose facets the inscribed balls of both bodies do not keep deeper than the best
// (see fronts), which loses none; the type is read from the contact plane at the end (see Contacts).
// Cost: 0.8 to 2.6 µs for two cubes that touch, 0.3 for two apart; vertices × faces in front, edges × edges in front.
// It always converges.
//
// Of its updated detection: a pair that was apart is excluded again by its last axis, one
// support. For one that touched, the local test of the paper, that the contact found before is still a valid entrance
// and the nearest next door, is the certificate Feature, which also proves that none elsewhere is shallower. Where that
// fails the initial detection runs with the last facet as its first, and only for edges in the search region of the last
// contact planes (see slab). The features within dtol of the contact plane are compared with those of the step before by
// identity; see FastDirectByCount for their number.
// Cost: 60 ns for a pair apart; for two cubes that touch 0.5 µs to prove a corner in a face, 0.7 for two edges, 1.3 to 2.3
// else, most of it for the list.
func (s *Methods) FastDirect(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *typing.ContactList, out *pair.Answer,
) (exhaustive bool) {
	s.updated(a, pa, b, pb, reach, dtol, typing.UpdateByIdentity, list, out)
	return false
}

// FastDirectByCount is FastDirect with the rule of the paper for contacts: as long as the number n_v of vertices
// within dtol of the contact plane stays, so do type and features of the contacts, and only their numbers change.
// Answers are as exact as those of FastDirect, but where one feature leaves as another comes in, the contacts err.
func (s *Methods) FastDirectByCount(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *typing.ContactList, out *pair.Answer,
) (exhaustive bool) {
	s.updated(a, pa, b, pb, reach, dtol, typing.UpdateByCount, list, out)
	return false
}

func (s *Methods) updated(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, rule typing.UpdateRule,
	list *typing.ContactList, out *pair.Answer,
) {
	if s.keptApart(a, pa, b, pb, max(reach, dtol), list, out) {
		return
	}
	if list.Kept.Deep && list.Type != typing.NoType && s.provenAgain(a, pa, b, pb, list.Kept.Facet, &list.Kept.Proof, out) {
		s.AllToFrameA()
	} else {
		first := list.Kept.Facet
		if !s.begin(a, pa, b, pb, list, out) {
			return
		}
		s.fastDirect(s.farFrom(reach, dtol), first, list, out)
	}
	s.end(dtol, rule, list, out)
}

// provenAgain answers a pair that touched by a facet of it, or by two faces as long as their budget holds, which it renews.
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

// fastDirect is the initial detection of the pair that is loaded. first is a facet that may be the answer.
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

// nearestInFront answers a pair that a facet proves apart, by no more than near: from the facet if it holds the foot,
// or from the corners next to its plane. A point that is nearest to the other body lies no farther behind the plane
// than the distance exceeds the facet's, so an edge that holds one has an end there. If the distance turns
// out to be larger than near, all corners are tried.
func (s *Methods) nearestInFront(facet facets.Shallowest, near float64, out *pair.Answer) {
	if facet.ID.Kind == soa.NoFacet {
		return
	}
	if s.NearestAlong(-facet.H, facet.N, 0, out) {
		return
	}
	s.Near(facet.N, near)
	if d, n := s.NearCorners(); d+facet.H <= near {
		if s.NearestAlong(d, n, 0, out) {
			return
		}
	}
	s.Distance(facet, out)
}
