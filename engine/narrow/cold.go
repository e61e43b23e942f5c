package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// maxDescents bounds how often a descent starts anew where its facet turns out not to be the shallowest.
const maxDescents = 4

// clearGap is the distance, in units, from which two bodies are so far apart that every search finds them so.
const clearGap = 1.0 / (1 << 28)

// sureLean is the least d·sin², in units, of a pair a distance d apart: see nearestProven.
const sureLean = 1.0 / (1 << 36)

// cold answers a pair of which nothing is known, by going down to the facet of K that is next to the line of centres
// and asking for its certificate. It says false where that proves nothing, or where the pair is out of
// reach; then B is not in A's frame and a search is due. Where it says true the answer is the search's, to the bit.
//
// Cost: the support along the line of centres, and the edges about the two to six features passed.
func (s *Search) cold(reach float64, out *Answer) bool {
	if s.scale != 1 || s.atOnePlace() {
		return false
	}
	i, j, ok := s.lineOfCentres(reach)
	if !ok {
		return false
	}
	start := s.nearestFace(i, j)
	return s.coldFrom(start, i, j, reach, out) || s.coldLevel(&start, reach, out)
}

// coldLevel answers where the vertex in front of the face that a descent began with is level with others: on its way from there
// the descent may have followed nothing but rounding.
func (s *Search) coldLevel(at *spot, reach float64, out *Answer) bool {
	if at.kind == soa.FaceVertex {
		at.kb = climb(s.vb, at.kb, s.rot.TMulVec(s.va.Normal(at.fa).Neg()))
	} else {
		at.ka = climb(s.va, at.ka, s.rot.MulVec(s.vb.Normal(at.fb)).Neg())
	}
	on := s.stand(at)
	return on.lean == 0 && s.levelHere(&on, reach, out)
}

// coldFrom is cold from a spot. i and j are the support vertices along the line of centres.
func (s *Search) coldFrom(start spot, i, j soa.Vertex, reach float64, out *Answer) bool {
	var on standing
	deepest := math.Inf(1)
	for range maxDescents {
		at, ok := s.down(start)
		if !ok {
			return s.rimLevel(&at, reach, out)
		}
		s.standOn(&at, &on)
		switch {
		case !on.ok:
			return s.rimLevel(&at, reach, out)
		case on.id.Kind <= soa.EdgeEdge && s.kisses(on.gap):
			return s.kissing(&at, &on, reach, out)
		case on.gap > 0:
			if on.gap < float64(clearGap*s.unit) || !(on.gap < reach-s.tol.tie) ||
				!s.nearestAlone(&at, on.id, on.gap, on.n, on.lean, out) {
				return on.id.Kind > soa.EdgeEdge && s.rimLevel(&at, reach, out)
			}
			return true
		case on.id.Kind > soa.EdgeEdge || !(-on.gap < deepest):
			return false
		}
		if deepest = -on.gap; s.openAllRound(deepest) {
			return false
		}
		if on.lean > 0 && s.provenHere(&at, &on, false, out) || on.lean == 0 && s.levelFaces(&on, out) {
			return true
		}
		lower, crossings := &s.shell.lower, len(s.va.Edge)*len(s.vb.Edge)
		if !lower.found && on.lean > 0 && crossings > fewCrossings {
			if s.covered(&at, on.n, deepest, on.lean, i, j) {
				s.writeProven(&at, on.id, on.gap, on.n, out)
				return true
			}
			lower = &s.cover.lower
		}
		if !lower.found {
			return (on.lean == 0 || crossings > fewCrossings) && crossings <= mostCrossings && s.coneHere(&on, out)
		}
		start = s.below(lower)
	}
	return false
}

// openAllRound says whether bodies with many edges overlap by so much that a facet no deeper than p may be in any direction: the cone of
// inCone is the whole sphere. A cover of it needs more points than one may have, and EPA comes there sooner.
func (s *Search) openAllRound(p float64) bool {
	return len(s.va.Edge)*len(s.vb.Edge) > fewCrossings && p-s.va.Inner-s.vb.Inner >= s.centreOfB().Norm()
}

// nearestFace is where the first descent starts: the face, of those next to the support vertices along the line of
// centres, in front of which the other body's centre lies farthest, with that vertex. A body's inscribed ball stands for its width.
func (s *Search) nearestFace(i, j soa.Vertex) spot {
	c := s.t
	if s.vb.Kind == soa.Facet {
		c = s.middleB()
	}
	f, inFront := faceBefore(s.va, i, c)
	g, other := faceBefore(s.vb, j, s.rot.TMulVec(s.t.Neg()))
	if other-s.va.Inner > inFront-s.vb.Inner {
		return onVertexFace(i, g)
	}
	return onFaceVertex(f, j)
}

// rimLevel answers a pair whose descent ended on the rim between two facets, by faces that lie on each other: the foot may be
// in no facet of theirs with the lowest of level vertices. The shallower one of the two facets names them.
func (s *Search) rimLevel(at *spot, reach float64, out *Answer) bool {
	best := standing{gap: math.Inf(-1)}
	try := func(on spot) {
		if stood := s.stand(&on); stood.ok && stood.lean == 0 && stood.gap > best.gap {
			best = stood
		}
	}
	switch at.kind {
	case soa.EdgeVertex:
		try(onFaceVertex(s.va.Face[at.ha], at.kb))
		try(onFaceVertex(s.va.Face[s.va.Twin[at.ha]], at.kb))
	case soa.VertexEdge:
		try(onVertexFace(at.ka, s.vb.Face[at.hb]))
		try(onVertexFace(at.ka, s.vb.Face[s.vb.Twin[at.hb]]))
	default:
		return false
	}
	return !math.IsInf(best.gap, -1) && s.levelHere(&best, reach, out)
}

// coneHere answers by the facet that is shallowest of all in the cone about the line of centres, if it is alone.
func (s *Search) coneHere(on *standing, out *Answer) bool {
	s.bringAll()
	best, alone := s.inCone(on.id, -on.gap, on.n)
	return alone && best.h > 4*s.tol.close && s.coneAnswer(best, out)
}

// lineOfCentres returns the support vertices along the line of centres, where GJK starts. ok is false where they prove the pair
// out of reach.
func (s *Search) lineOfCentres(reach float64) (i, j soa.Vertex, ok bool) {
	v := s.t
	if s.vb.Kind == soa.Facet {
		s.bringAll()
		v = s.middleB()
	}
	d := v.Norm()
	if !(d > s.tol.close) {
		v, d = vec.Vec3{X: 1}, 1
	}
	n := v.Scale(1 / d)
	i, j = s.supports(n)
	inB := s.rot.TMulVec(n.Neg())
	gap := n.Dot(s.t) - s.vb.Vert(j).Dot(inB) - s.va.Vert(i).Dot(n)
	return i, j, !(gap > max(reach, s.tol.close))
}

// facetOf names a spot, and brings those vertices of B over that its answer needs.
func (s *Search) facetOf(at *spot) soa.FacetID {
	s.bringSpot(at)
	id := soa.FacetID{Kind: at.kind}
	switch at.kind {
	case soa.FaceVertex:
		id.A, id.B = uint16(at.fa), uint16(at.kb)
	case soa.VertexFace:
		id.A, id.B = uint16(at.ka), uint16(at.fb)
	case soa.EdgeEdge:
		id.A, id.B = edgeNumber(s.va, at.ha), edgeNumber(s.vb, at.hb)
	case soa.VertexVertex:
		id.A, id.B = uint16(at.ka), uint16(at.kb)
	case soa.VertexEdge:
		id.A, id.B = uint16(at.ka), edgeNumber(s.vb, at.hb)
	case soa.EdgeVertex:
		id.A, id.B = edgeNumber(s.va, at.ha), uint16(at.kb)
	}
	return id
}

// bringSpot writes the vertices of B of a spot in the frame of A.
func (s *Search) bringSpot(at *spot) {
	switch at.kind {
	case soa.EdgeEdge, soa.VertexEdge:
		s.bring(s.vb.Tail[at.hb])
		s.bring(s.vb.Head(at.hb))
	case soa.FaceVertex, soa.VertexVertex, soa.EdgeVertex:
		s.bring(at.kb)
	}
}

// finaliseSpot is finalise for a spot: it knows which way the normal of two edges goes by the faces of A alone. Where that is
// wrong the features are no support along it, and nothing is proven.
func (s *Search) finaliseSpot(at *spot, id soa.FacetID) (gap float64, n vec.Vec3, ok bool) {
	if at.kind != soa.EdgeEdge {
		return s.finalise(id)
	}
	p, p1 := s.edgeA(int(id.A))
	q, q1 := s.edgeB(int(id.B))
	if n, ok = crossing(p, p1, q, q1); !ok {
		return 0, n, false
	}
	if n.Dot(s.va.Normal(s.va.Face[at.ha]).Add(s.va.Normal(s.va.Face[s.va.Twin[at.ha]]))) < 0 {
		n = n.Neg()
	}
	return n.Dot(q.Sub(p)), n, true
}

// edgeNumber returns the index of the edge of a half-edge: edges are sorted by their lower half-edge. It has no branches,
// which nothing could foresee.
func edgeNumber(v *soa.View, h soa.HalfEdge) uint16 {
	h = min(h, v.Twin[h])
	lo, n := 0, len(v.Edge)
	for n > 1 {
		half := n / 2
		// Minus one where the edge's half-edge is not past h, else zero.
		lo += half & ((int(v.Edge[lo+half]) - int(h) - 1) >> 63)
		n -= half
	}
	return uint16(lo)
}

// bring writes vertex k of B in the frame of A.
func (s *Search) bring(k soa.Vertex) {
	p := s.pointB(k)
	s.b.x[k], s.b.y[k], s.b.z[k] = p.X, p.Y, p.Z
}

// leanOf returns the sine of the radius of the cap about n within which a spot's features are the only supports, 0 if
// there is none.
func (s *Search) leanOf(at *spot, n vec.Vec3) float64 {
	a, b := s.va, s.vb
	inB := s.rot.TMulVec(n)
	rise := 4 * provenBy * s.unit
	switch at.kind {
	case soa.FaceVertex:
		return min(a.Caps[at.fa], leanAt(b, at.kb, noVertex, inB, rise))
	case soa.VertexFace:
		return min(b.Caps[at.fb], leanAt(a, at.ka, noVertex, n.Neg(), rise))
	}
	lean := 1.0
	switch at.kind {
	case soa.VertexVertex, soa.VertexEdge:
		lean = leanAt(a, at.ka, noVertex, n.Neg(), rise)
	default:
		p, p1 := a.Tail[at.ha], a.Head(at.ha)
		lean = min(leanAt(a, p, p1, n.Neg(), rise), leanAt(a, p1, p, n.Neg(), rise))
	}
	switch at.kind {
	case soa.VertexVertex, soa.EdgeVertex:
		return min(lean, leanAt(b, at.kb, noVertex, inB, rise))
	}
	q, q1 := b.Tail[at.hb], b.Head(at.hb)
	return min(lean, leanAt(b, q, q1, inB, rise), leanAt(b, q1, q, inB, rise))
}

// nearestProven says whether the features of a spot, gap apart along n, are the nearest of the two bodies, and
// so far from a tie that every search names them.
//
// For convex bodies apart the nearest features are those that hold the feet of their own distance and are the
// support along it: what is so nearby is so everywhere. No others pass for them (see answers): features whose
// normal leans by an angle α from n are separated by no more than gap·cos α along it, so those
// that pass, to nearTol and the square of footTol over the gap, lie well within α² ≤ 4·ProofTol/gap.
// Where the features here are the only supports in a wider cap, such others can only be parts of them,
// which are farther, by foot²/2·gap, or hold them, whose feet lie beyond their sides.
//
// lean is that of the spot, see leanOf.
func (s *Search) nearestProven(at *spot, gap, lean float64) bool {
	sure := float64(sureLean * s.unit)
	if at.kind != soa.VertexVertex && !(float64(at.foot*at.foot) > float64(gap*sure) && at.foot > clearGap*s.unit) {
		return false
	}
	return float64(float64(gap*lean)*lean) > sure
}

// writeProven fills the answer from a spot whose features alone are the support along n and hold their foot inside: what
// witness and write do, without looking at other features.
func (s *Search) writeProven(at *spot, id soa.FacetID, gap float64, n vec.Vec3, out *Answer) {
	var wa vec.Vec3
	switch at.kind {
	case soa.FaceVertex:
		wa = s.b.at(int(at.kb)).Add(n.Scale(-gap))
	case soa.VertexFace:
		wa = s.a.at(int(at.ka))
	case soa.EdgeEdge:
		wa, _ = s.crossingPoint(id, gap, n)
	default:
		wa, _ = s.cornerPoint(id, s.tol.foot)
	}
	if s.fill(id, gap, n, wa, out); out.Status == Separated {
		out.Axis, out.AxisSupport = n, s.supportOf(at, n)
	}
}

// supportOf is the height of A's support along n from a spot's own features, which lie above all other vertices by far more
// than rounding. Of a face its cap says so, which is an angle: there all vertices are asked.
func (s *Search) supportOf(at *spot, n vec.Vec3) float64 {
	switch at.kind {
	case soa.FaceVertex:
		_, h := s.a.highest(n)
		return h
	case soa.EdgeEdge, soa.EdgeVertex:
		return max(n.Dot(s.va.Vert(s.va.Tail[at.ha])), n.Dot(s.va.Vert(s.va.Head(at.ha))))
	}
	return n.Dot(s.va.Vert(at.ka))
}

// onRim looks for the foot of the origin on an edge of K, of a pair apart: a vertex and an edge, or two vertices.
func (s *Search) onRim(r rimOf) (spot, bool) {
	var p, q, q1 vec.Vec3
	at := spot{kind: r.kind}
	if r.kind == soa.VertexEdge {
		at.ka, at.hb = r.k, r.h
		p = s.va.Vert(at.ka)
		q, q1 = s.pointB(s.vb.Tail[at.hb]), s.pointB(s.vb.Head(at.hb))
	} else {
		at.kb, at.ha = r.k, r.h
		p = s.pointB(at.kb)
		q, q1 = s.va.Vert(s.va.Tail[at.ha]), s.va.Vert(s.va.Head(at.ha))
	}
	e := q1.Sub(q)
	t, l := p.Sub(q).Dot(e), e.Norm2()
	if at.foot = min(t, l-t) / math.Sqrt(l); at.foot > 0 {
		return at, true
	}
	far := t > 0
	if at.kind == soa.VertexEdge {
		at.kb = s.vb.Tail[at.hb]
		if far {
			at.kb = s.vb.Head(at.hb)
		}
	} else {
		at.ka = s.va.Tail[at.ha]
		if far {
			at.ka = s.va.Head(at.ha)
		}
	}
	at.kind = soa.VertexVertex
	return at, true
}
