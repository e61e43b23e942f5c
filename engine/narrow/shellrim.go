package narrow

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

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
			x.corners[i], x.sides[i] = s.va.Vert(x.a[i]).Sub(q), h
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
			x.corners[i], x.sides[i] = p.Sub(s.pointB(x.b[i])), h
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
		x.corners[c] = s.va.Vert(x.a[c]).Sub(s.b.at(int(x.b[c])))
	}
	return 4
}

// beyond returns a point of the far side of the facet next door across side i.
func (s *Search) beyond(at *spot, n vec.Vec3, i int) vec.Vec3 {
	a, b := s.va, s.vb
	switch at.kind {
	case soa.FaceVertex:
		side := s.shell.sides[i]
		next := s.overSideA(side, at.kb, s.rot.TMulVec(n.Neg()))
		if next.kind == soa.FaceVertex {
			return opposite(a, a.Twin[side]).Sub(s.b.at(int(at.kb)))
		}
		return middle(a, side).Sub(s.pointB(b.Head(next.hb)))
	case soa.VertexFace:
		side := s.shell.sides[i]
		next := s.overSideB(side, at.ka, n)
		if next.kind == soa.VertexFace {
			return a.Vert(at.ka).Sub(s.fromB(opposite(b, b.Twin[side])))
		}
		return a.Vert(a.Head(next.ha)).Sub(s.fromB(middle(b, side)))
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
			return a.Vert(a.Head(next.ha)).Sub(s.fromB(middle(b, k)))
		}
		if b.Face[k] != next.fb {
			k = b.Twin[k]
		}
		return a.Vert(next.ka).Sub(s.fromB(opposite(b, k)))
	}
	// Past an end of B's edge: the tail at side 0, the head at side 2.
	if i == 0 {
		k = b.Twin[k]
	}
	f := s.rot.MulVec(b.Vert(b.Head(k)).Sub(b.Vert(b.Tail[k])))
	next := s.overEndB(h, k, f, n, a.Normal(a.Face[h]), a.Normal(a.Face[a.Twin[h]]))
	if next.kind == soa.EdgeEdge {
		return middle(a, h).Sub(s.pointB(b.Head(next.hb)))
	}
	if a.Face[h] != next.fa {
		h = a.Twin[h]
	}
	return opposite(a, h).Sub(s.pointB(next.kb))
}

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
