package proof

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// maxNear bounds the feature pairs that a walk between bodies apart passes: in a step of a heap it is one or two.
const maxNear = 12

// nearFeature answers a pair that is apart within reach, m, by features known from an earlier answer (certificate C4). It
// says false where those and the ones it walks to prove nothing. If that is because the pair now overlaps, id is a facet
// of K from which C3 may go on; walked says whether it is another than it was.
//
// The distance of convex bodies is a convex problem: features that hold the feet of their own distance, and are the
// support along it, are the nearest of all. What makes the answer the search's, to the bit, is the margin of
// nearestProven, and for vertices level with each other under one face, the order in which a search asks (nearestLevel).
//
// Source: the walk over the features' Voronoi regions of Mirtich 1998 (V-Clip). Departures: where a condition fails the walk
// goes where the distance falls fastest; nothing is decided by it, so its roundings need no allowance, its cycles are
// cut by maxNear, and what does not close is searched for. Cost: the edges about the features; B is not
// brought into A's frame, unless vertices are level.
func (s *Prover) nearFeature(id *soa.FacetID, reach float64, out *pair.Answer) (answered, walked bool) {
	clear := float64(clearGap * s.Unit)
	if s.Scale != 1 || s.Off&Nearest != 0 || !(reach > clear) {
		return false, false
	}
	at, now := s.FeaturePairOf(*id), *id
	s.FeaturesToFrameA(&at)
	gap, n, ok := s.FinaliseFeatures(&at, now)
	if now.Kind <= soa.EdgeEdge && !(gap > clear) {
		return false, false // most that touched still do, and go on to C3
	}
	for range maxNear {
		ka, kb := at.VertexA, at.VertexB
		next, settled := s.stride(&at)
		if at.VertexA != ka || at.VertexB != kb {
			now = s.FacetOf(&at)
			gap, n, ok = s.FinaliseFeatures(&at, now)
		}
		if !ok {
			return false, walked
		}
		if !(gap > clear) {
			if now.Kind <= soa.EdgeEdge {
				*id = now
			}
			return false, walked
		}
		if onFace := now.Kind == soa.FaceVertex || now.Kind == soa.VertexFace; settled || onFace && !walked {
			capSine := s.CapSineOf(&at, n)
			if level := onFace && capSine == 0; level || settled {
				if walked {
					out.Level = pair.LevelWalk
				}
				return gap < reach-s.Tol.Proof && (level && s.nearestLevel(now, gap, n, out) ||
					!level && s.nearestAlone(&at, now, gap, n, capSine, out)), walked
			}
		}
		at, walked = next, true
		now = s.FacetOf(&at)
		gap, n, ok = s.FinaliseFeatures(&at, now)
	}
	return false, walked
}

// stride says whether the features of a feature pair hold the feet of their own distance and no feature next to them is nearer,
// and else which is. It sets the foot of the feature pair, and the vertex of one with a face to the one that is the support.
func (s *Prover) stride(at *pair.FeaturePair) (next pair.FeaturePair, settled bool) {
	switch at.Kind {
	case soa.FaceVertex:
		at.VertexB = pair.Climb(s.ViewB, at.VertexB, s.Rot.TMulVec(s.ViewA.Normal(at.FaceA).Neg()))
		side, foot := pair.Inset(s.ViewA, at.FaceA, s.PointB(at.VertexB))
		at.Foot = foot
		return pair.OnEdgeVertex(side, at.VertexB), foot > 0
	case soa.VertexFace:
		at.VertexA = pair.Climb(s.ViewA, at.VertexA, s.Rot.MulVec(s.ViewB.Normal(at.FaceB)).Neg())
		side, foot := pair.Inset(s.ViewB, at.FaceB, s.ToB(s.ViewA.Vert(at.VertexA)))
		at.Foot = foot
		return pair.OnVertexEdge(at.VertexA, side), foot > 0
	case soa.EdgeEdge:
		return s.strideCrossing(at)
	}
	return s.strideCorner(at)
}

// strideCrossing is stride for two edges.
func (s *Prover) strideCrossing(at *pair.FeaturePair) (next pair.FeaturePair, settled bool) {
	a, b := s.ViewA, s.ViewB
	p := a.Vert(a.Tail[at.HalfA])
	q := s.PointB(b.Tail[at.HalfB])
	e, f, w := a.Vert(a.Head(at.HalfA)).Sub(p), s.PointB(b.Head(at.HalfB)).Sub(q), q.Sub(p)
	c := e.Cross(f)
	cc := c.Norm2()
	if !(cc > pair.MinSine*pair.MinSine*e.Norm2()*f.Norm2()) {
		return *at, false
	}
	ta, tb := w.Cross(f).Dot(c)/cc, w.Cross(e).Dot(c)/cc
	outA, outB := max(-ta, ta-1)*e.Norm(), max(-tb, tb-1)*f.Norm()
	if at.Foot = min(-outA*math.Sqrt(cc/(e.Norm2()*f.Norm2())), -outB*math.Sqrt(cc/(e.Norm2()*f.Norm2()))); !(at.Foot > 0) {
		if outA >= outB {
			return pair.OnVertexEdge(pair.EndOf(a, at.HalfA, ta > 0.5), at.HalfB), false
		}
		return pair.OnEdgeVertex(at.HalfA, pair.EndOf(b, at.HalfB, tb > 0.5)), false
	}
	d := c.Scale(w.Dot(c))
	best := 0.0
	if h, fall := pair.IntoFace(a, at.HalfA, d); fall > best {
		face := a.Face[h]
		best, next = fall, pair.OnFaceVertex(face, pair.EndOf(b, at.HalfB, a.Normal(face).Dot(f) < 0))
	}
	if h, fall := pair.IntoFace(b, at.HalfB, s.Rot.TMulVec(d.Neg())); fall > best {
		face := b.Face[h]
		best, next = fall, pair.OnVertexFace(pair.EndOf(a, at.HalfA, s.Rot.MulVec(b.Normal(face)).Dot(e) < 0), face)
	}
	return next, !(best > 0)
}

// strideCorner is stride for two vertices, or a vertex and an edge.
func (s *Prover) strideCorner(at *pair.FeaturePair) (next pair.FeaturePair, settled bool) {
	a, b := s.ViewA, s.ViewB
	var p, q vec.Vec3 // the feet
	switch at.Kind {
	case soa.VertexVertex:
		p, q = a.Vert(at.VertexA), s.PointB(at.VertexB)
	case soa.VertexEdge:
		p = a.Vert(at.VertexA)
		q0, q1 := s.PointB(b.Tail[at.HalfB]), s.PointB(b.Head(at.HalfB))
		t, far := 0.0, false
		if t, at.Foot, far = pair.FootOn(q0, q1, p); !(at.Foot > 0) {
			return pair.OnVertices(at.VertexA, pair.EndOf(b, at.HalfB, far)), false
		}
		q = q0.AddScaled(t, q1.Sub(q0))
	case soa.EdgeVertex:
		q = s.PointB(at.VertexB)
		p0, p1 := a.Vert(a.Tail[at.HalfA]), a.Vert(a.Head(at.HalfA))
		t, far := 0.0, false
		if t, at.Foot, far = pair.FootOn(p0, p1, q); !(at.Foot > 0) {
			return pair.OnVertices(pair.EndOf(a, at.HalfA, far), at.VertexB), false
		}
		p = p0.AddScaled(t, p1.Sub(p0))
	}
	d := q.Sub(p)
	back := s.Rot.TMulVec(d.Neg())
	best := 0.0
	if at.Kind == soa.EdgeVertex {
		if h, fall := pair.IntoFace(a, at.HalfA, d); fall > best {
			best, next = fall, pair.OnFaceVertex(a.Face[h], at.VertexB)
		}
	} else if h, fall := pair.AlongEdge(a, at.VertexA, d); fall > best {
		best = fall
		if next = pair.OnEdgeVertex(h, at.VertexB); at.Kind == soa.VertexEdge {
			next = pair.OnEdges(h, at.HalfB)
		}
	}
	if at.Kind == soa.VertexEdge {
		if h, fall := pair.IntoFace(b, at.HalfB, back); fall > best {
			best, next = fall, pair.OnVertexFace(at.VertexA, b.Face[h])
		}
	} else if h, fall := pair.AlongEdge(b, at.VertexB, back); fall > best {
		best = fall
		if next = pair.OnVertexEdge(at.VertexA, h); at.Kind == soa.EdgeVertex {
			next = pair.OnEdges(at.HalfA, h)
		}
	}
	return next, !(best > 0)
}

// nearestAlone answers a pair whose nearest features alone are the support along their distance.
func (s *Prover) nearestAlone(at *pair.FeaturePair, id soa.FacetID, gap float64, n vec.Vec3, capSine float64, out *pair.Answer) bool {
	if !s.nearestProven(at, gap, capSine) {
		return false
	}
	s.Last.keep(at, id, n, -gap, capSine)
	s.Last.apart = true
	s.WriteProven(at, id, gap, n, out)
	return true
}

// nearestLevel answers a pair, gap apart along n, of which a face and several vertices that are level are the nearest.
//
// A search asks the faces of A that lie within a cosine of its direction in their order, then those of B, each with the lowest
// vertex that ties, and takes the first that answers (see apart). Another face that leans by an angle α from the nearest
// does not answer unless α² ≤ 4·ProofTol/gap. Where the cap about the face here is wider there is none on its
// side; for a face of B those of A are looked at besides. So this one is asked just so.
func (s *Prover) nearestLevel(id soa.FacetID, gap float64, n vec.Vec3, out *pair.Answer) bool {
	sure := float64(sureLean * s.Unit)
	v, f := s.ViewA, id.A
	if id.Kind == soa.VertexFace {
		v, f = s.ViewB, id.B
		cosine := 1 - sure/gap
		for g := range s.ViewA.NFaces {
			if s.ViewA.Normal(soa.Face(g)).Dot(n) >= cosine {
				return false
			}
		}
	}
	if capSine := v.Caps[f]; !(float64(float64(gap*capSine)*capSine) > sure) {
		return false
	}
	s.BringAll()
	k := int(f)
	if id.Kind == soa.VertexFace {
		k += s.ViewA.NFaces
	}
	m, plane, other := s.Face(k)
	return s.Answers(s.OnFace(k, plane-other.Bottom(m)).ID, gap, out)
}
