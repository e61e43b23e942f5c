package engine

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// billiards returns balls and boxes at rest side by side over a plane and a floor of facets; a few
// of them fly into the others.
func billiards(t testing.TB, cfg Config) *World {
	cfg.Skin = 0.02
	w := newWorld(t, cfg, force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.5, ByRestitution: true, Restitution: 0.6})
	floor(t, w, 2)
	addWall(t, w, WallSpec{Parts: one(addShape(t, w, PlaneTemplate()), 0), Pose: PlanePose(vec.Vec3{}, vec.V(1, 0.1, 0))})
	marble, cube := addShape(t, w, ball(t, 0.25)), addShape(t, w, box(t, 0.45, 0.45, 0.45))
	for i := range 640 {
		b := BodySpec{Parts: one(marble, 1000), Pose: at(0.4+0.52*float64(i%8), 0.52*float64(i/8%8), 0.3+0.52*float64(i/64))}
		if i%3 == 0 {
			b.Parts = one(cube, 1000)
		}
		if i%150 == 149 {
			b.Vel = vec.V(2, -1.3, 0.7)
		}
		addBody(t, w, b)
	}
	return w
}

// candidates returns the keys of all candidate pairs, in the order of their rows.
func candidates(w *World) (keys []uint64) {
	for t := range w.tiles.costs {
		lo, hi := w.tiles.bounds(t)
		for i := lo; i < hi; i++ {
			keys = append(keys, keyOf(w.pairs.A[i], w.pairs.B[i]))
		}
	}
	return keys
}

// TestUpdatesMakeTheSameBits checks that if few bodies move, only their pairs are updated. The run
// must have the same bits as with rebuilds, on any number of workers and with any search, and the
// same pairs with any search. The incidence lists must match the rows.
func TestUpdatesMakeTheSameBits(t *testing.T) {
	const n, dt = 600, 2e-4
	whole := billiards(t, Config{Workers: 1})
	want := make([]uint64, 0, n)
	for range n {
		whole.altered.ready = false // so every search is a rebuild
		steps(t, whole, 1, dt)
		want = append(want, whole.Hash())
	}
	var pairs []uint64
	for _, search := range []string{searchAuto, searchCells, searchGrid, "lc"} {
		for _, workers := range []int{1, 2} {
			w := billiards(t, Config{Workers: workers, Search: search, TilePairs: 100})
			for i := range n {
				before := w.AnsweredBy()
				steps(t, w, 1, dt)
				if w.Hash() != want[i] {
					t.Fatalf("%s, %d workers: hash of step %d is %016x, expected %016x", search, workers, i, w.Hash(), want[i])
				}
				if after := w.AnsweredBy(); after.Updates+after.Rebuilds > before.Updates+before.Rebuilds {
					checkRows(t, w)
				}
			}
			if l := w.AnsweredBy(); l.Updates < 20 || l.Rebuilds < 2 {
				t.Errorf("%s, %d workers: %d updates, %d rebuilds", search, workers, l.Updates, l.Rebuilds)
			}
			if got := candidates(w); pairs == nil {
				pairs = got
			} else if !slices.Equal(got, pairs) {
				t.Errorf("%s, %d workers: %d pairs, expected the %d of the first search", search, workers, len(got), len(pairs))
			}
			if w.Measure().Ledger != whole.Measure().Ledger {
				t.Errorf("%s, %d workers: ledger %+v, expected %+v", search, workers, w.Measure().Ledger, whole.Measure().Ledger)
			}
		}
	}
	if l := whole.AnsweredBy(); l.Updates > 0 || whole.Measure().Active == 0 {
		t.Errorf("%d updates, %d contacts in the run without updates", l.Updates, whole.Measure().Active)
	}
}

// checkRows checks that rows are sorted and described, and are in the incidence lists of their two
// bodies.
func checkRows(t *testing.T, w *World) {
	t.Helper()
	keys := candidates(w)
	if !slices.IsSorted(keys) || len(slices.Compact(keys)) != w.Candidates() {
		t.Fatalf("%d pairs, sorted %v, expected %d", len(keys), slices.IsSorted(keys), w.Candidates())
	}
	places := make([][]uint32, w.bodies.Len())
	for tile := range w.tiles.costs {
		lo, hi := w.tiles.bounds(tile)
		for i := lo; i < hi; i++ {
			var p tilePair
			if w.describe(i, &p); p != w.described[i] {
				t.Fatalf("row %d is described as %+v, expected %+v", i, w.described[i], p)
			}
			places[p.BodyA], places[p.BodyB] = append(places[p.BodyA], uint32(i)<<1), append(places[p.BodyB], uint32(i)<<1|1)
			if key := keyOf(w.pairs.A[i], w.pairs.B[i]); key < w.tiles.firstKey[tile] || key >= w.tiles.firstKey[tile+1] {
				t.Fatalf("row %d is not of tile %d", i, tile)
			}
		}
		for i := hi; i < w.tiles.first[tile+1]; i++ {
			if !w.pairs.Vacant(i) || w.contacts.Active[i] {
				t.Fatalf("row %d is not vacant", i)
			}
		}
	}
	for body, want := range places {
		if got := w.incidence.of(body); !slices.Equal(got, want) {
			t.Fatalf("body %d is in %v, expected %v", body, got, want)
		}
	}
}

// TestWarmUpdateAllocatesNothing checks that neither an update nor a rebuild with few changes
// allocates.
func TestWarmUpdateAllocatesNothing(t *testing.T) {
	w := billiards(t, Config{Workers: 1})
	steps(t, w, 100, 2e-4)
	before := w.AnsweredBy()
	if n := testing.AllocsPerRun(60, func() { steps(t, w, 1, 2e-4) }); n > 0 {
		t.Errorf("%g allocations a step", n)
	}
	if w.AnsweredBy().Updates == before.Updates {
		t.Error("no update")
	}
}

// TestUpdateWithoutPairs starts balls so far apart that there are no candidate pairs, and lets one of
// them hit another one. The update that finds the first pair must give the bits of a rebuild.
func TestUpdateWithoutPairs(t *testing.T) {
	for _, anew := range []bool{false, true} {
		w := newWorld(t, Config{}, force.Linear{Kn: 1e5})
		marble := addShape(t, w, ball(t, 0.1))
		for i := range 100 {
			addBody(t, w, BodySpec{Parts: one(marble, 1000), Pose: at(float64(i), 0, 0)})
		}
		addBody(t, w, BodySpec{Parts: one(marble, 1000), Pose: at(5, 1, 0), Vel: vec.V(0, -10, 0)})
		for range 200 {
			w.altered.ready = w.altered.ready && !anew
			steps(t, w, 1, 1e-3)
		}
		if v := w.Bodies().Vel.Y[5]; !(math.Abs(v+10) < 0.1) {
			t.Errorf("the ball that was hit moves with %g m/s, expected -10 m/s", v)
		}
	}
}
