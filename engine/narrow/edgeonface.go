package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// edgeOnFace is facePair for an edge of one body that lies on a face of the other, level or nearly so: the face of a facet
// with the edge at its vertex that leaves the face's plane least. The facets of K in the cap are those of the face
// with an end of the edge, and crossings of the edge with the face's edges. The part of K that they make is the face less
// the edge, which is as flat as the edge is level.
func (s *Search) edgeOnFace(id soa.FacetID) (shallowest, faces, bool) {
	one, other := body{s.va, &s.a}, body{s.vb, &s.b}
	near, end := &s.nearA, &s.nearB
	var m, n vec.Vec3
	var d float64
	f, ofA, ofB, k, w := 0, noFace, noFace, soa.Vertex(0), noVertex
	switch id.Kind {
	case soa.FaceVertex:
		f, k = int(id.A), soa.Vertex(id.B)
		m, d = s.planeA(f)
		n, ofA = m, f
	case soa.VertexFace:
		one, other, near, end = other, one, end, near
		f, k = int(id.B), soa.Vertex(id.A)
		m, d = s.planeB(f)
		n, ofB = m.Neg(), f
	case soa.EdgeEdge:
		g, ofFaceA := s.levelWithCrossing(id)
		if f = g; ofFaceA {
			h := s.vb.Edge[id.B]
			k, w = s.vb.Tail[h], s.vb.Head(h)
			m, d = s.planeA(f)
			n, ofA = m, f
			break
		}
		h := s.va.Edge[id.A]
		k, w = s.va.Tail[h], s.va.Head(h)
		one, other, near, end = other, one, end, near
		m, d = s.planeB(f)
		n, ofB = m.Neg(), f
	default:
		return shallowest{}, faces{}, false
	}
	slope := 0.0
	if w == noVertex {
		w, slope = other.flattest(k, m)
	} else {
		e := other.h.at(int(w)).Sub(other.h.at(int(k)))
		slope = m.Dot(e) / e.Norm()
	}
	lean := min(one.v.Caps[f], s.lift(other.v, other.h, k, w, m), s.lift(other.v, other.h, w, k, m))
	if !(lean > 0) {
		return shallowest{}, faces{}, false
	}
	*near, *end = corners((*near)[:0], one.v, f), append((*end)[:0], uint16(k), uint16(w))
	hk, hw := d-m.Dot(other.h.at(int(k))), d-m.Dot(other.h.at(int(w)))
	least, most := min(hk, hw), max(hk, hw)
	rho := min(s.insidePolygons(one.h, *near, other.h, *end, m), s.insidePolygons(other.h, *end, one.h, *near, m.Neg()))
	pair := faces{n: n, least: least, most: most, rho: rho, lean: lean, tilt: slope}
	best := s.shallowestOfFaces(ofA, ofB, n, least)
	if best.id.Kind == soa.NoFacet {
		return shallowest{}, faces{}, false
	}
	pair.depth = best.h
	return best, pair, s.aloneBetween(n, best.h, least, most, lean, rho, 0)
}

// levelWithCrossing returns the face, of the four next to two edges that cross, which is nearest to level with them, and whether
// it is one of A.
func (s *Search) levelWithCrossing(id soa.FacetID) (f int, ofA bool) {
	_, n, _ := s.finalise(id)
	inB := s.rot.TMulVec(n.Neg())
	h, k := s.va.Edge[id.A], s.vb.Edge[id.B]
	best := math.Inf(-1)
	for _, g := range [2]soa.Face{s.va.Face[h], s.va.Face[s.va.Twin[h]]} {
		if c := s.va.Normal(g).Dot(n); c > best {
			best, f, ofA = c, int(g), true
		}
	}
	for _, g := range [2]soa.Face{s.vb.Face[k], s.vb.Face[s.vb.Twin[k]]} {
		if c := s.vb.Normal(g).Dot(inB); c > best {
			best, f, ofA = c, int(g), false
		}
	}
	return f, ofA
}

// edgeFlatter says whether at a facet an edge lies flatter on a face than two faces do that are tilted so much: to less than
// a sixteenth.
func (s *Search) edgeFlatter(id soa.FacetID, tilt float64) bool {
	slope := 1.0
	switch id.Kind {
	case soa.FaceVertex:
		m, _ := s.planeA(int(id.A))
		_, slope = body{s.vb, &s.b}.flattest(soa.Vertex(id.B), m)
	case soa.VertexFace:
		m, _ := s.planeB(int(id.B))
		_, slope = body{s.va, &s.a}.flattest(soa.Vertex(id.A), m)
	case soa.EdgeEdge:
		f, ofA := s.levelWithCrossing(id)
		if ofA {
			h, m := s.vb.Edge[id.B], s.rot.TMulVec(s.va.Normal(soa.Face(f)))
			slope = m.Dot(s.vb.Vert(s.vb.Head(h)).Sub(s.vb.Vert(s.vb.Tail[h]))) / s.vb.Rims[h].Length
			break
		}
		h, m := s.va.Edge[id.A], s.rot.MulVec(s.vb.Normal(soa.Face(f)))
		slope = m.Dot(s.va.Vert(s.va.Head(h)).Sub(s.va.Vert(s.va.Tail[h]))) / s.va.Rims[h].Length
	}
	return math.Abs(slope) < tilt/16
}

// body is one of the two, in the frame and scale of the search.
type body struct {
	v *soa.View
	h *hull
}

// flattest returns the neighbour of vertex k that rises least along d, by the sine of its edge, and that sine.
func (b body) flattest(k soa.Vertex, d vec.Vec3) (w soa.Vertex, slope float64) {
	from := b.h.at(int(k))
	slope = math.Inf(1)
	first := b.v.RingFirst[k]
	for _, h := range b.v.Ring[first : first+b.v.RingLen[k]] {
		to := b.v.Head(h)
		e := b.h.at(int(to)).Sub(from)
		if sine := d.Dot(e) / e.Norm(); sine < slope {
			w, slope = to, sine
		}
	}
	return w, slope
}
