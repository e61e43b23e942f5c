package asm

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

// cube returns the six planes of the cube from -1 to 1, padded to eight.
func cube() (nx, ny, nz, d []float64) {
	const pad = math.MaxFloat64
	return []float64{1, -1, 0, 0, 0, 0, 0, 0},
		[]float64{0, 0, 1, -1, 0, 0, 0, 0},
		[]float64{0, 0, 0, 0, 1, -1, 0, 0},
		[]float64{1, 1, 1, 1, 1, 1, pad, pad}
}

func TestPlaneDistance(t *testing.T) {
	nx, ny, nz, d := cube()
	tests := []struct {
		name    string
		x, y, z float64
		face    int
		max     float64
	}{
		{"centre ties all", 0, 0, 0, 0, -1},
		{"outside the first", 3, 0, 0, 0, 2},
		{"outside the last", 0, 0.5, -1.25, 5, 0.25},
		{"inside, nearest to y", 0.25, 0.75, -0.5, 2, -0.25},
		{"on a face", 0, -1, 0, 3, 0},
		{"on an edge goes to the lowest", 0, -1, -1, 3, 0},
		{"far outside", 1e300, 0, 0, 0, 1e300},
		{"far away in every direction", -1e308, -1e308, -1e308, 1, 1e308},
		{"not a number", math.NaN(), 0, 0, 0, math.Inf(-1)},
	}
	backends.Run(t, func(t *testing.T) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				face, max := PlaneDistance(nx, ny, nz, d, test.x, test.y, test.z)
				if face != test.face || !sameBits(max, test.max) {
					t.Errorf("got %d, %v; want %d, %v", face, max, test.face, test.max)
				}
			})
		}
	})
}

// Padding is inert only by its values: with an ordinary d it must change the result.
func TestPlaneDistanceSeesABrokenPad(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		nx, ny, nz, d := cube()
		d[7] = 0.5
		if face, max := PlaneDistance(nx, ny, nz, d, 0, 0, 0); face != 7 || max != -0.5 {
			t.Errorf("got %d, %v; want the broken pad, 7, -0.5", face, max)
		}
	})
}

func checkPlaneDistance(t *testing.T, s *source, n, queries int) {
	t.Helper()
	nx, ny, nz := s.points(n)
	d := s.floats(n)
	// From none to all of the rows become padding.
	for i := n - int(s.byte())%(n+1); i < n; i++ {
		nx[i], ny[i], nz[i], d[i] = 0, 0, 0, math.MaxFloat64
	}
	px, py, pz := s.floats(queries), s.floats(queries), s.floats(queries)
	bothEnds(t, func(p *pen) {
		gx, gy, gz, gd := place(p, nx), place(p, ny), place(p, nz), place(p, d)
		for q := range px {
			h := heights(nx, ny, nz, px[q], py[q], pz[q])
			for i := range h {
				h[i] = sum(h[i], -d[i])
			}
			want, wantMax := highest(h)
			if f, max := PlaneDistance(gx, gy, gz, gd, px[q], py[q], pz[q]); f != want || !sameBits(max, wantMax) {
				t.Errorf("PlaneDistance of %d planes: got %d, %v; want %d, %v", n, f, max, want, wantMax)
			}
		}
	})
}

func TestPlaneDistanceLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 67 {
			checkPlaneDistance(t, &source{data: noise(uint64(n), 2500)}, n, 1+n%11)
		}
	})
}

func FuzzPlaneDistance(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkPlaneDistance(t, s, int(s.byte()%70), int(s.byte()%10))
		})
	})
}
