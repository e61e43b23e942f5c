package proof

import (
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// rimOfFacet stores the corners of a facet of K, counter-clockwise about n, and returns their
// number. It returns 0 if there are too many.
func (s *Prover) rimOfFacet(at *pair.FeaturePair, n vec.Vec3) int {
	x := &s.Shell
	switch at.Kind {
	case soa.FaceVertex:
		first, count := s.ViewA.LoopFirst[at.FaceA], int(s.ViewA.LoopLen[at.FaceA])
		if count > mostSides {
			return 0
		}
		q := s.HullB.At(int(at.VertexB))
		for i := range count {
			h := first + soa.HalfEdge(i)
			x.a[i], x.b[i] = s.ViewA.Tail[h], at.VertexB
			x.corners[i], x.sides[i] = s.ViewA.Vert(x.a[i]).Sub(q), h
		}
		return count
	case soa.VertexFace:
		first, count := s.ViewB.LoopFirst[at.FaceB], int(s.ViewB.LoopLen[at.FaceB])
		if count > mostSides {
			return 0
		}
		p := s.ViewA.Vert(at.VertexA)
		for i := range count {
			// Clockwise about B's normal is counter-clockwise about n: side i runs from the head of
			// a half-edge to its tail.
			h := first + soa.HalfEdge(count-1-i)
			x.a[i], x.b[i] = at.VertexA, s.ViewB.Head(h)
			x.corners[i], x.sides[i] = p.Sub(s.PointB(x.b[i])), h
		}
		return count
	}
	h, k := at.HalfA, at.HalfB
	e := s.ViewA.Vert(s.ViewA.Head(h)).Sub(s.ViewA.Vert(s.ViewA.Tail[h]))
	f := s.HullB.At(int(s.ViewB.Head(k))).Sub(s.HullB.At(int(s.ViewB.Tail[k])))
	if e.Cross(f).Dot(n) > 0 {
		// Then the four corners below would go clockwise.
		k = s.ViewB.Twin[k]
		at.HalfB = k
	}
	i, i1, j, j1 := s.ViewA.Tail[h], s.ViewA.Head(h), s.ViewB.Tail[k], s.ViewB.Head(k)
	x.a[0], x.a[1], x.a[2], x.a[3] = i, i1, i1, i
	x.b[0], x.b[1], x.b[2], x.b[3] = j, j, j1, j1
	for c := range 4 {
		x.corners[c] = s.ViewA.Vert(x.a[c]).Sub(s.HullB.At(int(x.b[c])))
	}
	return 4
}

// beyond returns a point on the far side of the facet adjacent across side i.
func (s *Prover) beyond(at *pair.FeaturePair, n vec.Vec3, i int) vec.Vec3 {
	a, b := s.ViewA, s.ViewB
	switch at.Kind {
	case soa.FaceVertex:
		side := s.Shell.sides[i]
		next := s.overSideA(side, at.VertexB, s.Rot.TMulVec(n.Neg()))
		if next.Kind == soa.FaceVertex {
			return opposite(a, a.Twin[side]).Sub(s.HullB.At(int(at.VertexB)))
		}
		return middle(a, side).Sub(s.PointB(b.Head(next.HalfB)))
	case soa.VertexFace:
		side := s.Shell.sides[i]
		next := s.overSideB(side, at.VertexA, n)
		if next.Kind == soa.VertexFace {
			return a.Vert(at.VertexA).Sub(s.FromB(opposite(b, b.Twin[side])))
		}
		return a.Vert(a.Head(next.HalfA)).Sub(s.FromB(middle(b, side)))
	}
	h, k := at.HalfA, at.HalfB
	if i%2 == 1 {
		// Past an end of A's edge: the head at corner 1, the tail at corner 3.
		if i == 3 {
			h = a.Twin[h]
		}
		e := a.Vert(a.Head(h)).Sub(a.Vert(a.Tail[h]))
		m1, m2 := s.Rot.MulVec(b.Normal(b.Face[k])), s.Rot.MulVec(b.Normal(b.Face[b.Twin[k]]))
		next := s.overEndA(h, k, e, n, m1, m2)
		if next.Kind == soa.EdgeEdge {
			return a.Vert(a.Head(next.HalfA)).Sub(s.FromB(middle(b, k)))
		}
		if b.Face[k] != next.FaceB {
			k = b.Twin[k]
		}
		return a.Vert(next.VertexA).Sub(s.FromB(opposite(b, k)))
	}
	// Past an end of B's edge: the tail at side 0, the head at side 2.
	if i == 0 {
		k = b.Twin[k]
	}
	f := s.Rot.MulVec(b.Vert(b.Head(k)).Sub(b.Vert(b.Tail[k])))
	next := s.overEndB(h, k, f, n, a.Normal(a.Face[h]), a.Normal(a.Face[a.Twin[h]]))
	if next.Kind == soa.EdgeEdge {
		return middle(a, h).Sub(s.PointB(b.Head(next.HalfB)))
	}
	if a.Face[h] != next.FaceA {
		h = a.Twin[h]
	}
	return opposite(a, h).Sub(s.PointB(next.VertexB))
}

// middle returns the midpoint of a half-edge.
func middle(v *soa.View, h soa.HalfEdge) vec.Vec3 {
	return v.Vert(v.Tail[h]).Add(v.Vert(v.Head(h))).Scale(0.5)
}

// opposite returns a point of the face of half-edge h that is far from h: the opposite corner, or
// the midpoint of the opposite side.
func opposite(v *soa.View, h soa.HalfEdge) vec.Vec3 {
	f := v.Face[h]
	first, count := v.LoopFirst[f], v.LoopLen[f]
	i := (h - first + (count+1)/2) % count
	if count%2 == 1 {
		return v.Vert(v.Tail[first+i])
	}
	return middle(v, first+i)
}
