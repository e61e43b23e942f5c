package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// mostSides bounds the sides of a facet of K that is proven by a shell: of a face with more, most are far from the foot.
const mostSides = 8

// pointOfK is a point of K, x = a − b, with its b; frame of A. A mean of such points is one.
type pointOfK struct{ x, b vec.Vec3 }

// shellTriangle is a part of a shell, counter-clockwise seen from outside.
type shellTriangle [3]pointOfK

// shell is the surface about the origin that proves a facet, and memory for making it.
type shell struct {
	triangles []shellTriangle
	corners   [mostSides]pointOfK
	a, b      [mostSides]soa.Vertex // whose difference the corners are
	sides     [mostSides]soa.HalfEdge
	ring      [2 * mostSides]pointOfK
	near      [2 * mostSides]int // the corner next to a point of the ring
	p, deep   float64
	deep2     float64
	lower     coverProbe // a direction along which K is shallower, where one was found
}

// shelled proves that all facets of K but one, of depth p and normal n, are deeper than p by provenBy. It serves where the
// foot is nearer to the facet's rim than it is deep, so that the disc about it is not enough.
//
// The proof is a closed surface of triangles about the origin, whose corners are points of K and one of whose parts is
// the facet. Every ray from the origin meets it: at the facet, in the plane at distance p, or at a triangle, and if all of
// these are farther than p' = p + provenBy, K holds all points within p' that are no higher along n than p. So
// h_K(m) ≥ p' for all m at an angle α from n with p'·cos α ≤ p. Nearer to n the facet's own disc does, as
//
//	p·cos α + ρ·sin α ≥ p + ρ·α/3   for α ≤ min(ρ/p, 1),
//
// down to where the cap, lean its sine, has no other facet: so lean·ρ ≥ 8·provenBy and ρ² ≥ 8·provenBy·p are enough.
//
// From each side of the facet a triangle goes down to a point y of K far below the origin. Where it passes too near,
// the far side of the facet next door stands between: the triangle that the side makes with a point g there, which lies in
// the plane of that facet, and from there down. Of two such sides a triangle of their corner and both points g closes the
// gap, or two with the support point between. Wherever a triangle passes too near, it is replaced by three with the
// support point along its normal; where that is no farther, the facet is not the shallowest.
//
// Cost: a few dozen flops for each side, and for each g the edges at one vertex.
func (s *Search) shelled(at *spot, n vec.Vec3, p, lean float64) bool {
	x := &s.shell
	x.lower.found = false
	x.triangles = x.triangles[:0]
	margin := float64(provenBy * s.unit)
	count := s.rimOfFacet(at, n)
	if count == 0 || !clearOfRim(lean, at.foot, p, margin) {
		return false
	}
	x.p, x.deep = p, p+margin
	x.deep2 = float64(x.deep*x.deep) * (1 + 0x1p-40)
	c := s.t
	if s.vb.Kind == soa.Facet {
		c = s.facetPoint()
	}
	y := pointOfK{c.Neg().AddScaled(-(s.va.Inner + s.vb.Inner), n), c}

	ring := 0
	add := func(g pointOfK, corner int) {
		x.ring[ring], x.near[ring] = g, corner
		ring++
	}
	open := s.isOpen(count-1, count, y)
	var g pointOfK
	if !open {
		if g = s.beyond(at, n, count-1); !s.closed(x.corners[0], x.corners[count-1], g, 0, mostSplits) {
			return false
		}
	}
	// About the facet, from the point beyond the last side.
	for i := range count {
		v, next := x.corners[i], x.corners[(i+1)%count]
		before := open
		open = s.isOpen(i, count, y)
		if open || before {
			if !before {
				add(g, i)
			}
			add(v, i)
		}
		if open {
			continue
		}
		h := s.beyond(at, n, i)
		if !s.closed(next, v, h, i, mostSplits) {
			return false
		}
		if !before {
			add(g, i)
			if h.x == g.x {
				continue
			}
			if det := g.x.Cross(h.x).Dot(v.x); det > 0 {
				if !s.closed(v, g, h, i, mostSplits) {
					return false
				}
			} else {
				k := s.outward(i, count, n)
				if !s.closed(v, g, k, i, mostSplits) || !s.closed(v, k, h, i, mostSplits) {
					return false
				}
				add(k, i)
			}
		}
		g = h
	}
	for i := range ring {
		u, w := x.ring[i], x.ring[(i+1)%ring]
		if u.x != w.x && !s.closed(w, u, y, x.near[i], mostSplits) {
			return false
		}
	}
	return true
}

// clearOfRim says whether the foot, rho inside a facet of depth p, is far enough from its rim, and the facet's cap, lean its
// sine, wide enough, for a shell.
func clearOfRim(lean, rho, p, margin float64) bool {
	return float64(lean*rho) > float64(8*margin) && float64(rho*rho) > float64(8*margin*p)
}

// pointOf returns the point of K of vertex i of A and vertex j of B.
func (s *Search) pointOf(i, j soa.Vertex) pointOfK { return difference(s.va.Vert(i), s.pointB(j)) }

func difference(a, b vec.Vec3) pointOfK { return pointOfK{a.Sub(b), b} }

// outward returns the support point of K away from the facet at a corner.
func (s *Search) outward(i, count int, n vec.Vec3) pointOfK {
	x := &s.shell
	v := x.corners[i].x
	e, f := x.corners[(i+1)%count].x.Sub(v), x.corners[(i+count-1)%count].x.Sub(v)
	m := n.Sub(e.Unit()).Sub(f.Unit())
	return s.pointOf(climb(s.va, x.a[i], m), climb(s.vb, x.b[i], s.rot.TMulVec(m).Neg()))
}

// mostSplits bounds how often a triangle of a shell is replaced by three.
const mostSplits = 3

// closed puts a triangle into the shell if it is far enough, and otherwise three with the support point along its normal.
// corner is one near to it.
func (s *Search) closed(u, v, w pointOfK, corner, splits int) bool {
	x := &s.shell
	if farFrom(u.x, v.x, w.x, x.deep2) {
		x.triangles = append(x.triangles, shellTriangle{u, v, w})
		return true
	}
	c := v.x.Sub(u.x).Cross(w.x.Sub(u.x))
	l := c.Norm()
	if splits == 0 || !(c.Dot(u.x) > 0) {
		return false
	}
	i := climb(s.va, x.a[corner], c)
	j := climb(s.vb, x.b[corner], s.rot.TMulVec(c).Neg())
	g := s.pointOf(i, j)
	if h := c.Dot(g.x); !(h > float64(x.deep*l)) {
		if h < float64((x.p-(x.deep-x.p))*l) {
			x.lower = coverProbe{true, c.Scale(1 / l), i, j}
		}
		return false
	}
	splits--
	return s.closed(u, v, g, corner, splits) && s.closed(v, w, g, corner, splits) && s.closed(w, u, g, corner, splits)
}

// isOpen says whether nothing has to stand between side i and y.
func (s *Search) isOpen(i, count int, y pointOfK) bool {
	x := &s.shell
	return farFrom(x.corners[(i+1)%count].x, x.corners[i].x, y.x, x.deep2)
}

// farFrom says whether the origin lies behind a triangle, seen counter-clockwise from its front, and no point of it is
// nearer than the root of deep2.
func farFrom(u, v, w vec.Vec3, deep2 float64) bool {
	e, f := v.Sub(u), w.Sub(u)
	c := e.Cross(f)
	h := c.Dot(u)
	cc := c.Norm2()
	if !(h > 0) {
		return false
	}
	// The product of the sides errs by 2⁻⁵⁰ of their lengths', which is much of it where they are next to parallel.
	g := w.Sub(v)
	err2, ee, ff := 0.0, e.Norm2(), f.Norm2()
	if cc < float64(ee*ff)/64 {
		err2 = float64(float64(0x1p-100*ee)*ff) * max(u.Norm2(), v.Norm2(), w.Norm2())
	}
	if h2 := float64(h * h); h2 >= float64(deep2*cc) && (err2 == 0 || h >= math.Sqrt(float64(deep2*cc))+math.Sqrt(err2)) {
		return true
	}
	// The plane is too near: then the foot on it must lie outside, and the sides be far enough.
	inU, inV, inW := c.Cross(e).Dot(u), c.Cross(g).Dot(v), -c.Cross(f).Dot(u)
	err2 *= 4
	if !(beyondSide(inU, float64(err2*ee)) || beyondSide(inV, float64(err2*g.Norm2())) || beyondSide(inW, float64(err2*ff))) {
		return false
	}
	return sideFar(u, v, e, deep2) && sideFar(v, w, g, deep2) && sideFar(u, w, f, deep2)
}

// beyondSide says whether the foot lies beyond a side of a triangle, which x measures with an error whose square is given.
func beyondSide(x, err2 float64) bool { return x >= 0 && float64(x*x) >= err2 }

// sideFar says whether no point of the segment from u to v, which is e, is nearer than the root of deep2.
func sideFar(u, v, e vec.Vec3, deep2 float64) bool {
	t, l2 := -u.Dot(e), e.Norm2()
	switch {
	case t <= 0:
		return u.Norm2() >= deep2
	case t >= l2:
		return v.Norm2() >= deep2
	}
	// Not by |u|²·l² − t², which has no digits left of a distance far below |u|.
	return u.Cross(e).Norm2() >= float64(deep2*l2)
}

// rimOfFacet writes the corners of a facet of K, counter-clockwise about n, and returns how many; 0 for too many.
func (s *Search) rimOfFacet(at *spot, n vec.Vec3) int {
	x := &s.shell
	switch at.kind {
	case soa.FaceVertex:
		first, count := s.va.LoopFirst[at.fa], int(s.va.LoopLen[at.fa])
		if count > mostSides {
			return 0
		}
		q := s.b.at(int(at.kb))
		for i := range count {
			h := first + soa.HalfEdge(i)
			x.a[i], x.b[i] = s.va.Tail[h], at.kb
			x.corners[i], x.sides[i] = difference(s.va.Vert(x.a[i]), q), h
		}
		return count
	case soa.VertexFace:
		first, count := s.vb.LoopFirst[at.fb], int(s.vb.LoopLen[at.fb])
		if count > mostSides {
			return 0
		}
		p := s.va.Vert(at.ka)
		for i := range count {
			// Clockwise about B's normal is counter-clockwise about n: side i runs from the head of a half-edge to its tail.
			h := first + soa.HalfEdge(count-1-i)
			x.a[i], x.b[i] = at.ka, s.vb.Head(h)
			x.corners[i], x.sides[i] = difference(p, s.pointB(x.b[i])), h
		}
		return count
	}
	h, k := at.ha, at.hb
	e := s.va.Vert(s.va.Head(h)).Sub(s.va.Vert(s.va.Tail[h]))
	f := s.b.at(int(s.vb.Head(k))).Sub(s.b.at(int(s.vb.Tail[k])))
	if e.Cross(f).Dot(n) > 0 {
		// Then the four corners below would go clockwise.
		k = s.vb.Twin[k]
		at.hb = k
	}
	i, i1, j, j1 := s.va.Tail[h], s.va.Head(h), s.vb.Tail[k], s.vb.Head(k)
	x.a[0], x.a[1], x.a[2], x.a[3] = i, i1, i1, i
	x.b[0], x.b[1], x.b[2], x.b[3] = j, j, j1, j1
	for c := range 4 {
		x.corners[c] = difference(s.va.Vert(x.a[c]), s.b.at(int(x.b[c])))
	}
	return 4
}

// beyond returns a point of the far side of the facet next door across side i.
func (s *Search) beyond(at *spot, n vec.Vec3, i int) pointOfK {
	a, b := s.va, s.vb
	switch at.kind {
	case soa.FaceVertex:
		side := s.shell.sides[i]
		next := s.overSideA(side, at.kb, s.rot.TMulVec(n.Neg()))
		if next.kind == soa.FaceVertex {
			return difference(opposite(a, a.Twin[side]), s.b.at(int(at.kb)))
		}
		return difference(middle(a, side), s.pointB(b.Head(next.hb)))
	case soa.VertexFace:
		side := s.shell.sides[i]
		next := s.overSideB(side, at.ka, n)
		if next.kind == soa.VertexFace {
			return difference(a.Vert(at.ka), s.fromB(opposite(b, b.Twin[side])))
		}
		return difference(a.Vert(a.Head(next.ha)), s.fromB(middle(b, side)))
	}
	h, k := at.ha, at.hb
	if i%2 == 1 {
		// Past an end of A's edge: the head at corner 1, the tail at corner 3.
		if i == 3 {
			h = a.Twin[h]
		}
		e := a.Vert(a.Head(h)).Sub(a.Vert(a.Tail[h]))
		m1, m2 := s.rot.MulVec(b.Normal(b.Face[k])), s.rot.MulVec(b.Normal(b.Face[b.Twin[k]]))
		next := s.overEndA(h, k, e, n, m1, m2)
		if next.kind == soa.EdgeEdge {
			return difference(a.Vert(a.Head(next.ha)), s.fromB(middle(b, k)))
		}
		if b.Face[k] != next.fb {
			k = b.Twin[k]
		}
		return difference(a.Vert(next.ka), s.fromB(opposite(b, k)))
	}
	// Past an end of B's edge: the tail at side 0, the head at side 2.
	if i == 0 {
		k = b.Twin[k]
	}
	f := s.rot.MulVec(b.Vert(b.Head(k)).Sub(b.Vert(b.Tail[k])))
	next := s.overEndB(h, k, f, n, a.Normal(a.Face[h]), a.Normal(a.Face[a.Twin[h]]))
	if next.kind == soa.EdgeEdge {
		return difference(middle(a, h), s.pointB(b.Head(next.hb)))
	}
	if a.Face[h] != next.fa {
		h = a.Twin[h]
	}
	return difference(opposite(a, h), s.pointB(next.kb))
}

// fromB brings a point over from the frame of B.
func (s *Search) fromB(p vec.Vec3) vec.Vec3 { return s.rot.MulVec(p).Add(s.t) }

// middle returns the middle of a half-edge.
func middle(v *soa.View, h soa.HalfEdge) vec.Vec3 {
	return v.Vert(v.Tail[h]).Add(v.Vert(v.Head(h))).Scale(0.5)
}

// opposite returns a point of the face of h far from h: the corner opposite, or the middle of the side opposite.
func opposite(v *soa.View, h soa.HalfEdge) vec.Vec3 {
	f := v.Face[h]
	first, count := v.LoopFirst[f], v.LoopLen[f]
	i := (h - first + (count+1)/2) % count
	if count%2 == 1 {
		return v.Vert(v.Tail[first+i])
	}
	return middle(v, first+i)
}
