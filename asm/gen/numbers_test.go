package main

import (
	"math"
	"math/rand/v2"
)

// numbers makes special floats: ties, zeros of both signs, denormals, huge values, NaN.
type numbers struct {
	*rand.Rand
	last float64
}

func newNumbers(seed uint64) *numbers {
	return &numbers{Rand: rand.New(rand.NewPCG(seed, 16))}
}

var palette = []float64{
	0, math.Copysign(0, -1), 5e-324, -5e-324, 2.2250738585072014e-308, 1e-310, -1e-310,
	math.MaxFloat64, -math.MaxFloat64, 1e308, -1e308, 1e154, -1e154, math.Inf(1), math.Inf(-1),
	math.NaN(), 1, -1, 1 + 0x1p-52, 1 - 0x1p-53, 1 + 0x1p-30, -1 - 0x1p-29, 1e-154, 1.0 / 3,
}

func (r *numbers) float() float64 {
	switch k := r.IntN(10); {
	case k < 4:
		r.last = float64(r.IntN(9)-4) / 2
	case k < 6:
		r.last = palette[r.IntN(len(palette))]
	case k < 7: // the previous value, again
	case k < 8:
		r.last = math.Float64frombits(r.Uint64())
	default:
		r.last = 2*r.Float64() - 1
	}
	return r.last
}

func (r *numbers) floats(n int) []float64 {
	c := make([]float64, n)
	for i := range c {
		c[i] = r.float()
	}
	return c
}

// columns returns n points of three or four coordinates: special numbers, small numbers that tie,
// all the same, or NaN.
func (r *numbers) columns(count, n int) [][]float64 {
	c := make([][]float64, count)
	kind := r.IntN(8)
	for j := range c {
		c[j] = r.floats(n)
		for i := range c[j] {
			switch kind {
			case 0:
				c[j][i] = float64(r.IntN(3) - 1)
			case 1:
				c[j][i] = c[j][0]
			case 2:
				c[j][i] = math.NaN()
			case 3:
				c[j][i] = 2*r.Float64() - 1
			}
		}
	}
	return c
}

func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}
