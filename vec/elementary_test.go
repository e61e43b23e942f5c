package vec

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// The oracle of this file computes with 300 bits, by plain Taylor series in math/big. Arguments up
// to 2^1024 are reduced with π to 1400 bits.

const oracleBits = 300

func bigOf(x float64) *big.Float { return new(big.Float).SetPrec(oracleBits).SetFloat64(x) }

// bigExp returns exp x. It squares the series for x/2^40 forty times.
func bigExp(x *big.Float) *big.Float {
	r := new(big.Float).SetPrec(oracleBits+60).SetMantExp(x, -40)
	sum, term := bigOf(1).SetPrec(oracleBits+60), bigOf(1).SetPrec(oracleBits+60)
	for k := 1; k < 60; k++ {
		term.Mul(term, r)
		term.Quo(term, bigOf(float64(k)))
		sum.Add(sum, term)
	}
	for range 40 {
		sum.Mul(sum, sum)
	}
	return sum.SetPrec(oracleBits)
}

// bigPi is π by Machin's formula.
var bigPi = func() *big.Float {
	const prec = 1500
	arctanInv := func(q int64) *big.Float {
		x := new(big.Float).SetPrec(prec).Quo(big.NewFloat(1), new(big.Float).SetPrec(prec).SetInt64(q))
		q2 := new(big.Float).SetPrec(prec).SetInt64(q * q)
		sum := new(big.Float).SetPrec(prec)
		for k := int64(0); k < 1200; k++ {
			t := new(big.Float).SetPrec(prec).Quo(x, new(big.Float).SetInt64(2*k+1))
			if k%2 == 1 {
				t.Neg(t)
			}
			sum.Add(sum, t)
			x.Quo(x, q2)
		}
		return sum
	}
	a, b := arctanInv(5), arctanInv(239)
	a.Mul(a, big.NewFloat(16))
	b.Mul(b, big.NewFloat(4))
	return a.Sub(a, b)
}()

// bigSincos returns sine and cosine of x.
func bigSincos(x *big.Float) (s, c *big.Float) {
	turn := new(big.Float).SetPrec(1500).Mul(bigPi, big.NewFloat(2))
	n, _ := new(big.Float).SetPrec(1500).Quo(x, turn).Int(nil)
	r := new(big.Float).SetPrec(1500).SetInt(n)
	r.Sub(new(big.Float).SetPrec(1500).Set(x), r.Mul(r, turn))
	r.SetPrec(oracleBits + 60)
	s, c = new(big.Float).SetPrec(oracleBits+60), new(big.Float).SetPrec(oracleBits+60)
	term := bigOf(1).SetPrec(oracleBits + 60)
	for k := range 120 {
		t := new(big.Float).Set(term)
		if k%4 >= 2 {
			t.Neg(t)
		}
		if k%2 == 0 {
			c.Add(c, t)
		} else {
			s.Add(s, t)
		}
		term.Mul(term, r)
		term.Quo(term, bigOf(float64(k+1)))
	}
	return s, c
}

// bigLog refines math.Log by Newton's method on bigExp. math.Log of a subnormal is wrong on amd64,
// so bigLog passes only the mantissa to it.
func bigLog(x float64) *big.Float {
	m, e := math.Frexp(x)
	l := bigOf(math.Log(m) + float64(e)*math.Ln2)
	for range 4 {
		e := bigExp(new(big.Float).Neg(l))
		e.Mul(e, bigOf(x))
		l.Add(l, e.Sub(e, bigOf(1)))
	}
	return l
}

// bigAtan2 refines the float64 angle by Newton's method: the point, rotated back by the angle, lies
// on the x axis.
func bigAtan2(y, x *big.Float) *big.Float {
	fy, _ := y.Float64()
	fx, _ := x.Float64()
	a := bigOf(math.Atan2(fy, fx))
	for range 4 {
		s, c := bigSincos(a)
		num := new(big.Float).Sub(new(big.Float).Mul(y, c), new(big.Float).Mul(x, s))
		den := new(big.Float).Add(new(big.Float).Mul(x, c), new(big.Float).Mul(y, s))
		a.Add(a, num.Quo(num, den))
	}
	return a
}

// ulps returns |got - want| in units in the last place of want.
func ulps(got float64, want *big.Float) float64 {
	w, _ := want.Float64()
	if got == w {
		// This includes results that overflow or underflow in the same way.
		if math.IsInf(got, 0) || got == 0 {
			return 0
		}
	} else if math.IsInf(got, 0) || math.IsInf(w, 0) || math.IsNaN(got) {
		return math.Inf(1)
	}
	_, e := math.Frexp(w)
	ulp := math.Ldexp(1, max(e-53, -1074))
	d := new(big.Float).Sub(bigOf(got), want)
	d.Quo(d, bigOf(ulp))
	f, _ := d.Float64()
	return math.Abs(f)
}

type ulpCheck struct {
	t     *testing.T
	name  string
	bound float64
	worst float64
	at    [2]float64
}

func (u *ulpCheck) see(got float64, want *big.Float, args ...float64) {
	if e := ulps(got, want); !(e <= u.worst) {
		u.worst = e
		copy(u.at[:], args)
	}
}

func (u *ulpCheck) done() {
	u.t.Helper()
	u.t.Logf("%s: worst %.3f ulp at %v", u.name, u.worst, u.at)
	if !(u.worst <= u.bound) {
		u.t.Errorf("%s: error %.3f ulp at %x, bound %g", u.name, u.worst, u.at, u.bound)
	}
}

// spread returns ±m·2^e with e uniform in [lo, hi).
func spread(r *rand.Rand, lo, hi int) float64 {
	x := math.Ldexp(1+r.Float64(), lo+r.IntN(hi-lo))
	if r.IntN(2) == 0 {
		return -x
	}
	return x
}

func TestSincosWithinOneUlp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	us := &ulpCheck{t: t, name: "sin", bound: 1}
	uc := &ulpCheck{t: t, name: "cos", bound: 1}
	see := func(x float64) {
		s, c := Sincos(x)
		bs, bc := bigSincos(bigOf(x))
		us.see(s, bs, x)
		uc.see(c, bc, x)
	}
	for range 1500 {
		see(10 * (r.Float64() - 0.5))
		see(spread(r, -30, 30))
		see(spread(r, 29, 70))
		see(spread(r, 0, 1024))
	}
	for k := range 400 {
		// Floats next to multiples of π/4, where the reduction cancels.
		x := float64(k) * (math.Pi / 4)
		see(x)
		see(math.Nextafter(x, 0))
		see(math.Nextafter(x, 1e9))
	}
	// The float64 that is nearest to a multiple of π/2 (Kahan), and the limits of the two
	// reductions.
	for _, x := range []float64{0x1.6ac5b262ca1ffp+849, math.Nextafter(reduceLimit, 0), reduceLimit,
		math.MaxFloat64, 0x1p-27, math.Nextafter(0x1p-27, 0), 0x1p53, 0x1p54, 0x1p55, 0x1p56, 0x1p64} {
		see(x)
		see(-x)
	}
	us.done()
	uc.done()
}

func TestSincosSpecial(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if s, c := Sincos(x); s == s || c == c {
			t.Errorf("Sincos(%v) = %v, %v, want NaN", x, s, c)
		}
	}
	for _, x := range []float64{0, math.Copysign(0, -1), 5e-324, -5e-324, 1e-300} {
		if s, c := Sincos(x); math.Float64bits(s) != math.Float64bits(x) || c != 1 {
			t.Errorf("Sincos(%v) = %v, %v", x, s, c)
		}
	}
}

func TestExpWithinOneUlp(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	u := &ulpCheck{t: t, name: "exp", bound: 1}
	for range 1500 {
		for _, x := range []float64{2 * (r.Float64() - 0.5), 1400 * (r.Float64() - 0.5), spread(r, -60, 9)} {
			u.see(Exp(x), bigExp(bigOf(x)), x)
		}
		x := -708 - 38*r.Float64()
		u.see(Exp(x), bigExp(bigOf(x)), x)
	}
	for k := -1070; k < 1024; k += 7 {
		x := (float64(k) + 0.5) * math.Ln2
		u.see(Exp(x), bigExp(bigOf(x)), x)
	}
	u.done()
}

func TestLogWithinOneUlp(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	u := &ulpCheck{t: t, name: "log", bound: 0.6}
	for range 700 {
		for _, x := range []float64{math.Abs(spread(r, -1074, 1024)), 0.5 + 1.5*r.Float64(), 1 + spread(r, -52, -3)} {
			u.see(Log(x), bigLog(x), x)
		}
	}
	for _, x := range []float64{5e-324, math.MaxFloat64, 1 - 0x1p-53, 1 + 0x1p-52, math.Sqrt2, math.Sqrt2 / 2, 2, 0.5} {
		u.see(Log(x), bigLog(x), x)
	}
	u.done()
}

func TestPowWithinOneUlp(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	u := &ulpCheck{t: t, name: "pow", bound: 1}
	see := func(x, y float64) {
		p := bigLog(x)
		p.Mul(p, bigOf(y))
		if f, _ := p.Float64(); math.Abs(f) < 800 {
			u.see(Pow(x, y), bigExp(p), x, y)
		}
	}
	for range 700 {
		see(10*r.Float64(), 20*(r.Float64()-0.5))
		see(math.Abs(spread(r, -1074, 1024)), spread(r, -10, 2))
		see(1+spread(r, -30, -3), spread(r, 3, 40))
		// Near the ends of the range.
		x := math.Abs(spread(r, -20, 20))
		see(x, (1380*(r.Float64()-0.5)+20)/math.Log(x))
	}
	see(2, -1074)
	see(2, 1023)
	see(5e-324, -0.9)
	u.done()
}

func TestAtan2WithinOneUlp(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	u := &ulpCheck{t: t, name: "atan2", bound: 1}
	see := func(y, x float64) { u.see(Atan2(y, x), bigAtan2(bigOf(y), bigOf(x)), y, x) }
	for range 300 {
		see(r.NormFloat64(), r.NormFloat64())
		see(spread(r, -20, 20), spread(r, -20, 20))
		see(spread(r, -40, -20), spread(r, -5, 5))
		see(spread(r, 900, 1024), spread(r, 900, 1024))
		see(spread(r, -1074, -1020), spread(r, -1074, -1020))
	}
	for i := range 17 {
		// Where the table's entry changes, on both sides.
		b := (float64(i) + 0.5) / 16
		see(b, 1)
		see(math.Nextafter(b, 0), 1)
		see(1, -b)
	}
	u.done()
}

func TestAcosWithinOneUlp(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	u := &ulpCheck{t: t, name: "acos", bound: 1}
	see := func(x float64) {
		y := new(big.Float).Sub(bigOf(1), new(big.Float).Mul(bigOf(x), bigOf(x)))
		u.see(Acos(x), bigAtan2(y.Sqrt(y), bigOf(x)), x)
	}
	for range 400 {
		see(2*r.Float64() - 1)
		see(1 - math.Abs(spread(r, -53, -2)))
		see(-1 + math.Abs(spread(r, -53, -2)))
		see(spread(r, -60, -2))
	}
	for _, x := range []float64{1 - 0x1p-53, -1 + 0x1p-53, 0.5, -0.5, 5e-324} {
		see(x)
	}
	u.done()
}

func TestElementarySpecialValues(t *testing.T) {
	inf, nan, mz := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	same := func(a, b float64) bool {
		return math.Float64bits(a) == math.Float64bits(b) || (a != a && b != b)
	}
	one := []struct {
		name    string
		f, want func(float64) float64
		args    []float64
	}{
		{"Exp", Exp, math.Exp, []float64{nan, inf, -inf, 0, mz, 710, 1e300, -746, -1e300}},
		{"Log", Log, math.Log, []float64{nan, inf, -inf, 0, mz, 1, -1, -5e-324}},
		{"Acos", Acos, math.Acos, []float64{nan, inf, -inf, 0, mz, 1, -1, 1.5, -1.0000000000000002}},
	}
	for _, f := range one {
		for _, x := range f.args {
			if got, want := f.f(x), f.want(x); !same(got, want) {
				t.Errorf("%s(%v) = %v, want %v", f.name, x, got, want)
			}
		}
	}
	edge := []float64{nan, inf, -inf, 0, mz, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 5e-324, -5e-324,
		math.MaxFloat64, -math.MaxFloat64, 1 << 53, 1<<53 + 2, -(1<<53 - 1), 1 - 0x1p-53}
	for _, x := range edge {
		for _, y := range edge {
			// Package math is an oracle for special cases only. Its Pow(1-ε, 2^53) is off by 1e-9,
			// and its Atan2 loses the sign of a quotient that underflows.
			got, want := Pow(x, y), math.Pow(x, y)
			special := want != want || want == 0 || math.IsInf(want, 0) || math.Abs(want) == 1
			if special && !same(got, want) || math.Abs(got-want) > 1e-8*math.Abs(want) {
				t.Errorf("Pow(%v, %v) = %v, want %v", x, y, got, want)
			}
			got, want = Atan2(y, x), math.Atan2(y, x)
			if y == y {
				want = math.Copysign(want, y)
			}
			if (want != want || want == 0) && !same(got, want) || math.Abs(got-want) > 4e-16*math.Abs(want) {
				t.Errorf("Atan2(%v, %v) = %v, want %v", y, x, got, want)
			}
		}
	}
}

// TestElementaryBits compares results with fixed bits. So it fails on any architecture or compiler
// that rounds differently.
func TestElementaryBits(t *testing.T) {
	h := uint64(14695981039346656037)
	put := func(x float64) { h = (h ^ math.Float64bits(x)) * 1099511628211 }
	r := rand.New(rand.NewPCG(13, 14))
	for range 2000 {
		x, y := spread(r, -30, 30), spread(r, -3, 3)
		s, c := Sincos(x)
		put(s)
		put(c)
		put(Exp(y))
		put(Log(math.Abs(x)))
		put(Pow(math.Abs(x), y))
		put(Atan2(x, y))
		put(Acos(s))
	}
	const want = 0xc6bcf8b78bed5cbe
	if h != want {
		t.Errorf("hash of the bits is %#x, want %#x", h, uint64(want))
	}
}

func BenchmarkElementary(b *testing.B) {
	x := make([]float64, 256)
	r := rand.New(rand.NewPCG(15, 16))
	for i := range x {
		x[i] = 6 * r.Float64()
	}
	for _, f := range []struct {
		name string
		f    func(float64) float64
	}{
		{"sincos", func(x float64) float64 { s, c := Sincos(x); return s + c }},
		{"exp", Exp}, {"log", Log}, {"acos", func(x float64) float64 { return Acos(x / 6) }},
		{"pow", func(x float64) float64 { return Pow(x, 1.5) }},
		{"atan2", func(x float64) float64 { return Atan2(x-3, 1) }},
	} {
		b.Run("f="+f.name, func(b *testing.B) {
			sum := 0.0
			for b.Loop() {
				sum = 0
				for _, v := range x {
					sum += f.f(v)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(x)), "ns/value")
			b.ReportMetric(sum, "checksum")
		})
	}
}
