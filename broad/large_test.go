package broad_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

// TestLargeSets compares the fast methods on sets of many chunks, with small and large, near and
// far, flat and clustered rows.
func TestLargeSets(t *testing.T) {
	if testing.Short() {
		t.Skip("a long run")
	}
	const n = 4600
	spread := func(ratio float64) func(r *rand.Rand, s *broad.Input) {
		return func(r *rand.Rand, s *broad.Input) { cloud(s, n, ratio, r.Uint64()) }
	}
	tests := []struct {
		name string
		make func(r *rand.Rand, s *broad.Input)
	}{
		{"one size", spread(1)},
		{"sizes 1 to 100", spread(100)},
		{"two sizes", func(r *rand.Rand, s *broad.Input) {
			cloud(s, n, 1, r.Uint64())
			for i := range s.Box {
				if i%10 != 0 {
					c := s.Box[i].Min
					s.Box[i].Max = c.Add(vec.V(0.01, 0.02, 0.01))
				}
			}
		}},
		{"some have flown off", func(r *rand.Rand, s *broad.Input) {
			cloud(s, n, 1, r.Uint64())
			for i := range 20 {
				at := vec.V(r.NormFloat64(), r.NormFloat64(), 1).Scale(math.Pow(10, float64(i)))
				s.Box[200*i] = vec.Box{Min: s.Box[200*i].Min.Add(at), Max: s.Box[200*i].Max.Add(at)}
				s.Box[200*i+7] = s.Box[200*i]
			}
		}},
		{"large ones elsewhere", func(r *rand.Rand, s *broad.Input) {
			cloud(s, n, 1, r.Uint64())
			for i := range 16 {
				at := vec.V(1e4+1e3*float64(i), -7e3, 1e4*r.Float64())
				s.Box[100*i+3] = vec.Box{Min: at, Max: at.Add(vec.V(500, 500, 500))}
			}
		}},
		{"those asked where the bulk lies are none of it", func(r *rand.Rand, s *broad.Input) {
			cloud(s, n, 1, r.Uint64())
			for i := range s.Box {
				if i%(n/128) != 0 {
					at := vec.V(1e3+1e4*r.Float64(), 1e4*r.Float64(), 1e4*r.Float64())
					s.Box[i] = vec.Box{Min: at, Max: at.Add(vec.V(70, 70, 70))}
				}
			}
		}},
		{"clusters", func(r *rand.Rand, s *broad.Input) {
			cloud(s, n, 20, r.Uint64())
			for i := range s.Box {
				at := vec.V(float64(i%3), float64(i%5), float64(i%2)).Scale(1e7)
				s.Box[i] = vec.Box{Min: s.Box[i].Min.Add(at), Max: s.Box[i].Max.Add(at)}
			}
		}},
		{"a plane", func(r *rand.Rand, s *broad.Input) {
			cloud(s, n, 4, r.Uint64())
			for i := range s.Box {
				s.Box[i].Min.Z, s.Box[i].Max.Z = 3, 3
				s.Box[i].Min.X *= 4
				s.Box[i].Max.X = s.Box[i].Min.X + 0.4
			}
		}},
		{"balls", func(r *rand.Rand, s *broad.Input) {
			cloud(s, n, 4, r.Uint64())
			for i := range s.Box {
				b := &s.Box[i]
				s.Centre, s.Radius = append(s.Centre, b.Min.Add(b.Max).Scale(0.5)), append(s.Radius, 0.5*(b.Max.X-b.Min.X))
			}
			s.Box, s.Skin = nil, 0.01
		}},
		{"long run", func(r *rand.Rand, s *broad.Input) {
			cloud(s, n, 1, r.Uint64())
			for i := range 4300 {
				at := vec.V(3+float64(i)*1e-9, 3, 3)
				s.Box[i] = vec.Box{Min: at, Max: at.Add(vec.V(1e-12, 1, 1))}
			}
		}},
	}
	pool := sched.New(2)
	defer pool.Close()
	for k, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, found := &broad.Input{}, &broad.Found{}
			test.make(rand.New(rand.NewPCG(uint64(k), 3)), s)
			var want broad.Found
			for _, m := range methods {
				if k >= 3 && m.name != "brute" && m.name != "cells" && m.name != "multilevel" && m.name != "auto" {
					continue // not made for such sets, and slow
				}
				for s.Pool = nil; ; s.Pool = pool {
					if err := broad.NewFinder(m.make()).Find(s, found); err != nil {
						t.Fatal(err)
					}
					if m.name == "brute" {
						want = broad.Found{A: slices.Clone(found.A), B: slices.Clone(found.B)}
					}
					if !slices.Equal(found.A, want.A) || !slices.Equal(found.B, want.B) || len(want.A) == 0 {
						t.Errorf("%s: %d pairs, expected %d", m.name, len(found.A), len(want.A))
					}
					if s.Pool != nil || m.name == "brute" {
						break
					}
				}
			}
		})
	}
}
