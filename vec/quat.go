package vec

import "math"

// Quat is a quaternion w + xi + yj + zk. A unit quaternion is a rotation from the body frame to the
// world frame; q and -q are the same rotation.
type Quat struct{ W, X, Y, Z float64 }

// Identity is the rotation by zero.
var Identity = Quat{W: 1}

// FromRotationVector returns the rotation by |r| radians about r. Its error is a few units in the
// last place.
func FromRotationVector(r Vec3) Quat {
	angle := r.Norm()
	if angle < 1e-8 {
		// sin(a/2)/a = 1/2 to the last bit.
		return Quat{1, 0.5 * r.X, 0.5 * r.Y, 0.5 * r.Z}.Normalized()
	}
	s, c := Sincos(0.5 * angle)
	return Quat{c, float64(r.X/angle) * s, float64(r.Y/angle) * s, float64(r.Z/angle) * s}.Normalized()
}

// Mul returns the rotation by b followed by the rotation by a.
func (a Quat) Mul(b Quat) Quat {
	return Quat{
		float64(a.W*b.W) - float64(a.X*b.X) - float64(a.Y*b.Y) - float64(a.Z*b.Z),
		float64(a.W*b.X) + float64(a.X*b.W) + float64(a.Y*b.Z) - float64(a.Z*b.Y),
		float64(a.W*b.Y) - float64(a.X*b.Z) + float64(a.Y*b.W) + float64(a.Z*b.X),
		float64(a.W*b.Z) + float64(a.X*b.Y) - float64(a.Y*b.X) + float64(a.Z*b.W),
	}
}

// Conj returns the inverse of a unit quaternion.
func (a Quat) Conj() Quat { return Quat{a.W, -a.X, -a.Y, -a.Z} }

// Dot returns the dot product of a and b.
func (a Quat) Dot(b Quat) float64 {
	return float64(a.W*b.W) + float64(a.X*b.X) + float64(a.Y*b.Y) + float64(a.Z*b.Z)
}

// Norm returns the length of the quaternion. It overflows if the length is above 1e154, and loses
// digits if it is below 1e-146.
func (a Quat) Norm() float64 { return math.Sqrt(a.Dot(a)) }

// Normalized returns a/|a|. Very small and very large quaternions are scaled first, so they lose no
// digits. If a is zero or not finite, it returns a.
func (a Quat) Normalized() Quat {
	m := max(math.Abs(a.W), math.Abs(a.X), math.Abs(a.Y), math.Abs(a.Z))
	if !(m > 0) || m > math.MaxFloat64 {
		return a
	}
	if m < 1e-100 || m > 1e100 {
		// Scaling by a power of two is exact.
		_, e := math.Frexp(m)
		a = Quat{math.Ldexp(a.W, -e), math.Ldexp(a.X, -e), math.Ldexp(a.Y, -e), math.Ldexp(a.Z, -e)}
	}
	n := a.Norm()
	return Quat{a.W / n, a.X / n, a.Y / n, a.Z / n}
}

// Finite reports whether no component is NaN or infinite.
func (a Quat) Finite() bool { return a.W-a.W+(a.X-a.X)+(a.Y-a.Y)+(a.Z-a.Z) == 0 }

// Rotate rotates v from the body frame to the world frame. a must be unit.
func (a Quat) Rotate(v Vec3) Vec3 {
	// v + 2w(u×v) + 2u×(u×v), where u is the vector part.
	u := Vec3{a.X, a.Y, a.Z}
	t := u.Cross(v)
	t = Vec3{t.X + t.X, t.Y + t.Y, t.Z + t.Z}
	return v.AddScaled(a.W, t).Add(u.Cross(t))
}

// RotateInv rotates v from the world frame to the body frame. a must be unit.
func (a Quat) RotateInv(v Vec3) Vec3 { return a.Conj().Rotate(v) }

// Mat3 returns the rotation as a matrix that maps the body frame to the world frame. a must be
// unit.
func (a Quat) Mat3() Mat3 {
	r0, r1, r2 := a.Rows()
	return Mat3{r0, r1, r2}
}

// Rows returns the rows of Mat3. The compiler keeps three vectors in registers, but not a Mat3.
func (a Quat) Rows() (r0, r1, r2 Vec3) {
	x2, y2, z2 := a.X+a.X, a.Y+a.Y, a.Z+a.Z
	xx, yy, zz := float64(a.X*x2), float64(a.Y*y2), float64(a.Z*z2)
	xy, xz, yz := float64(a.X*y2), float64(a.X*z2), float64(a.Y*z2)
	wx, wy, wz := float64(a.W*x2), float64(a.W*y2), float64(a.W*z2)
	return Vec3{1 - (yy + zz), xy - wz, xz + wy}, Vec3{xy + wz, 1 - (xx + zz), yz - wx}, Vec3{xz - wy, yz + wx, 1 - (xx + yy)}
}
