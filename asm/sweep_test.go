package asm

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

func TestOdometerSweep(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	odometer := []float64{0, 1, 2, nan, inf, 1e308}
	tests := []struct {
		name    string
		a, b    uint32
		expiry  float64
		expired bool
	}{
		{"holds", 1, 2, 3.5, false},
		{"exactly used up", 1, 2, 3, true},
		{"just holds", 1, 2, 3 + 0x1p-51, false},
		{"passed", 1, 2, 2.5, true},
		{"nothing moved, no room", 0, 0, 0, true},
		{"nothing moved, some room", 0, 0, 5e-324, false},
		{"never expires", 1, 2, inf, false},
		{"always expired", 0, 0, -inf, true},
		{"expiry is NaN", 0, 0, nan, true},
		{"odometer is NaN", 3, 0, inf, true},
		{"second odometer is NaN", 0, 3, inf, true},
		{"odometer is infinite", 4, 0, inf, true},
		{"sum overflows", 5, 5, math.MaxFloat64, true},
		{"the same body twice", 2, 2, 4.5, false},
	}
	var a, b, want []uint32
	var expiry []float64
	for i, test := range tests {
		a, b, expiry = append(a, test.a), append(b, test.b), append(expiry, test.expiry)
		if test.expired {
			want = append(want, uint32(i))
		}
	}
	backends.Run(t, func(t *testing.T) {
		for i, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				var out [1]uint32
				n := OdometerSweep(a, b, expiry, odometer, i, i+1, out[:])
				if (n == 1) != test.expired || n == 1 && out[0] != uint32(i) {
					t.Errorf("got %d, %v; want expired %v of pair %d", n, out, test.expired, i)
				}
			})
		}
		out := make([]uint32, len(a))
		if n := OdometerSweep(a, b, expiry, odometer, 0, len(a), out); !slices.Equal(out[:n], want) {
			t.Errorf("all at once: got %v, want %v", out[:n], want)
		}
	})
}

func checkSweep(t *testing.T, s *source, n int) {
	t.Helper()
	bodies := 1 + int(s.byte())%40
	odometer := s.floats(bodies)
	a, b, expiry := make([]uint32, n), make([]uint32, n), make([]float64, n)
	for i := range a {
		a[i], b[i], expiry[i] = uint32(int(s.byte())%bodies), uint32(int(s.byte())%bodies), s.float()
		if s.byte()%4 == 0 {
			expiry[i] = sum(odometer[a[i]], odometer[b[i]])
		}
	}
	lo := int(s.byte()) % (n + 1)
	hi := lo + int(s.byte())%(n-lo+1)
	var want []uint32
	for i := lo; i < hi; i++ {
		moved := sum(odometer[a[i]], odometer[b[i]])
		if moved >= expiry[i] || math.IsNaN(moved) || math.IsNaN(expiry[i]) {
			want = append(want, uint32(i))
		}
	}
	bothEnds(t, func(p *pen) {
		out := output[uint32](p, hi-lo)
		k := OdometerSweep(place(p, a), place(p, b), place(p, expiry), place(p, odometer), lo, hi, out)
		if !slices.Equal(out[:k], want) {
			t.Errorf("pairs %d to %d of %d: got %v, want %v", lo, hi, n, out[:k], want)
		}
	})
}

func TestOdometerSweepLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 67 {
			checkSweep(t, &source{data: noise(uint64(n), 3000)}, n)
		}
	})
}

func FuzzSweep(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkSweep(t, s, int(s.byte()%140))
		})
	})
}
