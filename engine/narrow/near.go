package narrow

import (
	"math"

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
func (s *Search) nearFeature(id *soa.FacetID, reach float64, out *Answer) (answered, walked bool) {
	clear := float64(clearGap * s.unit)
	if s.scale != 1 || !(reach > clear) {
		return false, false
	}
	at, now := s.spotOf(*id), *id
	s.bringSpot(&at)
	gap, n, ok := s.finaliseSpot(&at, now)
	if now.Kind <= soa.EdgeEdge && !(gap > clear) {
		return false, false // most that touched still do, and go on to C3
	}
	for range maxNear {
		ka, kb := at.ka, at.kb
		next, settled := s.stride(&at)
		if at.ka != ka || at.kb != kb {
			now = s.facetOf(&at)
			gap, n, ok = s.finaliseSpot(&at, now)
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
			lean := s.leanOf(&at, n)
			if level := onFace && lean == 0; level || settled {
				if walked {
					out.Level = LevelWalk
				}
				return gap < reach-s.tol.proof && (level && s.nearestLevel(now, gap, n, out) ||
					!level && s.nearestAlone(&at, now, gap, n, lean, out)), walked
			}
		}
		at, walked = next, true
		now = s.facetOf(&at)
		gap, n, ok = s.finaliseSpot(&at, now)
	}
	return false, walked
}

// spotOf is the spot of features.
func (s *Search) spotOf(id soa.FacetID) spot {
	at := spot{kind: id.Kind}
	switch id.Kind {
	case soa.FaceVertex:
		at.fa, at.kb = soa.Face(id.A), soa.Vertex(id.B)
	case soa.VertexFace:
		at.ka, at.fb = soa.Vertex(id.A), soa.Face(id.B)
	case soa.EdgeEdge:
		at.ha, at.hb = s.va.Edge[id.A], s.vb.Edge[id.B]
	case soa.VertexVertex:
		at.ka, at.kb = soa.Vertex(id.A), soa.Vertex(id.B)
	case soa.VertexEdge:
		at.ka, at.hb = soa.Vertex(id.A), s.vb.Edge[id.B]
	case soa.EdgeVertex:
		at.ha, at.kb = s.va.Edge[id.A], soa.Vertex(id.B)
	}
	return at
}

// stride says whether the features of a spot hold the feet of their own distance and no feature next to them is nearer,
// and else which is. It sets the foot of the spot, and the vertex of one with a face to the one that is the support.
func (s *Search) stride(at *spot) (next spot, settled bool) {
	switch at.kind {
	case soa.FaceVertex:
		at.kb = climb(s.vb, at.kb, s.rot.TMulVec(s.va.Normal(at.fa).Neg()))
		side, foot := inset(s.va, at.fa, s.pointB(at.kb))
		at.foot = foot
		return onEdgeVertex(side, at.kb), foot > 0
	case soa.VertexFace:
		at.ka = climb(s.va, at.ka, s.rot.MulVec(s.vb.Normal(at.fb)).Neg())
		side, foot := inset(s.vb, at.fb, s.toB(s.va.Vert(at.ka)))
		at.foot = foot
		return onVertexEdge(at.ka, side), foot > 0
	case soa.EdgeEdge:
		return s.strideCrossing(at)
	}
	return s.strideCorner(at)
}

// strideCrossing is stride for two edges.
func (s *Search) strideCrossing(at *spot) (next spot, settled bool) {
	a, b := s.va, s.vb
	p := a.Vert(a.Tail[at.ha])
	q := s.pointB(b.Tail[at.hb])
	e, f, w := a.Vert(a.Head(at.ha)).Sub(p), s.pointB(b.Head(at.hb)).Sub(q), q.Sub(p)
	c := e.Cross(f)
	cc := c.Norm2()
	if !(cc > minSine*minSine*e.Norm2()*f.Norm2()) {
		return *at, false
	}
	ta, tb := w.Cross(f).Dot(c)/cc, w.Cross(e).Dot(c)/cc
	outA, outB := max(-ta, ta-1)*e.Norm(), max(-tb, tb-1)*f.Norm()
	if at.foot = min(-outA*math.Sqrt(cc/(e.Norm2()*f.Norm2())), -outB*math.Sqrt(cc/(e.Norm2()*f.Norm2()))); !(at.foot > 0) {
		if outA >= outB {
			return onVertexEdge(endOf(a, at.ha, ta > 0.5), at.hb), false
		}
		return onEdgeVertex(at.ha, endOf(b, at.hb, tb > 0.5)), false
	}
	d := c.Scale(w.Dot(c))
	best := 0.0
	if h, fall := intoFace(a, at.ha, d); fall > best {
		face := a.Face[h]
		best, next = fall, onFaceVertex(face, endOf(b, at.hb, a.Normal(face).Dot(f) < 0))
	}
	if h, fall := intoFace(b, at.hb, s.rot.TMulVec(d.Neg())); fall > best {
		face := b.Face[h]
		best, next = fall, onVertexFace(endOf(a, at.ha, s.rot.MulVec(b.Normal(face)).Dot(e) < 0), face)
	}
	return next, !(best > 0)
}

// strideCorner is stride for two vertices, or a vertex and an edge.
func (s *Search) strideCorner(at *spot) (next spot, settled bool) {
	a, b := s.va, s.vb
	var p, q vec.Vec3 // the feet
	switch at.kind {
	case soa.VertexVertex:
		p, q = a.Vert(at.ka), s.pointB(at.kb)
	case soa.VertexEdge:
		p = a.Vert(at.ka)
		q0, q1 := s.pointB(b.Tail[at.hb]), s.pointB(b.Head(at.hb))
		t, far := 0.0, false
		if t, at.foot, far = footOn(q0, q1, p); !(at.foot > 0) {
			return onVertices(at.ka, endOf(b, at.hb, far)), false
		}
		q = q0.AddScaled(t, q1.Sub(q0))
	case soa.EdgeVertex:
		q = s.pointB(at.kb)
		p0, p1 := a.Vert(a.Tail[at.ha]), a.Vert(a.Head(at.ha))
		t, far := 0.0, false
		if t, at.foot, far = footOn(p0, p1, q); !(at.foot > 0) {
			return onVertices(endOf(a, at.ha, far), at.kb), false
		}
		p = p0.AddScaled(t, p1.Sub(p0))
	}
	d := q.Sub(p)
	back := s.rot.TMulVec(d.Neg())
	best := 0.0
	if at.kind == soa.EdgeVertex {
		if h, fall := intoFace(a, at.ha, d); fall > best {
			best, next = fall, onFaceVertex(a.Face[h], at.kb)
		}
	} else if h, fall := alongEdge(a, at.ka, d); fall > best {
		best = fall
		if next = onEdgeVertex(h, at.kb); at.kind == soa.VertexEdge {
			next = onEdges(h, at.hb)
		}
	}
	if at.kind == soa.VertexEdge {
		if h, fall := intoFace(b, at.hb, back); fall > best {
			best, next = fall, onVertexFace(at.ka, b.Face[h])
		}
	} else if h, fall := alongEdge(b, at.kb, back); fall > best {
		best = fall
		if next = onVertexEdge(at.ka, h); at.kind == soa.EdgeVertex {
			next = onEdges(at.ha, h)
		}
	}
	return next, !(best > 0)
}

// endOf returns the head of a half-edge, or its tail.
func endOf(v *soa.View, h soa.HalfEdge, head bool) soa.Vertex {
	if head {
		return v.Head(h)
	}
	return v.Tail[h]
}

// footOn returns where on a segment, 0 to 1, the foot of p is, how far inside the ends, and which end is nearer.
func footOn(q, q1, p vec.Vec3) (t, foot float64, far bool) {
	e := q1.Sub(q)
	l := e.Norm2()
	t = p.Sub(q).Dot(e)
	return t / l, min(t, l-t) / math.Sqrt(l), t > 0.5*l
}

// intoFace returns the side of an edge on which the way into its face goes most along d, and how far, relative to |d|'s
// unit. The two faces of a facet have the same way: it is the one in front. Frame of the view.
func intoFace(v *soa.View, h soa.HalfEdge, d vec.Vec3) (soa.HalfEdge, float64) {
	twin := v.Twin[h]
	one, two := v.Rims[h].In.Dot(d), v.Rims[twin].In.Dot(d)
	if two > one || two == one && v.Normal(v.Face[twin]).Dot(d) > v.Normal(v.Face[h]).Dot(d) {
		return twin, two
	}
	return h, one
}

// alongEdge returns the edge at vertex k that goes most along d, and how far, as intoFace does.
func alongEdge(v *soa.View, k soa.Vertex, d vec.Vec3) (at soa.HalfEdge, best float64) {
	from := v.Vert(k)
	first := v.RingFirst[k]
	for _, h := range v.Ring[first : first+v.RingLen[k]] {
		e := v.Vert(v.Head(h)).Sub(from)
		if along := e.Dot(d); along > 0 {
			if along /= v.Rims[h].Length; along > best {
				best, at = along, h
			}
		}
	}
	return at, best
}

// nearestAlone answers a pair whose nearest features alone are the support along their distance.
func (s *Search) nearestAlone(at *spot, id soa.FacetID, gap float64, n vec.Vec3, lean float64, out *Answer) bool {
	if !s.nearestProven(at, gap, lean) {
		return false
	}
	s.last.keep(at, id, n, -gap, lean)
	s.last.apart = true
	s.writeProven(at, id, gap, n, out)
	return true
}

// nearestLevel answers a pair, gap apart along n, of which a face and several vertices that are level are the nearest.
//
// A search asks the faces of A that lie within a cosine of its direction in their order, then those of B, each with the lowest
// vertex that ties, and takes the first that answers (see apart). Another face that leans by an angle α from the nearest
// does not answer unless α² ≤ 4·ProofTol/gap. Where the cap about the face here is wider there is none on its
// side; for a face of B those of A are looked at besides. So this one is asked just so.
func (s *Search) nearestLevel(id soa.FacetID, gap float64, n vec.Vec3, out *Answer) bool {
	sure := float64(sureLean * s.unit)
	v, f := s.va, id.A
	if id.Kind == soa.VertexFace {
		v, f = s.vb, id.B
		cosine := 1 - sure/gap
		for g := range s.va.NFaces {
			if s.va.Normal(soa.Face(g)).Dot(n) >= cosine {
				return false
			}
		}
	}
	if lean := v.Caps[f]; !(float64(float64(gap*lean)*lean) > sure) {
		return false
	}
	s.bringAll()
	if id.Kind == soa.VertexFace {
		m, plane := s.planeB(int(f))
		_, low := s.a.lowest(m)
		return s.answers(s.faceOfB(int(f), plane-low).id, gap, out)
	}
	_, plane := s.planeA(int(f))
	_, low := s.b.lowest(n)
	return s.answers(s.faceOfA(int(f), plane-low).id, gap, out)
}
