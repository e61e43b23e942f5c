package distribution

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/viterin/vek"
)

// describe returns the distribution of numbers.
func describe(numbers ...float64) *Distribution {
	var c Sample
	for _, x := range numbers {
		c.Add(x)
	}
	return c.Describe()
}

// onEachOrder runs a test with both orders of summation that vek has, as far as the processor has
// them.
func onEachOrder(t *testing.T, test func(t *testing.T)) {
	was := vek.Info().Acceleration
	defer vek.SetAcceleration(was)
	for _, fast := range []bool{false, true} {
		if fast && !was {
			continue
		}
		vek.SetAcceleration(fast)
		t.Run(fmt.Sprintf("%s, AVX2 %t", runtime.GOARCH, fast), test)
	}
}

// exactMean returns the mean, and the mean magnitude, from sums without rounding error.
func exactMean(numbers []float64) (mean, magnitude float64) {
	var sum, abs big.Float
	sum.SetPrec(2200)
	abs.SetPrec(2200)
	for _, x := range numbers {
		sum.Add(&sum, big.NewFloat(x))
		abs.Add(&abs, big.NewFloat(math.Abs(x)))
	}
	n := big.NewFloat(float64(len(numbers)))
	mean, _ = sum.Quo(&sum, n).Float64()
	magnitude, _ = abs.Quo(&abs, n).Float64()
	return mean, magnitude
}

// TestColumnsAgainstExactSums compares means with sums without rounding error, within the bound of
// Column, and the other figures with those of the sorted column. A permuted column has the same
// figures: all but the mean to the bit.
func TestColumnsAgainstExactSums(t *testing.T) {
	onEachOrder(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 5))
		for _, c := range []struct {
			name string
			n    int
			draw func() float64
		}{
			{"one", 1, r.NormFloat64},
			{"two", 2, r.NormFloat64},
			{"less than a register", 15, r.NormFloat64},
			{"a block", blockValues, r.Float64},
			{"a block and one", blockValues + 1, r.Float64},
			{"lengths", 200_003, func() float64 { return 1e-3 * r.ExpFloat64() }},
			{"both signs", 100_000, r.NormFloat64},
			{"many magnitudes", 50_000, func() float64 { return r.NormFloat64() * math.Pow(10, 40*r.Float64()-20) }},
			{"few values", 100_000, func() float64 { return 0.5 * float64(r.IntN(3)) }},
			{"all equal", 100_000, func() float64 { return 0.1 }},
		} {
			numbers := make([]float64, c.n)
			for i := range numbers {
				numbers[i] = c.draw()
			}
			mean, magnitude := exactMean(numbers)
			room := (blockValues + float64(c.n)/blockValues) * 0x1p-53 * magnitude
			sorted := slices.Sorted(slices.Values(numbers))
			first := *describe(numbers...)
			for range 2 {
				d := describe(numbers...)
				if off := math.Abs(float64(d.Mean) - mean); !(off <= room) {
					t.Errorf("%s: the mean is off by %g, expected at most %g", c.name, off, room)
				}
				if d.Number != int64(c.n) || float64(d.Min) != sorted[0] || float64(d.Max) != sorted[c.n-1] {
					t.Errorf("%s: %+v, expected %d numbers from %g to %g", c.name, d, c.n, sorted[0], sorted[c.n-1])
				}
				for q, got := range map[float64]Rounded{0.25: d.LowerQuartile, 0.5: d.Median, 0.75: d.UpperQuartile} {
					rank := q * float64(c.n-1)
					below := int(rank)
					above := min(below+1, c.n-1)
					want := sorted[below] + (rank-float64(below))*(sorted[above]-sorted[below])
					if !(math.Abs(float64(got)-want) <= 0x1p-51*max(math.Abs(sorted[below]), math.Abs(sorted[above]))) {
						t.Errorf("%s: quartile %g is %g, expected %g", c.name, q, got, want)
					}
				}
				if first.Mean = d.Mean; *d != first {
					t.Errorf("%s: permuted %+v, expected %+v", c.name, *d, first)
				}
				r.Shuffle(c.n, func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
			}
		}
	})
}

// TestKnownColumns checks what JSON shows of columns whose figures one can read off.
func TestKnownColumns(t *testing.T) {
	inf := math.Inf(1)
	onEachOrder(t, func(t *testing.T) {
		for _, c := range []struct {
			name    string
			numbers []float64
			want    string
		}{
			{"empty", nil, "number:0,min:null,lower_quartile:null,median:null,upper_quartile:null,max:null,mean:null"},
			{"one", []float64{-2.5}, "number:1,min:-2.5,lower_quartile:-2.5,median:-2.5,upper_quartile:-2.5,max:-2.5,mean:-2.5"},
			{"five", []float64{5, 1, 4, 2, 3}, "number:5,min:1,lower_quartile:2,median:3,upper_quartile:4,max:5,mean:3"},
			{"four", []float64{4, 1, 3, 2}, "number:4,min:1,lower_quartile:1.75,median:2.5,upper_quartile:3.25,max:4,mean:2.5"},
			{"twelve digits", []float64{1e-7, 2e-7, 2e-7}, "number:3,min:1e-07,lower_quartile:1.5e-07,median:2e-07,upper_quartile:2e-07,max:2e-07,mean:1.66666666667e-07"},
			{"zeros of both signs", []float64{0, math.Copysign(0, -1)}, "number:2,min:0,lower_quartile:0,median:0,upper_quartile:0,max:0,mean:0"},
			{"minus zero", []float64{math.Copysign(0, -1)}, "number:1,min:0,lower_quartile:0,median:0,upper_quartile:0,max:0,mean:0"},
			{"not finite", []float64{math.NaN(), 2, inf, 1, -inf, math.NaN()}, "number:2,not_finite:4,min:1,lower_quartile:1.25,median:1.5,upper_quartile:1.75,max:2,mean:1.5"},
			{"none finite", []float64{inf, math.NaN()}, "number:0,not_finite:2,min:null,lower_quartile:null,median:null,upper_quartile:null,max:null,mean:null"},
			{"no sum", []float64{1.5e308, 1.5e308, 1.5e308}, "number:3,min:1.5e+308,lower_quartile:1.5e+308,median:1.5e+308,upper_quartile:1.5e+308,max:1.5e+308,mean:null"},
		} {
			text, err := json.Marshal(describe(c.numbers...))
			if got := strings.Trim(strings.ReplaceAll(string(text), `"`, ""), "{}"); err != nil || got != c.want {
				t.Errorf("%s: %v\n%s, expected\n%s", c.name, err, got, c.want)
			}
		}
	})
}

// TestLongColumns: a column of more numbers than it stores has no quartiles. All other figures
// are those of all its numbers, and stay so if the column goes on after Describe.
func TestLongColumns(t *testing.T) {
	var c Sample
	for i := range keptValues {
		c.Add(float64(i))
	}
	if d := c.Describe(); d.Median != (keptValues-1)/2.0 || d.Max != keptValues-1 || d.Mean != d.Median {
		t.Errorf("%+v", d)
	}
	c.Add(-7)
	for range 2 {
		d := c.Describe()
		mean := (float64(keptValues)/2*(keptValues-1) - 7) / (keptValues + 1) // the sum is exact
		if d.Number != keptValues+1 || d.Min != -7 || d.Max != keptValues-1 || float64(d.Mean) != mean || !math.IsNaN(float64(d.Median)) {
			t.Errorf("%+v, expected a mean of %g", d, mean)
		}
	}
	if size := cap(c.values); size > 2*keptValues {
		t.Errorf("the column stores %d numbers", size)
	}
	if (*Sample)(nil).Add(1); (*Sample)(nil).Describe() != nil {
		t.Error("a nil column has a distribution")
	}
}
