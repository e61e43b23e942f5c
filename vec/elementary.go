package vec

import "math"

// The functions here and in trigonometry.go compute with Twofold and round once at the end. Their
// polynomials are plain Taylor series, truncated when the remainder is below 2^-58 of the result.
// Each function states its error in units in the last place (ulp) of the result.

// horner returns c[0] + z·(c[1] + z·(c[2] + ...)).
func horner(z float64, c []float64) float64 {
	s := 0.0
	for i := len(c) - 1; i >= 0; i-- {
		s = c[i] + float64(z*s)
	}
	return s
}

var (
	ln2 = Twofold{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}

	// 1/2!, 1/3!, ... 1/14!: the series of exp after 1 + r, for |r| ≤ ln2/2.
	expSeries = []float64{
		1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880,
		1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800, 1.0 / 87178291200,
	}
	// 1/7, 1/9, ...: the tail of atanh(s)/s from s⁶ on, for |s| ≤ (√2-1)/(√2+1).
	atanhTail = []float64{
		1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23,
		1.0 / 25, 1.0 / 27, 1.0 / 29,
	}
	third = Twofold{0x1.5555555555555p-2, 0x1.5555555555555p-56}
	fifth = Twofold{0x1.999999999999ap-3, -0x1.999999999999ap-57}
)

// Above expOverflow the result of Exp is infinite. Below expUnderflow it rounds to zero.
const (
	expOverflow  = 709.782712893384
	expUnderflow = -745.2
)

// Exp returns eˣ with an error below 1 ulp (of the subnormal grid if the result is subnormal).
// Exp(NaN) = NaN, Exp(+Inf) = +Inf, Exp(-Inf) = 0. It overflows to +Inf above 709.7827.
func Exp(x float64) float64 {
	if x != x {
		return x
	}
	return expDD(Twofold{x, 0})
}

// expDD returns exp(x.Hi + x.Lo). x must not be NaN.
func expDD(x Twofold) float64 {
	if x.Hi > expOverflow+1 {
		return math.Inf(1)
	}
	if x.Hi < expUnderflow-1 {
		return 0
	}
	const log2e = 0x1.71547652b82fep+0
	k := math.Floor(float64(x.Hi*log2e) + 0.5)
	// x - k·ln2. The first step is exact because both terms are multiples of 2^-54 (or k is 0) and
	// the difference is below 1/2.
	r, rl := fastTwoSum(math.FMA(-k, ln2.Hi, x.Hi), x.Lo-float64(k*ln2.Lo))
	tail := float64(float64(r*r)*horner(r, expSeries)) + rl
	s, e := fastTwoSum(r, tail)
	t, e1 := fastTwoSum(1, s)
	// Ldexp rounds a second time only if the result is subnormal. It overflows to infinity.
	return math.Ldexp(t+(e1+e), int(k))
}

// Log returns the natural logarithm of x with an error below 0.6 ulp. Log(NaN) = NaN, Log(+Inf) =
// +Inf, Log(±0) = -Inf, Log(x < 0) = NaN.
func Log(x float64) float64 {
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	return logDD(x).Hi
}

// logDD returns log x for finite x > 0, with a relative error below 2^-68.
func logDD(x float64) Twofold {
	// x = m·2ᵉ with m in [√½, √2), and log m = 2·atanh(s), s = (m-1)/(m+1).
	m, e := math.Frexp(x)
	if m < 0x1.6a09e667f3bcdp-1 {
		m *= 2
		e--
	}
	d, dl := fastTwoSum(max(m, 1), min(m, 1))
	s := Twofold{m - 1, 0}.Div(Twofold{d, dl})
	z := s.Mul(s)
	// atanh(s)/s = 1 + z·(1/3 + z·(1/5 + z·tail)). Only the tail may be plain float64.
	p := fifth.Add(z.Mul(Twofold{horner(z.Hi, atanhTail), 0}))
	p = third.Add(z.Mul(p))
	p = Twofold{1, 0}.Add(z.Mul(p))
	l := s.Mul(p)
	l = Twofold{2 * l.Hi, 2 * l.Lo}
	if e == 0 {
		return l
	}
	k := float64(e)
	// k·ln2.Hi needs more than 53 bits, hence TwoProduct.
	q, ql := TwoProduct(k, ln2.Hi)
	return NewTwofold(q, ql+float64(k*ln2.Lo)).Add(l)
}

// Pow returns xʸ with an error below 1 ulp (of the subnormal grid if the result is subnormal). The
// special cases are those of IEEE 754's pow. Pow(x, 0) = Pow(1, y) = 1 even for NaN. A negative x
// with a y that is not an integer returns NaN. Zeros and infinities follow their limits.
func Pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case x != x || y != y:
		return math.NaN()
	}
	odd := isOdd(y)
	ax := math.Abs(x)
	switch {
	case x == 0 || ax > math.MaxFloat64:
		// The result is 0 or infinite. It has the sign of x if y is an odd integer.
		r := 0.0
		if (x == 0) == (y < 0) {
			r = math.Inf(1)
		}
		if odd {
			return math.Copysign(r, x)
		}
		return r
	case math.Abs(y) > math.MaxFloat64:
		switch {
		case ax == 1:
			return 1
		case (ax > 1) == (y > 0):
			return math.Inf(1)
		}
		return 0
	case x < 0 && math.Floor(y) != y:
		return math.NaN()
	}
	r := powPositive(ax, y)
	if x < 0 && odd {
		return -r
	}
	return r
}

// powPositive returns xʸ = exp(y·log x) for finite x > 0 and finite y.
func powPositive(x, y float64) float64 {
	l := logDD(x)
	p, e := TwoProduct(y, l.Hi)
	if p > expOverflow+1 {
		return math.Inf(1)
	}
	if p < expUnderflow-1 {
		return 0
	}
	return expDD(NewTwofold(p, e+float64(y*l.Lo)))
}

// isOdd reports whether y is an odd integer. From 2^53 on, every float64 is even.
func isOdd(y float64) bool {
	y = math.Abs(y)
	if y >= 1<<53 || math.Floor(y) != y {
		return false
	}
	return int64(y)&1 == 1
}
