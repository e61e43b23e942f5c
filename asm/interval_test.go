package asm

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

func TestInterval(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct {
		name     string
		x        []float64
		dx       float64
		lo, hi   float64
		kLo, kHi int
	}{
		{"no points", nil, 1, inf, -inf, 0, 0},
		{"one point", []float64{3}, 2, 6, 6, 0, 0},
		{"both ends inside", []float64{0, -4, 5, 1, 2}, 1, -4, 5, 1, 2},
		{"last is least", []float64{3, 2, 1}, 1, 1, 3, 2, 0},
		{"ties go to the lowest", []float64{2, 1, 3, 3, 1, 1, 3}, 1, 1, 3, 1, 2},
		{"direction turned round", []float64{2, 1, 3, 3, 1}, -1, -3, -1, 2, 1},
		{"NaN is left out", []float64{math.NaN(), 1, math.NaN(), 2}, 1, 1, 2, 1, 3},
		{"only NaN", []float64{math.NaN()}, 1, inf, -inf, 0, 0},
		{"both overflow", []float64{1e308, -1e308, 1e308}, 10, -inf, -inf, 1, 0},
	}
	tests[len(tests)-1].hi = inf
	backends.Run(t, func(t *testing.T) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				zero := make([]float64, len(test.x))
				lo, hi, kLo, kHi := Interval(test.x, zero, zero, test.dx, 0, 0)
				if !sameBits(lo, test.lo) || !sameBits(hi, test.hi) || kLo != test.kLo || kHi != test.kHi {
					t.Errorf("got %v at %d, %v at %d; want %v at %d, %v at %d",
						lo, kLo, hi, kHi, test.lo, test.kLo, test.hi, test.kHi)
				}
			})
		}
	})
}

func checkInterval(t *testing.T, s *source, n int) {
	t.Helper()
	x, y, z := s.points(n)
	dx, dy, dz := s.float(), s.float(), s.float()
	h := heights(x, y, z, dx, dy, dz)
	wantLo, low := lowest(h)
	wantHi, high := highest(h)
	bothEnds(t, func(p *pen) {
		lo, hi, kLo, kHi := Interval(place(p, x), place(p, y), place(p, z), dx, dy, dz)
		if kLo != wantLo || kHi != wantHi || !sameBits(lo, low) || !sameBits(hi, high) {
			t.Errorf("%d points: got %v at %d, %v at %d; want %v at %d, %v at %d",
				n, lo, kLo, hi, kHi, low, wantLo, high, wantHi)
		}
	})
}

func TestIntervalLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 67 {
			for seed := range uint64(5) {
				checkInterval(t, &source{data: noise(seed*100+uint64(n), 1000)}, n)
			}
		}
	})
}

func FuzzInterval(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkInterval(t, s, int(s.byte()%140))
		})
	})
}
