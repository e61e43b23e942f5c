package proof

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/facets"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// edgeOnFace is FacePair for an edge of one body, a face of two corners, that lies on a face of the other: the face of a facet
// with the edge at its vertex that leaves the face's plane least. The facets of K in the cap are those of the face
// with an end of the edge, and crossings of the edge with the face's edges. The part of K that they make is the face less
// the edge, which is as flat as the edge is level.
func (s *Prover) edgeOnFace(id soa.FacetID) (facets.Shallowest, faces, bool) {
	if s.Off&EdgesOnFaces != 0 {
		return facets.Shallowest{}, faces{}, false
	}
	one, other := pair.Body{V: s.ViewA, H: &s.HullA}, pair.Body{V: s.ViewB, H: &s.HullB}
	near, end := &s.NearA, &s.NearB
	var m, n vec.Vec3
	var d float64
	f, ofA, ofB, k, w := 0, noFace, noFace, soa.Vertex(0), pair.NoVertex
	switch id.Kind {
	case soa.FaceVertex:
		f, k = int(id.A), soa.Vertex(id.B)
		m, d = s.PlaneA(f)
		n, ofA = m, f
	case soa.VertexFace:
		one, other, near, end = other, one, end, near
		f, k = int(id.B), soa.Vertex(id.A)
		m, d = s.PlaneB(f)
		n, ofB = m.Neg(), f
	case soa.EdgeEdge:
		g, ofFaceA := s.levelWithCrossing(id)
		if f = g; ofFaceA {
			h := s.ViewB.Edge[id.B]
			k, w = s.ViewB.Tail[h], s.ViewB.Head(h)
			m, d = s.PlaneA(f)
			n, ofA = m, f
			break
		}
		h := s.ViewA.Edge[id.A]
		k, w = s.ViewA.Tail[h], s.ViewA.Head(h)
		one, other, near, end = other, one, end, near
		m, d = s.PlaneB(f)
		n, ofB = m.Neg(), f
	default:
		return facets.Shallowest{}, faces{}, false
	}
	slope := 0.0
	if w == pair.NoVertex {
		w, slope = other.Flattest(k, m)
	} else {
		e := other.H.At(int(w)).Sub(other.H.At(int(k)))
		slope = m.Dot(e) / e.Norm()
	}
	capSine := min(one.V.Caps[f], s.lift(other.V, other.H, k, w, m), s.lift(other.V, other.H, w, k, m))
	if !(capSine > 0) {
		return facets.Shallowest{}, faces{}, false
	}
	*near, *end = Corners((*near)[:0], one.V, f), append((*end)[:0], uint16(k), uint16(w))
	hk, hw := d-m.Dot(other.H.At(int(k))), d-m.Dot(other.H.At(int(w)))
	two := faces{n: n, least: min(hk, hw), most: max(hk, hw), capSine: capSine, tilt: slope}
	best, proven := s.shallowestAlone(ofA, ofB, &two)
	return best, two, proven
}

// levelWithCrossing returns the face, of the four next to two edges that cross, which is nearest to level with them, and whether
// it is one of A.
func (s *Prover) levelWithCrossing(id soa.FacetID) (f int, ofA bool) {
	_, n, _ := s.Finalise(id)
	inB := s.Rot.TMulVec(n.Neg())
	h, k := s.ViewA.Edge[id.A], s.ViewB.Edge[id.B]
	best := math.Inf(-1)
	for _, g := range [2]soa.Face{s.ViewA.Face[h], s.ViewA.Face[s.ViewA.Twin[h]]} {
		if c := s.ViewA.Normal(g).Dot(n); c > best {
			best, f, ofA = c, int(g), true
		}
	}
	for _, g := range [2]soa.Face{s.ViewB.Face[k], s.ViewB.Face[s.ViewB.Twin[k]]} {
		if c := s.ViewB.Normal(g).Dot(inB); c > best {
			best, f, ofA = c, int(g), false
		}
	}
	return f, ofA
}

// edgeFlatter says whether at a facet an edge lies flatter on a face than two faces do that are tilted so much: to less than
// a sixteenth.
func (s *Prover) edgeFlatter(id soa.FacetID, tilt float64) bool {
	slope := 1.0
	switch id.Kind {
	case soa.FaceVertex:
		m, _ := s.PlaneA(int(id.A))
		_, slope = pair.Body{V: s.ViewB, H: &s.HullB}.Flattest(soa.Vertex(id.B), m)
	case soa.VertexFace:
		m, _ := s.PlaneB(int(id.B))
		_, slope = pair.Body{V: s.ViewA, H: &s.HullA}.Flattest(soa.Vertex(id.A), m)
	case soa.EdgeEdge:
		f, ofA := s.levelWithCrossing(id)
		if ofA {
			h, m := s.ViewB.Edge[id.B], s.Rot.TMulVec(s.ViewA.Normal(soa.Face(f)))
			slope = m.Dot(s.ViewB.Vert(s.ViewB.Head(h)).Sub(s.ViewB.Vert(s.ViewB.Tail[h]))) / s.ViewB.Rims[h].Length
			break
		}
		h, m := s.ViewA.Edge[id.A], s.Rot.MulVec(s.ViewB.Normal(soa.Face(f)))
		slope = m.Dot(s.ViewA.Vert(s.ViewA.Head(h)).Sub(s.ViewA.Vert(s.ViewA.Tail[h]))) / s.ViewA.Rims[h].Length
	}
	return math.Abs(slope) < tilt/16
}
