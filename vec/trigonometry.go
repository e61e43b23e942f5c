package vec

import (
	"math"
	"math/bits"
)

// π/2 as three float64, and π as two.
const (
	halfPi1 = 0x1.921fb54442d18p+0
	halfPi2 = 0x1.1a62633145c07p-54
	halfPi3 = -0x1.f1976b7ed8fbcp-110
	pi1     = 2 * halfPi1
	pi2     = 2 * halfPi2
)

// reduceLimit is where Sincos changes from three parts of π/2 to the long product. Up to
// reduceLimit, the number of quarter turns is below 2^30. So the three parts leave an absolute
// error below 2^-130. No float64 of this size is nearer to a multiple of π/2 than about 2^-60.
// Larger: sine of large angles loses bits.
const reduceLimit = 1 << 30

var (
	// -1/3!, 1/5!, ... 1/17!: the series of sin after r, for |r| ≤ π/4, in powers of r².
	sinSeries = []float64{
		-1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800,
		-1.0 / 1307674368000, 1.0 / 355687428096000,
	}
	// 1/4!, -1/6!, ... -1/18!: the series of cos after 1 - r²/2.
	cosSeries = []float64{
		1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200,
		1.0 / 20922789888000, -1.0 / 6402373705728000,
	}
	// -1/3, 1/5, ... 1/17: the series of atan after u, for |u| ≤ 1/16, in powers of u².
	atanSeries = []float64{
		-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9, -1.0 / 11, 1.0 / 13, -1.0 / 15, 1.0 / 17,
	}
	// atan(i/8).
	atanEighths = [9]Twofold{
		{0, 0},
		{0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
		{0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
		{0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
		{0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
		{0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
		{0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
		{0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
		{0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
	}
	// 64 zero bits, then the first 1216 bits of 2/π after the binary point.
	twoOverPi = [20]uint64{
		0,
		0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
		0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
		0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
		0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
		0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
	}
)

// Sincos returns the sine and the cosine of x radians, each with an error below 1 ulp for every
// finite x. For NaN and ±Inf it returns NaN. Sincos(±0) = ±0, 1.
func Sincos(x float64) (s, c float64) {
	ax := math.Abs(x)
	if !(ax <= math.MaxFloat64) {
		return math.NaN(), math.NaN()
	}
	if ax < 0x1p-27 {
		// x³/6 and x²/2 are below half an ulp.
		return x, 1
	}
	quarter, r := reduceQuarter(ax)
	s, c = sincosSmall(r)
	switch quarter & 3 {
	case 1:
		s, c = c, -s
	case 2:
		s, c = -s, -c
	case 3:
		s, c = -c, s
	}
	if x < 0 {
		s = -s
	}
	return s, c
}

// sincosSmall returns sine and cosine of r.Hi + r.Lo. |r| must be at most slightly above π/4.
func sincosSmall(r Twofold) (s, c float64) {
	z, zl := TwoProduct(r.Hi, r.Hi)
	// To first order in lo, sin(hi+lo) = sin hi + lo·(1 - hi²/2) and cos(hi+lo) = cos hi - lo·hi.
	s = float64(float64(r.Hi*z)*horner(z, sinSeries)) + float64(r.Lo*(1-float64(0.5*z)))
	s += r.Hi
	h, e := fastTwoSum(1, -float64(0.5*z))
	tail := float64(float64(z*z)*horner(z, cosSeries)) - float64(0.5*zl)
	c = h + (e + (tail - float64(r.Hi*r.Lo)))
	return s, c
}

// reduceQuarter writes x ≥ 0 as k·π/2 + r with |r| at most slightly above π/4. It returns k modulo
// 4, and r with a relative error of at most 2^-70. Up to reduceLimit it subtracts (Cody and Waite
// 1980).
func reduceQuarter(x float64) (quarter uint, r Twofold) {
	if x >= reduceLimit {
		return reduceLong(x)
	}
	const twoOverPiRounded = 0x1.45f306dc9c883p-1
	k := math.Floor(float64(x*twoOverPiRounded) + 0.5)
	// The first difference is exact because both terms are multiples of 2^-53 and it is below 1.
	d := math.FMA(-k, halfPi1, x)
	p, pl := TwoProduct(k, halfPi2)
	s, e := TwoSum(d, -p)
	return uint(k), NewTwofold(s, e-(pl+float64(k*halfPi3)))
}

// reduceLong is reduceQuarter for large x (Payne and Hanek 1983). It multiplies the integer
// mantissa by the 192 bits of 2/π that determine x·2/π modulo 4. The truncated rest is below 2^-137
// of a quarter turn. No float64 is nearer to a multiple of a quarter turn than about 2^-62.
func reduceLong(x float64) (quarter uint, r Twofold) {
	b := math.Float64bits(x)
	m := b&(1<<52-1) | 1<<52
	e := int(b>>52) - 1075
	// Bit i of 2/π, counted from 1 after the point, has weight 2^(e-i) in x·2/π = m·2ᵉ·2/π. The
	// window starts at the bit of weight 2; higher bits add whole turns.
	first := uint(e - 2 + 64)
	word, shift := first/64, first%64
	var w [3]uint64
	for i := range w {
		// In Go a shift by 64 returns 0, which is the required value if shift is 0.
		w[i] = twoOverPi[word+uint(i)]<<shift | twoOverPi[word+uint(i)+1]>>(64-shift)
	}
	// m·w modulo 2^192, most significant word first.
	h2, p2 := bits.Mul64(m, w[2])
	h1, l1 := bits.Mul64(m, w[1])
	p1, carry := bits.Add64(l1, h2, 0)
	p0, _ := bits.Add64(m*w[0], h1, carry)
	quarter = uint(p0 >> 62)
	// Drop the two bits of the quarter. The fraction, 190 bits, now starts at the top of f0.
	f0, f1, f2 := p0<<2|p1>>62, p1<<2|p2>>62, p2<<2
	negative := f0>>63 == 1
	if negative {
		// A fraction above a half belongs to the next quarter: negate it.
		quarter++
		var borrow uint64
		f2, borrow = bits.Sub64(0, f2, 0)
		f1, borrow = bits.Sub64(0, f1, borrow)
		f0, _ = bits.Sub64(0, f0, borrow)
	}
	exp := -64
	if f0 == 0 {
		f0, f1, f2, exp = f1, f2, 0, exp-64
	}
	n := uint(bits.LeadingZeros64(f0))
	f0, f1 = f0<<n|f1>>(64-n), f1<<n|f2>>(64-n)
	exp -= int(n)
	// The upper 53 bits convert exactly. The lower 11 and the next 42 make the second part.
	hi := math.Ldexp(float64(f0>>11), exp+11)
	lo := math.Ldexp(float64((f0&(1<<11-1))<<42|f1>>22), exp-42)
	r = NewTwofold(hi, lo).Mul(Twofold{halfPi1, halfPi2})
	if negative {
		r = Twofold{-r.Hi, -r.Lo}
	}
	return quarter, r
}

// Atan2 returns the angle of the point (x, y) from the x axis, in [-π, π], with an error below 1
// ulp (of the subnormal grid if the result is subnormal). Signed zeros and infinities follow IEEE
// 754's atan2: Atan2(±0, x < 0) = ±π, Atan2(±0, x ≥ 0) = ±0, Atan2(±Inf, +Inf) = ±π/4.
func Atan2(y, x float64) float64 {
	if x != x || y != y {
		return math.NaN()
	}
	ax, ay := math.Abs(x), math.Abs(y)
	xInf, yInf := ax > math.MaxFloat64, ay > math.MaxFloat64
	switch {
	case xInf && yInf:
		ax, ay = 1, 1
	case xInf:
		ax, ay = 1, 0
	case yInf:
		ax, ay = 0, 1
	case ay == 0 && ax == 0:
		ax = 1
	}
	if !math.Signbit(x) && !xInf && ay < ax {
		_, ex := math.Frexp(ax)
		_, ey := math.Frexp(ay)
		if ex-ey > 30 {
			// atan t = t to half an ulp, and the quotient may be subnormal.
			return y / x
		}
	}
	return math.Copysign(atanQuadrant(Twofold{ay, 0}, Twofold{ax, 0}, math.Signbit(x)), y)
}

// Acos returns the angle in [0, π] whose cosine is x, with an error below 1 ulp. If x is NaN or
// outside [-1, 1], it returns NaN.
func Acos(x float64) float64 {
	if !(math.Abs(x) <= 1) {
		return math.NaN()
	}
	// y = √(1-x²) in Twofold: the square root and one Newton correction.
	p, pl := TwoProduct(x, x)
	z, zl := fastTwoSum(1, -p)
	zl -= pl
	z, zl = fastTwoSum(z, zl)
	y := Twofold{math.Sqrt(z), 0}
	if y.Hi > 0 {
		y.Lo = (math.FMA(-y.Hi, y.Hi, z) + zl) / (2 * y.Hi)
	}
	return atanQuadrant(y, Twofold{math.Abs(x), 0}, math.Signbit(x))
}

// atanQuadrant returns the angle in [0, π] of the point (x, y), or of (-x, y) if left is set. x and
// y must be finite, not negative and not both zero.
func atanQuadrant(y, x Twofold, left bool) float64 {
	// atan(y/x) = π/2 - atan(x/y) keeps the quotient at most 1.
	steep := y.Hi > x.Hi
	if steep {
		x, y = y, x
	}
	a := atanSmall(y, x)
	switch {
	case steep && left:
		a = Twofold{halfPi1, halfPi2}.Add(a)
	case steep:
		a = Twofold{halfPi1, halfPi2}.Add(Twofold{-a.Hi, -a.Lo})
	case left:
		a = Twofold{pi1, pi2}.Add(Twofold{-a.Hi, -a.Lo})
	}
	return a.Hi
}

// atanSmall returns atan(a/b) for 0 ≤ a ≤ b, b > 0.
func atanSmall(a, b Twofold) Twofold {
	// Scale by a power of two to avoid overflow and underflow. If a is far smaller than b, a/b does
	// not affect the sum that the caller forms.
	_, e := math.Frexp(b.Hi)
	b = Twofold{math.Ldexp(b.Hi, -e), math.Ldexp(b.Lo, -e)}
	a = Twofold{math.Ldexp(a.Hi, -e), math.Ldexp(a.Lo, -e)}
	// With c = i/8 nearest to t = a/b: atan t = atan c + atan u, u = (a - c·b)/(b + c·a), |u| ≤
	// 1/16.
	i := int(math.Floor(float64(8*(a.Hi/b.Hi)) + 0.5))
	c := float64(i) / 8
	u := a.Add(Twofold{b.Hi, b.Lo}.Mul(Twofold{-c, 0})).Div(b.Add(a.Mul(Twofold{c, 0})))
	z := float64(u.Hi * u.Hi)
	u = NewTwofold(u.Hi, u.Lo+float64(float64(u.Hi*z)*horner(z, atanSeries)))
	return atanEighths[i].Add(u)
}
