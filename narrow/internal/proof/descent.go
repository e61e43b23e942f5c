package proof

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// maxDescent limits the facets that a descent passes. For rocks of 128 vertices the descent from the
// line of centres to the nearest facet passes two facets if the rocks overlap, and four if they are
// apart.
const maxDescent = 24

// Descend walks from a direction to a facet of K that contains its projection or, for a pair apart,
// to an edge or vertex of K that contains the projection. It returns false if it finds none; the
// caller must then search.
//
// n is the line of centres. i and j are the support vertices of A along n and of B along −n. The
// descent starts at the face at i or j whose normal is closest to the direction of the other body.
// Descend works in the frames in which the shapes are stored, and transforms only directions and
// single points of B. Its cost therefore depends on the edges about the features it passes, not on
// the size of the bodies.
func (s *Prover) Descend(n vec.Vec3, i, j soa.Vertex) (pair.FeaturePair, bool) {
	return s.Down(s.startOf(n, i, j))
}

// startOf returns the feature pair from which Descend starts.
func (s *Prover) startOf(n vec.Vec3, i, j soa.Vertex) pair.FeaturePair {
	f, cosA := pair.FaceAlong(s.ViewA, i, n)
	g, cosB := pair.FaceAlong(s.ViewB, j, s.Rot.TMulVec(n.Neg()))
	if cosB > cosA {
		return pair.OnVertexFace(i, g)
	}
	return pair.OnFaceVertex(f, j)
}

// Down is Descend from a feature pair.
func (s *Prover) Down(at pair.FeaturePair) (pair.FeaturePair, bool) {
	var rim, last rimEdge
	for range maxDescent {
		var next pair.FeaturePair
		var done bool
		switch at.Kind {
		case soa.FaceVertex:
			next, rim, done = s.fromFaceA(&at)
		case soa.VertexFace:
			next, rim, done = s.fromFaceB(&at)
		default:
			next, rim, done = s.fromCrossing(&at)
		}
		if done {
			return at, at.Inset > 0
		}
		if rim == last {
			// The descent returns across the rim by which it came: the projection lies beyond both
			// facets.
			return s.onRim(rim), true
		}
		at, last = next, rim
	}
	return at, false
}

// rimEdge is an edge of K: a vertex of one body and an edge of the other, given by its lower
// half-edge. The zero rimEdge stands for none.
type rimEdge struct {
	kind soa.FacetKind // VertexEdge or EdgeVertex
	k    soa.Vertex
	h    soa.HalfEdge
}

// fromFaceA is a step of the descent from a face of A and a vertex of B. It moves the vertex to the
// support. done is true if the projection lies inside the face. Otherwise the step returns the next
// facet, across the side beyond which the projection lies farthest, and the rim in between.
func (s *Prover) fromFaceA(at *pair.FeaturePair) (next pair.FeaturePair, rim rimEdge, done bool) {
	n := s.ViewA.Normal(at.FaceA)
	d := s.Rot.TMulVec(n.Neg())
	at.VertexB = pair.Climb(s.ViewB, at.VertexB, d)
	side, inset := pair.Inset(s.ViewA, at.FaceA, s.PointB(at.VertexB))
	if at.Inset = inset; inset > 0 {
		return next, rim, true
	}
	rim = rimEdge{soa.EdgeVertex, at.VertexB, min(side, s.ViewA.Twin[side])}
	return s.overSideA(side, at.VertexB, d), rim, false
}

// overSideA returns the facet adjacent to the facet of a face of A and vertex k of B, across a side
// of the face. d is minus the face's normal, frame of B.
func (s *Prover) overSideA(side soa.HalfEdge, k soa.Vertex, d vec.Vec3) pair.FeaturePair {
	other := s.ViewA.Face[s.ViewA.Twin[side]]
	if h, found := pair.TurnsTo(s.ViewB, k, pair.NoVertex, d, s.Rot.TMulVec(s.ViewA.Normal(other).Neg())); found {
		return pair.OnEdges(side, h)
	}
	return pair.OnFaceVertex(other, k)
}

// fromFaceB is fromFaceA for a face of B and a vertex of A.
func (s *Prover) fromFaceB(at *pair.FeaturePair) (next pair.FeaturePair, rim rimEdge, done bool) {
	m := s.ViewB.Normal(at.FaceB)
	d := s.Rot.MulVec(m).Neg()
	at.VertexA = pair.Climb(s.ViewA, at.VertexA, d)
	side, inset := pair.Inset(s.ViewB, at.FaceB, s.ToB(s.ViewA.Vert(at.VertexA)))
	if at.Inset = inset; inset > 0 {
		return next, rim, true
	}
	rim = rimEdge{soa.VertexEdge, at.VertexA, min(side, s.ViewB.Twin[side])}
	return s.overSideB(side, at.VertexA, d), rim, false
}

// overSideB is overSideA for a face of B and vertex k of A. d is minus the face's normal, frame of A.
func (s *Prover) overSideB(side soa.HalfEdge, k soa.Vertex, d vec.Vec3) pair.FeaturePair {
	other := s.ViewB.Face[s.ViewB.Twin[side]]
	if h, found := pair.TurnsTo(s.ViewA, k, pair.NoVertex, d, s.Rot.MulVec(s.ViewB.Normal(other)).Neg()); found {
		return pair.OnEdges(h, side)
	}
	return pair.OnVertexFace(k, other)
}

// fromCrossing is a step of the descent from two edges. done is true if the edges cross within
// their ends, as seen along the normal, or if they are parallel. Otherwise the step passes the end
// of the edge beyond whose ends the crossing lies farther.
func (s *Prover) fromCrossing(at *pair.FeaturePair) (next pair.FeaturePair, rim rimEdge, done bool) {
	a, b := s.ViewA, s.ViewB
	h, k := at.HalfA, at.HalfB
	p := a.Vert(a.Tail[h])
	e := a.Vert(a.Head(h)).Sub(p)
	q := b.Vert(b.Tail[k])
	f := s.Rot.MulVec(b.Vert(b.Head(k)).Sub(q))
	w := s.FromB(q).Sub(p)
	c := e.Cross(f)
	cc, ee, ff := c.Norm2(), e.Norm2(), f.Norm2()
	if !(cc > pair.MinSine*pair.MinSine*ee*ff) {
		return next, rim, true
	}
	// outA and outB are how far beyond the ends of either edge the crossing lies, as a fraction of
	// the edge's length, times cc.
	atA, atB := w.Cross(f).Dot(c), w.Cross(e).Dot(c)
	outA, outB := math.Abs(atA-float64(0.5*cc))-float64(0.5*cc), math.Abs(atB-float64(0.5*cc))-float64(0.5*cc)
	if outA < 0 && outB < 0 {
		// The inset is that of the parallelogram: its heights over its sides.
		l := cc * math.Sqrt(cc)
		at.Inset = min(-outA*cc/(l*math.Sqrt(ff)), -outB*cc/(l*math.Sqrt(ee)))
		return next, rim, true
	}
	// Orient c to point out of A.
	n1, n2 := a.Normal(a.Face[h]), a.Normal(a.Face[a.Twin[h]])
	m1, m2 := s.Rot.MulVec(b.Normal(b.Face[k])), s.Rot.MulVec(b.Normal(b.Face[b.Twin[k]]))
	if c.Dot(n1.Add(n2).Sub(m1.Add(m2))) < 0 {
		c = c.Neg()
	}
	if float64(outA*outA)*ee >= float64(outB*outB)*ff && outA >= 0 || outB < 0 {
		if atA < 0 {
			h = a.Twin[h]
			e = e.Neg()
		}
		return s.overEndA(h, k, e, c, m1, m2), rimEdge{soa.VertexEdge, a.Head(h), min(k, b.Twin[k])}, false
	}
	if atB < 0 {
		k = b.Twin[k]
		f = f.Neg()
	}
	return s.overEndB(h, k, f, c, n1, n2), rimEdge{soa.EdgeVertex, b.Head(k), min(h, a.Twin[h])}, false
}

// overEndA returns the facet adjacent to the facet of half-edge h of A and half-edge k of B, past
// the head of h. e is the vector of h. c is the facet's normal, out of A and of any length. m1 and
// m2 are the normals of the faces of B left and right of k, frame of A.
func (s *Prover) overEndA(h, k soa.HalfEdge, e, c, m1, m2 vec.Vec3) pair.FeaturePair {
	a, b := s.ViewA, s.ViewB
	end := a.Head(h)
	// The direction turns about B's edge, towards the normal of the face of B for which the head of
	// h is the support.
	g, m := b.Face[k], m1
	if m2.Dot(e) < m1.Dot(e) {
		g, m = b.Face[b.Twin[k]], m2
	}
	if o, found := pair.TurnsTo(a, end, a.Tail[h], c, m.Neg()); found {
		return pair.OnEdges(o, k)
	}
	return pair.OnVertexFace(end, g)
}

// overEndB is overEndA past the head of half-edge k of B. f is the vector of k. n1 and n2 are the
// normals of the faces of A left and right of h.
func (s *Prover) overEndB(h, k soa.HalfEdge, f, c, n1, n2 vec.Vec3) pair.FeaturePair {
	a, b := s.ViewA, s.ViewB
	end := b.Head(k)
	g, n := a.Face[h], n1
	if n2.Dot(f) < n1.Dot(f) {
		g, n = a.Face[a.Twin[h]], n2
	}
	if o, found := pair.TurnsTo(b, end, b.Tail[k], s.Rot.TMulVec(c.Neg()), s.Rot.TMulVec(n.Neg())); found {
		return pair.OnEdges(h, o)
	}
	return pair.OnFaceVertex(g, end)
}
