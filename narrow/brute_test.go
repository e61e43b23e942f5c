package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// bruteGap returns the signed distance of two polyhedra by definition, and shares nothing with the
// code under test. It tries every face normal and every crossing of two edges, in both directions,
// as an axis with full support. For a pair apart it takes the least distance of all pairs of
// triangles of faces and of edges. It works relative to A's origin, in world axes.
func bruteGap(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) float64 {
	va, vb := worldVerts(a, pa.Rot, vec.Vec3{}), worldVerts(b, pb.Rot, pb.Pos.Sub(pa.Pos))
	least := math.Inf(1)
	try := func(n vec.Vec3) {
		hi, lo := math.Inf(-1), math.Inf(1)
		for _, p := range va {
			hi = max(hi, n.Dot(p))
		}
		for _, p := range vb {
			lo = min(lo, n.Dot(p))
		}
		least = min(least, hi-lo)
	}
	for f := range a.NFaces {
		try(pa.Rot.Rotate(a.Normal(soa.Face(f))))
	}
	for f := range b.NFaces {
		try(pb.Rot.Rotate(b.Normal(soa.Face(f))).Neg())
	}
	for _, h := range a.Edge {
		e := va[a.Head(h)].Sub(va[a.Tail[h]])
		for _, k := range b.Edge {
			f := vb[b.Head(k)].Sub(vb[b.Tail[k]])
			c := preciseCross(e, f)
			if c.Norm() <= 1e-14*e.Norm()*f.Norm() {
				continue
			}
			try(c.Unit())
			try(c.Unit().Neg())
		}
	}
	if least >= 0 {
		return -least
	}
	// Apart: the dual value if a facet is nearest, otherwise vertices and edges.
	d := math.Inf(1)
	for _, h := range a.Edge {
		for _, k := range b.Edge {
			d = min(d, segments(va[a.Tail[h]], va[a.Head(h)], vb[b.Tail[k]], vb[b.Head(k)]))
		}
	}
	for f := range a.NFaces {
		for _, q := range vb {
			d = min(d, faceDistance(a, va, f, q))
		}
	}
	for f := range b.NFaces {
		for _, p := range va {
			d = min(d, faceDistance(b, vb, f, p))
		}
	}
	return d
}

func worldVerts(v *soa.View, q vec.Quat, t vec.Vec3) []vec.Vec3 {
	var out []vec.Vec3
	for i := range v.NVerts {
		out = append(out, q.Rotate(v.Vert(soa.Vertex(i))).Add(t))
	}
	return out
}

// segments returns the distance of two segments: that of the ends from the other segment, or of the
// crossing if it lies within both.
func segments(p, p1, q, q1 vec.Vec3) float64 {
	best := min(pointToSegment(p, q, q1), pointToSegment(p1, q, q1), pointToSegment(q, p, p1), pointToSegment(q1, p, p1))
	e, f, w := p1.Sub(p), q1.Sub(q), q.Sub(p)
	c := preciseCross(e, f)
	if cc := c.Norm2(); cc > 1e-20*e.Norm2()*f.Norm2() {
		s, t := w.Cross(f).Dot(c)/cc, w.Cross(e).Dot(c)/cc
		if s >= 0 && s <= 1 && t >= 0 && t <= 1 {
			best = min(best, math.Abs(w.Dot(c))/math.Sqrt(cc))
		}
	}
	return best
}

func pointToSegment(x, a, b vec.Vec3) float64 {
	d := b.Sub(a)
	s := min(max(x.Sub(a).Dot(d)/d.Norm2(), 0), 1)
	return x.Sub(a.AddScaled(s, d)).Norm()
}

// faceDistance returns the distance of x to the plane of a face if the projection of x lies inside
// the face, and infinity otherwise, because an edge is then nearest.
func faceDistance(v *soa.View, verts []vec.Vec3, f int, x vec.Vec3) float64 {
	first, n := v.LoopFirst[f], v.LoopLen[f]
	p0, p1, p2 := verts[v.Tail[first]], verts[v.Tail[first+1]], verts[v.Tail[first+2]]
	m := preciseCross(p1.Sub(p0), p2.Sub(p0)).Unit()
	for i := range n {
		a, b := verts[v.Tail[first+i]], verts[v.Head(first+i)]
		if m.Cross(b.Sub(a)).Dot(x.Sub(a)) < 0 {
			return math.Inf(1)
		}
	}
	return math.Abs(m.Dot(x.Sub(p0)))
}

// preciseCross returns a×b with components accurate to an ulp or two (Kahan). The plain product of
// two sides of a sliver is not perpendicular to them, so the projection of a distant point would
// lie off the sliver's plane.
func preciseCross(a, b vec.Vec3) vec.Vec3 {
	minor := func(p, q, r, s float64) float64 { // p·q − r·s
		w := float64(r * s)
		return math.FMA(p, q, -w) - math.FMA(r, s, -w)
	}
	return vec.V(minor(a.Y, b.Z, a.Z, b.Y), minor(a.Z, b.X, a.X, b.Z), minor(a.X, b.Y, a.Y, b.X))
}
