package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// maxDescent bounds the facets that a descent passes: from the line of centres to the nearest facet of rocks
// of 128 vertices it is 2 where they overlap, 4 where they are apart.
const maxDescent = 24

// spot is where a descent stands: a facet of K by its features, or on the rim between two facets.
type spot struct {
	kind   soa.FacetKind
	fa, fb soa.Face     // FaceVertex: fa and kb. VertexFace: ka and fb.
	ka, kb soa.Vertex   // VertexVertex: both. VertexEdge: ka and hb. EdgeVertex: ha and kb.
	ha, hb soa.HalfEdge // EdgeEdge: both
	foot   float64      // of a spot that holds the foot of the origin: how far inside
}

// descend goes from the line of centres to a facet of K that holds the foot of the origin, as walk does from a
// facet known, or, of a pair apart, to an edge or vertex of K that does. It says false where it finds none, which
// only means that a search is due.
//
// n is the line of centres, i and j the support vertices of A along it and of B against it. The start is
// the face next to either vertex that turns most to the other body. It works in the frames the shapes
// are stored in: of B, only directions and single points are brought over, so what it costs depends on
// the edges about the features it passes, not on the size of the bodies.
func (s *Search) descend(n vec.Vec3, i, j soa.Vertex) (spot, bool) {
	f, cosA := faceAlong(s.va, i, n)
	g, cosB := faceAlong(s.vb, j, s.rot.TMulVec(n.Neg()))
	at := spot{kind: soa.FaceVertex, fa: f, kb: j}
	if cosB > cosA {
		at = spot{kind: soa.VertexFace, ka: i, fb: g}
	}
	var rim, last spot
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
		if sameRim(&rim, &last) {
			// Back across the rim it came by: the foot lies beyond both facets.
			return s.onRim(rim)
		}
		at, last = next, rim
	}
	return at, false
}

func sameRim(a, b *spot) bool {
	return a.kind == b.kind && a.ka == b.ka && a.kb == b.kb && a.ha == b.ha && a.hb == b.hb
}

// faceAlong returns the face at a vertex whose normal goes most along d, and its cosine with d.
func faceAlong(v *soa.View, k soa.Vertex, d vec.Vec3) (at soa.Face, best float64) {
	best = math.Inf(-1)
	first := v.RingFirst[k]
	for _, h := range v.Ring[first : first+v.RingLen[k]] {
		f := v.Face[h]
		if along := v.Normal(f).Dot(d); along > best {
			best, at = along, f
		}
	}
	return at, best
}

// climb returns the vertex farthest along d, from vertex k uphill.
func climb(v *soa.View, k soa.Vertex, d vec.Vec3) soa.Vertex {
	best := v.Vert(k).Dot(d)
	for {
		from := k
		first := v.RingFirst[from]
		for _, h := range v.Ring[first : first+v.RingLen[from]] {
			w := v.Head(h)
			if along := v.Vert(w).Dot(d); along > best {
				best, k = along, w
			}
		}
		if k == from {
			return k
		}
	}
}

// pointB returns vertex k of B in the frame of A, to the bit as load does.
func (s *Search) pointB(k soa.Vertex) vec.Vec3 { return s.rot.MulVec(s.vb.Vert(k)).Add(s.t) }

// fromFaceA leaves a face of A and a vertex of B.
func (s *Search) fromFaceA(at *spot) (next, rim spot, done bool) {
	n := s.va.Normal(at.fa)
	d := s.rot.TMulVec(n.Neg())
	at.kb = climb(s.vb, at.kb, d)
	side, foot := inset(s.va, at.fa, s.pointB(at.kb), n)
	if at.foot = foot; foot > 0 {
		return next, rim, true
	}
	rim = spot{kind: soa.EdgeVertex, ha: min(side, s.va.Twin[side]), kb: at.kb}
	other := s.va.Face[s.va.Twin[side]]
	if h, found := turnsTo(s.vb, at.kb, d, s.rot.TMulVec(s.va.Normal(other).Neg())); found {
		return spot{kind: soa.EdgeEdge, ha: side, hb: h}, rim, false
	}
	return spot{kind: soa.FaceVertex, fa: other, kb: at.kb}, rim, false
}

// fromFaceB leaves a face of B and a vertex of A.
func (s *Search) fromFaceB(at *spot) (next, rim spot, done bool) {
	m := s.vb.Normal(at.fb)
	d := s.rot.MulVec(m).Neg()
	at.ka = climb(s.va, at.ka, d)
	side, foot := inset(s.vb, at.fb, s.rot.TMulVec(s.va.Vert(at.ka).Sub(s.t)), m)
	if at.foot = foot; foot > 0 {
		return next, rim, true
	}
	rim = spot{kind: soa.VertexEdge, ka: at.ka, hb: min(side, s.vb.Twin[side])}
	other := s.vb.Face[s.vb.Twin[side]]
	if h, found := turnsTo(s.va, at.ka, d, s.rot.MulVec(s.vb.Normal(other)).Neg()); found {
		return spot{kind: soa.EdgeEdge, ha: h, hb: side}, rim, false
	}
	return spot{kind: soa.VertexFace, ka: at.ka, fb: other}, rim, false
}

// fromCrossing leaves two edges past the end of one that lies farther short of the crossing.
func (s *Search) fromCrossing(at *spot) (next, rim spot, done bool) {
	a, b := s.va, s.vb
	h, k := at.ha, at.hb
	p := a.Vert(a.Tail[h])
	e := a.Vert(a.Head(h)).Sub(p)
	q := b.Vert(b.Tail[k])
	f := s.rot.MulVec(b.Vert(b.Head(k)).Sub(q))
	w := s.rot.MulVec(q).Add(s.t).Sub(p)
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
		end := a.Head(h)
		rim = spot{kind: soa.VertexEdge, ka: end, hb: min(k, b.Twin[k])}
		// The direction turns about B's edge, to the face of B on whose side the end is the support.
		g, m := b.Face[k], m1
		if m2.Dot(e) < m1.Dot(e) {
			g, m = b.Face[b.Twin[k]], m2
		}
		if o, found := turnsToBut(a, end, a.Tail[h], c, m.Neg()); found {
			return spot{kind: soa.EdgeEdge, ha: o, hb: k}, rim, false
		}
		return spot{kind: soa.VertexFace, ka: end, fb: g}, rim, false
	}
	if atB < 0 {
		k = b.Twin[k]
		f = f.Neg()
	}
	end := b.Head(k)
	rim = spot{kind: soa.EdgeVertex, ha: min(h, a.Twin[h]), kb: end}
	g, n := a.Face[h], n1
	if n2.Dot(f) < n1.Dot(f) {
		g, n = a.Face[a.Twin[h]], n2
	}
	if o, found := turnsToBut(b, end, b.Tail[k], s.rot.TMulVec(c.Neg()), s.rot.TMulVec(n.Neg())); found {
		return spot{kind: soa.EdgeEdge, ha: h, hb: o}, rim, false
	}
	return spot{kind: soa.FaceVertex, fa: g, kb: end}, rim, false
}

// inset returns how far inside face f, seen along its outward normal n, a point lies, or 0 and the side that it lies
// farthest beyond. Frame of the view.
func inset(v *soa.View, f soa.Face, p, n vec.Vec3) (side soa.HalfEdge, foot float64) {
	first, count := v.LoopFirst[f], v.LoopLen[f]
	least, at := math.Inf(1), first
	from := v.Vert(v.Tail[first+count-1])
	h := first + count - 1
	for i := range count {
		to := v.Vert(v.Tail[first+i])
		e := to.Sub(from)
		// n×e points into the face. The square keeps its sign.
		in := n.Cross(e).Dot(p.Sub(from))
		in = float64(in*math.Abs(in)) / e.Norm2()
		if in < least {
			least, at = in, h
		}
		from, h = to, first+i
	}
	if least > 0 {
		return at, math.Sqrt(least)
	}
	return at, 0
}

// turnsTo returns the edge at vertex k, support along n, at which it first ceases to be the support while the direction
// turns from n to m. Frame of the view.
func turnsTo(v *soa.View, k soa.Vertex, n, m vec.Vec3) (soa.HalfEdge, bool) {
	return turnsToBut(v, k, noVertex, n, m)
}

// turnsToBut is turnsTo without the edge to one vertex.
func turnsToBut(v *soa.View, k, except soa.Vertex, n, m vec.Vec3) (at soa.HalfEdge, found bool) {
	// The least c0/(c0 + c1): the turn at which the edge's height c0 below the vertex is used up.
	best0, best1 := 1.0, 0.0
	from := v.Vert(k)
	first := v.RingFirst[k]
	for _, h := range v.Ring[first : first+v.RingLen[k]] {
		w := v.Head(h)
		if w == except {
			continue
		}
		edge := v.Vert(w).Sub(from)
		c1 := m.Dot(edge)
		if !(c1 > 0) {
			continue
		}
		c0 := max(-n.Dot(edge), 0)
		if float64(c0*best1) < float64(best0*c1) {
			best0, best1, at, found = c0, c1, h, true
		}
	}
	return at, found
}
