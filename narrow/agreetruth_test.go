package narrow

import (
	"math"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// agreeSlack is how far, in sizes, a face next to a crossing of two edges may rise above the plane
// of the crossing, and the crossing still be tested. It is ten thousand times the tolerance of the
// methods.
const agreeSlack = 1e-8

// allFacets is the oracle of the agreement test in float64. It is bruteGap, made fast enough for a
// million pairs, and accurate between nearly parallel edges. The depth of an overlap is the least
// h_K along the normal of a face of either body or of a crossing of two edges. The distance of two
// bodies apart is that of their nearest vertices, edges and faces. allFacets skips a crossing if a
// face at one of its edges rises above its plane by more than agreeSlack of the size, and skips a
// pair of edges whose lines are farther apart than the nearest features so far.
//
// World axes, relative to the origin of A. Every tested value is a bound from the safe side: h_K
// along any direction is at least the depth, and the vector between any two points of the bodies is
// at least as long as their distance. So the error is that of the vertices: a few roundings of the
// size and of the distance of the origins. allFacets allocates nothing once it has seen the largest
// shapes.
type allFacets struct {
	va, vb []vec.Vec3
	ea, eb []edgeAndWings
}

// edgeAndWings is an edge: its ends, their difference, and the adjacent vertices in the loops of
// its two faces.
type edgeAndWings struct {
	p, q, d vec.Vec3
	wings   [4]vec.Vec3
}

// gap returns the distance of two pieces, or minus their depth, m.
func (t *allFacets) gap(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) float64 {
	dx := pb.Pos.Sub(pa.Pos)
	switch {
	case b.Kind == soa.Plane:
		up, reach := pb.Rot.Rotate(vec.V(0, 0, 1)), -a.Radius
		if a.Kind != soa.Ball {
			reach = math.Inf(1)
			for i := range a.NVerts {
				reach = min(reach, up.Dot(pa.Rot.Rotate(a.Vert(soa.Vertex(i)))))
			}
		}
		return reach - up.Dot(dx)
	case a.Kind == soa.Ball && b.Kind == soa.Ball:
		return dx.Norm() - a.Radius - b.Radius
	case a.Kind == soa.Ball:
		return bruteBall(b, pb.Rot.RotateInv(dx.Neg())) - a.Radius
	}
	t.va, t.ea = placeEdges(a, pa.Rot, vec.Vec3{}, t.va[:0], t.ea[:0])
	t.vb, t.eb = placeEdges(b, pb.Rot, dx, t.vb[:0], t.eb[:0])
	gap := -t.leastHeight(a, pa, b, pb)
	if gap > 0 {
		gap = max(gap, t.distance(a, pa, b, pb))
	}
	return gap
}

// placeEdges appends the vertices and edges of a shape at a pose.
func placeEdges(v *soa.View, q vec.Quat, at vec.Vec3, verts []vec.Vec3, edges []edgeAndWings) ([]vec.Vec3, []edgeAndWings) {
	for i := range v.NVerts {
		verts = append(verts, q.Rotate(v.Vert(soa.Vertex(i))).Add(at))
	}
	for _, h := range v.Edge {
		e := edgeAndWings{p: verts[v.Tail[h]], q: verts[v.Head(h)]}
		e.d = e.q.Sub(e.p)
		w := v.Twin[h]
		e.wings = [4]vec.Vec3{verts[v.Head(v.Next(h))], verts[v.Tail[before(v, h)]], verts[v.Head(v.Next(w))], verts[v.Tail[before(v, w)]]}
		edges = append(edges, e)
	}
	return verts, edges
}

// before returns the half-edge before h in its loop.
func before(v *soa.View, h soa.HalfEdge) soa.HalfEdge {
	if first := v.LoopFirst[v.Face[h]]; h == first {
		return first + v.LoopLen[v.Face[h]] - 1
	}
	return h - 1
}

// leastHeight returns the least h_K along all normals of facets of K.
func (t *allFacets) leastHeight(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) float64 {
	least, size := math.Inf(1), max(a.Radius, b.Radius)
	for f := range a.NFaces {
		least = min(least, t.height(pa.Rot.Rotate(a.Normal(soa.Face(f)))))
	}
	for f := range b.NFaces {
		least = min(least, t.height(pb.Rot.Rotate(b.Normal(soa.Face(f))).Neg()))
	}
	for i := range t.ea {
		e := &t.ea[i]
		for j := range t.eb {
			f := &t.eb[j]
			c := e.cross(f)
			l := c.Norm()
			if l == 0 {
				continue
			}
			// For a facet of K, all faces at the two edges lie below its plane: those of A on one
			// side, those of B on the other.
			slack := agreeSlack * l * size
			up, down := e.slopes(c, slack)
			if !up && !down {
				continue
			}
			fUp, fDown := f.slopes(c, slack)
			h := c.Dot(e.p) - c.Dot(f.p)
			if up && fDown && h <= least*l {
				least = min(least, t.height(c.Scale(1/l)))
			}
			if down && fUp && -h <= least*l {
				least = min(least, t.height(c.Scale(-1/l)))
			}
		}
	}
	return least
}

// cross returns the cross product of two edges, with a direction accurate to the last digits.
func (e *edgeAndWings) cross(f *edgeAndWings) vec.Vec3 {
	c := e.d.Cross(f.d)
	const sure = 0x1p-12 // square of a sine at which the product loses few digits
	if c.Norm2() < sure*e.d.Norm2()*f.d.Norm2() {
		return oracle.CrossOfDifferences(e.p, e.q, f.p, f.q)
	}
	return c
}

// slopes reports whether the edge is at least as high along c as its wings, and whether it is at
// least as low, up to slack.
func (e *edgeAndWings) slopes(c vec.Vec3, slack float64) (up, down bool) {
	at := c.Dot(e.p)
	up, down = true, true
	for i := range e.wings {
		h := c.Dot(e.wings[i]) - at
		up, down = up && h <= slack, down && h >= -slack
	}
	return up, down
}

// height returns h_K along n.
func (t *allFacets) height(n vec.Vec3) float64 {
	hi, lo := math.Inf(-1), math.Inf(1)
	for _, p := range t.va {
		hi = max(hi, n.Dot(p))
	}
	for _, p := range t.vb {
		lo = min(lo, n.Dot(p))
	}
	return hi - lo
}

// distance returns the least distance between features of bodies apart.
func (t *allFacets) distance(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) float64 {
	least := math.Inf(1) // squared
	for i := range t.ea {
		e := &t.ea[i]
		ee := e.d.Norm2()
		for _, q := range t.vb {
			least = min(least, toSegment(q.Sub(e.p), e.d, ee))
		}
	}
	for j := range t.eb {
		f := &t.eb[j]
		ff := f.d.Norm2()
		for _, p := range t.va {
			least = min(least, toSegment(p.Sub(f.p), f.d, ff))
		}
		for i := range t.ea {
			e := &t.ea[i]
			c, w := e.cross(f), f.p.Sub(e.p)
			cc, h := c.Norm2(), w.Dot(c)
			if h*h >= least*cc {
				continue
			}
			// A point that is off by a rounding over the sine of the edges is as near up to the
			// square of that, if it is projected.
			s := min(max(w.Cross(f.d).Dot(c)/cc, 0), 1)
			least = min(least, toSegment(e.d.Scale(s).Sub(w), f.d, ff))
		}
	}
	margin := 1e-14 * max(a.Radius, b.Radius)
	d := toFaces(a, pa.Rot, t.va, t.vb, math.Sqrt(least), margin)
	return toFaces(b, pb.Rot, t.vb, t.va, d, margin)
}

// toSegment returns the square of the distance of w from the segment from 0 to d. dd is the square
// of d.
func toSegment(w, d vec.Vec3, dd float64) float64 {
	if dd == 0 {
		return w.Norm2() // a short edge, lost in the distance of the origins
	}
	return w.AddScaled(-min(max(w.Dot(d)/dd, 0), 1), d).Norm2()
}

// toFaces returns the least of d and the distances of points from those faces of a shape that
// contain their projections, farther than margin from the sides. Nearer to a side, the side is as
// near. Beyond the sharp tip of a face rounding may place a projection inside.
func toFaces(v *soa.View, q vec.Quat, verts, points []vec.Vec3, d, margin float64) float64 {
	for f := range v.NFaces {
		n := q.Rotate(v.Normal(soa.Face(f)))
		on := verts[v.Tail[v.LoopFirst[f]]]
		for _, p := range points {
			if h := math.Abs(n.Dot(p.Sub(on))); h < d && holds(v, soa.Face(f), verts, n, p, margin) {
				d = h
			}
		}
	}
	return d
}

// holds reports whether the projection of p lies in a face, at least margin from its sides.
func holds(v *soa.View, f soa.Face, verts []vec.Vec3, n, p vec.Vec3, margin float64) bool {
	first := v.LoopFirst[f]
	for h := first; h < first+v.LoopLen[f]; h++ {
		x, e := verts[v.Tail[h]], verts[v.Head(h)].Sub(verts[v.Tail[h]])
		if n.Cross(e).Dot(p.Sub(x)) < margin*e.Norm() {
			return false
		}
	}
	return true
}
