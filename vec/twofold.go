package vec

import "math"

// Twofold is the unevaluated sum Hi + Lo of two float64 with |Lo| at most half an ulp of Hi. It has
// 106 bits in total (Dekker 1971). The error of an operation is below 2^-100 of its larger operand
// or product.
//
// Sums of float64 are split without error by Knuth's two-sum, and products by math.FMA. math.FMA is
// correctly rounded on all machines, with or without hardware support. So the result has the bits
// of the formulas everywhere.
type Twofold struct {
	Hi float64 // the value, rounded
	Lo float64 // the rounding error of Hi
}

// TwoSum returns s = a + b, rounded, and its exact rounding error (Knuth).
func TwoSum(a, b float64) (s, err float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}

// fastTwoSum is TwoSum for |a| ≥ |b| or a = 0.
func fastTwoSum(a, b float64) (s, err float64) {
	s = a + b
	return s, b - (s - a)
}

// TwoProduct returns p = a·b, rounded, and its exact rounding error, unless the error underflows.
func TwoProduct(a, b float64) (p, err float64) {
	p = float64(a * b)
	return p, math.FMA(a, b, -p)
}

// NewTwofold returns hi + lo. |hi| ≥ |lo| is required.
func NewTwofold(hi, lo float64) Twofold {
	s, e := fastTwoSum(hi, lo)
	return Twofold{s, e}
}

// Add returns a + b.
func (a Twofold) Add(b Twofold) Twofold {
	s, e := TwoSum(a.Hi, b.Hi)
	return NewTwofold(s, e+(a.Lo+b.Lo))
}

// Neg returns -a.
func (a Twofold) Neg() Twofold { return Twofold{-a.Hi, -a.Lo} }

// Sub returns a - b.
func (a Twofold) Sub(b Twofold) Twofold { return a.Add(b.Neg()) }

// Mul returns a·b.
func (a Twofold) Mul(b Twofold) Twofold {
	p, e := TwoProduct(a.Hi, b.Hi)
	return NewTwofold(p, e+(float64(a.Hi*b.Lo)+float64(a.Lo*b.Hi)))
}

// Div returns a/b. The remainder of the first quotient is exact except for the last product.
func (a Twofold) Div(b Twofold) Twofold {
	q := a.Hi / b.Hi
	r := math.FMA(-q, b.Hi, a.Hi) + (a.Lo - float64(q*b.Lo))
	return NewTwofold(q, r/b.Hi)
}

// Ldexp returns a·2ᵉ.
func (a Twofold) Ldexp(e int) Twofold { return Twofold{math.Ldexp(a.Hi, e), math.Ldexp(a.Lo, e)} }

// Float returns a, rounded.
func (a Twofold) Float() float64 { return a.Hi + a.Lo }

// Twofold3 is a vector of Twofold.
type Twofold3 struct{ X, Y, Z Twofold } // components

// Difference returns a - b without error.
func Difference(a, b Vec3) (d Twofold3) {
	d.X.Hi, d.X.Lo = TwoSum(a.X, -b.X)
	d.Y.Hi, d.Y.Lo = TwoSum(a.Y, -b.Y)
	d.Z.Hi, d.Z.Lo = TwoSum(a.Z, -b.Z)
	return d
}

// Add returns a + b.
func (a Twofold3) Add(b Twofold3) Twofold3 {
	return Twofold3{a.X.Add(b.X), a.Y.Add(b.Y), a.Z.Add(b.Z)}
}

// Scale returns s·a.
func (a Twofold3) Scale(s Twofold) Twofold3 { return Twofold3{a.X.Mul(s), a.Y.Mul(s), a.Z.Mul(s)} }

// Ldexp returns a·2ᵉ.
func (a Twofold3) Ldexp(e int) Twofold3 { return Twofold3{a.X.Ldexp(e), a.Y.Ldexp(e), a.Z.Ldexp(e)} }

// Dot returns (a.X·b.X + a.Y·b.Y) + a.Z·b.Z.
func (a Twofold3) Dot(b Twofold3) Twofold { return a.X.Mul(b.X).Add(a.Y.Mul(b.Y)).Add(a.Z.Mul(b.Z)) }

// Cross returns a × b.
func (a Twofold3) Cross(b Twofold3) Twofold3 {
	return Twofold3{
		a.Y.Mul(b.Z).Sub(a.Z.Mul(b.Y)),
		a.Z.Mul(b.X).Sub(a.X.Mul(b.Z)),
		a.X.Mul(b.Y).Sub(a.Y.Mul(b.X)),
	}
}

// Float returns a, rounded.
func (a Twofold3) Float() Vec3 { return Vec3{a.X.Float(), a.Y.Float(), a.Z.Float()} }
