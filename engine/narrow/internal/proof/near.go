package proof

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Nearest features of a pair that is apart within reach (certificate C4).
//
// The distance of convex bodies is a convex problem: features that hold the feet of their own distance, and are the
// support along it, are the nearest of all. What makes the answer the search's, to the bit, is the margin of
// nearestProven, and for vertices level with each other under one face, the order in which a search asks (nearestCoplanar).
// Cost: the edges about the features; B is not brought into A's frame, unless vertices are level.

// nearestHere answers a pair that is apart by the features of a feature pair, if they are proven to be the nearest within reach, m.
func (s *Prover) nearestHere(at *pair.FeaturePair, on *evaluated, reach float64, out *pair.Answer) bool {
	if s.Off&Nearest != 0 || !(on.Gap >= float64(clearGap*s.LengthScale)) || !(on.Gap < reach-s.Tol.Proof) {
		return false
	}
	if on.CapSine == 0 {
		return s.nearestCoplanar(on, reach, out)
	}
	if !s.nearestProven(at, on.Gap, on.CapSine) {
		return false
	}
	s.Last.keep(at, on.ID, on.N, -on.Gap, on.CapSine)
	s.Last.apart = true
	s.WriteProven(at, on.ID, on.Gap, on.N, out)
	return true
}

// nearestProven reports whether the features of a feature pair, gap apart along n, are the nearest of the two bodies, and
// so far from a tie that every search names them.
//
// For convex bodies apart the nearest features are those that hold the feet of their own distance and are the
// support along it: what is so nearby is so everywhere. No others pass for them (see answers): features whose
// normal leans by an angle α from n are separated by no more than gap·cos α along it, so those
// that pass, to nearTol and the square of projectionTol over the gap, lie well within α² ≤ 4·ProofTol/gap.
// Where the features here are the only supports in a wider cap, such others can only be parts of them,
// which are farther, by foot²/2·gap, or hold them, whose feet lie beyond their sides.
//
// capSine is that of the feature pair, see CapSineOf.
func (s *Prover) nearestProven(at *pair.FeaturePair, gap, capSine float64) bool {
	sure := float64(sureSine * s.LengthScale)
	if at.Kind != soa.VertexVertex && !(float64(at.Inset*at.Inset) > float64(gap*sure) && at.Inset > clearGap*s.LengthScale) {
		return false
	}
	return float64(float64(gap*capSine)*capSine) > sure
}

// nearestCoplanar answers a pair apart of which a face and several vertices that are level are the nearest.
//
// A search asks the faces of A that lie within a cosine of its direction in their order, then those of B, each with the lowest
// vertex that ties, and takes the first that answers (see apart). Another face that leans by an angle α from the nearest
// does not answer unless α² ≤ 4·ProofTol/gap. Where the cap about the face here is wider there is none on its
// side; for a face of B those of A are looked at besides. So this one is asked just so.
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
	gap, sure := -h, float64(sureSine*s.LengthScale)
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

// rimEdgeOf is the edge of K of a feature pair of a vertex and an edge.
func rimEdgeOf(at *pair.FeaturePair) rimEdge {
	if at.Kind == soa.VertexEdge {
		return rimEdge{at.Kind, at.VertexA, at.HalfB}
	}
	return rimEdge{at.Kind, at.VertexB, at.HalfA}
}

// onRim looks for the foot of the origin on an edge of K, of a pair apart: a vertex and an edge, or two vertices.
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

// endOfA returns the vertex of A, or an end of its edge, of a feature pair of vertices and edges.
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
