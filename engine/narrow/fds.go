package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// updateRule says how the fast direct search tells that the features next to the contact plane are those of the step
// before.
type updateRule uint8

const (
	updateNone       updateRule = iota // nothing is taken from the step before
	updateByIdentity                   // they are the same features
	updateByCount                      // they are as many, as published: two that change places go unseen
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
func (s *Search) FastDirectInitial(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *ContactList, out *Answer,
) {
	if s.begin(a, pa, b, pb, max(reach, dtol), list, out) {
		s.fastDirect(reach, dtol, soa.FacetID{}, updateNone, list, out)
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
func (s *Search) FastDirect(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *ContactList, out *Answer,
) {
	s.updated(a, pa, b, pb, reach, dtol, updateByIdentity, list, out)
}

// FastDirectByCount is FastDirect with the rule of the paper for contacts: as long as the number n_v of vertices
// within dtol of the contact plane stays, so do type and features of the contacts, and only their numbers change.
// Answers are as exact as those of FastDirect, but where one feature leaves as another comes in, the contacts err.
func (s *Search) FastDirectByCount(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *ContactList, out *Answer,
) {
	s.updated(a, pa, b, pb, reach, dtol, updateByCount, list, out)
}

func (s *Search) updated(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, rule updateRule,
	list *ContactList, out *Answer,
) {
	list.belongTo(a, b)
	if polyhedra(a, b) && list.Type == NoType && s.excluded(a, pa, b, pb, max(reach, dtol), list, out) {
		return
	}
	first := list.memory.facet
	if list.memory.deep && list.Type != NoType && s.provenAgain(a, pa, b, pb, first, &list.memory.proof, out) {
		s.bringAll()
		s.end(dtol, rule, list, out)
		return
	}
	if s.begin(a, pa, b, pb, max(reach, dtol), list, out) {
		s.fastDirect(reach, dtol, first, rule, list, out)
	}
}

// provenAgain answers a pair that touched by a facet of it, or by two faces as long as their budget holds, which it renews.
func (s *Search) provenAgain(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, first soa.FacetID, proof *Proof, out *Answer,
) bool {
	turn := 1 / min(a.Radius, b.Radius)
	if proof.QuadA != 0 {
		if _, holds := rest(&proof.Hold, pa, pb, turn); holds && s.place(a, pa, b, pb) && s.facesAgain(a, pa, b, pb, proof, out) {
			return true
		}
	}
	if *proof = (Proof{}); !s.feature(a, pa, b, pb, 0, first, out) {
		return false
	}
	if s.last.faces.quadA != 0 {
		*proof = s.facesBudget(turn)
	}
	return true
}

// tooDeepToBeApart says whether a gap, in the scale of the search, is below what Feature leaves to a search.
func (s *Search) tooDeepToBeApart(gap float64) bool { return gap < -4*closeTol*s.unit }

// excluded answers a pair that the axis of the step before still keeps farther apart than far, m.
func (s *Search) excluded(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, far float64, list *ContactList, out *Answer,
) bool {
	m := &list.memory
	gap := axisGap(pa, b, pb, m.axis, m.support)
	unit := max(a.Radius, b.Radius, pb.Pos.Sub(pa.Pos).MaxAbs())
	if !(gap > far+float64(ProofTol*unit) && gap > 2*closeTol*unit) || math.IsInf(gap, 1) {
		return false
	}
	*out = Answer{
		Status: Separated, Level: LevelAxis, Gap: gap, Normal: pa.Rot.Rotate(m.axis), Axis: m.axis, AxisSupport: m.support,
	}
	return true
}

// noContacts is what the initial detection starts from.
var noContacts ContactList

// fastDirect is the initial detection of the pair that is loaded. first is a facet that may be the answer.
func (s *Search) fastDirect(reach, dtol float64, first soa.FacetID, rule updateRule, list *ContactList, out *Answer) {
	near := max(s.nearness(dtol), reach*s.scale)
	best, apart := s.frontFaces(first, near)
	start := list
	if rule == updateNone {
		start = &noContacts
	}
	if !apart {
		best, apart = s.frontEdges(best, near, start)
	}
	facet := s.choose(best)
	switch {
	case apart:
		s.farAnswer(facet.n, -facet.h-s.tol.round, out)
	case !s.facetsAnswer(facet, out):
		s.nearestInFront(facet, near, out)
	}
	s.end(dtol, rule, list, out)
}

// nearestInFront answers a pair that a facet proves apart, by no more than near: from the facet if it holds the foot,
// or from the corners next to its plane. A point that is nearest to the other body lies no farther behind the plane
// than the distance exceeds the facet's, so an edge that holds one has an end there. If the distance turns
// out to be larger than near, all corners are tried.
func (s *Search) nearestInFront(facet shallowest, near float64, out *Answer) {
	if facet.id.Kind == soa.NoFacet {
		return
	}
	if s.nearestAlong(-facet.h, facet.n, 0, out) {
		return
	}
	s.near(facet.n, near)
	if d, n := s.nearCorners(); d+facet.h <= near {
		if s.nearestAlong(d, n, 0, out) {
			return
		}
	}
	d, n := s.allCorners()
	s.nearestOf(facet, d, n, out)
}

// nearCorners is allCorners for the vertices in nearA and nearB, and the edges that have an end there.
func (s *Search) nearCorners() (float64, vec.Vec3) {
	least := math.Inf(1)
	var line vec.Vec3
	for _, i := range s.nearA {
		p := s.a.at(int(i))
		for _, j := range s.nearB {
			w := s.b.at(int(j)).Sub(p)
			if ww := w.Norm2(); ww < least {
				least, line = ww, w
			}
		}
	}
	s.markAll(s.nearB, s.vb.NVerts)
	for e, h := range s.vb.Edge {
		if s.mark[s.vb.Tail[h]] || s.mark[s.vb.Head(h)] {
			q, q1 := s.edgeB(e)
			least, line = nearestVertex(&s.a, q, q1, 1, least, line)
		}
	}
	s.unmark(s.nearB)
	s.markAll(s.nearA, s.va.NVerts)
	for e, h := range s.va.Edge {
		if s.mark[s.va.Tail[h]] || s.mark[s.va.Head(h)] {
			p, p1 := s.edgeA(e)
			least, line = nearestVertex(&s.b, p, p1, -1, least, line)
		}
	}
	s.unmark(s.nearA)
	return math.Sqrt(least), line.Unit()
}

// markAll sets the marks of a set of n vertices at most, which unmark takes away again.
func (s *Search) markAll(set []uint16, n int) {
	for len(s.mark) < n {
		s.mark = append(s.mark, false)
	}
	for _, k := range set {
		s.mark[k] = true
	}
}

func (s *Search) unmark(set []uint16) {
	for _, k := range set {
		s.mark[k] = false
	}
}
