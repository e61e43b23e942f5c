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

// candidates returns the keys of all candidate pairs, in the order of their rows, which it checks.
func candidates(t *testing.T, w *World) []uint64 {
	t.Helper()
	keys, _, err := w.space.Internals().Keys()
	if err != nil {
		t.Fatal(err)
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
		whole.space.Internals().LayAnew() // so every search is one of all pairs
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
					candidates(t, w)
				}
			}
			if l := w.AnsweredBy(); l.Updates < 20 || l.Rebuilds < 2 {
				t.Errorf("%s, %d workers: %d updates, %d rebuilds", search, workers, l.Updates, l.Rebuilds)
			}
			if got := candidates(t, w); pairs == nil {
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
			if anew {
				w.space.Internals().LayAnew()
			}
			steps(t, w, 1, 1e-3)
		}
		if v := w.Bodies().Vel.Y[5]; !(math.Abs(v+10) < 0.1) {
			t.Errorf("the ball that was hit moves with %g m/s, expected -10 m/s", v)
		}
	}
}

// TestFacetsInheritFromAnyDistance moves a ball that sticks to one facet of a floor to another facet,
// far away: by SetPose, and by its own speed in one step. The friction spring must pass to the other
// facet whether or not the pair with the first one is still a candidate, in a rebuild and in an
// update.
func TestFacetsInheritFromAnyDistance(t *testing.T) {
	for _, law := range setLaws {
		for _, jumps := range []bool{true, false} {
			var want uint64
			for _, cfg := range []Config{{Skin: 10}, {Skin: 1e-4, Horizon: 1e-12}, {Skin: 1e-4, Horizon: 1e-12, Workers: 2}} {
				w := newWorld(t, cfg, law)
				gridFloor(4, 0.3, 2).wall(t, w, vec.IdentityPose, Motion{})
				marble := addShape(t, w, ball(t, 0.1))
				id := addMoving(t, w, marble, at(-0.75, -0.8, 0.099), vec.V(0.1, 0, 0), vec.Vec3{})
				for i := range 130 { // at rest, so that only the pairs of the first ball are updated
					addMoving(t, w, marble, at(float64(i), 50, 0), vec.Vec3{}, vec.Vec3{})
				}
				steps(t, w, 3, 2e-5)
				if jumps {
					pose := w.Pose(id)
					pose.Pos = pose.Pos.Add(vec.V(1.5, 1.6, 0))
					if err := w.SetPose(id, pose); err != nil {
						t.Fatal(err)
					}
				} else if err := w.SetVelocity(id, vec.V(7.5e4, 8e4, 0), vec.Vec3{}); err != nil {
					t.Fatal(err)
				}
				updates := w.AnsweredBy().Updates
				steps(t, w, 1, 2e-5)
				if n := w.AnsweredBy().Updates; cfg.Skin < 1 && !jumps && n == updates {
					t.Error("no update")
				}
				if w.Measure().Active != 1 {
					t.Fatal("the ball does not touch the floor")
				}
				if want == 0 {
					want = w.Hash()
				} else if w.Hash() != want {
					t.Errorf("%T, jumps %v, skin %g m: another hash", law, jumps, cfg.Skin)
				}
			}
		}
	}
}
