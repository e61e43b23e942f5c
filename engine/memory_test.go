package engine

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/engine/contact"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/vec"
)

// rowOf adds a row of n cubes of side 1 m, apart m from each other.
func rowOf(t *testing.T, w *World, n int, apart float64) {
	t.Helper()
	cube := addShape(t, w, box(t, 1, 1, 1))
	for i := range n {
		addBody(t, w, BodySpec{Parts: one(cube, 1000), Pose: at(float64(i)*apart, 0, 0)})
	}
}

// TestPairsAreCounted checks that more candidate pairs than allowed are a fault at the start, from
// any source and before memory is allocated for contacts. The allowed number is no fault.
func TestPairsAreCounted(t *testing.T) {
	planes := func(t *testing.T, w *World) {
		rowOf(t, w, 10, 2)
		for range 4 {
			addWall(t, w, WallSpec{Parts: []Part{{Shape: addShape(t, w, PlaneTemplate())}}, Pose: PlanePose(vec.V(0, 0, -0.5), vec.V(0, 0, 1))})
		}
	}
	for _, c := range []struct {
		name  string
		cfg   Config
		reach float64
		build func(t *testing.T, w *World)
		pairs int
	}{
		{"skin", Config{Skin: 1e49}, 0, func(t *testing.T, w *World) { rowOf(t, w, 40, 2) }, 40 * 39 / 2},
		{"reach", Config{}, 1e4, func(t *testing.T, w *World) { rowOf(t, w, 40, 2) }, 40 * 39 / 2},
		{"at one place", Config{}, 0, func(t *testing.T, w *World) { rowOf(t, w, 40, 1e-9) }, 40 * 39 / 2},
		{"planes", Config{}, 0, planes, 40},
	} {
		for _, spare := range []int{0, -1} {
			c.cfg.MaxPairs = c.pairs + spare
			w := newWorld(t, c.cfg, force.Linear{Kn: 1e4, Interaction: c.reach})
			c.build(t, w)
			err := w.Fault()
			if spare == 0 {
				if err != nil || w.Candidates() != c.pairs {
					t.Errorf("%s: %d pairs of %d: error %v", c.name, w.Candidates(), c.pairs, err)
				}
				continue
			}
			if !errors.Is(err, ErrPairs) || !errors.Is(err, ErrFault) || w.Pairs().Len() != 0 || w.Contacts().Len() != 0 {
				t.Errorf("%s: %d pairs, %d contacts, error %v", c.name, w.Candidates(), w.Contacts().Len(), err)
			}
			if again := w.Step(1e-6); again != err {
				t.Errorf("%s: the step says %v, expected the same fault", c.name, again)
			}
		}
	}
}

// TestPairsAreCountedBySearches puts 12 000 cubes at one place, which are 7·10⁷ pairs, alone and as clumps
// of two, for which searches find pairs that the world drops. Each search must stop at the bound.
func TestPairsAreCountedBySearches(t *testing.T) {
	for _, search := range Searches() {
		for _, parts := range []int{1, 2} {
			w := newWorld(t, Config{Search: search, MaxPairs: 100_000}, force.Linear{Kn: 1e4})
			cube := addShape(t, w, box(t, 1, 1, 1))
			clump := []Part{{Shape: cube, Density: 1}, {Shape: cube, Density: 1, Local: at(0.5, 0, 0)}}[:parts]
			for range 12_000 / parts {
				addBody(t, w, BodySpec{Parts: clump})
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := w.Fault()
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, ErrPairs) || got > 128<<20 {
				t.Errorf("%s, clumps of %d: %.3g GB allocated, error %v", search, parts, 1e-9*float64(got), err)
			}
		}
	}
}

// TestPairsOfARun checks that too many candidate pairs during a run are a fault of the step that
// finds them.
func TestPairsOfARun(t *testing.T) {
	w := newWorld(t, Config{MaxPairs: 1}, force.Linear{Kn: 1e4})
	s := addShape(t, w, ball(t, 1))
	for i := range 3 {
		addBody(t, w, BodySpec{Parts: one(s, 1000), Pose: at(float64(10*i), 0, 0), Vel: vec.V(float64(-10*i), 0, 0)})
	}
	var err error
	for err == nil && w.Steps() < 2000 {
		err = w.Step(1e-3)
	}
	if !errors.Is(err, ErrPairs) || !strings.Contains(err.Error(), "3 pieces have more than 1 candidate pairs, expected as many as the world may have") ||
		w.Steps() < 10 || w.Steps() == 2000 {
		t.Errorf("after %d steps: %v", w.Steps(), err)
	}
}

// TestPairsFitTheMemory checks that a world without a bound may have as many pairs as fit into the
// machine's memory.
func TestPairsFitTheMemory(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1e4})
	rowOf(t, w, 2, 1)
	if err := w.Fault(); err != nil {
		t.Fatal(err)
	}
	if there := cpu.Memory(); there > 0 && (w.space.MaxPairs() <= 0 || uint64(w.space.MaxPairs()) > there/contact.PairMemory) || w.space.MaxPairs() > broad.MaxPairs {
		t.Errorf("%d pairs in %d bytes", w.space.MaxPairs(), there)
	}
	for _, n := range []int{-1, broad.MaxPairs + 1} {
		table, _ := force.NewTable(1, force.Linear{Kn: 1})
		if _, err := New(Config{Law: table, MaxPairs: n}); !errors.Is(err, ErrConfig) {
			t.Errorf("at most %d pairs: error %v", n, err)
		}
	}
}

// TestMemoryOfPairs compares contact.PairMemory with the memory of pairs once the rows of the previous
// tiles exist.
func TestMemoryOfPairs(t *testing.T) {
	held := func() float64 {
		var m runtime.MemStats
		for range 3 { // frees what pools and finalizers of earlier tests hold
			runtime.GC()
		}
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	w := newWorld(t, Config{}, force.Linear{Kn: 1e4})
	cube := addShape(t, w, box(t, 1, 1, 1))
	const n = 12
	for i := range n * n * n {
		addBody(t, w, BodySpec{Parts: one(cube, 1000), Pose: at(float64(i%n), float64(i/n%n), 1.01*float64(i/n/n))}) // a third of the pairs touch
	}
	before := held()
	if err := w.Fault(); err != nil {
		t.Fatal(err)
	}
	w.space.Internals().LayAnew()
	w.space.Internals().Search()
	got := (held() - before) / float64(w.space.Candidates())
	// This includes columns of broad and of workspaces, which do not grow with the number of pairs.
	if w.space.Candidates() < 15_000 || got < 0.8*contact.PairMemory || got > 1.3*contact.PairMemory {
		t.Errorf("each of %d pairs takes %.0f bytes, expected about %d", w.space.Candidates(), got, contact.PairMemory)
	}
	runtime.KeepAlive(w)
}
