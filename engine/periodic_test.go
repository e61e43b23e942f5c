package engine

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

var allPeriodic = [3]Side{Periodic, Periodic, Periodic}

// cubeLattice returns 4³ unit cubes in a periodic cell. They overlap by depth along x, and lie 0.01 m apart along y and z.
// All are displaced by a vector, and wrapped into the box if wrap is set.
func cubeLattice(t testing.TB, cfg Config, depth float64, by vec.Vec3, wrap bool) *World {
	t.Helper()
	size := vec.V(4*(1-depth), 4.04, 4.04)
	cfg.Domain = Domain{Box: vec.Box{Max: size}, Sides: allPeriodic}
	w := newWorld(t, cfg, force.Thickness{Stiffness: 1e6, Tangential: 8e5, Friction: 0.4, Restitution: 1})
	cube := addShape(t, w, box(t, 1, 1, 1))
	for k := range 64 {
		p := vec.V((float64(k%4)+0.5)*(1-depth), (float64(k/4%4)+0.5)*1.01, (float64(k/16)+0.5)*1.01).Add(by)
		if wrap {
			p = w.InBox(p)
		}
		addBody(t, w, BodySpec{Parts: one(cube, 1000), Pose: vec.Pose{Pos: p}})
	}
	return w
}

// TestPeriodicStress compresses cubes in a periodic cell: each contact carries k·δ on 1.01² m² (V45).
func TestPeriodicStress(t *testing.T) {
	for _, depth := range []float64{1e-4, 1e-3, 4e-3} {
		for _, by := range []vec.Vec3{{}, vec.V(0.7, 1.3, -0.4), vec.V(13.2, -40, 4.04)} {
			for _, wrap := range []bool{false, true} {
				w := cubeLattice(t, Config{}, depth, by, wrap)
				r, err := w.DomainRegion()
				if err != nil {
					t.Fatal(err)
				}
				s, err := w.Stress(r)
				if err != nil {
					t.Fatal(err)
				}
				want := -1e6 * depth / (1.01 * 1.01)
				if !(math.Abs(s.XX/want-1) < 1e-9) || !(math.Abs(s.YY)+math.Abs(s.ZZ)+math.Abs(s.XY) < 1e-9*-want) {
					t.Errorf("depth %g, displaced by %v: stress %+v, expected xx = %g", depth, by, s, want)
				}
				if active, _ := w.space.Deepest(); active != 64 {
					t.Errorf("%d contacts, expected 64", active)
				}
				steps(t, w, 20, 1e-4)
				for k, v := range w.bodies.Vel.X {
					if !(math.Abs(v) < 1e-9) {
						t.Fatalf("cube %d moves at %g m/s", k, v)
					}
				}
			}
		}
	}
}

// hullCell returns n elastic rocks with random velocities in a periodic cell, displaced by a vector.
func hullCell(t testing.TB, cfg Config, n int, side float64, law force.Parameters, by vec.Vec3) *World {
	t.Helper()
	cfg.Domain = Domain{Box: vec.Box{Max: vec.V(side, side, side)}, Sides: allPeriodic}
	w := newWorld(t, cfg, law)
	var shapes []soa.Shape
	for k := range 4 {
		shapes = append(shapes, addShape(t, w, rock(t, uint64(k), 12, 0.1)))
	}
	r := geometry.NewRand(5)
	m := int(math.Ceil(math.Cbrt(float64(n))))
	for k := range n {
		p := vec.V(float64(k%m)+0.5, float64(k/m%m)+0.5, float64(k/m/m)+0.5).Scale(side / float64(m))
		v := vec.V(r.Range(-1, 1), r.Range(-1, 1), r.Range(-1, 1))
		addBody(t, w, BodySpec{Parts: one(shapes[k%4], 2500), Pose: vec.Pose{Pos: p.Add(by), Rot: r.Rotation()}, Vel: v, Spin: v.Scale(3)})
	}
	return w
}

func momentum(w *World) (p vec.Vec3) {
	for i, m := range w.bodies.Mass {
		p = p.AddScaled(m, w.bodies.Vel.At(i))
	}
	return p
}

// TestPeriodicHulls keeps the momentum and the energy of elastic rocks in a periodic cell.
func TestPeriodicHulls(t *testing.T) {
	w := hullCell(t, Config{}, 64, 0.75, force.Thickness{Stiffness: 1e6, Restitution: 1}, vec.Vec3{})
	p, e := momentum(w), w.Measure()
	n, dt := 8000, 4e-5 // a hundredth of the contact time
	if *soakPhysics {
		n = 100_000
	}
	steps(t, w, n, dt)
	m := w.Measure()
	speed := 0.0
	for i, mass := range w.bodies.Mass {
		speed += mass * w.bodies.Vel.At(i).Norm()
	}
	if d := momentum(w).Sub(p).Norm(); !(d < 1e-12*speed) {
		t.Errorf("momentum changes by %g of %g", d, speed)
	}
	if !(math.Abs(m.LeftOver) < 1e-4*e.Kinetic()) {
		t.Errorf("left over %g of %g J", m.LeftOver, e.Kinetic())
	}
	passed := 0
	for i := range w.bodies.Len() {
		if w.space.Turn(i) != [3]int32{} {
			passed++
		}
	}
	if t.Logf("%d bodies have passed a side, left over %.2g of the energy", passed, m.LeftOver/e.Kinetic()); passed < 10 {
		t.Errorf("%d bodies have passed a side, expected many", passed)
	}
}

func TestPeriodicSameBits(t *testing.T) {
	const n, dt = 400, 5e-5
	build := func(cfg Config) *World {
		w := hullCell(t, cfg, 64, 0.75, force.Thickness{Stiffness: 1e6, Tangential: 8e5, Friction: 0.4, Restitution: 0.5}, vec.V(0.3, -2, 5))
		err := errors.Join(w.SetCellRate([3]*TimeTable[float64]{Constant(-1.0), nil, {Times: []float64{0, 0.02}, Values: []float64{0, -2}}}),
			w.SetCellServo(&CellServo{Stress: [3]*TimeTable[float64]{nil, Constant(2e3), nil}, MaxRate: 2}))
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	w := build(Config{})
	states := map[int][]Column{}
	for i := range n {
		if i%79 == 0 || i == 1 {
			states[i] = w.State()
		}
		steps(t, w, 1, dt)
	}
	m := w.Measure()
	want := fmt.Sprintf("%016x %v", w.Hash(), m)
	if scale := m.Ledger.Damping + m.Ledger.Friction; !(math.Abs(m.LeftOver) < 2e-3*scale) {
		t.Errorf("left over %g J of %g J", m.LeftOver, scale)
	}
	other := build(Config{Workers: 3, TilePairs: 8})
	steps(t, other, n, dt)
	if got := fmt.Sprintf("%016x %v", other.Hash(), other.Measure()); got != want {
		t.Errorf("three workers and small tiles: %s\nexpected %s", got, want)
	}
	for name := range backends.Each(t) {
		other := build(Config{})
		if steps(t, other, n, dt); other.Hash() != w.Hash() {
			t.Errorf("%v: hash %016x, expected %016x", name, other.Hash(), w.Hash())
		}
	}
	for i, state := range states {
		other := build(Config{Workers: 1 + i%2})
		if err := other.Restore(state); err != nil {
			t.Fatal(err)
		}
		if steps(t, other, n-i, dt); other.Hash() != w.Hash() {
			t.Errorf("from step %d: hash %016x, expected %016x", i, other.Hash(), w.Hash())
		}
		a, b := other.Measure(), m
		if a.Contacts, b.Contacts = 0, 0; a != b {
			t.Errorf("from step %d: %+v, expected %+v", i, a, b)
		}
	}
}

// TestPassesAtARestart: a body passes a side in the first step after a restart, beside a wall.
func TestPassesAtARestart(t *testing.T) {
	build := func() *World {
		w := newWorld(t, Config{Domain: Domain{Box: vec.Box{Max: vec.V(1, 1, 1)}, Sides: [3]Side{Periodic}}}, force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: 0.4, Restitution: 0.5})
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.2, 0.2, 0.2)), 1000), Pose: at(0.9, 0.5, 0.0999), Vel: vec.V(1, 0, 0)})
		a, b, c, d := vec.V(-1, 0, 0), vec.V(2, 0, 0), vec.V(2, 1, 0), vec.V(-1, 1, 0)
		addWall(t, w, WallSpec{Parts: []Part{{Shape: addShape(t, w, facet(t, a, b, c))}, {Shape: addShape(t, w, facet(t, a, c, d))}}})
		return w
	}
	w := build()
	for w.space.Turn(0)[0] == 0 {
		other, state := build(), w.State()
		if err := other.Restore(state); err != nil {
			t.Fatal(err)
		}
		steps(t, w, 1, 1e-3)
		if steps(t, other, 1, 1e-3); other.Hash() != w.Hash() {
			t.Fatalf("step %d: hash %016x, expected %016x", w.Steps(), other.Hash(), w.Hash())
		}
	}
}

// TestRemovalsInACell removes bodies from a dense cell. No bit depends on tiles, workers, skins or
// restarts.
func TestRemovalsInACell(t *testing.T) {
	run := func(cfg Config) *World {
		return hullCell(t, cfg, 125, 0.8, force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: 0.4, Restitution: 0.3}, vec.V(0.7, 0, 0))
	}
	drive := func(w *World, from, to int, state *[]Column) {
		for i := from; i < to; i++ {
			if i == 90 && state != nil {
				*state = w.State()
			}
			if i%9 == 4 {
				if err := w.RemoveBody(soa.ID(i % 120)); err != nil {
					t.Fatal(err)
				}
			}
			steps(t, w, 1, 1e-4)
		}
	}
	var state []Column
	w := run(Config{})
	drive(w, 0, 180, &state)
	for _, cfg := range []Config{{TilePairs: 7}, {Workers: 3, TilePairs: 20}, {Workers: 2}, {Skin: 1e-9, Horizon: 1e-12}} {
		other := run(cfg)
		if drive(other, 0, 180, nil); other.Hash() != w.Hash() {
			t.Errorf("%d workers, tiles of %d: hash %016x, expected %016x", cfg.Workers, cfg.TilePairs, other.Hash(), w.Hash())
		}
	}
	other := run(Config{Workers: 2})
	if err := other.Restore(state); err != nil {
		t.Fatal(err)
	}
	if drive(other, 90, 180, nil); other.Hash() != w.Hash() {
		t.Errorf("restarted: hash %016x, expected %016x", other.Hash(), w.Hash())
	}
}

// TestWallBehindASide: a ball that passes a side touches at once a wall that stands behind it.
func TestWallBehindASide(t *testing.T) {
	for _, mesh := range []bool{true, false} {
		w := newWorld(t, Config{Domain: Domain{Box: vec.Box{Max: vec.V(1, 1, 1)}, Sides: [3]Side{Periodic}}}, force.Thickness{Stiffness: 1e5, Restitution: 1})
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, 0.05)), 1000), Pose: at(0.9, 0.5, 0.5), Vel: vec.V(5, 0, 0)})
		if mesh {
			a, b, c, d := vec.V(0.0501, 0, 0), vec.V(0.0501, 0, 1), vec.V(0.0501, 1, 1), vec.V(0.0501, 1, 0)
			addWall(t, w, WallSpec{Parts: []Part{{Shape: addShape(t, w, facet(t, a, b, c))}, {Shape: addShape(t, w, facet(t, a, c, d))}}})
		} else {
			addWall(t, w, WallSpec{Parts: one(addShape(t, w, box(t, 0.2, 1, 1)), 1), Pose: at(0.1501, 0.5, 0.5)})
		}
		e := w.Measure().Kinetic()
		for w.Measure().Active == 0 && w.Steps() < 500 {
			steps(t, w, 1, 2e-4)
		}
		if x := w.InBox(w.bodies.Pos.At(0)).X; !(x < 0.0501-0.05+0.002) {
			t.Errorf("mesh %v: the ball is at %g m when it touches the wall, expected a step behind 0.0001 m", mesh, x)
		}
		steps(t, w, 100, 2e-4)
		if m := w.Measure(); !(math.Abs(m.Kinetic()/e-1) < 0.02) || w.bodies.Vel.X[0] > 0 {
			t.Errorf("mesh %v: the ball rebounds with %g J of %g J at %g m/s", mesh, m.Kinetic(), e, w.bodies.Vel.X[0])
		}
	}
}
