package engine

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// pressed returns n unit cubes in a column between a floor and a plate, both of the kind that kind names. The
// plate lies gap above the cubes.
func pressed(t testing.TB, kind string, n int, gap float64, law force.Parameters) (w *World, plate soa.ID) {
	t.Helper()
	w = newWorld(t, Config{}, law)
	wall := func(z float64, up bool) soa.ID {
		pose := at(0, 0, z)
		if !up {
			pose.Rot = vec.FromRotationVector(vec.V(math.Pi, 0, 0))
		}
		switch kind {
		case "plane":
			return soa.ID(planeWall(t, w, PlanePose(pose.Pos, pose.Rot.Rotate(vec.V(0, 0, 1))), Motion{}))
		case "block":
			return soa.ID(addWall(t, w, WallSpec{Parts: one(addShape(t, w, box(t, 2, 2, 1)), 1), Pose: vec.Pose{Pos: pose.Point(vec.V(0, 0, -0.5)), Rot: pose.Rot}}))
		}
		a, b, c, d := vec.V(-1, -1, 0), vec.V(1, -1, 0), vec.V(1, 1, 0), vec.V(-1, 1, 0)
		return soa.ID(addWall(t, w, WallSpec{Pose: pose, Parts: []Part{{Shape: addShape(t, w, facet(t, a, b, c))}, {Shape: addShape(t, w, facet(t, a, c, d))}}}))
	}
	wall(0, true)
	cube := addShape(t, w, box(t, 1, 1, 1))
	for i := range n {
		addBody(t, w, BodySpec{Parts: one(cube, 10), Pose: at(0, 0, 0.5+float64(i))})
	}
	return w, wall(float64(n)+gap, false)
}

// TestServoColumn presses columns of N cubes. N + 1 equal contacts in a row have a stiffness of k/(N+1).
func TestServoColumn(t *testing.T) {
	const k = 1e6
	for _, kind := range []string{"plane", "facets", "block"} {
		for _, n := range []int{1, 3} {
			w, plate := pressed(t, kind, n, 0, force.Thickness{Stiffness: k, Restitution: 0.2})
			var place [2]float64
			for i, f := range []float64{1000, 3000} {
				if err := w.SetServo(plate, &Servo{Axis: vec.V(0, 0, -1), Force: Constant(f), MaxSpeed: 1}); err != nil {
					t.Fatal(err)
				}
				steps(t, w, 4000*(n+1), 2e-4)
				is, _ := w.Following(plate)
				if miss := math.Abs(is.Measured/f - 1); !(miss < 1e-10) {
					t.Errorf("%s, %d cubes: the plate is pressed with %g N, expected %g", kind, n, is.Measured, f)
				}
				place[i] = is.Position
			}
			if got, want := 2000/(place[1]-place[0]), k/float64(n+1); !(math.Abs(got/want-1) < 1e-9) {
				t.Errorf("%s: the stiffness of %d cubes is %.12g N/m, expected %.12g", kind, n, got, want)
			}
			if m := w.Measure(); !(math.Abs(m.LeftOver) < 1e-3*m.Ledger.Walls) {
				t.Errorf("%s: left over %g J of %g J", kind, m.LeftOver, m.Ledger.Walls)
			}
		}
	}
}

// TestServoError checks how the force approaches its target at a held cube: without dashpots the miss falls by
// 1 − gain in every step, and with dashpots it does not swing.
func TestServoError(t *testing.T) {
	const target, dt = 500.0, 1e-4
	for _, gain := range []float64{0.3, 0.5, 0.9} {
		for _, e := range []float64{1, 0.5, 0.2} {
			w, plate := pressed(t, "plane", 1, -1e-6, force.Thickness{Stiffness: 1e6, Restitution: e})
			if err := errors.Join(w.SetFixed(1, FixAll, nil, nil), w.SetServo(plate, &Servo{Axis: vec.V(0, 0, -1), Force: Constant(target), Gain: gain, MaxSpeed: 5})); err != nil {
				t.Fatal(err)
			}
			miss, counted := math.Inf(1), 0
			for step := range 200 {
				steps(t, w, 1, dt)
				is, _ := w.Following(plate)
				now := (target - is.Measured) / target
				if e == 1 && miss < 2 && miss > 1e-6 {
					counted++
					if !(math.Abs(now/miss-(1-gain)) < 1e-9/miss) {
						t.Errorf("gain %g, step %d: the miss falls from %g to %g, expected by %g", gain, step, miss, now, 1-gain)
					}
				}
				miss = now
			}
			if !(math.Abs(miss) < 1e-6) || e == 1 && counted < 3 {
				t.Errorf("gain %g, e %g: misses the target by %g after 200 steps, %d steps counted", gain, e, miss, counted)
			}
		}
	}
}

// TestServoStress presses cubes with a stress on the area of facets, between planes, and as it is given.
func TestServoStress(t *testing.T) {
	law := force.Thickness{Stiffness: 1e7, Restitution: 0.2}
	press := func(w *World, plate soa.ID, s Servo, want float64) {
		t.Helper()
		s.Axis, s.Stress, s.MaxSpeed = vec.V(0, 0, -1), Constant(1000.0), 0.5
		if err := w.SetServo(plate, &s); err != nil {
			t.Fatal(err)
		}
		steps(t, w, 3000, 1e-4)
		if is, _ := w.Following(plate); !(math.Abs(is.Measured/want-1) < 1e-6) {
			t.Errorf("%+v: %g N, expected %g", s, is.Measured, want)
		}
	}
	w, plate := pressed(t, "facets", 1, 0, law)
	press(w, plate, Servo{}, 4000)
	w, plate = pressed(t, "block", 1, 0, law)
	press(w, plate, Servo{}, 4000)
	w, plate = pressed(t, "plane", 1, 0, law)
	press(w, plate, Servo{Area: 2}, 2000)
	w, plate = pressed(t, "plane", 1, 0, law)
	if err := w.SetServo(plate, &Servo{Axis: vec.V(0, 0, -1), Stress: Constant(1.0), MaxSpeed: 1}); err == nil {
		t.Error("a plane with a stress and no area was accepted")
	}
	for _, kind := range []string{"plane", "facets"} { // a wall that turns its back to the bodies
		w, plate := pressed(t, kind, 1, 0, law)
		if err := w.SetServo(plate, &Servo{Axis: vec.V(0, 0, 1), Force: Constant(1.0), MaxSpeed: 1}); err == nil {
			t.Errorf("%s: a servo away from the bodies was accepted", kind)
		}
	}
	var sides []soa.ID
	for _, n := range []vec.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		sides = append(sides, soa.ID(planeWall(t, w, PlanePose(n.Scale(-1.5), n), Motion{})))
	}
	press(w, plate, Servo{Between: sides}, 9000)
	if err := w.SetWallPose(sides[1], PlanePose(vec.V(2.5, 0, 0), vec.V(-1, 0, 0))); err != nil {
		t.Fatal(err)
	}
	press(w, plate, Servo{Between: sides}, 12000)
}

// TestPiston is V44: a piston on a held cube swings as a mass on a spring.
func TestPiston(t *testing.T) {
	const mass, k, f = 100.0, 1e6, 1000.0
	want := 2 * math.Pi * math.Sqrt(mass/k)
	w, plate := pressed(t, "plane", 1, 0, force.Thickness{Stiffness: k, Restitution: 1})
	load := WallLoad{Axis: vec.V(0, 0, -1), Mass: mass, Force: Constant(f)}
	if err := errors.Join(w.SetFixed(1, FixAll, nil, nil), w.SetWallLoad(plate, &load)); err != nil {
		t.Fatal(err)
	}
	dt := want / 500
	is, _ := w.Following(plate)
	start, last, lastSpeed, turns := is.Position, 0.0, 0.0, 0.0
	var times []float64
	for range 5100 {
		steps(t, w, 1, dt)
		is, _ := w.Following(plate)
		if lastSpeed > 0 && is.Speed <= 0 { // the deepest point
			times = append(times, w.Time()-float64(dt*is.Speed/(is.Speed-lastSpeed)))
			turns++
		}
		last, lastSpeed = max(last, is.Position-start), is.Speed
	}
	if period := (times[len(times)-1] - times[0]) / (turns - 1); !(math.Abs(period/want-1) < 1e-4) || !(math.Abs(want/0.0628319-1) < 1e-6) {
		t.Errorf("the period is %g s, expected %g", period, want)
	}
	if want := 2 * f / k; !(math.Abs(last/want-1) < 1e-4) {
		t.Errorf("the piston goes down by %g m, expected %g", last, want)
	}
	if m := w.Measure(); !(math.Abs(m.LeftOver) < 1e-4*f*last) {
		t.Errorf("left over %g J of %g J", m.LeftOver, f*last)
	}
	// With a dashpot to the ground it comes to rest at F/k.
	load.Damping = 2000
	if err := w.SetWallLoad(plate, &load); err != nil {
		t.Fatal(err)
	}
	steps(t, w, 20000, dt)
	is, _ = w.Following(plate)
	if got, want := is.Position-start, f/k; !(math.Abs(got/want-1) < 1e-9) {
		t.Errorf("the piston rests %g m deep, expected %g", got, want)
	}
	if m := w.Measure(); !(math.Abs(m.LeftOver) < 1e-3*f*last) {
		t.Errorf("left over %g J of %g J with a dashpot", m.LeftOver, f*last)
	}
}

// experiment returns a world in which everything that follows a course moves: rocks in a box of planes, of which
// one shakes by a table, one is a servo, one a piston with a motion across its axis, and held, loaded and damped bodies.
func experiment(t testing.TB, cfg Config) *World {
	cfg.Gravity = down
	w := newWorld(t, cfg, force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: 0.4, Restitution: 0.4})
	table := func(v ...vec.Vec3) *TimeTable[vec.Vec3] {
		b := &TimeTable[vec.Vec3]{Values: v}
		for i := range v {
			b.Times = append(b.Times, 0.03*float64(i))
		}
		return b
	}
	repeated := table(vec.V(0.1, 0, 0), vec.V(-0.1, 0.05, 0), vec.V(0.1, 0, 0))
	repeated.Period = 0.06
	var walls []soa.ID
	for i, n := range []vec.Vec3{{Z: 1}, {X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: -1}} {
		m := Motion{}
		if i == 0 {
			m.VelocityTable = repeated
		}
		if i == 5 {
			m.Velocity = vec.V(0.05, 0, 0.02)
		}
		walls = append(walls, soa.ID(planeWall(t, w, PlanePose(n.Scale(-0.4), n), m)))
	}
	shapes := []soa.Shape{addShape(t, w, rock(t, 3, 12, 0.1)), addShape(t, w, box(t, 0.12, 0.14, 0.16)), addShape(t, w, ball(t, 0.08))}
	var ids []soa.ID
	for i := range 36 {
		ids = append(ids, soa.ID(addBody(t, w, BodySpec{Parts: one(shapes[i%3], 2000), Pose: at(0.22*float64(i%3)-0.22, 0.22*float64(i/3%3)-0.22, 0.2*float64(i/9)-0.28), Vel: vec.V(0, 0.1, -0.5)})))
	}
	err := errors.Join(
		w.SetServo(walls[2], &Servo{Axis: vec.V(-1, 0, 0), Stress: Constant(200.0), Between: []soa.ID{walls[3], walls[4], walls[0], walls[5]}, MaxSpeed: 0.5, From: 0.01}),
		w.SetWallLoad(walls[5], &WallLoad{Axis: vec.V(0, 0, -1), Mass: 40, Force: &TimeTable[float64]{Times: []float64{0, 0.1}, Values: []float64{100, 400}}, Damping: 10}),
		w.SetFixed(ids[0], FixX|FixRY, table(vec.V(0.1, 0, 0), vec.V(-0.1, 0, 0)), nil),
		w.SetFixed(ids[4], FixRX|FixRY|FixRZ, nil, table(vec.V(0, 1, 0), vec.V(3, 1, 0))),
		w.SetFixed(ids[13], FixAll, nil, nil),
		w.SetLoadTable(ids[7], table(vec.V(0, 0, 10), vec.V(5, 0, 0)), table(vec.V(0.1, 0, 0), vec.V(0, 0.2, 0))),
		w.SetLoad(ids[8], vec.V(1, 2, 3), vec.Vec3{}),
		w.SetLocalDamping(ids[9], 0.5), w.SetLocalDamping(ids[13], 0.3),
		w.SetGravity(table(down, vec.V(2, 0, -9.5), vec.V(0, 3, -9))),
	)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestSteeredWallTurns: a servo moves a wall along its axis, whatever turns the wall about a centre far away.
func TestSteeredWallTurns(t *testing.T) {
	w, plate := pressed(t, "block", 1, 0, force.Thickness{Stiffness: 1e7, Restitution: 0.2})
	if err := w.SetWallMotion(plate, Motion{Centre: vec.V(0, 3, -5), Spin: vec.V(0.2, 0, 0)}); err != nil {
		t.Fatal(err)
	}
	if err := w.SetServo(plate, &Servo{Axis: vec.V(0, 0, -1), Force: Constant(1000.0), MaxSpeed: 0.5}); err != nil {
		t.Fatal(err)
	}
	const dt = 1e-4
	row, _ := w.Bodies().Row(plate)
	height := w.Bodies().Pos.At(int(row)).Z
	for range 2000 {
		steps(t, w, 1, dt)
		if is, _ := w.Following(plate); !(math.Abs(is.Speed) <= 0.5) {
			t.Fatalf("the servo moves at %g m/s", is.Speed)
		}
		speed := w.Bodies().Vel.At(int(row)).Z
		if next := w.Bodies().Pos.At(int(row)).Z; !(math.Abs(next-height) <= 0.5*dt*(1+1e-9)) {
			t.Fatalf("the plate moves by %g m in a step of %g s, at %g m/s", next-height, dt, speed)
		} else {
			height = next
		}
	}
	if m := w.Measure(); !(math.Abs(m.LeftOver) < 1e-3*(m.Ledger.Damping+m.Ledger.Friction+math.Abs(m.Ledger.Walls))) {
		t.Errorf("left over %g J: %+v", m.LeftOver, m.Ledger)
	}
}

// TestExperimentSameBits runs an experiment on one and three workers, in other tiles, on each backend, and from a state of
// several of its steps.
func TestExperimentSameBits(t *testing.T) {
	const n, dt = 700, 2e-4
	w := experiment(t, Config{})
	states := map[int][]Column{}
	for i := range n {
		if i%139 == 0 || i == 1 {
			states[i] = w.State()
		}
		steps(t, w, 1, dt)
	}
	m := w.Measure()
	if scale := m.Ledger.Damping + m.Ledger.Friction; !(math.Abs(m.LeftOver) < 2e-3*scale) {
		t.Errorf("left over %g J of %g J", m.LeftOver, scale)
	}
	want := fmt.Sprintf("%016x %v", w.Hash(), m)
	other := experiment(t, Config{Workers: 3, TilePairs: 8})
	steps(t, other, n, dt)
	if got := fmt.Sprintf("%016x %v", other.Hash(), other.Measure()); got != want {
		t.Errorf("three workers and small tiles: %s\nexpected %s", got, want)
	}
	for name := range backends.Each(t) {
		other := experiment(t, Config{})
		if steps(t, other, n, dt); other.Hash() != w.Hash() {
			t.Errorf("%v: hash %016x, expected %016x", name, other.Hash(), w.Hash())
		}
	}
	for i, state := range states {
		other := experiment(t, Config{Workers: 1 + i%2})
		if err := other.Restore(state); err != nil {
			t.Fatal(err)
		}
		if steps(t, other, n-i, dt); other.Hash() != w.Hash() {
			t.Errorf("from step %d: hash %016x, expected %016x", i, other.Hash(), w.Hash())
		}
		// Numbers of candidates differ after a restart, until the next search.
		a, b := other.Measure(), m
		if a.Contacts, b.Contacts = 0, 0; a != b {
			t.Errorf("from step %d: %+v, expected %+v", i, a, b)
		}
	}
}
