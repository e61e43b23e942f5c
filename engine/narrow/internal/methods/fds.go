package methods

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/facets"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/engine/narrow/internal/proof"
	"github.com/scree-dem/scree/engine/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// FastDirectInitial answers two polyhedra by the fast direct search from nothing: only pairs of a face and a vertex and
// of two edges are looked at, and of those only the ones in front. The list gets type and contacts; of what it held
// only the modes of contacts that last are used. The gap is exact for a pair within reach or within dtol, m, of each
// other; for others it may be a positive lower bound above both. Other kinds of pieces are answered by Resolve and
// have no contacts.
//
// Source: the fast direct search, initial detection. Its valid entrances, pairs of features that a plane can part with
// their points superimposed, are the facets of K, and what its tests find is the shallowest of them. Faces come first,
// then edges. A valid entrance farther than dtol, and than reach, ends the search: the pair is apart.
// Where we depart from the paper: the valid vertex of a face is the nearest one, found by its distance
// instead of by the edges about each; distances are signed and only the positive side is compared with dtol, so deep
// contacts are not lost; instead of the features in the slab of the first contact found, which need not be
// the shallowest, those are looked at whose facets the inscribed balls of both bodies do not keep deeper than the best
// (see fronts), which loses none; the type is read from the contact plane at the end (see Contacts).
// Cost: 0.8 to 2.6 µs for two cubes that touch, 0.3 for two apart; vertices × faces in front, edges × edges in front.
// It always converges.
func (s *Methods) FastDirectInitial(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *typing.ContactList, out *pair.Answer,
) {
	if s.begin(a, pa, b, pb, max(reach, dtol), list, out) {
		s.fastDirect(reach, dtol, soa.FacetID{}, typing.UpdateNone, list, out)
	}
}

// FastDirect is FastDirectInitial for a pair in motion, which starts from what the list holds of the step before. The
// status, an exact gap and normal, and the contacts are those of the initial detection, but for which of several facets that
// tie it names: what is not proven is searched for.
//
// Source: the fast direct search, updated detection. A pair that was apart is excluded again by its last axis, one
// support. For one that touched, the local test of the paper, that the contact found before is still a valid entrance
// and the nearest next door, is the certificate Feature, which also proves that none elsewhere is shallower. Where that
// fails the initial detection runs with the last facet as its first, and only for edges in the search region of the last
// contact planes (see slab). The features within dtol of the contact plane are compared with those of the step before by
// identity; see FastDirectByCount for their number.
// Cost: 60 ns for a pair apart; for two cubes that touch 0.5 µs to prove a corner in a face, 0.7 for two edges, 1.3 to 2.3
// else, most of it for the list.
func (s *Methods) FastDirect(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *typing.ContactList, out *pair.Answer,
) {
	s.updated(a, pa, b, pb, reach, dtol, typing.UpdateByIdentity, list, out)
}

// FastDirectByCount is FastDirect with the rule of the paper for contacts: as long as the number n_v of vertices
// within dtol of the contact plane stays, so do type and features of the contacts, and only their numbers change.
// Answers are as exact as those of FastDirect, but where one feature leaves as another comes in, the contacts err.
func (s *Methods) FastDirectByCount(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *typing.ContactList, out *pair.Answer,
) {
	s.updated(a, pa, b, pb, reach, dtol, typing.UpdateByCount, list, out)
}

func (s *Methods) updated(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, rule typing.UpdateRule,
	list *typing.ContactList, out *pair.Answer,
) {
	list.BelongTo(a, b)
	if pair.Polyhedra(a, b) && list.Type == typing.NoType && s.excluded(a, pa, b, pb, max(reach, dtol), list, out) {
		return
	}
	first := list.Kept.Facet
	if list.Kept.Deep && list.Type != typing.NoType && s.provenAgain(a, pa, b, pb, first, &list.Kept.Proof, out) {
		s.BringAll()
		s.end(dtol, rule, list, out)
		return
	}
	if s.begin(a, pa, b, pb, max(reach, dtol), list, out) {
		s.fastDirect(reach, dtol, first, rule, list, out)
	}
}

// provenAgain answers a pair that touched by a facet of it, or by two faces as long as their budget holds, which it renews.
func (s *Methods) provenAgain(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, first soa.FacetID, was *proof.Proof, out *pair.Answer,
) bool {
	turn := 1 / min(a.Radius, b.Radius)
	if was.QuadA != 0 {
		if _, holds := proof.Rest(&was.Hold, pa, pb, turn); holds && s.Place(a, pa, b, pb) && s.FacesAgain(a, pa, b, pb, was, out) {
			return true
		}
	}
	if *was = (proof.Proof{}); !s.FeatureCores(a, pa, b, pb, 0, first, out) {
		return false
	}
	if s.Last.Faces.QuadA != 0 {
		*was = s.FacesBudget(turn)
	}
	return true
}

// tooDeepToBeApart says whether a gap, in the scale of the search, is below what Feature leaves to a search.
func (s *Methods) tooDeepToBeApart(gap float64) bool { return gap < -4*pair.CloseTol*s.Unit }

// excluded answers a pair that the axis of the step before still keeps farther apart than far, m.
func (s *Methods) excluded(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, far float64, list *typing.ContactList, out *pair.Answer,
) bool {
	m := &list.Kept
	gap := pair.GapAlong(pa, b, pb, m.Axis, m.Support)
	unit := max(a.Radius, b.Radius, pb.Pos.Sub(pa.Pos).MaxAbs())
	if !(gap > far+float64(pair.ProofTol*unit) && gap > 2*pair.CloseTol*unit) || math.IsInf(gap, 1) {
		return false
	}
	*out = pair.Answer{
		Status: pair.Separated, Level: pair.LevelAxis, Gap: gap, Normal: pa.Rot.Rotate(m.Axis), Axis: m.Axis, AxisSupport: m.Support,
	}
	return true
}

// noContacts is what the initial detection starts from.
var noContacts typing.ContactList

// fastDirect is the initial detection of the pair that is loaded. first is a facet that may be the answer.
func (s *Methods) fastDirect(reach, dtol float64, first soa.FacetID, rule typing.UpdateRule, list *typing.ContactList, out *pair.Answer) {
	near := max(s.Typist().Nearness(dtol), reach*s.Scale)
	best, apart := s.frontFaces(first, near)
	start := list
	if rule == typing.UpdateNone {
		start = &noContacts
	}
	if !apart {
		best, apart = s.frontEdges(best, near, start)
	}
	facet := s.Choose(best)
	switch {
	case apart:
		s.FarAnswer(facet.N, -facet.H-s.Tol.Round, out)
	case !s.FacetsAnswer(facet, out):
		s.nearestInFront(facet, near, out)
	}
	s.end(dtol, rule, list, out)
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
	if d, n := s.nearCorners(); d+facet.H <= near {
		if s.NearestAlong(d, n, 0, out) {
			return
		}
	}
	d, n := s.allCorners()
	s.NearestOf(facet, d, n, out)
}

// nearCorners is allCorners for the vertices in NearA and NearB, and the edges that have an end there.
func (s *Methods) nearCorners() (float64, vec.Vec3) {
	least := math.Inf(1)
	var line vec.Vec3
	for _, i := range s.NearA {
		p := s.HullA.At(int(i))
		for _, j := range s.NearB {
			w := s.HullB.At(int(j)).Sub(p)
			if ww := w.Norm2(); ww < least {
				least, line = ww, w
			}
		}
	}
	s.Typist().MarkAll(s.NearB, s.ViewB.NVerts)
	for e, h := range s.ViewB.Edge {
		if s.Mark[s.ViewB.Tail[h]] || s.Mark[s.ViewB.Head(h)] {
			q, q1 := s.EdgeB(e)
			least, line = nearestVertex(&s.HullA, q, q1, 1, least, line)
		}
	}
	s.Typist().Unmark(s.NearB)
	s.Typist().MarkAll(s.NearA, s.ViewA.NVerts)
	for e, h := range s.ViewA.Edge {
		if s.Mark[s.ViewA.Tail[h]] || s.Mark[s.ViewA.Head(h)] {
			p, p1 := s.EdgeA(e)
			least, line = nearestVertex(&s.HullB, p, p1, -1, least, line)
		}
	}
	s.Typist().Unmark(s.NearA)
	return math.Sqrt(least), line.Unit()
}
