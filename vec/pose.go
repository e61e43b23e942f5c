package vec

// Pose places a body frame in the world: a point p of the body is at Rot·p + Pos. Functions that
// build bodies and walls, or that compare two shapes, treat a zero Rot as the identity. So for them
// the zero Pose is the identity.
type Pose struct {
	Pos Vec3 // m, world: position of the frame's origin
	Rot Quat // unit, from the frame to the world
}

// IdentityPose maps the body frame to the world frame unchanged.
var IdentityPose = Pose{Rot: Identity}

// OrIdentity returns p, with Identity as its rotation if Rot is the zero quaternion, which is not a
// rotation.
func (p Pose) OrIdentity() Pose {
	if p.Rot == (Quat{}) {
		p.Rot = Identity
	}
	return p
}

// Point maps a point from the body frame to the world frame.
func (p Pose) Point(v Vec3) Vec3 { return p.Rot.Rotate(v).Add(p.Pos) }

// PointInv maps a point from the world frame to the body frame.
func (p Pose) PointInv(v Vec3) Vec3 { return p.Rot.RotateInv(v.Sub(p.Pos)) }

// Mul returns the pose of a frame placed by b in a frame placed by p.
func (p Pose) Mul(b Pose) Pose { return Pose{p.Point(b.Pos), p.Rot.Mul(b.Rot)} }

// Inv returns the inverse of p.
func (p Pose) Inv() Pose {
	return Pose{p.Rot.RotateInv(p.Pos).Neg(), p.Rot.Conj()}
}

// Box is a closed axis-aligned box. Boxes that share only a face, an edge or a corner overlap.
type Box struct{ Min, Max Vec3 }

// EmptyBox returns a box that contains nothing. Its union with a box is that box.
func EmptyBox() Box {
	const huge = 1.7976931348623157e308
	return Box{Vec3{huge, huge, huge}, Vec3{-huge, -huge, -huge}}
}

// BoxAround returns the smallest box that contains all points.
func BoxAround(points []Vec3) Box {
	b := EmptyBox()
	for _, p := range points {
		b = b.With(p)
	}
	return b
}

// With returns the smallest box that contains b and the point p.
func (b Box) With(p Vec3) Box { return Box{b.Min.Min(p), b.Max.Max(p)} }

// Union returns the smallest box that contains b and c.
func (b Box) Union(c Box) Box { return Box{b.Min.Min(c.Min), b.Max.Max(c.Max)} }

// Enlarged returns the box moved outwards by d on every side.
func (b Box) Enlarged(d float64) Box {
	e := Vec3{d, d, d}
	return Box{b.Min.Sub(e), b.Max.Add(e)}
}

// Overlaps reports whether the two closed boxes share a point.
func (b Box) Overlaps(c Box) bool {
	return b.Min.X <= c.Max.X && c.Min.X <= b.Max.X &&
		b.Min.Y <= c.Max.Y && c.Min.Y <= b.Max.Y &&
		b.Min.Z <= c.Max.Z && c.Min.Z <= b.Max.Z
}

// Holds reports whether the point p is in the box or on its boundary.
func (b *Box) Holds(p Vec3) bool {
	return b.Min.X <= p.X && p.X <= b.Max.X && b.Min.Y <= p.Y && p.Y <= b.Max.Y && b.Min.Z <= p.Z && p.Z <= b.Max.Z
}

// Center returns the centre of the box.
func (b Box) Center() Vec3 { return b.Min.AddScaled(0.5, b.Max.Sub(b.Min)) }

// Size returns the lengths of the box's sides.
func (b Box) Size() Vec3 { return b.Max.Sub(b.Min) }
