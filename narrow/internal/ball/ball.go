package ball

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// BallBall answers two balls in closed form. For concentric balls the normal is the world's x axis.
func BallBall(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *pair.Answer) {
	*out = pair.Answer{AnsweredBy: pair.ByFeature}
	dx := pb.Pos.Sub(pa.Pos)
	if !dx.Finite() || !pair.IsRotation(pa.Rot) || !pair.IsRotation(pb.Rot) || !(a.Radius+b.Radius > 0) {
		out.Status = pair.Degenerate
		return
	}
	d, n := pair.Length(dx)
	if d == 0 {
		n = vec.Vec3{X: 1}
	}
	gap := d - (a.Radius + b.Radius)
	out.SetGap(gap)
	out.Exact = true
	out.Normal = n
	out.Facet = soa.FacetID{Kind: soa.VertexVertex}
	out.ArmA = n.Scale(a.Radius)
	out.ArmB = n.Scale(-b.Radius)
	if out.Status == pair.Separated {
		out.Axis, out.AxisSupport = pa.Rot.RotateInv(n), a.Radius
	}
}

// walkFaces is a number of faces. Up to walkFaces, a loop over all faces is as fast as a walk for a
// pair about which nothing is known.
// Another value: only speed.
const walkFaces = 12

// BallPolyhedron answers a ball and a block or a facet, by the surface point nearest to the ball's
// centre.
//
// If the centre lies inside or on the surface, a loop over all faces finds the face with the
// nearest plane (the lowest index of equals). If the centre lies outside, a walk finds the nearest
// point of the faces that it sees (NearFrom). If the walk's result is too close to call, the loop
// answers. If the centre lies in a facet, the normal is minus the normal of face 0, as for a ball
// in front of face 0.
//
// Cost: independent of the number of faces, except for the climb to the start of the walk. A
// polyhedron with few faces takes the loop: one product per face, and a polygon test for each face
// that is near. Only the loop returns bounds for pairs out of reach.
func BallPolyhedron(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *pair.Answer) {
	*out = pair.Answer{AnsweredBy: pair.ByWalk}
	c, unit, ok := BallIn(a, pa, b, pb)
	if !ok {
		out.Status = pair.Degenerate
		return
	}
	if b.NFaces > walkFaces {
		if near, _, ok := NearFrom(b, c, unit, StartFor(b, c)); ok {
			WriteBall(a, pa, b, pb, c, near, out)
			return
		}
	}
	BallOverFaces(a, pa, b, pb, c, unit, reach, out)
}

// BallIn returns the centre of ball a in the frame of polyhedron b, and the length scale of the
// pair. ok is false for a pair that has no answer.
func BallIn(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) (c vec.Vec3, unit float64, ok bool) {
	dx := pa.Pos.Sub(pb.Pos)
	unit = max(b.Radius, dx.MaxAbs())
	ok = dx.Finite() && pair.IsRotation(pa.Rot) && pair.IsRotation(pb.Rot)
	if !ok || !(a.Radius >= 0) || !(unit >= 0x1p-1000 && unit <= 0x1p1000) || b.NFaces < 2 {
		return c, unit, false
	}
	return pb.Rot.RotateInv(dx), unit, true
}

// BallOverFaces answers by a loop over all faces. c is the centre of the ball in the frame of the
// polyhedron, unit the length scale of the pair.
func BallOverFaces(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, c vec.Vec3, unit, reach float64, out *pair.Answer) {
	face, height := HighestPlane(b, c)
	n := b.Normal(soa.Face(face))
	if lower := height - a.Radius - float64(pair.RoundTol*max(unit, a.Radius)); lower > reach {
		out.Status, out.Gap, out.Normal = pair.Separated, lower, pb.Rot.Rotate(n.Neg())
		out.Axis, out.AxisSupport = pa.Rot.RotateInv(out.Normal), a.Radius
		return
	}
	at := Nearest{height, n.Scale(-height), soa.FacetID{B: uint16(face), Kind: soa.VertexFace}}
	if b.Kind.IsFlat() || height > 0 {
		// The nearest face need not be the one with the highest plane.
		if near := nearestOnFaces(b, c, unit); near.D > pair.CloseTol*unit || near.ID.Kind == soa.VertexFace {
			at = near
		}
	}
	WriteBall(a, pa, b, pb, c, at, out)
}

// WriteBall fills the answer from the nearest point. at.D must be negative if the centre lies
// behind a face.
func WriteBall(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, c vec.Vec3, at Nearest, out *pair.Answer) {
	n := at.W.Neg().Unit()
	if at.ID.Kind == soa.VertexFace {
		n = b.Normal(soa.Face(at.ID.B))
	}
	out.SetGap(at.D - a.Radius)
	out.Exact = true
	out.Facet = at.ID
	out.Normal = pb.Rot.Rotate(n.Neg())
	out.ArmA = out.Normal.Scale(a.Radius)
	out.ArmB = pb.Rot.Rotate(c.Add(at.W))
	if out.Status == pair.Separated {
		out.Axis, out.AxisSupport = pa.Rot.RotateInv(out.Normal), a.Radius
	}
}

// HighestPlane returns the face whose plane p is farthest in front of, and the signed distance,
// which is negative if p lies inside.
func HighestPlane(b *soa.View, p vec.Vec3) (face int, height float64) {
	height = math.Inf(-1)
	for f := range b.NFaces {
		h := float64(b.NX[f]*p.X) + float64(b.NY[f]*p.Y) + float64(b.NZ[f]*p.Z) - b.D[f]
		if h > height {
			face, height = f, h
		}
	}
	return face, height
}

// Nearest is the nearest point of the surface of a polyhedron, as seen from a given point.
type Nearest struct {
	D  float64  // distance, |W|
	W  vec.Vec3 // vector from the point to the surface
	ID soa.FacetID
}

// nearestOnFaces returns the point nearest to p on the faces that p lies in front of, or in the
// plane of.
func nearestOnFaces(b *soa.View, p vec.Vec3, unit float64) Nearest {
	best := Nearest{D: math.Inf(1)}
	for f := range b.NFaces {
		best.TryFace(b, f, p, unit)
	}
	return best
}

// TryFace replaces at by the point of face f nearest to p, if that point is nearer and p lies in
// front of the face, or in its plane. It reports whether it did.
func (at *Nearest) TryFace(b *soa.View, f int, p vec.Vec3, unit float64) bool {
	n := b.Normal(soa.Face(f))
	h := n.Dot(p) - b.D[f]
	if h < -pair.RoundTol*unit || h >= at.D {
		return false
	}
	now := NearestOnFace(b, f, n, h, p)
	nearer := now.D < at.D
	if nearer {
		*at = now
	}
	return nearer
}

// NearestOnFace returns the point of face f nearest to p. n is the normal of the face and h the
// height of p above its plane.
func NearestOnFace(b *soa.View, f int, n vec.Vec3, h float64, p vec.Vec3) Nearest {
	first, count := b.LoopFirst[f], b.LoopLen[f]
	out := Nearest{D: math.Inf(1)}
	inside := true
	for i := range count {
		he := first + i
		v0, v1 := b.Vert(b.Tail[he]), b.Vert(b.Head(he))
		if n.Cross(v1.Sub(v0)).Dot(p.Sub(v0)) >= 0 {
			continue
		}
		inside = false
		w, keep := pair.ClosestOnSegment(v0.Sub(p), v1.Sub(p))
		if keep == 3 {
			// Rounding along the edge would tilt the normal if the distance is small. If the
			// distance is large, the correction may exceed the edge, so it is clamped to the ends.
			e := v1.Sub(v0)
			ee := e.Norm2()
			t := w.Sub(v0.Sub(p)).Dot(e) / ee
			w = w.AddScaled(min(max(-w.Dot(e)/ee, -t), 1-t), e)
		}
		d := lengthOf(w)
		if d >= out.D {
			continue
		}
		out.D, out.W = d, w
		switch keep {
		case 1:
			out.ID = soa.FacetID{B: uint16(b.Tail[he]), Kind: soa.VertexVertex}
		case 2:
			out.ID = soa.FacetID{B: uint16(b.Head(he)), Kind: soa.VertexVertex}
		default:
			out.ID = soa.FacetID{B: pair.EdgeNumber(b, he), Kind: soa.VertexEdge}
		}
	}
	if inside {
		return Nearest{max(h, 0), n.Scale(-h), soa.FacetID{B: uint16(f), Kind: soa.VertexFace}}
	}
	return out
}

// lengthOf returns |w| also if its square overflows, which it does above 1e154 m.
func lengthOf(w vec.Vec3) float64 {
	d := w.Norm()
	if d > math.MaxFloat64 {
		d, _ = pair.Length(w)
	}
	return d
}
