package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

// corner is a point of the plane.
type corner struct{ x, y float64 }

// cutPlainly is the plain loop that Ring must reproduce: it evaluates every corner for every cut.
func cutPlainly(in, by []corner, mixed bool) []corner {
	left := func(a, b, p corner) float64 {
		return float64((b.x-a.x)*(p.y-a.y)) - float64((b.y-a.y)*(p.x-a.x))
	}
	between := func(p, q corner, dp, dq float64) corner {
		t := dp / (dp - dq)
		return corner{p.x + float64(t*(q.x-p.x)), p.y + float64(t*(q.y-p.y))}
	}
	a := by[len(by)-1]
	for _, b := range by {
		var out []corner
		for i, q := range in {
			if mixed {
				p := in[(i+len(in)-1)%len(in)]
				dp, dq := left(a, b, p), left(a, b, q)
				if dp < 0 != (dq < 0) {
					out = append(out, between(p, q, dp, dq))
				}
				if dq >= 0 {
					out = append(out, q)
				}
				continue
			}
			to := in[(i+1)%len(in)]
			dq, dt := left(a, b, q), left(a, b, to)
			if dq >= 0 {
				out = append(out, q)
			}
			if dq > 0 && dt < 0 || dq < 0 && dt > 0 {
				out = append(out, between(q, to, dq, dt))
			}
		}
		in, a = out, b
	}
	return in
}

// cutByRing is cutPlainly with a Ring. It also returns how many heights the Ring has computed.
func cutByRing(in, by []corner, mixed bool) (out []corner, heights int) {
	r := Ring{Mixed: mixed}
	r.Reset()
	for _, p := range in {
		r.Add(p.x, p.y)
	}
	a := by[len(by)-1]
	for _, b := range by {
		r.Cut(a.x, a.y, b.x-a.x, b.y-a.y)
		a = b
	}
	for k := r.First(); len(out) < r.Len(); k = r.Next(k) {
		x, y := r.At(k)
		out = append(out, corner{x, y})
	}
	return out, r.heights
}

// circle returns n corners of an ellipse; the first is at angle at.
func circle(n int, at, wide, high, x, y float64) []corner {
	p := make([]corner, n)
	for k := range p {
		s, c := Sincos(at + 2*math.Pi*float64(k)/float64(n))
		p[k] = corner{x + float64(wide*c), y + float64(high*s)}
	}
	return p
}

func sameCorners(t *testing.T, name string, in, by []corner) (heights int) {
	t.Helper()
	for _, mixed := range []bool{false, true} {
		want := cutPlainly(in, by, mixed)
		got, n := cutByRing(in, by, mixed)
		heights = max(heights, n)
		if len(got) != len(want) {
			t.Fatalf("%s, mixed %v: %d corners, expected %d", name, mixed, len(got), len(want))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%s, mixed %v: corner %d is %v, expected %v", name, mixed, i, got[i], want[i])
			}
		}
	}
	return heights
}

// TestRingIsThePlainLoop compares a ring with the plain loop, to the bit, and bounds the number of
// heights.
func TestRingIsThePlainLoop(t *testing.T) {
	half := math.Pi
	for _, c := range []struct {
		name     string
		in, by   func(n int) []corner
		overlaps bool
	}{
		{"same", func(n int) []corner { return circle(n, 0.3, 1, 1, 0, 0) }, func(n int) []corner { return circle(n, 0.3, 1, 1, 0, 0) }, true},
		{"half a corner on", func(n int) []corner { return circle(n, 0, 1, 1, 5, 7) },
			func(n int) []corner { return circle(n, half/float64(n), 1, 1, 5, 7) }, true},
		{"beside", func(n int) []corner { return circle(n, 0, 1, 1, 0, 0) }, func(n int) []corner { return circle(n, 0.1, 1, 1, 0.7, 0.2) }, true},
		{"inside", func(n int) []corner { return circle(n, 0, 0.5, 0.5, 0, 0) }, func(n int) []corner { return circle(n, 0, 1, 1, 0, 0) }, true},
		{"around", func(n int) []corner { return circle(n, 0, 1, 1, 0, 0) }, func(n int) []corner { return circle(n, 0, 0.5, 0.5, 0.1, 0) }, true},
		{"crossed", func(n int) []corner { return circle(n, 0, 1, 0.01, 0, 0) }, func(n int) []corner { return circle(n, 0, 0.01, 1, 0, 0) }, true},
		{"apart", func(n int) []corner { return circle(n, 0, 1, 1, 0, 0) }, func(n int) []corner { return circle(n, 0, 1, 1, 3, 0) }, false},
		{"small beside large", func(n int) []corner { return circle(n, 0, 1, 1, 0, 0) },
			func(n int) []corner { return circle(n/8, 0, 1e-6, 1e-6, 1, 0) }, true},
	} {
		for _, n := range []int{64, 500} {
			in, by := c.in(n), c.by(n)
			heights := sameCorners(t, c.name, in, by)
			if got, _ := cutByRing(in, by, false); len(got) > 0 != c.overlaps {
				t.Errorf("%s: %d corners left", c.name, len(got))
			}
			if most := 12 * (len(in) + len(by)); heights > most {
				t.Errorf("%s, %d corners cut %d times: %d heights computed, expected at most %d", c.name, len(in), len(by), heights, most)
			}
		}
	}
	r := rand.New(rand.NewPCG(31, 7))
	for k := range 3000 {
		shape := func() []corner {
			n := 3 + r.IntN(40)
			p := circle(n, float64(r.IntN(3))*r.Float64(), math.Pow(10, -4*r.Float64()), 1, float64(r.IntN(3))*r.Float64(), r.Float64())
			if r.IntN(4) == 0 {
				p = p[:2+r.IntN(n-1)]
			}
			return p
		}
		in, by := shape(), shape()
		if k%8 == 0 {
			by = in
		}
		if len(by) > 2 {
			sameCorners(t, "random", in, by)
		}
	}
}
