package proof

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/facets"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// edgeOnFace is FacePair for an edge of one body that lies on a face of the other. The edge acts as
// a face of two corners. From the face of a facet and the edges at its vertex, edgeOnFace selects
// the edge that makes the smallest angle with the face's plane. The facets of K in the cap are
// those of the face with an end of the edge, and crossings of the edge with edges of the face.
// These facets together are the Minkowski difference of the face and the edge, which is as flat as
// the edge is parallel to the face.
func (s *Prover) edgeOnFace(id soa.FacetID) (facets.Shallowest, faces, bool) {
	if s.Off&EdgesOnFaces != 0 {
		return facets.Shallowest{}, faces{}, false
	}
	one, other := pair.PosedBody{V: s.ViewA, H: &s.HullA}, pair.PosedBody{V: s.ViewB, H: &s.HullB}
	near, end := &s.NearA, &s.NearB
	f, onA, k, w, slope := s.flatEdge(id)
	var n, m, up vec.Vec3 // up is m in the frame of the edge
	d, ofA, ofB := 0.0, noFace, noFace
	if onA {
		m, d = s.PlaneA(f)
		n, up, ofA = m, s.Rot.TMulVec(m), f
	} else {
		one, other, near, end = other, one, end, near
		m, d = s.PlaneB(f)
		n, up, ofB = m.Neg(), m, f
	}
	capSine := min(one.V.Caps[f], pair.CapSineAt(other.V, k, w, up, s.leastRise()), pair.CapSineAt(other.V, w, k, up, s.leastRise()))
	if !(capSine > 0) {
		return facets.Shallowest{}, faces{}, false
	}
	*near, *end = Corners((*near)[:0], one.V, f), append((*end)[:0], uint16(k), uint16(w))
	hk, hw := d-m.Dot(other.H.At(int(k))), d-m.Dot(other.H.At(int(w)))
	two := faces{n: n, least: min(hk, hw), most: max(hk, hw), capSine: capSine, tilt: slope}
	best, proven := s.shallowestAlone(ofA, ofB, &two)
	return best, two, proven
}

// flatEdge returns, for the features of a facet, face f and the edge of the other body that makes
// the smallest angle with the plane of f. onA is true if f is a face of A. k and w are the ends of
// the edge, and slope is the sine of the angle. For two edges, f is the adjacent face whose normal
// is closest to the facet's.
func (s *Prover) flatEdge(id soa.FacetID) (f int, onA bool, k, w soa.Vertex, slope float64) {
	switch id.Kind {
	case soa.FaceVertex:
		m, _ := s.PlaneA(int(id.A))
		w, slope = pair.PosedBody{V: s.ViewB, H: &s.HullB}.Flattest(soa.Vertex(id.B), m)
		return int(id.A), true, soa.Vertex(id.B), w, slope
	case soa.VertexFace:
		m, _ := s.PlaneB(int(id.B))
		w, slope = pair.PosedBody{V: s.ViewA, H: &s.HullA}.Flattest(soa.Vertex(id.A), m)
		return int(id.B), false, soa.Vertex(id.A), w, slope
	}
	_, n, _ := s.Finalise(id)
	h, g := s.ViewA.Edge[id.A], s.ViewB.Edge[id.B]
	faceA, cosA := steepestBeside(s.ViewA, h, n)
	faceB, cosB := steepestBeside(s.ViewB, g, s.Rot.TMulVec(n.Neg()))
	f, onA, k, w = int(faceA), true, s.ViewB.Tail[g], s.ViewB.Head(g)
	m, _ := s.PlaneA(f)
	e := s.HullB.At(int(w)).Sub(s.HullB.At(int(k)))
	if cosB > cosA {
		f, onA, k, w = int(faceB), false, s.ViewA.Tail[h], s.ViewA.Head(h)
		m, _ = s.PlaneB(f)
		e = s.HullA.At(int(w)).Sub(s.HullA.At(int(k)))
	}
	return f, onA, k, w, m.Dot(e) / e.Norm()
}

// steepestBeside returns the face beside an edge whose normal has the larger component along d, and
// that component. Frame of the view.
func steepestBeside(v *soa.View, h soa.HalfEdge, d vec.Vec3) (f soa.Face, cosine float64) {
	f, g := v.Face[h], v.Face[v.Twin[h]]
	cosine = v.Normal(f).Dot(d)
	if other := v.Normal(g).Dot(d); other > cosine {
		return g, other
	}
	return f, cosine
}

// edgeFlatter reports whether, at a facet, an edge lies flatter on a face than two faces at an
// angle of sine tilt lie on each other: whether the sine of the edge's angle is below tilt/16.
func (s *Prover) edgeFlatter(id soa.FacetID, tilt float64) bool {
	_, _, _, _, slope := s.flatEdge(id)
	return math.Abs(slope) < tilt/16
}
