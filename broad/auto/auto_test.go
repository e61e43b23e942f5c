package auto

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/brute"
	"github.com/scree-dem/scree/broad/multilevel"
	"github.com/scree-dem/scree/vec"
)

// scene is a set of boxes that all move by the same distance in different directions. It is
// searched by auto and by brute force.
type scene struct {
	t     *testing.T
	set   broad.Input
	way   []vec.Vec3
	auto  *Method
	found *broad.Finder
	truth *broad.Finder
}

func newScene(t *testing.T, n int) *scene {
	r := rand.New(rand.NewPCG(7, 7))
	s := &scene{t: t, auto: New()}
	s.found, s.truth = broad.NewFinder(s.auto), broad.NewFinder(brute.New())
	side := math.Ceil(math.Sqrt(float64(n)))
	for i := range n {
		half := vec.V(1, 1, 1).Scale(0.25 + float64(0.5*r.Float64()))
		at := vec.V(side*r.Float64(), side*r.Float64(), 2*r.Float64())
		s.set.Box = append(s.set.Box, vec.Box{Min: at.Sub(half), Max: at.Add(half)})
		s.set.ID = append(s.set.ID, uint32(i))
		s.way = append(s.way, vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Unit())
	}
	return s
}

// run moves the boxes by step, m, before each of the given number of searches, and compares the
// pairs with brute force.
func (s *scene) run(searches int, step float64) {
	s.t.Helper()
	var found, want broad.Found
	for range searches {
		for i := range s.set.Box {
			v := s.way[i].Scale(step)
			s.set.Box[i] = vec.Box{Min: s.set.Box[i].Min.Add(v), Max: s.set.Box[i].Max.Add(v)}
		}
		if err := s.found.Find(&s.set, &found); err != nil {
			s.t.Fatal(err)
		}
		if err := s.truth.Find(&s.set, &want); err != nil {
			s.t.Fatal(err)
		}
		if !slices.Equal(found.A, want.A) || !slices.Equal(found.B, want.B) || len(want.A) < 10 {
			s.t.Fatalf("%d pairs, expected %d", len(found.A), len(want.A))
		}
	}
}

// With little motion, the second search chooses a margin, and candidates serve about twenty
// searches. With much motion, no margin is chosen. The pairs equal brute force.
func TestChoiceByMotion(t *testing.T) {
	for _, c := range []struct {
		name        string
		step        float64 // m; the mean side is 1 m
		fresh, kept int     // of 60 searches
	}{
		{"at rest", 0, 2, 58},
		{"little", 1e-3, 4, 56},
		{"much", 0.03, 10, 50},
		{"too much", 0.1, 60, 0},
	} {
		s := newScene(t, 150)
		s.run(60, c.step)
		if s.auto.Fresh > c.fresh+1 || s.auto.Kept < c.kept-1 || s.auto.Fresh+s.auto.Kept != 60 {
			t.Errorf("%s: %d searches from nothing, %d with candidates, expected about %d and %d", c.name, s.auto.Fresh, s.auto.Kept, c.fresh, c.kept)
		}
		if (s.auto.Margin() > 0) != (c.kept > 0) {
			t.Errorf("%s: a margin of %g m", c.name, s.auto.Margin())
		}
	}
}

// The choice, but not the pairs, changes if motion grows or stops, and if rows are added, removed
// or shuffled.
func TestChoiceChanges(t *testing.T) {
	s := newScene(t, 150)
	s.run(10, 1e-3)
	if s.auto.Margin() == 0 {
		t.Fatal("no margin for little motion")
	}
	s.run(10, 0.2)
	if s.auto.Margin() != 0 {
		t.Errorf("a margin of %g m for motion of 0.2 m", s.auto.Margin())
	}
	s.run(10, 1e-4)
	if s.auto.Margin() == 0 {
		t.Error("no margin once the motion is little again")
	}
	s.set.Box, s.set.ID, s.way = s.set.Box[1:], s.set.ID[1:], s.way[1:]
	s.run(5, 1e-4)
	slices.Reverse(s.set.Box)
	slices.Reverse(s.set.ID)
	slices.Reverse(s.way)
	s.run(5, 1e-4)
	s.set.Margin = 0.05
	s.run(5, 1e-3)
	if s.auto.Margin() != 0.05 {
		t.Errorf("a margin of %g m, expected the set's own, 0.05 m", s.auto.Margin())
	}
	s.set.Margin = 0
	s.run(5, 1e-3)
}

// If one row flies off, every search is a full search, because candidates would not serve long.
func TestFlyer(t *testing.T) {
	s := newScene(t, 150)
	s.way[3] = vec.V(1e4, 0, 0)
	s.run(20, 1e-3)
	if s.auto.Kept != 0 || s.auto.Fresh != 20 {
		t.Errorf("%d searches with candidates, %d from nothing, expected 0 and 20", s.auto.Kept, s.auto.Fresh)
	}
}

// TestCandidatesAreKeptOnce checks that with a Margin of the set, the first search takes as much
// memory as that of the grid, within a hundredth. This is a regression test: the grid once stored
// its own candidates of the enlarged boxes, enlarged again.
func TestCandidatesAreKeptOnce(t *testing.T) {
	bytes := func(m broad.Method) uint64 {
		s := newScene(t, 4096)
		s.set.Margin, s.found = 0.1, broad.NewFinder(m)
		var found broad.Found
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := s.found.Find(&s.set, &found); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	grid, chosen := bytes(multilevel.New()), bytes(New())
	if 100*chosen > 101*grid {
		t.Errorf("%d bytes, expected %d as of the grid", chosen, grid)
	}
}
