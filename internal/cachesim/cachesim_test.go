package cachesim

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// small has an L1 of 2 sets of 2 lines, an L2 of 4 sets of 2 and an L3 of 8 sets of 4, which two cores share.
var small = Hierarchy{L1: Cache{4 * Line, 2}, L2: Cache{8 * Line, 2}, L3: Cache{32 * Line, 4}, Group: 2}

// TestByHand follows accesses of three cores by hand.
func TestByHand(t *testing.T) {
	s := New(small, 3)
	for i, a := range []struct {
		core   int
		line   uint64
		write  bool
		missed int
	}{
		{0, 0, false, 3}, // from memory
		{0, 0, false, 0}, // L1
		{0, 2, false, 3},
		{0, 4, false, 3}, // drops 0 from L1
		{0, 0, false, 1}, // L2, in whose set 0 are 4 and 0
		{0, 8, false, 3}, // drops 4 from sets 0 of L1 and of L2
		{0, 4, false, 2}, // L3
		{1, 4, false, 2}, // the L3 that core 1 shares
		{2, 4, false, 3}, // the L3 of core 2
		{1, 4, true, 0},
		{0, 4, false, 2}, // the copies of core 0 have ended; its L3 has the line
		{2, 4, false, 3}, // so has the L3 of core 2
		{1, 4, false, 0},
		{0, 4, true, 0},
		{1, 4, false, 2},
	} {
		if got := s.Access(a.core, a.line, a.write); got != a.missed {
			t.Errorf("access %d, core %d, line %d: %d levels miss, expected %d", i, a.core, a.line, got, a.missed)
		}
	}
}

// TestMatchesPlainCaches compares one core with lists of lines in the order of their use.
func TestMatchesPlainCaches(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var caches Hierarchy
		for i, c := range []*Cache{&caches.L1, &caches.L2, &caches.L3} {
			c.Ways = 1 + r.IntN(4)
			c.Size = Line * c.Ways * (1 + r.IntN(3<<i))
		}
		if caches.Group = 1; caches.L1.Size > caches.L2.Size {
			caches.L2 = Cache{}
		}
		if r.IntN(2) == 0 {
			caches.L3 = Cache{}
		}
		if err := (&Hierarchy{caches.L1, orAny(caches.L2), orAny(caches.L3), 1}).Check(); err != nil {
			t.Fatal(err)
		}
		s := New(caches, 1)
		var plain [3]map[uint64][]uint64
		dirty, written := map[uint64]bool{}, int64(0)
		for range 300 {
			line, write := r.Uint64N(60), r.IntN(2) == 0
			missed, last := 0, 0
			for level, c := range caches.levels() {
				if c.Size > 0 {
					last = level
				}
			}
			for level, c := range caches.levels() {
				if c.Size == 0 {
					continue
				}
				if plain[level] == nil {
					plain[level] = map[uint64][]uint64{}
				}
				set := line % uint64(c.sets())
				used := plain[level][set]
				i := slices.Index(used, line)
				if i >= 0 {
					used = slices.Delete(used, i, i+1)
				} else if missed++; len(used) == c.Ways {
					if drop := used[len(used)-1]; level == last && dirty[drop] {
						written++
						delete(dirty, drop)
					}
					used = used[:len(used)-1]
				}
				plain[level][set] = append([]uint64{line}, used...)
				if i >= 0 {
					break
				}
			}
			if write {
				dirty[line] = true
			}
			if got := s.Access(0, line, write); got != missed || s.Written != written {
				t.Fatalf("line %d: %d levels miss and %d lines written back, expected %d and %d", line, got, s.Written, missed, written)
			}
		}
	}
}

func orAny(c Cache) Cache { return Cache{c.Size, max(c.Ways, 1)} }

func TestCheck(t *testing.T) {
	for _, wrong := range []Hierarchy{
		{L1: Cache{4*Line + 1, 2}, L2: small.L2, L3: small.L3, Group: 2},
		{L1: Cache{16 * Line, 2}, L2: small.L2, L3: small.L3, Group: 2},
		{L1: Cache{0, 2}, L2: small.L2, L3: small.L3, Group: 2},
		{L1: Cache{4 * Line, 0}, L2: small.L2, L3: small.L3, Group: 2},
		{L1: small.L1, L2: Cache{-8 * Line, 2}, L3: small.L3, Group: 2},
		{L1: small.L1, L2: small.L2, L3: small.L3},
		{L1: small.L1, L2: small.L2, L3: small.L3, Group: 5000},
	} {
		if err := wrong.Check(); !errors.Is(err, ErrCaches) {
			t.Errorf("%+v: %v, expected an error", wrong, err)
		}
	}
	if err := small.Check(); err != nil {
		t.Error(err)
	}
}

// BenchmarkAccess walks over twice the size of an L3, and over half of an L1.
func BenchmarkAccess(b *testing.B) {
	caches := Hierarchy{L1: Cache{32 << 10, 8}, L2: Cache{512 << 10, 8}, L3: Cache{16 << 20, 16}, Group: 8}
	for name, lines := range map[string]uint64{"beyond L3": 32 << 20 / Line, "L1": 16 << 10 / Line} {
		b.Run(name, func(b *testing.B) {
			s := New(caches, 1)
			for i := range b.N {
				s.Access(0, uint64(i)%lines, false)
			}
		})
	}
}
