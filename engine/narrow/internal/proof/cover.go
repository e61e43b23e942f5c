package proof

import (
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// mostPoints is the number of points of K that a cover may need; one that needs more is left to the search.
const mostPoints = 32

// arcParts is how many parts an arc may be covered in.
const arcParts = 32

// cover is memory for a proof by points of K.
type cover struct {
	points  []vec.Vec3   // vertices of K, the corners of the facet first
	queue   []soa.Vertex // of a body, those whose cone of normals comes into the cone
	reached []bool       // by vertex
	lower   CoverProbe
	// of the facet to be proven
	n                    vec.Vec3
	p, deep, lean, round float64
}

// CoverProbe is a direction and the support vertices there.
type CoverProbe struct {
	Found bool
	N     vec.Vec3
	A, B  soa.Vertex
}

// Covered says whether all facets of K but that of a spot, of depth p and normal n, are deeper than p by provenBy. If not, and
// a direction is found along which K is shallower, cover.lower holds it.
//
// A vertex x of K proves the cap of directions m with m·x > p'. For p' > 0 a cap holds the arc between any two of its
// directions. All facets of K but those of a face of B have a normal on an arc between the normals of two faces of A
// next to each other. So if each such arc, as far as it comes into the cone of InCone, has its two ends in one
// cap, and each face of B that lies in the cone is in one, no facet is left. Where an arc starts at n it leaves the
// caps of the facet's own corners x only within an angle that is below lean, the cap of features, if x lies by enough beyond n. The
// points are the corners of the facet and the supports at the ends of arcs that those do not cover.
//
// Cost: the edges and faces in the cone, found by their neighbours, with two products for each and a point or two;
// a support for every point: five for rocks of 32 vertices, a dozen for 128.
func (s *Prover) Covered(at *pair.Spot, n vec.Vec3, p, lean float64, i, j soa.Vertex) bool {
	v, c := &s.cover, &s.cone
	margin := float64(provenBy * s.Unit)
	v.n, v.p, v.deep, v.lean, v.round = n, p, p+margin, lean, s.Tol.Round
	v.lower.Found = false
	if s.Off&Covers != 0 {
		return false
	}
	cb := s.OriginB
	if s.ViewB.Kind == soa.Facet {
		cb = s.FacetPoint()
	}
	far := cb.Norm()
	if !(far > s.Tol.Close) {
		return false
	}
	c.centre = cb.Scale(1 / far)
	c.cosine = (s.ViewA.Inner+s.ViewB.Inner-p-float64(2*margin))/far - coneWide
	s.cornersOf(at)
	// Of a facet the centre is another than the descent's.
	i, j = pair.Climb(s.ViewA, i, c.centre), pair.Climb(s.ViewB, j, s.Rot.TMulVec(c.centre.Neg()))
	return s.arcsCovered(at, i, j) && s.facesCovered(at, i, j)
}

// cornersOf makes the points those of the facet of a spot.
func (s *Prover) cornersOf(at *pair.Spot) {
	v := &s.cover
	v.points = v.points[:0]
	switch at.Kind {
	case soa.FaceVertex:
		b := s.PointB(at.VertexB)
		first := s.ViewA.LoopFirst[at.FaceA]
		for _, k := range s.ViewA.Tail[first : first+s.ViewA.LoopLen[at.FaceA]] {
			v.points = append(v.points, s.ViewA.Vert(k).Sub(b))
		}
	case soa.VertexFace:
		a := s.ViewA.Vert(at.VertexA)
		first := s.ViewB.LoopFirst[at.FaceB]
		for _, k := range s.ViewB.Tail[first : first+s.ViewB.LoopLen[at.FaceB]] {
			v.points = append(v.points, a.Sub(s.PointB(k)))
		}
	default:
		p, p1 := s.ViewA.Vert(s.ViewA.Tail[at.HalfA]), s.ViewA.Vert(s.ViewA.Head(at.HalfA))
		q, q1 := s.PointB(s.ViewB.Tail[at.HalfB]), s.PointB(s.ViewB.Head(at.HalfB))
		v.points = append(v.points, p.Sub(q), p.Sub(q1), p1.Sub(q), p1.Sub(q1))
	}
}

// arcsCovered covers the arcs of A in the cone, from the vertex i that is the support along its centre.
func (s *Prover) arcsCovered(at *pair.Spot, i, j soa.Vertex) bool {
	v, a := &s.cover, s.ViewA
	s.startFrom(a, i)
	ok := true
	for k := 0; k < len(v.queue) && ok; k++ {
		from := v.queue[k]
		first := a.RingFirst[from]
		for _, h := range a.Ring[first : first+a.RingLen[from]] {
			to := a.Head(h)
			if v.reached[to] && to < from {
				continue // it is the turn of the lower end
			}
			f1, f2 := a.Face[h], a.Face[a.Twin[h]]
			n1, n2 := a.Normal(f1), a.Normal(f2)
			if !s.arcInCone(n1, n2, s.cone.centre, a, h) {
				continue
			}
			if !v.reached[to] {
				v.reached[to] = true
				v.queue = append(v.queue, to)
			}
			switch {
			case to < from:
			case at.Kind == soa.FaceVertex && f1 == at.FaceA:
				ok = s.arcFrom(n2, from, j)
			case at.Kind == soa.FaceVertex && f2 == at.FaceA:
				ok = s.arcFrom(n1, from, j)
			case at.Kind == soa.EdgeEdge && (h == at.HalfA || a.Twin[h] == at.HalfA):
				ok = s.arcFrom(n1, from, j) && s.arcFrom(n2, from, j)
			default:
				ok = v.arc(n1, n2) || s.arcByProbe(n1, n2, from, j, arcParts)
			}
			if !ok {
				break
			}
		}
	}
	s.forget()
	return ok
}

// startFrom begins the walk over the vertices of a body.
func (s *Prover) startFrom(b *soa.View, k soa.Vertex) {
	v := &s.cover
	for len(v.reached) < b.NVerts {
		v.reached = append(v.reached, false)
	}
	v.queue = append(v.queue[:0], k)
	v.reached[k] = true
}

func (s *Prover) forget() {
	for _, k := range s.cover.queue {
		s.cover.reached[k] = false
	}
}

// arcInCone says whether the arc of normals from n1 to n2 about edge h may come into the cone, whose centre in the frame of
// the view is u.
func (s *Prover) arcInCone(n1, n2, u vec.Vec3, b *soa.View, h soa.HalfEdge) bool {
	cosine := s.cone.cosine
	o1, o2 := n1.Dot(u), n2.Dot(u)
	if max(o1, o2) >= cosine {
		return true
	}
	// It may come nearer to the centre between its ends.
	e := b.Vert(b.Head(h)).Sub(b.Vert(b.Tail[h]))
	if along := u.Dot(e); cosine > 0 && float64(along*along) > (1-float64(cosine*cosine))*e.Norm2() {
		return false
	}
	turn := n1.Dot(n2)
	return o1 >= float64(turn*o2)-coneWide && o2 >= float64(turn*o1)-coneWide
}

// arc says whether one point covers both ends of an arc.
func (v *cover) arc(n1, n2 vec.Vec3) bool {
	for k := len(v.points) - 1; k >= 0; k-- {
		if x := v.points[k]; n1.Dot(x) > v.deep && n2.Dot(x) > v.deep {
			return true
		}
	}
	return false
}

// arcFrom says whether one point covers the arc from the facet's normal to m, but for what is so near to the facet that no other
// is there.
//
// At an angle α along the arc m·x = p·cos α + τ·sin α, for a corner x of the facet. For L ≤ τ/2p it is p + τ·L/2 at least at
// L, and beyond L no less than that or than at the end.
func (s *Prover) arcFrom(m vec.Vec3, i, j soa.Vertex) bool {
	v := &s.cover
	end := m
	for range arcParts {
		if v.startCovered(end) {
			return end == m || v.arc(end, m) || s.arcByProbe(end, m, i, j, arcParts)
		}
		end = v.n.Add(end).Unit()
	}
	// Perhaps because K is shallower there.
	s.probe(m, i, j)
	return false
}

// startCovered is arcFrom for one cap.
func (v *cover) startCovered(m vec.Vec3) bool {
	cos, sin := v.n.Dot(m), v.n.Cross(m).Norm()
	for _, x := range v.points {
		over := m.Dot(x)
		if !(over > v.deep) || !(v.n.Dot(x) > v.p-v.round) {
			continue
		}
		tau := (over - float64(v.p*cos)) / sin
		if l := min(v.lean, tau/(2*v.p), 0.5); float64(tau*l) > 4*(v.deep-v.p) {
			return true
		}
	}
	return false
}

// arcByProbe covers an arc by the supports at its ends, or in parts.
func (s *Prover) arcByProbe(n1, n2 vec.Vec3, i, j soa.Vertex, parts int) bool {
	v := &s.cover
	for range 2 {
		x, ok := s.probe(n1, i, j)
		if !ok {
			return false
		}
		if n2.Dot(x) > v.deep {
			return true
		}
		n1, n2 = n2, n1
	}
	if parts == 1 {
		return false
	}
	mid := n1.Add(n2).Unit()
	return (v.arc(n1, mid) || s.arcByProbe(n1, mid, i, j, parts/2)) && (v.arc(mid, n2) || s.arcByProbe(mid, n2, i, j, parts/2))
}

// probe adds the support of K along m, sought from vertices i and j on. It says false if K is not deeper there.
func (s *Prover) probe(m vec.Vec3, i, j soa.Vertex) (vec.Vec3, bool) {
	v := &s.cover
	i = pair.Climb(s.ViewA, i, m)
	j = pair.Climb(s.ViewB, j, s.Rot.TMulVec(m).Neg())
	x := s.ViewA.Vert(i).Sub(s.PointB(j))
	if h := m.Dot(x); !(h > v.deep) {
		if h < v.p-(v.deep-v.p) {
			v.lower = CoverProbe{true, m, i, j}
		}
		return x, false
	}
	if len(v.points) == mostPoints {
		return x, false
	}
	v.points = append(v.points, x)
	return x, true
}

// facesCovered covers the faces of B in the cone, from the vertex j that is the support against its centre.
func (s *Prover) facesCovered(at *pair.Spot, i, j soa.Vertex) bool {
	v, b := &s.cover, s.ViewB
	u := s.Rot.TMulVec(s.cone.centre.Neg())
	s.startFrom(b, j)
	ok := true
	for k := 0; k < len(v.queue) && ok; k++ {
		from := v.queue[k]
		first := b.RingFirst[from]
		for _, h := range b.Ring[first : first+b.RingLen[from]] {
			f := b.Face[h]
			n1 := b.Normal(f)
			if to := b.Head(h); !v.reached[to] && s.arcInCone(n1, b.Normal(b.Face[b.Twin[h]]), u, b, h) {
				v.reached[to] = true
				v.queue = append(v.queue, to)
			}
			// A face is seen from each of its corners: the lowest will do, if it is reached.
			if n1.Dot(u) < s.cone.cosine || at.Kind == soa.VertexFace && f == at.FaceB || v.reached[b.Head(h)] && b.Head(h) < from {
				continue
			}
			m := s.Rot.MulVec(n1).Neg()
			if v.arc(m, m) {
				continue
			}
			if _, ok = s.probe(m, i, from); !ok {
				break
			}
		}
	}
	s.forget()
	return ok
}
