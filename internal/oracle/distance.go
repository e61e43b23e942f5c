package oracle

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// Distance returns the smallest distance between the surfaces of two bodies, and the closest
// points. It tries every vertex with every triangle and every edge with every edge. For bodies that
// are apart or only touch, the result is the distance of the bodies. It does not use the directions
// of Gap.
func Distance(a, b ConvexBody) (dist float64, pointA, pointB vec.Vec3) {
	best := math.Inf(1)
	try := func(p, q vec.Vec3) {
		if d := q.Sub(p).Norm(); d < best {
			best, pointA, pointB = d, p, q
		}
	}
	trisA, trisB := a.triangles(), b.triangles()
	for _, v := range a.Verts {
		for _, t := range trisB {
			try(v, closestOnTriangle(v, b.Verts[t[0]], b.Verts[t[1]], b.Verts[t[2]]))
		}
	}
	for _, v := range b.Verts {
		for _, t := range trisA {
			try(closestOnTriangle(v, a.Verts[t[0]], a.Verts[t[1]], a.Verts[t[2]]), v)
		}
	}
	edgesB := b.Edges()
	for _, e := range a.Edges() {
		for _, f := range edgesB {
			if p, q, ok := crossing(a.Verts[e[0]], a.Verts[e[1]], b.Verts[f[0]], b.Verts[f[1]]); ok {
				try(p, q)
			}
		}
	}
	return best, pointA, pointB
}

// closestOnTriangle returns the point of triangle abc closest to p: the projection of p onto the
// plane if it is inside the triangle, otherwise the closest point of the three sides.
func closestOnTriangle(p, a, b, c vec.Vec3) vec.Vec3 {
	n := b.Sub(a).Cross(c.Sub(a)).Unit()
	projection := p.AddScaled(-n.Dot(p.Sub(a)), n)
	inside := n != (vec.Vec3{}) &&
		n.Dot(b.Sub(a).Cross(projection.Sub(a))) >= 0 &&
		n.Dot(c.Sub(b).Cross(projection.Sub(b))) >= 0 &&
		n.Dot(a.Sub(c).Cross(projection.Sub(c))) >= 0
	if inside {
		return projection
	}
	best := closestOnSegment(p, a, b)
	for _, q := range [2]vec.Vec3{closestOnSegment(p, b, c), closestOnSegment(p, c, a)} {
		if q.Sub(p).Norm() < best.Sub(p).Norm() {
			best = q
		}
	}
	return best
}

func closestOnSegment(p, a, b vec.Vec3) vec.Vec3 {
	d := b.Sub(a)
	t := d.Dot(p.Sub(a)) / d.Dot(d)
	switch {
	case !(t > 0): // also for a segment of length 0
		return a
	case t >= 1:
		return b
	}
	return a.AddScaled(t, d)
}

// crossing returns the closest points of the lines through two segments if both lie strictly inside
// the segments. Otherwise, and for parallel segments, an end point is as close, and Distance tries
// all vertices anyway.
func crossing(a0, a1, b0, b1 vec.Vec3) (p, q vec.Vec3, ok bool) {
	da, db, w := a1.Sub(a0), b1.Sub(b0), b0.Sub(a0)
	n := CrossOfDifferences(a0, a1, b0, b1)
	nn := n.Dot(n)
	if !(nn > 0) {
		return p, q, false
	}
	s, t := n.Dot(w.Cross(db))/nn, n.Dot(w.Cross(da))/nn
	if !(s > 0 && s < 1 && t > 0 && t < 1) {
		return p, q, false
	}
	return a0.AddScaled(s, da), b0.AddScaled(t, db), true
}
