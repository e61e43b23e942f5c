package pair

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// FacetOf returns the id of a feature pair. It also transforms to the frame of A those vertices of
// B that the gap and normal of the features depend on.
func (s *Frame) FacetOf(at *FeaturePair) soa.FacetID {
	s.FeaturesToFrameA(at)
	id := soa.FacetID{Kind: at.Kind}
	switch at.Kind {
	case soa.FaceVertex:
		id.A, id.B = uint16(at.FaceA), uint16(at.VertexB)
	case soa.VertexFace:
		id.A, id.B = uint16(at.VertexA), uint16(at.FaceB)
	case soa.EdgeEdge:
		id.A, id.B = EdgeNumber(s.ViewA, at.HalfA), EdgeNumber(s.ViewB, at.HalfB)
	case soa.VertexVertex:
		id.A, id.B = uint16(at.VertexA), uint16(at.VertexB)
	case soa.VertexEdge:
		id.A, id.B = uint16(at.VertexA), EdgeNumber(s.ViewB, at.HalfB)
	case soa.EdgeVertex:
		id.A, id.B = EdgeNumber(s.ViewA, at.HalfA), uint16(at.VertexB)
	}
	return id
}

// FeaturesToFrameA transforms B's vertices of a feature pair to the frame of A.
func (s *Frame) FeaturesToFrameA(at *FeaturePair) {
	switch at.Kind {
	case soa.EdgeEdge, soa.VertexEdge:
		s.toFrameA(s.ViewB.Tail[at.HalfB])
		s.toFrameA(s.ViewB.Head(at.HalfB))
	case soa.FaceVertex, soa.VertexVertex, soa.EdgeVertex:
		s.toFrameA(at.VertexB)
	}
}

// FinaliseFeatures is Finalise for a feature pair. It orients the normal of two edges by the faces
// of A alone. If that orientation is wrong, the features are not the support along the normal, and
// no proof succeeds.
func (s *Frame) FinaliseFeatures(at *FeaturePair, id soa.FacetID) (gap float64, n vec.Vec3, ok bool) {
	if at.Kind != soa.EdgeEdge {
		return s.Finalise(id)
	}
	h := at.HalfA
	return s.FinaliseEdges(id, s.ViewA.Normal(s.ViewA.Face[h]).Add(s.ViewA.Normal(s.ViewA.Face[s.ViewA.Twin[h]])))
}

// FinaliseEdges is Finalise for two edges whose normal has a positive component along a known
// direction.
func (s *Frame) FinaliseEdges(id soa.FacetID, along vec.Vec3) (gap float64, n vec.Vec3, ok bool) {
	p, p1 := s.EdgeA(int(id.A))
	q, q1 := s.EdgeB(int(id.B))
	if n, ok = Crossing(p, p1, q, q1); !ok {
		return 0, n, false
	}
	if n.Dot(along) < 0 {
		n = n.Neg()
	}
	return n.Dot(q.Sub(p)), n, true
}

// toFrameA stores vertex k of B in the frame of A.
func (s *Frame) toFrameA(k soa.Vertex) {
	p := s.PointB(k)
	s.HullB.X[k], s.HullB.Y[k], s.HullB.Z[k] = p.X, p.Y, p.Z
}

// FeaturePair is the current position of a descent: the features that make a facet of K, or the
// edge or vertex of K on the rim between two facets. It has four fields so that the compiler keeps
// it in registers. A larger structure, written in parts and copied as a whole, would wait at every
// step until its parts have left the store buffer.
type FeaturePair struct {
	Kind soa.FacetKind
	partA
	partB
	Inset float64 // how far inside the features the projection of the origin lies; 0 or less if outside
}

// partA and partB are the feature of either body. Kind tells which field is valid: face, vertex or
// half-edge.
type partA struct {
	FaceA   soa.Face
	VertexA soa.Vertex
	HalfA   soa.HalfEdge
}

type partB struct {
	FaceB   soa.Face
	VertexB soa.Vertex
	HalfB   soa.HalfEdge
}

// OnFaceVertex returns the feature pair of a face of A and a vertex of B.
func OnFaceVertex(f soa.Face, k soa.Vertex) FeaturePair {
	return FeaturePair{Kind: soa.FaceVertex, partA: partA{FaceA: f}, partB: partB{VertexB: k}}
}

// OnVertexFace returns the feature pair of a vertex of A and a face of B.
func OnVertexFace(k soa.Vertex, f soa.Face) FeaturePair {
	return FeaturePair{Kind: soa.VertexFace, partA: partA{VertexA: k}, partB: partB{FaceB: f}}
}

// OnEdges returns the feature pair of two edges, given one half-edge of each.
func OnEdges(h, k soa.HalfEdge) FeaturePair {
	return FeaturePair{Kind: soa.EdgeEdge, partA: partA{HalfA: h}, partB: partB{HalfB: k}}
}

// OnVertices returns the feature pair of two vertices.
func OnVertices(k, l soa.Vertex) FeaturePair {
	return FeaturePair{Kind: soa.VertexVertex, partA: partA{VertexA: k}, partB: partB{VertexB: l}}
}

// OnVertexEdge returns the feature pair of a vertex of A and an edge of B.
func OnVertexEdge(k soa.Vertex, h soa.HalfEdge) FeaturePair {
	return FeaturePair{Kind: soa.VertexEdge, partA: partA{VertexA: k}, partB: partB{HalfB: h}}
}

// OnEdgeVertex returns the feature pair of an edge of A and a vertex of B.
func OnEdgeVertex(h soa.HalfEdge, k soa.Vertex) FeaturePair {
	return FeaturePair{Kind: soa.EdgeVertex, partA: partA{HalfA: h}, partB: partB{VertexB: k}}
}

// FeaturePairOf returns the feature pair that id names.
func (s *Frame) FeaturePairOf(id soa.FacetID) FeaturePair {
	at := FeaturePair{Kind: id.Kind}
	switch id.Kind {
	case soa.FaceVertex:
		at.FaceA, at.VertexB = soa.Face(id.A), soa.Vertex(id.B)
	case soa.VertexFace:
		at.VertexA, at.FaceB = soa.Vertex(id.A), soa.Face(id.B)
	case soa.EdgeEdge:
		at.HalfA, at.HalfB = s.ViewA.Edge[id.A], s.ViewB.Edge[id.B]
	case soa.VertexVertex:
		at.VertexA, at.VertexB = soa.Vertex(id.A), soa.Vertex(id.B)
	case soa.VertexEdge:
		at.VertexA, at.HalfB = soa.Vertex(id.A), s.ViewB.Edge[id.B]
	case soa.EdgeVertex:
		at.HalfA, at.VertexB = s.ViewA.Edge[id.A], soa.Vertex(id.B)
	}
	return at
}
