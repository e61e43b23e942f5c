package broad_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/vec"
)

// balls returns balls of one radius along x, in a domain that is periodic along x.
func balls(from, to, radius float64, x ...float64) *broad.Input {
	s := &broad.Input{Domain: vec.Box{Min: vec.V(from, 0, 0), Max: vec.V(to, 1, 1)}, Periodic: axesOf(1)}
	for _, x := range x {
		s.Centre, s.Radius = append(s.Centre, vec.V(x, 0.5, 0.5)), append(s.Radius, radius)
	}
	return s
}

// ended returns boxes with the given ends along x, in a domain that is periodic along x.
func ended(from, to float64, ends ...[2]float64) *broad.Input {
	s := balls(from, to, 0)
	for _, e := range ends {
		s.Box = append(s.Box, vec.Box{Min: vec.V(e[0], 0, 0), Max: vec.V(e[1], 1, 1)})
	}
	return s
}

// TestFarFromPeriods checks that rows any number of periods away are moved into the domain by whole
// periods, without overflow. This is a regression test. A quotient of a place and a period was once
// infinite, and the row was lost or the search did not end. A product of a period and a rounded
// quotient was off by several periods.
func TestFarFromPeriods(t *testing.T) {
	const most = 1e140
	for _, c := range []struct {
		name string
		set  *broad.Input
		want [][2]uint32
	}{
		{"1e17 modulo 3 is 1", balls(0, 3, 0.1, 1e17, 1, 2, 0), [][2]uint32{{0, 1}}},
		{"-1e17 modulo 3 is 2", balls(0, 3, 0.1, -1e17, 1, 2, 0), [][2]uint32{{0, 2}}},
		{"1e17 + 1 from -1 on", balls(-1, 2, 0.1, 1e17, 1, -1, 0), [][2]uint32{{0, 1}}},
		{"a multiple of 3", balls(0, 3, 0.25, 3*0x1p60, 1.5, 0, 2.9), [][2]uint32{{0, 2}, {0, 3}, {2, 3}}},
		{"no whole period", balls(0, 0.3, 1e-9, 1e9+0.125, 0.1, math.Mod(1e9+0.125, 0.3)), [][2]uint32{{0, 2}}},
		{"a domain far away", balls(1e6, 1e6+0.5, 0.01, 1e15+0.375, 1e6+0.375, 1e6), [][2]uint32{{0, 1}}},
		{"a period that no place resolves", balls(0, 1e-180, 1, 1e130, 0), [][2]uint32{{0, 1}}},
		{"the least period, the farthest place", balls(0, math.SmallestNonzeroFloat64, 1e-140, most, -most), [][2]uint32{{0, 1}}},
		{"balls larger than the period", balls(0, 1, 40, 0.5, 7e30, -1e140), [][2]uint32{{0, 1}, {0, 2}, {1, 2}}},
		{"a box that ends at neighbouring floats", ended(0, 3, [2]float64{1e17, 1e17 + 16}, [2]float64{0, 0.1}, [2]float64{2.5, 2.6}), [][2]uint32{{0, 1}, {0, 2}}},
		{"the largest balls", balls(0, 1e-180, most, most, 0), [][2]uint32{{0, 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			compare(t, "truth", toFound(truth(c.set)), c.want)
			for _, m := range methods {
				found := &broad.Found{}
				if err := broad.NewFinder(m.make()).Find(c.set, found); err != nil {
					t.Fatal(m.name, err)
				}
				compare(t, m.name, found, c.want)
			}
		})
	}
}

func toFound(pairs [][2]uint32) *broad.Found {
	f := &broad.Found{}
	for _, p := range pairs {
		f.A, f.B = append(f.A, p[0]), append(f.B, p[1])
	}
	return f
}

// TestFarSets compares boxes and balls up to 2⁶⁰ periods away with truth, which uses exact
// arithmetic. The domain begins at 0 or far from it, and sizes are a part of the period or several
// periods.
func TestFarSets(t *testing.T) {
	pairs := 0
	for seed := range uint64(soak(100, 3000)) {
		r := rand.New(rand.NewPCG(seed, 60))
		length := vec.V(3, 0.7, 5).Scale(1 + r.Float64())
		min := vec.V(1, -2, 300).Scale([]float64{0, 1, 1e3}[r.IntN(3)])
		s := &broad.Input{Domain: vec.Box{Min: min, Max: min.Add(length)}, Periodic: axesOf(uint8(1 + r.IntN(7)))}
		for range 30 {
			place := func(from, length float64, periodic bool) float64 {
				x := from + length*r.Float64()
				if periodic && r.IntN(2) == 0 {
					x += math.Ldexp(2*r.Float64()-1, r.IntN(61)) * length
				}
				return x
			}
			at := vec.V(place(min.X, length.X, s.Periodic[0]), place(min.Y, length.Y, s.Periodic[1]), place(min.Z, length.Z, s.Periodic[2]))
			half := r.Float64() * []float64{0.3, 2}[r.IntN(2)]
			if seed%2 == 0 {
				s.Centre, s.Radius = append(s.Centre, at), append(s.Radius, half)
			} else {
				h := vec.V(half, half, half)
				s.Box = append(s.Box, vec.Box{Min: at.Sub(h), Max: at.Add(h)})
			}
		}
		want := truth(s)
		pairs += len(want)
		for _, m := range methods {
			found := &broad.Found{}
			if err := broad.NewFinder(m.make()).Find(s, found); err != nil {
				t.Fatal(err)
			}
			compare(t, fmt.Sprintf("%s, seed %d", m.name, seed), found, want)
		}
	}
	if pairs == 0 {
		t.Fatal("no pairs")
	}
}
