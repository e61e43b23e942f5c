package narrow

import (
	"math"
	"sort"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// maxWalk bounds the facets that a walk passes: in a step of a heap the foot moves by one or two.
const maxWalk = 6

// walk goes from a facet of K that does not hold the foot of the origin, or whose features are no longer support,
// to the one next door on that side, and on, until a facet holds its own foot. It returns that facet with its depth and
// normal, and the cap and the inset of its foot as capOf does; ok is false where there is no next door or
// the way is longer than maxWalk.
//
// Source: the walk over feature pairs of Mirtich 1998, and the updated detection of the fast direct search, here
// on the facets of K and for depth. It proves nothing: a local minimum is not the global one, and the caller asks
// for the certificate. Cost: per facet passed the edges about its features.
func (s *Search) walk(id soa.FacetID) (gap float64, n vec.Vec3, to soa.FacetID, lean, foot float64, ok bool) {
	for range maxWalk {
		next, moved := s.nextDoor(id)
		if !moved {
			break
		}
		id = next
		gap, n, ok = s.finalise(id)
		if !ok {
			return 0, n, id, 0, 0, false
		}
		if lean, foot = s.capOf(id, n); lean > 0 && foot > 0 {
			return gap, n, id, lean, foot, true
		}
	}
	return 0, n, id, 0, 0, false
}

// nextDoor returns the facet next to a facet of K: the same face with a vertex that is deeper, or the neighbour across
// the side that the foot lies beyond.
func (s *Search) nextDoor(id soa.FacetID) (soa.FacetID, bool) {
	switch id.Kind {
	case soa.FaceVertex:
		n, _ := s.planeA(int(id.A))
		return s.leaveFace(s.sideA(), s.sideB(), soa.Face(id.A), soa.Vertex(id.B), n, id)
	case soa.VertexFace:
		m, _ := s.planeB(int(id.B))
		return s.leaveFace(s.sideB(), s.sideA(), soa.Face(id.B), soa.Vertex(id.A), m, id)
	}
	_, n, ok := s.finalise(id)
	if !ok {
		return id, false
	}
	return s.leaveCrossing(id, n)
}

// body is one of the two on a walk.
type body struct {
	v   *soa.View
	h   *hull
	isB bool
}

func (s *Search) sideA() body { return body{v: s.va, h: &s.a} }
func (s *Search) sideB() body { return body{v: s.vb, h: &s.b, isB: true} }

// normal returns the outward normal of a face, frame of A.
func (s *Search) normal(b body, f soa.Face) vec.Vec3 {
	if b.isB {
		return s.rot.MulVec(b.v.Normal(f))
	}
	return b.v.Normal(f)
}

// leaveFace is nextDoor for a face of one body, with outward normal n, and a vertex of the other.
func (s *Search) leaveFace(face, vertex body, f soa.Face, k soa.Vertex, n vec.Vec3, id soa.FacetID) (soa.FacetID, bool) {
	if low := lowestNeighbour(vertex, k, n); low != k {
		return named(face, uint16(f), uint16(low)), true
	}
	side, out := face.farthestSide(f, vertex.h.at(int(k)), n)
	if !out {
		return id, false
	}
	twin := face.v.Twin[side]
	other := face.v.Face[twin]
	if h, found := vertex.firstToLeave(k, noVertex, n, s.normal(face, other), 1); found {
		return crossingOf(face, side, vertex, h), true
	}
	return named(face, uint16(other), uint16(k)), true
}

// leaveCrossing is nextDoor for two edges with normal n: past the end of one of them that lies farthest short of the
// crossing.
func (s *Search) leaveCrossing(id soa.FacetID, n vec.Vec3) (soa.FacetID, bool) {
	a, b := s.sideA(), s.sideB()
	h, k := s.va.Edge[id.A], s.vb.Edge[id.B]
	p, p1 := s.edgeA(int(id.A))
	q, q1 := s.edgeB(int(id.B))
	e, f, w := p1.Sub(p), q1.Sub(q), q.Sub(p)
	c := e.Cross(f)
	cc := c.Norm2()
	at, bt := w.Cross(f).Dot(c)/cc, w.Cross(e).Dot(c)/cc
	outA, outB := max(-at, at-1)*e.Norm(), max(-bt, bt-1)*f.Norm()
	if !(max(outA, outB) > 0) {
		return id, false
	}
	if outA >= outB {
		if at < 0 {
			h = s.va.Twin[h]
		}
		return s.pastEnd(a, h, b, k, n, -1), true
	}
	if bt < 0 {
		k = s.vb.Twin[k]
	}
	return s.pastEnd(b, k, a, h, n, 1), true
}

// pastEnd returns the facet of K beyond the head of half-edge h of one body, along edge k of the other. sign says
// which way n goes from the first: -1 out of it, 1 into it.
func (s *Search) pastEnd(one body, h soa.HalfEdge, other body, k soa.HalfEdge, n vec.Vec3, sign float64) soa.FacetID {
	end, start := one.v.Head(h), one.v.Tail[h]
	// The direction turns about edge k, towards the face next to it on whose side the end is the support.
	along := one.h.at(int(end)).Sub(one.h.at(int(start))).Scale(-sign)
	f := other.v.Face[k]
	m := s.normal(other, f).Scale(sign)
	g := other.v.Face[other.v.Twin[k]]
	if o := s.normal(other, g).Scale(sign); o.Dot(along) > m.Dot(along) {
		f, m = g, o
	}
	if e, found := one.firstToLeave(end, start, n, m, sign); found {
		return crossingOf(one, e, other, k)
	}
	return named(other, uint16(f), uint16(end))
}

// lowestNeighbour returns the neighbour of vertex k that is deepest against n, or k where none is deeper.
func lowestNeighbour(b body, k soa.Vertex, n vec.Vec3) soa.Vertex {
	low, at := n.Dot(b.h.at(int(k))), k
	first := b.v.RingFirst[k]
	for _, e := range b.v.Ring[first : first+b.v.RingLen[k]] {
		w := b.v.Head(e)
		if h := n.Dot(b.h.at(int(w))); h < low {
			low, at = h, w
		}
	}
	return at
}

// farthestSide returns the side of face f, with outward normal n, that p lies farthest beyond, and whether there is
// one.
func (b body) farthestSide(f soa.Face, p, n vec.Vec3) (soa.HalfEdge, bool) {
	first, count := b.v.LoopFirst[f], b.v.LoopLen[f]
	worst, side := 0.0, soa.HalfEdge(0)
	for i := range count {
		h := first + i
		u := b.h.at(int(b.v.Tail[h]))
		e := b.h.at(int(b.v.Head(h))).Sub(u)
		if in := n.Cross(e).Dot(p.Sub(u)) / e.Norm(); in < worst {
			worst, side = in, h
		}
	}
	return side, worst < 0
}

// firstToLeave returns the edge at vertex k, but for the one to except, at which k first ceases to be the support while
// the direction turns from n to m. sign is 1 where the vertex is to stay lowest along the direction, -1 where it is to
// stay highest.
func (b body) firstToLeave(k, except soa.Vertex, n, m vec.Vec3, sign float64) (soa.HalfEdge, bool) {
	least, at, found := math.Inf(1), soa.HalfEdge(0), false
	from := b.h.at(int(k))
	first := b.v.RingFirst[k]
	for _, e := range b.v.Ring[first : first+b.v.RingLen[k]] {
		w := b.v.Head(e)
		if w == except {
			continue
		}
		edge := b.h.at(int(w)).Sub(from)
		c0, c1 := max(float64(sign*n.Dot(edge)), 0), float64(sign*m.Dot(edge))
		if !(c1 < 0) {
			continue
		}
		if t := c0 / (c0 - c1); t < least {
			least, at, found = t, e, true
		}
	}
	return at, found
}

// named is the facet of a face of one body and a vertex of the other.
func named(face body, f, k uint16) soa.FacetID {
	if face.isB {
		return soa.FacetID{Kind: soa.VertexFace, A: k, B: f}
	}
	return soa.FacetID{Kind: soa.FaceVertex, A: f, B: k}
}

// crossingOf is the facet of an edge of one body and an edge of the other.
func crossingOf(one body, h soa.HalfEdge, other body, k soa.HalfEdge) soa.FacetID {
	i, j := edgeOf(one.v, h), edgeOf(other.v, k)
	if one.isB {
		i, j = j, i
	}
	return soa.FacetID{Kind: soa.EdgeEdge, A: i, B: j}
}

// edgeOf returns the edge of a half-edge: edges are sorted by their lower one.
func edgeOf(v *soa.View, h soa.HalfEdge) uint16 {
	h = min(h, v.Twin[h])
	return uint16(sort.Search(len(v.Edge), func(i int) bool { return v.Edge[i] >= h }))
}
