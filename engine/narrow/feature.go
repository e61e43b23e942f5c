package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// provenBy is by how much, in units, every other facet of K must be deeper than one that is proven by
// Feature: more than a search, which takes facets within TieTol for equals and knows each to
// roundTol, could mistake.
const provenBy = 8 * TieTol

// Feature answers a pair that touched by proving that a facet of K, known from an earlier answer, is
// still the shallowest (certificate C3), or that one is to which the foot of the origin has gone, or which the same two
// faces make (see facePair); and a pair apart within reach, m, by proving that features are the nearest (certificate C4, see
// nearFeature). It says false, and out is of no account, where that is not proven: then a search is due. Where it says true the answer is the search's, to the bit.
//
// With n the facet's normal, p its depth, and q = p less rounding:
//
//  1. Within a cap of directions of radius r about n, no other features than the facet's are the
//     support: for each edge that leaves a feature from u to w, n·(w−u) ≤ −|w−u|·sin r.
//  2. The facet is flat, so it is the only facet of K in the cap.
//  3. The foot of the origin lies inside the facet by ρ. Then K holds points at distance ρ from the foot in
//     all directions of the facet, at height q, and so h_K(m) ≥ q·cos α + ρ·sin α for m at an angle α from
//     n. That is at least p' = p + provenBy for α₀ ≤ α ≤ α₁.
//  4. Beyond α₁ the ball of radius I inside K about c_K = c_A − c_B = −a·n + b·t bounds h_K(m) from
//     below by −a·cos α − b·sin α + I, which grows with α as long as a·sin α > b·cos α.
//
// So if α₀ ≤ r, and at α₁ the bound grows and is p' or more, all other facets are deeper
// than p'. Where the foot is too near to the rim for that, a shell proves it (see shelledFacet), also that of several
// facets that tie the answer is the one a search names (see level). Where the foot lies beyond the
// facet, or a shell finds a direction that is shallower, the way goes on as in a cold search from there.
//
// Cost: the edges about the features, the witness; whatever the size, no search, and B is not brought into A's frame unless
// vertices are level.
func (s *Search) Feature(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, id soa.FacetID, out *Answer,
) bool {
	if !s.feature(a, pa, b, pb, coreReach(a, b, reach), id, out) {
		return false
	}
	out.Grow(a.Round, b.Round)
	return true
}

func (s *Search) feature(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, id soa.FacetID, out *Answer,
) bool {
	s.forgetProof()
	if a.Kind == soa.Ball && (b.Kind == soa.Block || b.Kind == soa.Facet) {
		return s.ballFeature(a, pa, b, pb, reach, id, out)
	}
	if id.Kind == soa.NoFacet || !inRange(a, b, id) {
		return false
	}
	*out = Answer{Level: LevelFeature}
	if !s.place(a, pa, b, pb) || s.scale != 1 {
		return false
	}
	if b.Kind == soa.Facet {
		s.bringAll()
	}
	answered, walked := s.nearFeature(&id, reach, out)
	if answered || id.Kind > soa.EdgeEdge {
		return answered
	}
	if walked {
		out.Level = LevelWalk
	}
	at := s.spotOf(id)
	on := s.stand(&at)
	if !on.ok || on.lean == 0 && s.levelHere(&on, reach, out) {
		return on.ok
	}
	deepest, stood, first := math.Inf(1), at, on
	at, ok := s.down(at)
	for range maxDescents {
		if !ok {
			return first.lean > 0 && s.levelHere(&first, reach, out)
		}
		if stood.foot = at.foot; at != stood {
			if on = s.stand(&at); on.lean == 0 && s.levelHere(&on, reach, out) {
				return true
			}
		}
		if !on.ok || on.id.Kind > soa.EdgeEdge || !(-on.gap < deepest) {
			return false
		}
		if s.kisses(on.gap) {
			if on.id != id {
				out.Level = LevelWalk
			}
			return on.lean > 0 && s.kissing(&at, &on, reach, out)
		}
		if deepest = -on.gap; deepest < 0 {
			return false
		}
		if on.lean > 0 && s.provenHere(&at, &on, s.onQuads(&at), out) {
			if on.id != id {
				out.Level = LevelWalk
			}
			return true
		}
		lower := &s.shell.lower
		if !lower.found {
			return false
		}
		stood = at
		at, ok = s.down(s.below(lower))
	}
	return false
}

// discHere answers by the facet of a spot, if it is proven to be the shallowest by its disc about the foot.
func (s *Search) discHere(at *spot, on *standing, out *Answer) bool {
	p := -on.gap
	if !s.aloneBetween(on.n, p, p, p, on.lean, at.foot, 0) {
		return false
	}
	s.last.keep(at, on.id, on.n, p, on.lean)
	s.writeProven(at, on.id, on.gap, on.n, out)
	return true
}

// shellHere is discHere by a shell, or by the facet of another that ties. If it says false, shell.lower may have found where a
// shallower facet is.
func (s *Search) shellHere(at *spot, on *standing, out *Answer) bool {
	if !s.shelledFacet(at, on.id, on.n, on.gap, on.lean) {
		return false
	}
	if s.shell.nLevels > 1 {
		return s.levelAnswer(out)
	}
	s.last.keep(at, on.id, on.n, -on.gap, on.lean)
	s.writeProven(at, on.id, on.gap, on.n, out)
	return true
}

// standing is a spot's gap and normal, and the sine of its cap.
type standing struct {
	id        soa.FacetID
	n         vec.Vec3
	gap, lean float64
	ok        bool // it has a normal
}

// stand fills a standing from a spot.
func (s *Search) stand(at *spot) (on standing) {
	s.standOn(at, &on)
	return on
}

// standOn is stand in place.
func (s *Search) standOn(at *spot, on *standing) {
	on.id = s.facetOf(at)
	if on.gap, on.n, on.ok = s.finaliseSpot(at, on.id); on.ok {
		on.lean = s.leanOf(at, on.n)
	} else {
		on.lean = 0
	}
}

// smallCap is the sine of the cap below which a facet on two faces of four corners is proven as theirs: that lasts for
// longer.
const smallCap = 1.0 / 32

// tinyCap is the sine of the cap below which a facet that is not proven alone is tried as one of those that two features make.
const tinyCap = 1.0 / (1 << 10)

// levelHere is levelFaces, or kissingFaces where the pair is too close to call.
func (s *Search) levelHere(on *standing, reach float64, out *Answer) bool {
	if s.kisses(on.gap) {
		return s.kissingFaces(on, reach, out)
	}
	return on.gap < 0 && s.levelFaces(on, out)
}

// levelFaces answers a pair by two faces, where a facet is one of those that they make, level with others or
// nearly so.
func (s *Search) levelFaces(on *standing, out *Answer) bool {
	s.shell.lower.found = false
	s.bringAll()
	best, faces, proven := s.facePair(on.id)
	if !(best.h > 4*s.tol.close) {
		return false
	}
	if !proven {
		return s.shelledFaces(&best, &faces) && s.levelAnswer(out)
	}
	if !s.facetsAnswer(best, out) {
		return false
	}
	s.keepFaces(&best, &faces)
	return true
}

// keepFaces leaves Budget the shallowest facet of two features that have been proven.
func (s *Search) keepFaces(best *shallowest, pair *faces) {
	s.last = provenFacet{unseen: true, id: best.id, n: best.n, depth: best.h, faces: *pair}
}

// provenHere answers by the facet of a spot that has a cap, or by one level with it but for a tilt, or another that ties, or in a
// cone of few edges. If it says false, shell.lower may have found where a shallower facet is. quads says that it is better proven
// as one of those that two faces make, where these are all but level: that lasts for longer.
func (s *Search) provenHere(at *spot, on *standing, quads bool, out *Answer) bool {
	if s.discHere(at, on, out) {
		return true
	}
	barely := !clearOfRim(on.lean, at.foot, -on.gap, float64(2*provenBy*s.unit))
	if (barely || on.lean < smallCap && quads) && (s.levelFaces(on, out) || s.shell.lower.found) {
		return !s.shell.lower.found
	}
	if s.shellHere(at, on, out) || s.shell.lower.found {
		return !s.shell.lower.found
	}
	if len(s.va.Edge)*len(s.vb.Edge) <= fewCrossings {
		return s.coneHere(on, out)
	}
	return !barely && on.lean < tinyCap && s.levelFaces(on, out)
}

// onQuads says whether a facet may be one of those that two faces of four corners make: these are proven for longer as a
// pair.
func (s *Search) onQuads(at *spot) bool {
	a, b := s.va, s.vb
	switch at.kind {
	case soa.FaceVertex:
		return a.QuadOfFace[at.fa] != 0
	case soa.VertexFace:
		return b.QuadOfFace[at.fb] != 0
	}
	return (a.QuadOfFace[a.Face[at.ha]] != 0 || a.QuadOfFace[a.Face[a.Twin[at.ha]]] != 0) &&
		(b.QuadOfFace[b.Face[at.hb]] != 0 || b.QuadOfFace[b.Face[b.Twin[at.hb]]] != 0)
}

func inRange(a, b *soa.View, id soa.FacetID) bool {
	nA, nB := a.NVerts, b.NVerts
	switch id.Kind {
	case soa.FaceVertex:
		nA = a.NFaces
	case soa.VertexFace:
		nB = b.NFaces
	case soa.VertexEdge:
		nB = len(b.Edge)
	case soa.EdgeVertex:
		nA = len(a.Edge)
	case soa.EdgeEdge:
		nA, nB = len(a.Edge), len(b.Edge)
	}
	return int(id.A) < nA && int(id.B) < nB
}

// capOf returns the sine of the radius of the cap about n within which the features of a facet are the only
// supports, and how far inside the facet the foot of the origin lies. Either is zero or less if not.
func (s *Search) capOf(id soa.FacetID, n vec.Vec3) (lean, foot float64) {
	switch id.Kind {
	case soa.FaceVertex:
		lean = min(s.va.Caps[id.A], s.lift(s.vb, &s.b, soa.Vertex(id.B), noVertex, n))
		return lean, s.insideFace(s.va, &s.a, soa.Face(id.A), s.b.at(int(id.B)), n)
	case soa.VertexFace:
		m := n.Neg()
		lean = min(s.vb.Caps[id.B], s.lift(s.va, &s.a, soa.Vertex(id.A), noVertex, m))
		return lean, s.insideFace(s.vb, &s.b, soa.Face(id.B), s.a.at(int(id.A)), m)
	}
	h, k := s.va.Edge[id.A], s.vb.Edge[id.B]
	p, p1 := s.va.Tail[h], s.va.Head(h)
	q, q1 := s.vb.Tail[k], s.vb.Head(k)
	m := n.Neg()
	lean = min(s.lift(s.va, &s.a, p, p1, m), s.lift(s.va, &s.a, p1, p, m),
		s.lift(s.vb, &s.b, q, q1, n), s.lift(s.vb, &s.b, q1, q, n))
	return lean, s.insideCrossing(s.a.at(int(p)), s.a.at(int(p1)), s.b.at(int(q)), s.b.at(int(q1)))
}

const noVertex = ^soa.Vertex(0)

// lift returns the least sine by which the edges at vertex u rise along d, but for the one to except; 0
// where one does not rise by four times provenBy, so that it is left once when a Budget has used up three
// quarters of the sine.
func (s *Search) lift(v *soa.View, h *hull, u, except soa.Vertex, d vec.Vec3) float64 {
	from := h.at(int(u))
	least := 1.0
	rise := 4 * provenBy * s.unit
	first := v.RingFirst[u]
	for _, e := range v.Ring[first : first+v.RingLen[u]] {
		w := v.Head(e)
		if w == except {
			continue
		}
		edge := h.at(int(w)).Sub(from)
		up := d.Dot(edge)
		if !(up > rise) {
			return 0
		}
		// sin² < least² without the root where it does not matter.
		if l2 := edge.Norm2(); float64(up*up) < float64(float64(least*least)*l2) {
			least = up / math.Sqrt(l2)
		}
	}
	return least
}

// insideFace returns how far inside a face, seen along its outward normal n, a point lies.
func (s *Search) insideFace(v *soa.View, h *hull, f soa.Face, p, n vec.Vec3) float64 {
	first, count := int(v.LoopFirst[f]), int(v.LoopLen[f])
	last := h.at(int(v.Tail[first+count-1]))
	least := math.Inf(1)
	for i := range count {
		next := h.at(int(v.Tail[first+i]))
		e := next.Sub(last)
		// n×e points into the face.
		in := n.Cross(e).Dot(p.Sub(last))
		if !(in > 0) {
			return 0
		}
		if l2 := e.Norm2(); float64(in*in) < float64(float64(least*least)*l2) {
			least = in / math.Sqrt(l2)
		}
		last = next
	}
	return least
}

// insideCrossing returns how far inside the parallelogram of two edges the foot lies.
func (s *Search) insideCrossing(p, p1, q, q1 vec.Vec3) float64 {
	e, f, w := p1.Sub(p), q1.Sub(q), q.Sub(p)
	c := e.Cross(f)
	cc := c.Norm2()
	at, bt := w.Cross(f).Dot(c)/cc, w.Cross(e).Dot(c)/cc
	l := math.Sqrt(cc)
	return min(min(at, 1-at)*(l/f.Norm()), min(bt, 1-bt)*(l/e.Norm()))
}

// deepBeyond is step 4: whether h_K is at least deep at all directions whose angle from n is that of cos1 and
// sin1, or larger. The two centres may have moved against each other by shift.
//
// The bound −a·cos α − b·sin α + I grows with α wherever a·sin α > b·cos α, which up to a half turn holds if it holds at
// the start and a > 0.
func (s *Search) deepBeyond(n vec.Vec3, cos1, sin1, deep, shift float64) bool {
	cb, inner := s.centreOfB(), float64((s.va.Inner+s.vb.Inner)*s.scale)
	// c_K = c_A − c_B, and c_A is the origin.
	a := n.Dot(cb)
	b := cb.AddScaled(-a, n).Norm() + shift
	least, worst := a-shift, a-shift
	if cos1 > 0 {
		worst = a + shift
	}
	return least > 0 && float64(least*sin1) > float64(b*cos1) && -float64(worst*cos1)-float64(b*sin1)+inner >= deep
}

// centreOfB returns B's centre, or the point of a facet that stands for it.
func (s *Search) centreOfB() vec.Vec3 {
	if s.vb.Kind == soa.Facet {
		return s.facetPoint()
	}
	return s.t
}

// facetPoint returns the point of facet B that stands for its centre: the foot of A's centre if that lies in
// it, so that a large facet is as good as a small one, and the mean of three corners if not.
func (s *Search) facetPoint() vec.Vec3 {
	m, d := s.planeB(0)
	if s.insideFace(s.vb, &s.b, 0, vec.Vec3{}, m) > 0 {
		return m.Scale(d)
	}
	return s.b.at(0).Add(s.b.at(1)).Add(s.b.at(2)).Scale(1.0 / 3)
}
