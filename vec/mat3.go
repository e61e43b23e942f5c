package vec

import "math"

// Mat3 is a 3×3 matrix, stored by rows.
type Mat3 struct{ R0, R1, R2 Vec3 }

// MulVec returns m·v.
func (m Mat3) MulVec(v Vec3) Vec3 { return Vec3{m.R0.Dot(v), m.R1.Dot(v), m.R2.Dot(v)} }

// TMulVec returns mᵀ·v. For a rotation, it maps v from the world frame to the body frame.
func (m Mat3) TMulVec(v Vec3) Vec3 {
	return Vec3{
		float64(m.R0.X*v.X) + float64(m.R1.X*v.Y) + float64(m.R2.X*v.Z),
		float64(m.R0.Y*v.X) + float64(m.R1.Y*v.Y) + float64(m.R2.Y*v.Z),
		float64(m.R0.Z*v.X) + float64(m.R1.Z*v.Y) + float64(m.R2.Z*v.Z),
	}
}

// T returns the transpose of m.
func (m Mat3) T() Mat3 {
	return Mat3{
		Vec3{m.R0.X, m.R1.X, m.R2.X},
		Vec3{m.R0.Y, m.R1.Y, m.R2.Y},
		Vec3{m.R0.Z, m.R1.Z, m.R2.Z},
	}
}

// Mul returns m·n.
func (m Mat3) Mul(n Mat3) Mat3 {
	t := n.T()
	return Mat3{
		Vec3{m.R0.Dot(t.R0), m.R0.Dot(t.R1), m.R0.Dot(t.R2)},
		Vec3{m.R1.Dot(t.R0), m.R1.Dot(t.R1), m.R1.Dot(t.R2)},
		Vec3{m.R2.Dot(t.R0), m.R2.Dot(t.R1), m.R2.Dot(t.R2)},
	}
}

// Det returns the determinant of m.
func (m Mat3) Det() float64 { return m.R0.Dot(m.R1.Cross(m.R2)) }

// Quat returns the unit quaternion of a rotation matrix. It uses Shepperd's choice of the largest
// pivot.
func (m Mat3) Quat() Quat {
	t := m.R0.X + m.R1.Y + m.R2.Z
	var q Quat
	switch {
	case t >= m.R0.X && t >= m.R1.Y && t >= m.R2.Z:
		q = Quat{1 + t, m.R2.Y - m.R1.Z, m.R0.Z - m.R2.X, m.R1.X - m.R0.Y}
	case m.R0.X >= m.R1.Y && m.R0.X >= m.R2.Z:
		q = Quat{m.R2.Y - m.R1.Z, 1 + m.R0.X - m.R1.Y - m.R2.Z, m.R0.Y + m.R1.X, m.R0.Z + m.R2.X}
	case m.R1.Y >= m.R2.Z:
		q = Quat{m.R0.Z - m.R2.X, m.R0.Y + m.R1.X, 1 + m.R1.Y - m.R0.X - m.R2.Z, m.R1.Z + m.R2.Y}
	default:
		q = Quat{m.R1.X - m.R0.Y, m.R0.Z + m.R2.X, m.R1.Z + m.R2.Y, 1 + m.R2.Z - m.R0.X - m.R1.Y}
	}
	return q.Normalized()
}

// Sym3 is a symmetric 3×3 matrix: an inertia tensor or its inverse.
type Sym3 struct{ XX, YY, ZZ, XY, XZ, YZ float64 }

// Outer returns v·vᵀ.
func (v Vec3) Outer() Sym3 {
	return Sym3{float64(v.X * v.X), float64(v.Y * v.Y), float64(v.Z * v.Z),
		float64(v.X * v.Y), float64(v.X * v.Z), float64(v.Y * v.Z)}
}

// MulVec returns s·v.
func (s Sym3) MulVec(v Vec3) Vec3 {
	return Vec3{
		float64(s.XX*v.X) + float64(s.XY*v.Y) + float64(s.XZ*v.Z),
		float64(s.XY*v.X) + float64(s.YY*v.Y) + float64(s.YZ*v.Z),
		float64(s.XZ*v.X) + float64(s.YZ*v.Y) + float64(s.ZZ*v.Z),
	}
}

// Scale returns k·s.
func (s Sym3) Scale(k float64) Sym3 {
	return Sym3{float64(s.XX * k), float64(s.YY * k), float64(s.ZZ * k),
		float64(s.XY * k), float64(s.XZ * k), float64(s.YZ * k)}
}

// Add returns s + t.
func (s Sym3) Add(t Sym3) Sym3 {
	return Sym3{s.XX + t.XX, s.YY + t.YY, s.ZZ + t.ZZ, s.XY + t.XY, s.XZ + t.XZ, s.YZ + t.YZ}
}

// Mat3 returns s as a full matrix.
func (s Sym3) Mat3() Mat3 {
	return Mat3{Vec3{s.XX, s.XY, s.XZ}, Vec3{s.XY, s.YY, s.YZ}, Vec3{s.XZ, s.YZ, s.ZZ}}
}

// Rotated returns R·s·Rᵀ.
func (s Sym3) Rotated(r Mat3) Sym3 {
	m := r.Mul(s.Mat3()).Mul(r.T())
	return Sym3{m.R0.X, m.R1.Y, m.R2.Z, m.R0.Y, m.R0.Z, m.R1.Z}
}

// Inverse returns the inverse of a positive definite matrix. If s is not positive definite, or if
// the inverse overflows, it returns zero and false.
func (s Sym3) Inverse() (inv Sym3, ok bool) {
	// Cholesky decomposition s = L·Lᵀ, which fails exactly if s is not positive definite. The
	// inverse is (L⁻¹)ᵀ·L⁻¹.
	a := s.XX
	if !(a > 0) {
		return Sym3{}, false
	}
	l00 := math.Sqrt(a)
	l10, l20 := s.XY/l00, s.XZ/l00
	b := s.YY - float64(l10*l10)
	if !(b > 0) {
		return Sym3{}, false
	}
	l11 := math.Sqrt(b)
	l21 := (s.YZ - float64(l20*l10)) / l11
	c := s.ZZ - float64(l20*l20) - float64(l21*l21)
	if !(c > 0) {
		return Sym3{}, false
	}
	l22 := math.Sqrt(c)
	m00, m11, m22 := 1/l00, 1/l11, 1/l22
	m10 := -float64(l10*m00) / l11
	m21 := -float64(l21*m11) / l22
	m20 := -(float64(l20*m00) + float64(l21*m10)) / l22
	inv = Sym3{
		XX: float64(m00*m00) + float64(m10*m10) + float64(m20*m20),
		YY: float64(m11*m11) + float64(m21*m21),
		ZZ: float64(m22 * m22),
		XY: float64(m10*m11) + float64(m20*m21),
		XZ: float64(m20 * m22),
		YZ: float64(m21 * m22),
	}
	if !(inv.XX <= math.MaxFloat64 && inv.YY <= math.MaxFloat64 && inv.ZZ <= math.MaxFloat64) {
		return Sym3{}, false
	}
	return inv, true
}
