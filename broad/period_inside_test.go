package broad

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// checkWrapAxis compares a moved interval with exact arithmetic. Both ends must be moved by the
// same whole number of periods, and the centre must lie in the domain. Both may deviate by the
// error in wrapAxis's comment.
func checkWrapAxis(t *testing.T, lo, hi, from, length float64) {
	t.Helper()
	exact := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	sum := func(x, y *big.Rat) *big.Rat { return new(big.Rat).Add(x, y) }
	mean := func(x, y float64) *big.Rat { return new(big.Rat).Mul(sum(exact(x), exact(y)), big.NewRat(1, 2)) }
	a, b := lo, hi
	wrapAxis(&a, &b, from, length)
	if a > b {
		t.Fatalf("%g to %g, from %g, period %g: moved to %g to %g", lo, hi, from, length, a, b)
	}
	// The nearest number of periods between the old and the new place.
	period := exact(length)
	turns := new(big.Rat).Quo(new(big.Rat).Sub(mean(lo, hi), mean(a, b)), period)
	turns.Add(turns, big.NewRat(1, 2))
	by := new(big.Rat).Mul(new(big.Rat).SetInt(new(big.Int).Div(turns.Num(), turns.Denom())), period)
	side := new(big.Rat).Sub(exact(hi), exact(lo))
	bound := sum(sum(new(big.Rat).Abs(exact(from)), period), sum(period, side))
	bound.Mul(bound, exact(0x1p-51))
	bound.Add(bound, exact(math.SmallestNonzeroFloat64))
	for _, end := range [][2]float64{{lo, a}, {hi, b}} {
		if off := sum(sum(exact(end[0]), new(big.Rat).Neg(by)), exact(-end[1])); off.Abs(off).Cmp(bound) > 0 {
			t.Errorf("%g to %g, from %g, period %g: %g moved to %g, off by %s, expected at most %s", lo, hi, from, length, end[0], end[1], off.FloatString(30), bound.FloatString(30))
		}
	}
	// The centre is the one rounded to float64, and a quotient below farPeriods may be off by 2⁻³¹.
	rounded := sum(mean(lo, hi), exact(-float64(0.5*(lo+hi))))
	bound.Add(bound, rounded.Abs(rounded)).Add(bound, new(big.Rat).Mul(period, exact(0x1p-31)))
	above := sum(mean(a, b), exact(-from))
	if above.Cmp(new(big.Rat).Neg(bound)) < 0 || above.Cmp(sum(period, bound)) > 0 {
		t.Errorf("%g to %g, from %g, period %g: moved to %g to %g", lo, hi, from, length, a, b)
	}
}

// wrapCase turns any numbers into valid arguments of wrapAxis: domains and sides as a set may have.
func wrapCase(t *testing.T, x, half, from, length float64) {
	t.Helper()
	within := func(x, most float64) bool { return math.Abs(x) <= most }
	lo, hi, to := x-half, x+half, from+length
	if !within(lo, maxPlace) || !within(hi, maxPlace) || !within(from, maxPlace) || !within(to, maxPlace) || lo > hi || !(to-from > 0) {
		return
	}
	checkWrapAxis(t, lo, hi, from, to-from)
}

// TestWrapAxis moves points and intervals of all magnitudes, near and far, into domains at 0 and
// elsewhere.
func TestWrapAxis(t *testing.T) {
	checkWrapAxis(t, 1e17, 1e17+16, 0, 3) // The centre of these neighbouring floats rounds to one of them.
	r := rand.New(rand.NewPCG(15, 61))
	for range 20_000 {
		length := math.Ldexp(1+r.Float64(), r.IntN(200)-100)
		from := (r.Float64() - 0.5) * length * []float64{0, 1, 1e3, 1e12}[r.IntN(4)]
		x := from + (2*r.Float64()-1)*math.Ldexp(length, []int{0, 2, 19, 20, 21, 53, 60, 300}[r.IntN(8)])
		wrapCase(t, x, length*[]float64{0, 0.2, 30, 1e20}[r.IntN(4)]*r.Float64(), from, length)
	}
}

func FuzzWrapAxis(f *testing.F) {
	f.Add(1e17, 0.1, 0.0, 3.0)
	f.Add(-1e140, 0.0, 1e-180, 5e-324)
	f.Add(0.5, 1e100, -1.0, 2.0)
	f.Add(1e17, 1.0, 1e17, 16.0)
	f.Fuzz(wrapCase)
}
