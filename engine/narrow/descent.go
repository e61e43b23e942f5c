package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// maxDescent bounds the facets that a descent passes: from the line of centres to the nearest facet of rocks
// of 128 vertices it is 2 where they overlap, 4 where they are apart.
const maxDescent = 24

// spot is where a descent stands: a facet of K by its features, or on the rim between two facets. It has four fields, so that the
// compiler keeps it in registers: written in parts and copied as a whole, as larger structures are, it would wait for its parts
// to leave the store buffer, at every step.
type spot struct {
	kind soa.FacetKind
	partA
	partB
	foot float64 // of a spot that holds the foot of the origin: how far inside
}

// partA and partB are the feature of a body at a spot: the face, vertex or half-edge that the kind says.
type partA struct {
	fa soa.Face
	ka soa.Vertex
	ha soa.HalfEdge
}

type partB struct {
	fb soa.Face
	kb soa.Vertex
	hb soa.HalfEdge
}

func onFaceVertex(f soa.Face, k soa.Vertex) spot {
	return spot{kind: soa.FaceVertex, partA: partA{fa: f}, partB: partB{kb: k}}
}

func onVertexFace(k soa.Vertex, f soa.Face) spot {
	return spot{kind: soa.VertexFace, partA: partA{ka: k}, partB: partB{fb: f}}
}

func onEdges(h, k soa.HalfEdge) spot {
	return spot{kind: soa.EdgeEdge, partA: partA{ha: h}, partB: partB{hb: k}}
}

func onVertices(k, l soa.Vertex) spot {
	return spot{kind: soa.VertexVertex, partA: partA{ka: k}, partB: partB{kb: l}}
}

func onVertexEdge(k soa.Vertex, h soa.HalfEdge) spot {
	return spot{kind: soa.VertexEdge, partA: partA{ka: k}, partB: partB{hb: h}}
}

func onEdgeVertex(h soa.HalfEdge, k soa.Vertex) spot {
	return spot{kind: soa.EdgeVertex, partA: partA{ha: h}, partB: partB{kb: k}}
}

// descend goes from a direction to a facet of K that holds the foot of the origin, as walk does from a
// facet known, or, of a pair apart, to an edge or vertex of K that does. It says false where it finds none, which
// only means that a search is due.
//
// n is the line of centres, i and j the support vertices of A along it and of B against it. The start is
// the face next to either vertex that turns most to the other body. It works in the frames the shapes
// are stored in: of B, only directions and single points are brought over, so what it costs depends on
// the edges about the features it passes, not on the size of the bodies.
func (s *Search) descend(n vec.Vec3, i, j soa.Vertex) (spot, bool) {
	return s.down(s.startOf(n, i, j))
}

// startOf is where a descent starts.
func (s *Search) startOf(n vec.Vec3, i, j soa.Vertex) spot {
	f, cosA := faceAlong(s.va, i, n)
	g, cosB := faceAlong(s.vb, j, s.rot.TMulVec(n.Neg()))
	if cosB > cosA {
		return onVertexFace(i, g)
	}
	return onFaceVertex(f, j)
}

// down is descend from a spot.
func (s *Search) down(at spot) (spot, bool) {
	var rim, last rimOf
	for range maxDescent {
		var next spot
		var done bool
		switch at.kind {
		case soa.FaceVertex:
			next, rim, done = s.fromFaceA(&at)
		case soa.VertexFace:
			next, rim, done = s.fromFaceB(&at)
		default:
			next, rim, done = s.fromCrossing(&at)
		}
		if done {
			return at, at.foot > 0
		}
		if rim == last {
			// Back across the rim it came by: the foot lies beyond both facets.
			return s.onRim(rim)
		}
		at, last = next, rim
	}
	return at, false
}

// rimOf is an edge of K: a vertex of one body and an edge of the other, by its lower half-edge. The zero rim is none.
type rimOf struct {
	kind soa.FacetKind // VertexEdge or EdgeVertex
	k    soa.Vertex
	h    soa.HalfEdge
}

// pointB returns vertex k of B in the frame of A, to the bit as load does.
func (s *Search) pointB(k soa.Vertex) vec.Vec3 { return s.fromB(s.vb.Vert(k)) }

// fromB brings a point over from the frame of B, toB to it.
func (s *Search) fromB(p vec.Vec3) vec.Vec3 { return s.rot.MulVec(p).Add(s.t) }
func (s *Search) toB(p vec.Vec3) vec.Vec3   { return s.rot.TMulVec(p.Sub(s.t)) }

// fromFaceA leaves a face of A and a vertex of B.
func (s *Search) fromFaceA(at *spot) (next spot, rim rimOf, done bool) {
	n := s.va.Normal(at.fa)
	d := s.rot.TMulVec(n.Neg())
	at.kb = climb(s.vb, at.kb, d)
	side, foot := inset(s.va, at.fa, s.pointB(at.kb))
	if at.foot = foot; foot > 0 {
		return next, rim, true
	}
	rim = rimOf{soa.EdgeVertex, at.kb, min(side, s.va.Twin[side])}
	return s.overSideA(side, at.kb, d), rim, false
}

// overSideA returns the facet next to that of a face of A and vertex k of B, across the edge of a side of the face. d is
// minus the face's normal, frame of B.
func (s *Search) overSideA(side soa.HalfEdge, k soa.Vertex, d vec.Vec3) spot {
	other := s.va.Face[s.va.Twin[side]]
	if h, found := turnsTo(s.vb, k, noVertex, d, s.rot.TMulVec(s.va.Normal(other).Neg())); found {
		return onEdges(side, h)
	}
	return onFaceVertex(other, k)
}

// fromFaceB leaves a face of B and a vertex of A.
func (s *Search) fromFaceB(at *spot) (next spot, rim rimOf, done bool) {
	m := s.vb.Normal(at.fb)
	d := s.rot.MulVec(m).Neg()
	at.ka = climb(s.va, at.ka, d)
	side, foot := inset(s.vb, at.fb, s.toB(s.va.Vert(at.ka)))
	if at.foot = foot; foot > 0 {
		return next, rim, true
	}
	rim = rimOf{soa.VertexEdge, at.ka, min(side, s.vb.Twin[side])}
	return s.overSideB(side, at.ka, d), rim, false
}

// overSideB is overSideA for a face of B and vertex k of A. d is minus the face's normal, frame of A.
func (s *Search) overSideB(side soa.HalfEdge, k soa.Vertex, d vec.Vec3) spot {
	other := s.vb.Face[s.vb.Twin[side]]
	if h, found := turnsTo(s.va, k, noVertex, d, s.rot.MulVec(s.vb.Normal(other)).Neg()); found {
		return onEdges(h, side)
	}
	return onVertexFace(k, other)
}

// fromCrossing leaves two edges past the end of one that lies farther short of the crossing.
func (s *Search) fromCrossing(at *spot) (next spot, rim rimOf, done bool) {
	a, b := s.va, s.vb
	h, k := at.ha, at.hb
	p := a.Vert(a.Tail[h])
	e := a.Vert(a.Head(h)).Sub(p)
	q := b.Vert(b.Tail[k])
	f := s.rot.MulVec(b.Vert(b.Head(k)).Sub(q))
	w := s.fromB(q).Sub(p)
	c := e.Cross(f)
	cc, ee, ff := c.Norm2(), e.Norm2(), f.Norm2()
	if !(cc > minSine*minSine*ee*ff) {
		return next, rim, true
	}
	// In units of length times √cc: how far beyond the ends the crossing lies.
	atA, atB := w.Cross(f).Dot(c), w.Cross(e).Dot(c)
	outA, outB := math.Abs(atA-float64(0.5*cc))-float64(0.5*cc), math.Abs(atB-float64(0.5*cc))-float64(0.5*cc)
	if outA < 0 && outB < 0 {
		// The parallelogram's heights over its sides.
		l := cc * math.Sqrt(cc)
		at.foot = min(-outA*cc/(l*math.Sqrt(ff)), -outB*cc/(l*math.Sqrt(ee)))
		return next, rim, true
	}
	// c is to point out of A.
	n1, n2 := a.Normal(a.Face[h]), a.Normal(a.Face[a.Twin[h]])
	m1, m2 := s.rot.MulVec(b.Normal(b.Face[k])), s.rot.MulVec(b.Normal(b.Face[b.Twin[k]]))
	if c.Dot(n1.Add(n2).Sub(m1.Add(m2))) < 0 {
		c = c.Neg()
	}
	if float64(outA*outA)*ee >= float64(outB*outB)*ff && outA >= 0 || outB < 0 {
		if atA < 0 {
			h = a.Twin[h]
			e = e.Neg()
		}
		return s.overEndA(h, k, e, c, m1, m2), rimOf{soa.VertexEdge, a.Head(h), min(k, b.Twin[k])}, false
	}
	if atB < 0 {
		k = b.Twin[k]
		f = f.Neg()
	}
	return s.overEndB(h, k, f, c, n1, n2), rimOf{soa.EdgeVertex, b.Head(k), min(h, a.Twin[h])}, false
}

// overEndA returns the facet next to that of half-edge h of A and half-edge k of B past the head of h. e is h's edge,
// c the facet's normal, out of A and of any length, m1 and m2 the normals of the faces of B left and right of k, frame of A.
func (s *Search) overEndA(h, k soa.HalfEdge, e, c, m1, m2 vec.Vec3) spot {
	a, b := s.va, s.vb
	end := a.Head(h)
	// The direction turns about B's edge, to the face of B on whose side the end is the support.
	g, m := b.Face[k], m1
	if m2.Dot(e) < m1.Dot(e) {
		g, m = b.Face[b.Twin[k]], m2
	}
	if o, found := turnsTo(a, end, a.Tail[h], c, m.Neg()); found {
		return onEdges(o, k)
	}
	return onVertexFace(end, g)
}

// overEndB is overEndA past the head of half-edge k of B. f is k's edge, n1 and n2 the normals of the faces of A left and
// right of h.
func (s *Search) overEndB(h, k soa.HalfEdge, f, c, n1, n2 vec.Vec3) spot {
	a, b := s.va, s.vb
	end := b.Head(k)
	g, n := a.Face[h], n1
	if n2.Dot(f) < n1.Dot(f) {
		g, n = a.Face[a.Twin[h]], n2
	}
	if o, found := turnsTo(b, end, b.Tail[k], s.rot.TMulVec(c.Neg()), s.rot.TMulVec(n.Neg())); found {
		return onEdges(h, o)
	}
	return onFaceVertex(g, end)
}
