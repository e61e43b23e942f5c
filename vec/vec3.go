package vec

import "math"

// Vec3 is a vector or a point in three dimensions.
type Vec3 struct{ X, Y, Z float64 }

// V returns Vec3{x, y, z}.
func V(x, y, z float64) Vec3 { return Vec3{x, y, z} }

// Add returns a + b.
func (a Vec3) Add(b Vec3) Vec3 { return Vec3{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }

// Sub returns a - b.
func (a Vec3) Sub(b Vec3) Vec3 { return Vec3{a.X - b.X, a.Y - b.Y, a.Z - b.Z} }

// Neg returns -a.
func (a Vec3) Neg() Vec3 { return Vec3{-a.X, -a.Y, -a.Z} }

// Scale returns s·a.
func (a Vec3) Scale(s float64) Vec3 {
	return Vec3{float64(a.X * s), float64(a.Y * s), float64(a.Z * s)}
}

// AddScaled returns a + s·b. Each product is rounded before it is added.
func (a Vec3) AddScaled(s float64, b Vec3) Vec3 {
	return Vec3{a.X + float64(s*b.X), a.Y + float64(s*b.Y), a.Z + float64(s*b.Z)}
}

// Mul returns the componentwise product of a and b.
func (a Vec3) Mul(b Vec3) Vec3 {
	return Vec3{float64(a.X * b.X), float64(a.Y * b.Y), float64(a.Z * b.Z)}
}

// Dot returns (a.X·b.X + a.Y·b.Y) + a.Z·b.Z, in this order and without fused multiply-add.
func (a Vec3) Dot(b Vec3) float64 {
	return float64(a.X*b.X) + float64(a.Y*b.Y) + float64(a.Z*b.Z)
}

// Cross returns a × b.
func (a Vec3) Cross(b Vec3) Vec3 {
	return Vec3{
		float64(a.Y*b.Z) - float64(a.Z*b.Y),
		float64(a.Z*b.X) - float64(a.X*b.Z),
		float64(a.X*b.Y) - float64(a.Y*b.X),
	}
}

// Norm2 returns |a|².
func (a Vec3) Norm2() float64 { return a.Dot(a) }

// Norm returns |a|. It overflows if |a| is above 1e154, and loses digits if |a| is below 1e-146.
func (a Vec3) Norm() float64 { return math.Sqrt(a.Dot(a)) }

// Unit returns a/|a|. Very small and very large vectors are scaled first, so they lose no digits.
// If a is zero or not finite, Unit returns the zero vector.
func (a Vec3) Unit() Vec3 {
	m := a.MaxAbs()
	if !(m > 0) || m > math.MaxFloat64 {
		return Vec3{}
	}
	if m < 1e-100 || m > 1e100 {
		// Scaling by a power of two is exact.
		_, e := math.Frexp(m)
		a = a.Ldexp(-e)
	}
	n := a.Norm()
	return Vec3{a.X / n, a.Y / n, a.Z / n}
}

// Ldexp returns a times 2^e. The product is exact unless a component over- or underflows.
func (a Vec3) Ldexp(e int) Vec3 {
	return Vec3{math.Ldexp(a.X, e), math.Ldexp(a.Y, e), math.Ldexp(a.Z, e)}
}

// Min returns the componentwise minimum of a and b.
func (a Vec3) Min(b Vec3) Vec3 { return Vec3{min(a.X, b.X), min(a.Y, b.Y), min(a.Z, b.Z)} }

// Max returns the componentwise maximum of a and b.
func (a Vec3) Max(b Vec3) Vec3 { return Vec3{max(a.X, b.X), max(a.Y, b.Y), max(a.Z, b.Z)} }

// Abs returns the vector of the absolute values of the components.
func (a Vec3) Abs() Vec3 { return Vec3{math.Abs(a.X), math.Abs(a.Y), math.Abs(a.Z)} }

// MaxAbs returns the largest absolute value of the components.
func (a Vec3) MaxAbs() float64 { return max(math.Abs(a.X), math.Abs(a.Y), math.Abs(a.Z)) }

// Finite reports whether no component is NaN or infinite.
func (a Vec3) Finite() bool {
	d := a.X - a.X + (a.Y - a.Y) + (a.Z - a.Z)
	return d == 0
}

// Perpendicular returns a unit vector perpendicular to a. The choice depends on a's component of
// smallest absolute value. a need not be unit. If a is zero, the result is some unit vector.
func (a Vec3) Perpendicular() Vec3 {
	b := a.Abs()
	var e Vec3
	switch {
	case b.X <= b.Y && b.X <= b.Z:
		e = Vec3{1, 0, 0}
	case b.Y <= b.Z:
		e = Vec3{0, 1, 0}
	default:
		e = Vec3{0, 0, 1}
	}
	p := a.Cross(e).Unit()
	if p == (Vec3{}) {
		return e
	}
	return p
}
