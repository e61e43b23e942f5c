package broad

import (
	"runtime"
	"slices"
	"testing"

	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

// TestPairsAreBounded checks the bound of pairs, on any number of workers. A list may have exactly
// as many pairs as the bound. With one more, the list is empty, until the bound is raised.
func TestPairsAreBounded(t *testing.T) {
	pool := sched.New(3)
	defer pool.Close()
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			w := newWorld(Config{Reach: 0.01})
			s.build(w)
			w.rebuild(nil)
			a, b := slices.Clone(w.pairs.A), slices.Clone(w.pairs.B)
			for _, team := range []*sched.Pool{nil, pool} {
				for _, most := range []int{len(a), len(a) - 1, 0, len(a), MaxPairs} {
					if most < 0 {
						continue
					}
					w.cells.Forget()
					w.cells.SetMaxPairs(most)
					w.rebuild(team)
					crowded := most < len(a)
					wantA, wantB := a, b
					if crowded {
						wantA, wantB = nil, nil
					}
					if s := w.cells.Stats(); s.TooManyPairs != crowded || s.Pairs != len(wantA) || !slices.Equal(w.pairs.A, wantA) || !slices.Equal(w.pairs.B, wantB) {
						t.Fatalf("%d pairs where %d are allowed: %d listed, crowded is %t", len(a), most, w.pairs.Len(), s.TooManyPairs)
					}
				}
			}
		})
	}
}

// TestCrowdTakesNoMemory puts 20 000 balls at one place, which are 2·10⁸ pairs, and as many with
// resting pieces. The search must stop early and must not take memory for these pairs.
func TestCrowdTakesNoMemory(t *testing.T) {
	pool := sched.New(2)
	defer pool.Close()
	for k := range 4 {
		rest, team := k&1 != 0, pool
		if k&2 != 0 {
			team = nil
		}
		w := newWorld(Config{})
		h := w.ball(1)
		for i := range 20_000 {
			if rest && i%2 == 0 {
				w.wall(vec.Vec3{}, h)
			} else {
				w.one(vec.Vec3{}, vec.Identity, h)
			}
		}
		w.cells.SetMaxPairs(5000)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		w.rebuild(team)
		runtime.ReadMemStats(&after)
		if !w.cells.Stats().TooManyPairs || w.pairs.Len() != 0 {
			t.Errorf("%d pairs, crowded is %t", w.pairs.Len(), w.cells.Stats().TooManyPairs)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > 16<<20 {
			t.Errorf("%d bytes allocated", got)
		}
		if listed := w.cells.sorter.listed.Load(); listed > 5000+2*(CountEvery+maxHits+10_000) {
			t.Errorf("%d pairs were listed", listed)
		}
	}
}
