package proof

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Nearest features of a pair apart within reach (certificate C4).
//
// The distance of convex bodies is a convex problem: features that contain the projections of each
// other, and are the support along their own normal, are the nearest of all. The answer has the
// same bits as that of a search, because nearestProven requires a margin, and nearestCoplanar tests
// the coplanar vertices in front of a face in the same order as a search. Cost: the edges about the
// features. All vertices of B are transformed to A's frame only if vertices are coplanar.

// proveNearest answers a pair apart by the features of a feature pair, if they are proven to be the
// nearest and within reach, m.
func (s *Prover) proveNearest(at *pair.FeaturePair, on *evaluated, reach float64, out *pair.Answer) bool {
	if s.Off&Nearest != 0 || !(on.Gap >= float64(clearGap*s.LengthScale)) || !(on.Gap < reach-s.Tol.Proof) {
		return false
	}
	if on.CapSine == 0 {
		return s.nearestCoplanar(on, reach, out)
	}
	if !s.nearestProven(at, on.Gap, on.CapSine) {
		return false
	}
	s.keepAndWrite(at, on, out)
	s.Last.apart = true
	return true
}

// nearestProven reports whether the features of a feature pair, gap apart along n, are the nearest
// features of the two bodies, and so far from a tie that every search returns them. capSine is that
// of CapSineOf.
//
// The distance of convex bodies is a convex function, so features that contain their own
// projections and are the support along their own normal are the nearest of all. No other features
// are accepted by Answers in their place: features whose normal is at an angle α from n are
// separated by at most gap·cos α along it. Answers accepts an error of nearTol and of
// projectionTol² over the gap, so α² is well below 4·ProofTol/gap. In a wider cap the features here
// are the only supports. Other features in it can only be parts of these, which are farther by
// inset²/(2·gap), or contain these, and then their projections lie beyond their sides.
func (s *Prover) nearestProven(at *pair.FeaturePair, gap, capSine float64) bool {
	sure := float64(certainSine * s.LengthScale)
	if at.Kind != soa.VertexVertex && !(float64(at.Inset*at.Inset) > float64(gap*sure) && at.Inset > clearGap*s.LengthScale) {
		return false
	}
	return float64(float64(gap*capSine)*capSine) > sure
}

// nearestCoplanar answers a pair apart whose nearest features are a face and several vertices
// coplanar with each other.
//
// A search tests the faces of A whose normal is within some angle of the search direction, in their
// order, then those of B. It tests each face with the lowest vertex that ties, and returns the
// first face that Answers accepts (see search.apart). A face at an angle α from the nearest one is
// accepted only if α² ≤ 4·ProofTol/gap. If the cap about the face here is wider than that, its body
// has no other such face. For a face of B, nearestCoplanar also checks the faces of A, which a
// search tests first. The face here is then tested in the same way as in a search.
func (s *Prover) nearestCoplanar(on *evaluated, reach float64, out *pair.Answer) bool {
	if s.Off&Nearest != 0 {
		return false
	}
	v, f, k := s.ViewA, on.ID.A, s.FaceNumber(on.ID)
	if k < 0 {
		return false
	}
	if on.ID.Kind == soa.VertexFace {
		v, f = s.ViewB, on.ID.B
	}
	s.AllToFrameA()
	m, d, other := s.Face(k)
	h := d - other.Bottom(m)
	gap, sure := -h, float64(certainSine*s.LengthScale)
	if !(gap >= float64(clearGap*s.LengthScale)) || !(gap < reach-s.Tol.Proof) {
		return false
	}
	if capSine := v.Caps[f]; !(float64(float64(gap*capSine)*capSine) > sure) {
		return false
	}
	if on.ID.Kind == soa.VertexFace {
		for g := range s.ViewA.NFaces {
			if s.ViewA.Normal(soa.Face(g)).Dot(on.N) >= 1-sure/gap {
				return false
			}
		}
	}
	return s.Answers(s.OnFace(k, h).ID, gap, out)
}

// rimEdgeOf returns the edge of K that a feature pair of a vertex and an edge makes.
func rimEdgeOf(at *pair.FeaturePair) rimEdge {
	if at.Kind == soa.VertexEdge {
		return rimEdge{at.Kind, at.VertexA, at.HalfB}
	}
	return rimEdge{at.Kind, at.VertexB, at.HalfA}
}

// onRim returns the feature of an edge of K that contains the projection of the origin, for a pair
// apart: the edge itself (a vertex and an edge), or one of its ends (two vertices).
func (s *Prover) onRim(r rimEdge) pair.FeaturePair {
	onB := r.kind == soa.VertexEdge
	at, edges := pair.OnEdgeVertex(r.h, r.k), s.ViewA
	var p, q, q1 vec.Vec3
	if onB {
		at, edges = pair.OnVertexEdge(r.k, r.h), s.ViewB
		p, q, q1 = s.ViewA.Vert(r.k), s.PointB(edges.Tail[r.h]), s.PointB(edges.Head(r.h))
	} else {
		p, q, q1 = s.PointB(r.k), edges.Vert(edges.Tail[r.h]), edges.Vert(edges.Head(r.h))
	}
	e := q1.Sub(q)
	t, l := p.Sub(q).Dot(e), e.Norm2()
	if at.Inset = min(t, l-t) / math.Sqrt(l); at.Inset > 0 {
		return at
	}
	inset, end := at.Inset, pair.EndOf(edges, r.h, t > 0)
	if at = pair.OnVertices(end, r.k); onB {
		at = pair.OnVertices(r.k, end)
	}
	at.Inset = inset
	return at
}

// endOfA returns the vertex of A, or the tail of A's edge, of a feature pair without faces.
func (s *Prover) endOfA(at *pair.FeaturePair) soa.Vertex {
	if at.Kind == soa.EdgeVertex {
		return s.ViewA.Tail[at.HalfA]
	}
	return at.VertexA
}

// endOfB is endOfA for B.
func (s *Prover) endOfB(at *pair.FeaturePair) soa.Vertex {
	if at.Kind == soa.VertexEdge {
		return s.ViewB.Tail[at.HalfB]
	}
	return at.VertexB
}
