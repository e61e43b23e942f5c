package disjoint

import (
	"math/rand/v2"
	"testing"
)

// TestJoin compares with labels that are rewritten at each join.
func TestJoin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 7, 100} {
		s, names := New[uint32](n), make([]uint32, n)
		for k := range names {
			names[k] = uint32(k)
		}
		for range 2 * n {
			a, b := uint32(r.IntN(n)), uint32(r.IntN(n))
			s.Join(a, b)
			low, high := min(names[a], names[b]), max(names[a], names[b])
			for k, name := range names {
				if name == high {
					names[k] = low
				}
			}
			for k, want := range names {
				if got := s.Lowest(uint32(k)); got != want {
					t.Fatalf("%d numbers: the lowest of the set of %d is %d, expected %d", n, k, got, want)
				}
			}
		}
	}
}
