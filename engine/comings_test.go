package engine

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// traffic adds and removes bodies and walls of a heap at random: in each of some turns, one goes and one comes, and
// the world makes a few steps.
type traffic struct {
	w      *World
	source *rand.PCG
	rng    *rand.Rand
	ids    []soa.ID
	shapes []soa.Shape
	wall   soa.ID // a wall of facets that comes and goes
	mesh   []Part
	turn   int
}

func newTraffic(t testing.TB, law force.Parameters, cfg Config) *traffic {
	r := &traffic{w: heapUnder(t, law, 0, cfg, 48), source: rand.NewPCG(4, 9)}
	r.rng = rand.New(r.source)
	for i := range r.w.bodies.Len() {
		if r.w.bodies.InvMass[i] > 0 {
			r.ids = append(r.ids, soa.ID(i))
		}
	}
	for _, s := range []*soa.Template{rock(t, 3, 12, 0.09), box(t, 0.12, 0.1, 0.15), ball(t, 0.05), rock(t, 4, 20, 0.13)} {
		r.shapes = append(r.shapes, addShape(t, r.w, s))
	}
	a, b, c, d := vec.V(-0.5, -0.5, 0), vec.V(0.5, -0.5, 0), vec.V(0.5, 0.5, 0.1), vec.V(-0.5, 0.5, 0.1)
	r.mesh = []Part{{Shape: addShape(t, r.w, facet(t, a, b, c))}, {Shape: addShape(t, r.w, facet(t, a, c, d))}}
	return r
}

// change lets one body go and one come. between, if not nil, is called before the steps of the turn.
func (r *traffic) change(t testing.TB) {
	t.Helper()
	k := r.rng.IntN(len(r.ids))
	if err := r.w.RemoveBody(r.ids[k]); err != nil {
		t.Fatal(err)
	}
	r.ids = append(r.ids[:k], r.ids[k+1:]...)
	parts := one(r.shapes[r.turn%len(r.shapes)], 2600)
	if r.turn%5 == 4 {
		parts = []Part{{Shape: r.shapes[1], Density: 2600, Local: at(0.06, 0, 0)}, {Shape: r.shapes[2], Density: 2600, Local: at(-0.06, 0, 0)}}
	}
	pose := at(0.25*float64(r.turn%4)-0.375, 0.25*float64(r.turn/4%4)-0.375, 0.8+0.3*float64(r.turn/16))
	if r.turn%3 == 1 { // among the others
		pose.Pos.Z, parts = 0.2, one(r.shapes[2], 2600)
	}
	id, err := r.w.AddBody(BodySpec{Parts: parts, Pose: pose, Vel: vec.V(0, 0, -1)})
	if err != nil {
		t.Fatal(err)
	}
	r.ids = append(r.ids, id)
	switch r.turn % 10 {
	case 3:
		r.wall, err = r.w.AddWall(WallSpec{Parts: r.mesh, Pose: at(0, 0, 0.3), Motion: Motion{Velocity: vec.V(0, 0, 0.1)}})
	case 8:
		err = r.w.RemoveBody(r.wall)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.turn++
}

var trafficLaws = map[string]force.Parameters{
	"gaps":     force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.5, ByRestitution: true, Restitution: 0.4},
	"overlaps": force.Thickness{Stiffness: 4e6, Tangential: 2e6, Friction: 0.5, Restitution: 0.4},
}

// TestComersAndGoers lets 40 bodies come and go in a heap. Every way to run it must give the same bits: workers, tiles,
// rows that close up at other times, other searches, tiles laid anew.
func TestComersAndGoers(t *testing.T) {
	for name, law := range trafficLaws {
		t.Run(name, func(t *testing.T) {
			var want []uint64
			for _, way := range []struct {
				name  string
				cfg   Config
				every func(r *traffic)
			}{
				{"one worker", Config{}, nil},
				{"three workers, small tiles", Config{Workers: 3, TilePairs: 17}, nil},
				{"search in every step", Config{}, func(r *traffic) { r.w.space.Internals().Search() }},
				{"rows closed at once", Config{TilePairs: 40}, func(r *traffic) { r.w.State() }},
				{"tiles laid anew", Config{}, func(r *traffic) { r.w.space.Internals().LayAnew() }},
				{"cells", Config{Search: "cells", Skin: 0.03}, nil},
				{"lists", Config{Search: "vl"}, nil},
				{"no horizon", Config{Horizon: 1e-9, Skin: 1e-3}, nil},
			} {
				r := newTraffic(t, law, way.cfg)
				steps(t, r.w, 800, heapStep)
				var got []uint64
				for range 40 {
					r.change(t)
					steps(t, r.w, 20, heapStep)
					if way.every != nil {
						way.every(r)
					}
					if _, _, err := r.w.space.Internals().Keys(); err != nil && way.name != "tiles laid anew" {
						t.Fatalf("%s, turn %d: %v", way.name, r.turn, err)
					}
					steps(t, r.w, 20, heapStep)
					got = append(got, r.w.Hash())
				}
				if want == nil {
					want = got
				}
				for i := range want {
					if got[i] != want[i] {
						t.Fatalf("%s: hash after turn %d is %016x, expected %016x", way.name, i, got[i], want[i])
					}
				}
				if n, active := r.w.Bodies().Count(), r.w.space.Counts().Active; n != 48+5 || active < 10000 {
					t.Errorf("%s: %d bodies with %d contacts in all steps, expected 48 and 5 walls in a heap", way.name, n, active)
				}
			}
		})
	}
}

func TestComersOnEveryBackend(t *testing.T) {
	hashes := map[string]string{}
	for name := range backends.Each(t) {
		for _, law := range []string{"gaps", "overlaps"} {
			r := newTraffic(t, trafficLaws[law], Config{Workers: 2})
			for range 12 {
				r.change(t)
				steps(t, r.w, 12, heapStep)
			}
			hashes[name] += fmt.Sprintf("%s %016x ", law, r.w.Hash())
		}
	}
	for name, h := range hashes {
		if h != hashes[cpu.Generic] {
			t.Errorf("%s: hashes %s, generic Go gives %s", name, h, hashes[cpu.Generic])
		}
	}
}

// TestEnergyOfComersIsBooked lets bodies come and go in a gas of rocks without losses. What the ledger does not explain
// must stay as small as in a run without comers.
func TestEnergyOfComersIsBooked(t *testing.T) {
	w, contact := boxOfRocks(t, 1)
	w.cfg.Gravity, w.gravity = down, down
	dt := contact / 100
	shape := addShape(t, w, rock(t, 77, 12, 0.5))
	var last soa.ID
	brought := 0.0
	for turn := range 30 {
		steps(t, w, 50, dt)
		before := w.Measure()
		switch turn % 3 {
		case 0:
			id, err := w.AddBody(BodySpec{Parts: one(shape, 1), Pose: at(0, 0, 1), Vel: vec.V(1, 2, 3)})
			if err != nil {
				t.Fatal(err)
			}
			last = id
		case 1:
			if err := w.RemoveBody(last); err != nil {
				t.Fatal(err)
			}
		case 2:
			if err := w.SetVelocity(w.bodies.ID[7], vec.V(0, 0, 5), vec.Vec3{}); err != nil {
				t.Fatal(err)
			}
		}
		after := w.Measure()
		booked := func(m Measure) float64 {
			if turn%3 == 2 {
				return m.Ledger.Changed
			}
			return m.Ledger.Inserted
		}
		total := func(m Measure) float64 { return m.Kinetic() + m.Potential + m.Ledger.Elastic + m.Ledger.Shear }
		got, want := booked(after)-booked(before), total(after)-total(before)
		if math.Abs(got-want) > 1e-9*total(after) || want == 0 {
			t.Errorf("turn %d: the ledger books %g J, expected %g", turn, got, want)
		}
		brought += want
	}
	m := w.Measure()
	if !(math.Abs(m.LeftOver) < 1e-3*m.Kinetic()) {
		t.Errorf("the ledger does not explain %g J of %g", m.LeftOver, m.Kinetic())
	}
}

// TestWallsAndBlocksMayComeLater drops rocks on a floor of facets. Their motion must be the same, bit for bit, if the floor
// comes while they fall, if a block larger than all others comes later, and if there were no blocks before the rocks.
func TestWallsAndBlocksMayComeLater(t *testing.T) {
	for name, law := range trafficLaws {
		for _, late := range []string{"floor", "larger block", "rocks"} {
			t.Run(name+"/"+late, func(t *testing.T) {
				var want []vec.Pose
				for _, wait := range []int{0, 300} {
					w := newWorld(t, Config{Gravity: down}, law)
					small, large := addShape(t, w, rock(t, 5, 16, 0.1)), addShape(t, w, box(t, 1, 1, 1))
					add := map[string]func(){
						"floor":        func() { floor(t, w, 1) },
						"larger block": func() { addBody(t, w, BodySpec{Parts: one(large, 2600), Pose: at(0, 0, 30)}) },
						"rocks": func() {
							for i := range 4 {
								addBody(t, w, BodySpec{Parts: one(small, 2600), Pose: at(0.3*float64(i)-0.4, 0.02*float64(i), 0.2)})
							}
						},
					}
					if late == "floor" { // the order of the ids is the order of sums
						add["rocks"]()
					} else {
						add["floor"]()
					}
					if late == "larger block" {
						add["rocks"]()
					}
					steps(t, w, wait, heapStep)
					add[late]()
					if late == "rocks" {
						wait = 0
					}
					steps(t, w, 1500-wait, heapStep)
					var got []vec.Pose
					for i := range w.bodies.Len() {
						if w.bodies.Radius[i] < 0.2 {
							got = append(got, w.bodies.Pose(soa.Body(i)))
						}
					}
					if n := w.space.Counts().Active; len(got) != 4 || n < 200 {
						t.Errorf("%d rocks with %d contacts in all steps, expected four that lie on a floor", len(got), n)
					}
					if want == nil {
						want = got
					}
					if !slices.Equal(got, want) {
						t.Errorf("later, the rocks come to %v, expected %v", got, want)
					}
				}
			})
		}
	}
}

// TestRowsOfGoersCloseUp lets many bodies pass through a world: neither rows nor memory grow.
func TestRowsOfGoersCloseUp(t *testing.T) { passBodies(t, 3000, 1) }

// TestSoakPassing lets 10⁵ bodies pass through a world in 10⁶ steps.
func TestSoakPassing(t *testing.T) {
	if !*soakPhysics {
		t.Skip("only with -soak.physics")
	}
	passBodies(t, 100000, 10)
}

func passBodies(t *testing.T, passing, each int) {
	w := newWorld(t, Config{Gravity: down}, force.Linear{Kn: 1e5})
	floor(t, w, 2)
	shapes := []soa.Shape{addShape(t, w, ball(t, 0.1)), addShape(t, w, rock(t, 1, 12, 0.1))}
	var ids []soa.ID
	most, before := 0, uint64(0)
	inUse := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for i := range passing {
		id, err := w.AddBody(BodySpec{Parts: one(shapes[i%2], 2600), Pose: at(0.25*float64(i%5), 0.25*float64(i/5%5), 0.2), Vel: vec.V(0, 0, -1)})
		if err != nil {
			t.Fatal(err)
		}
		if id != soa.ID(i+1) {
			t.Fatalf("body %d has id %d", i, id)
		}
		if ids = append(ids, id); len(ids) > 20 {
			if err := w.RemoveBody(ids[0]); err != nil {
				t.Fatal(err)
			}
			ids = ids[1:]
		}
		steps(t, w, each, heapStep)
		if most = max(most, w.bodies.Len(), w.space.Pieces.Len()); i == passing/5 {
			before = inUse()
		}
	}
	if most > 200 {
		t.Errorf("%d rows for 21 bodies, expected them to close up", most)
	}
	after := inUse()
	if t.Logf("%d bytes in use after a fifth of the run, %d at its end", before, after); after > before+before/4 {
		t.Errorf("%d bytes in use after a fifth of the run, %d at its end", before, after)
	}
	for _, id := range ids {
		if row, ok := w.bodies.Row(id); !ok || w.bodies.ID[row] != id {
			t.Errorf("body %d is in row %d", id, row)
		}
	}
	if err := w.RemoveBody(ids[0] - 1); !errors.Is(err, ErrBody) {
		t.Errorf("a body that has gone: error %v, expected ErrBody", err)
	}
}

// TestLargeNumbersHaveTwoWords checks hashes, states and restarts of pieces with numbers above 32 bits.
func TestLargeNumbersHaveTwoWords(t *testing.T) {
	build := func() *World {
		w := heap(t, Config{}, 16)
		for i := range w.space.Pieces.Number {
			w.space.Pieces.Number[i] += 1<<32 - 8
		}
		return w
	}
	w, again := build(), build()
	steps(t, w, 1200, heapStep)
	if err := again.Restore(w.State()); err != nil {
		t.Fatal(err)
	}
	if w.Measure().Active < 4 || w.Hash() != again.Hash() {
		t.Errorf("hash after a restart %016x, expected %016x", again.Hash(), w.Hash())
	}
	steps(t, w, 50, heapStep)
	steps(t, again, 50, heapStep)
	plain := heap(t, Config{}, 16)
	steps(t, plain, 1250, heapStep)
	if w.Hash() != again.Hash() || w.Hash() == plain.Hash() || w.bodies.Pos.At(7) != plain.bodies.Pos.At(7) {
		t.Errorf("hashes %016x and %016x, of small numbers %016x", w.Hash(), again.Hash(), plain.Hash())
	}
}

// TestTheLastWallMayGo removes the only wall of a world of like bodies that a method of search pairs: nothing of the list of
// pairs with walls at rest may remain.
func TestTheLastWallMayGo(t *testing.T) {
	for _, search := range Searches() {
		w := newWorld(t, Config{Search: search, Skin: 1e-3}, force.Linear{Kn: 1e5})
		marble := addShape(t, w, ball(t, 0.5))
		ground := floor(t, w, 5)
		for i := range 20 {
			addMoving(t, w, marble, at(0.9999*float64(i%5), 0.9999*float64(i/5), 0.4999), vec.V(0, 0, float64(i%2)), vec.Vec3{})
		}
		steps(t, w, 20, heapStep)
		if err := w.RemoveBody(soa.ID(ground)); err != nil {
			t.Fatal(err)
		}
		steps(t, w, 20, heapStep)
		if n := w.space.Counts().Active; n < 20 || w.Candidates() < 20 {
			t.Errorf("%s: %d contacts in all steps and %d pairs, expected those of the balls", search, n, w.Candidates())
		}
	}
}

// TestARefusedBodyChangesNothing refuses a clump and a wall of an offset block in a world of single pieces.
func TestARefusedBodyChangesNothing(t *testing.T) {
	for name, law := range trafficLaws {
		var want uint64
		for _, refuse := range []bool{false, true} {
			w := newWorld(t, Config{Gravity: down}, law)
			floor(t, w, 2)
			cube, grain := addShape(t, w, box(t, 0.2, 0.2, 0.2)), addShape(t, w, ball(t, 1e-5))
			addBody(t, w, BodySpec{Parts: one(cube, 2600), Pose: at(0.3, 0.2, 0.0995)})
			steps(t, w, 10, heapStep)
			if refuse {
				_, err := w.AddBody(BodySpec{Parts: []Part{{Shape: grain, Density: 1, Local: at(1e-5, 0, 0)}, {Shape: grain, Density: 1}}, Pose: at(0, 0, 5)})
				_, wallErr := w.AddWall(WallSpec{Parts: []Part{{Shape: cube, Local: at(1, 0, 0)}}, Motion: Motion{Velocity: vec.V(1e6, 0, 0)}})
				if !errors.Is(err, ErrTimeStep) || !errors.Is(wallErr, ErrTimeStep) {
					t.Fatalf("errors %v and %v, expected ErrTimeStep", err, wallErr)
				}
			}
			steps(t, w, 100, heapStep)
			if !refuse {
				want = w.Hash()
			} else if got := w.Hash(); got != want {
				t.Errorf("%s: hash %016x, expected %016x", name, got, want)
			}
		}
	}
}

// TestRowsCloseUpWithoutMotion lets bodies come and go in a world in which nothing moves, so that no pairs are searched for.
func TestRowsCloseUpWithoutMotion(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1e5})
	marble := addShape(t, w, ball(t, 0.1))
	addBody(t, w, BodySpec{Parts: one(marble, 2600)})
	steps(t, w, 2, heapStep)
	for range 1000 {
		id := addBody(t, w, BodySpec{Parts: one(marble, 2600), Pose: at(1, 1, 1)})
		if err := w.RemoveBody(soa.ID(id)); err != nil {
			t.Fatal(err)
		}
		steps(t, w, 1, heapStep)
	}
	if w.bodies.Len() > 200 {
		t.Errorf("%d rows for one body", w.bodies.Len())
	}
}

// gridOfCubes returns n cubes that lie in layers with overlaps of a thousandth, without gravity.
func gridOfCubes(t testing.TB, n int) (w *World, cube soa.Shape) {
	w = newWorld(t, Config{}, force.Linear{Kn: 1e5})
	cube = addShape(t, w, box(t, 1, 1, 1))
	side := int(math.Ceil(math.Cbrt(float64(n))))
	for i := range n {
		addBody(t, w, BodySpec{Parts: one(cube, 2600), Pose: at(0.999*float64(i%side), 0.999*float64(i/side%side), 1.01*float64(i/side/side))})
	}
	steps(t, w, 3, heapStep)
	return w, cube
}

// TestOneComerCostsNoSearch checks that one body that comes and one that goes change the pairs of their neighbours alone.
func TestOneComerCostsNoSearch(t *testing.T) {
	w, cube := gridOfCubes(t, 4000)
	before := w.space.Counts()
	for i := range 10 {
		if err := w.RemoveBody(soa.ID(37 * i)); err != nil {
			t.Fatal(err)
		}
		addBody(t, w, BodySpec{Parts: one(cube, 2600), Pose: at(float64(i), 3.3, 17.5)})
		steps(t, w, 3, heapStep)
	}
	after := w.space.Counts()
	if after.Rebuilds != before.Rebuilds || after.Updates < before.Updates+20 {
		t.Errorf("%d searches and %d updates, expected no search", after.Rebuilds-before.Rebuilds, after.Updates-before.Updates)
	}
	if w.Measure().Active < 5000 || w.Bodies().Count() != 4000 {
		t.Errorf("%d contacts, %d bodies", w.Measure().Active, w.Bodies().Count())
	}
}

// BenchmarkComings measures a step of 64 000 cubes, a step before which one body goes and one comes, and a step
// before which all pairs are searched for.
func BenchmarkComings(b *testing.B) {
	for _, what := range []string{"nothing", "comer", "velocity", "search"} {
		b.Run("change="+what, func(b *testing.B) {
			w, cube := gridOfCubes(b, 64000)
			for i := 0; b.Loop(); i++ {
				switch what {
				case "comer":
					if err := w.RemoveBody(soa.ID(37 * i)); err != nil {
						b.Fatal(err)
					}
					addBody(b, w, BodySpec{Parts: one(cube, 2600), Pose: at(float64(i%40), 3.3, 47.5+float64(i/40))})
				case "velocity":
					if err := w.SetVelocity(63999, vec.Vec3{}, vec.Vec3{}); err != nil {
						b.Fatal(err)
					}
				case "search":
					w.space.Internals().Search()
				}
				steps(b, w, 1, heapStep)
			}
		})
	}
}
