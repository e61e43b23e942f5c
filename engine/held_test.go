package engine

import (
	"errors"
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestTimeTable checks values and integrals of a table against sums over small steps.
func TestTimeTable(t *testing.T) {
	for _, b := range []TimeTable[float64]{
		{}, *Constant(3.0),
		{Times: []float64{0.5, 1, 3}, Values: []float64{1, 4, -2}},
		{Times: []float64{0, 1, 1.5}, Values: []float64{1, 4, -2}, Period: 2},
		{Times: []float64{0.2, 1}, Values: []float64{1, 4}, Period: 1.1, Start: 0.7},
	} {
		const n, h = 8000, 1e-3
		sum := 0.0
		for i := range n {
			sum += h * b.At(b.Start+h*(float64(i)+0.5))
			if got := b.Integral(b.Start + h*float64(i+1)); !(math.Abs(got-sum) < 5e-3) {
				t.Fatalf("%+v: the integral to %g is %g, expected %g", b, h*float64(i+1), got, sum)
			}
		}
		if err := b.Check(); err != nil {
			t.Error(err)
		}
	}
	b := TimeTable[float64]{Times: []float64{0, 1}, Values: []float64{1, 4}, Period: 2}
	for at, want := range map[float64]float64{-0.5: 4, 0: 1, 0.5: 2.5, 1.5: 4, 2: 1, 2.25: 1.75, 100.5: 2.5} {
		if got := b.At(at); !(math.Abs(got-want) < 1e-12) {
			t.Errorf("the value at %g is %g, expected %g", at, got, want)
		}
	}
	for _, b := range []TimeTable[float64]{
		{Times: []float64{1, 1}, Values: []float64{1, 2}}, {Times: []float64{1}}, {Times: []float64{3}, Values: []float64{1}, Period: 2},
		{Times: []float64{1}, Values: []float64{math.NaN()}}, {Period: -1}, {Start: math.Inf(1)},
	} {
		if b.Check() == nil {
			t.Errorf("%+v was accepted", b)
		}
	}
}

// TestDraggedBlock drags a block over a floor at a fixed speed. The constraint must pull with the friction, and
// its work must be what friction loses.
func TestDraggedBlock(t *testing.T) {
	const mu, speed, dt = 0.3, 0.5, 1e-4
	w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: 1e6, Tangential: 8e5, Friction: mu, Restitution: 0.3})
	addFloor(t, w)
	id := addMoving(t, w, addShape(t, w, box(t, 1, 1, 0.5)), at(0, 0, 0.25), vec.V(speed, 0, 0), vec.Vec3{})
	if err := w.SetFixed(id, FixX, nil, nil); err != nil {
		t.Fatal(err)
	}
	steps(t, w, 5000, dt)
	weight := w.Bodies().Mass[id] * 9.81
	if f, _ := w.Reaction(id); !(math.Abs(f.X/(mu*weight)-1) < 1e-3) || f.Y != 0 || f.Z != 0 {
		t.Errorf("the constraint pulls with %v N, expected %g along x", f, mu*weight)
	}
	if v := w.Bodies().Vel.At(int(id)); v.X != speed {
		t.Errorf("the block moves at %v, expected %g along x", v, speed)
	}
	m := w.Measure()
	if way := speed * w.Time(); !(math.Abs(m.Ledger.Applied/(mu*weight*way)-1) < 0.02) || !(math.Abs(m.LeftOver) < 1e-4*m.Ledger.Applied) {
		t.Errorf("the constraint did %g J, expected %g; left over %g J", m.Ledger.Applied, mu*weight*way, m.LeftOver)
	}
}

// TestHeldRotation turns a box with some components of its spin fixed. A door swings as I·φ” = M. A box whose
// spin about x is fixed at 0 keeps its energy, for the constraint does no work.
func TestHeldRotation(t *testing.T) {
	const dt = 1e-3
	w := newWorld(t, Config{}, loadLaw)
	shape := addShape(t, w, box(t, 3, 2, 1))
	door := addMoving(t, w, shape, at(0, 0, 0), vec.Vec3{}, vec.Vec3{})
	free := addMoving(t, w, shape, vec.Pose{Pos: vec.V(10, 0, 0), Rot: vec.FromRotationVector(vec.V(0.3, 0.7, 0.2))}, vec.Vec3{}, vec.V(0, 2, 1))
	driven := addMoving(t, w, shape, vec.Pose{Pos: vec.V(20, 0, 0), Rot: vec.FromRotationVector(vec.V(0.3, 0.7, 0.2))}, vec.Vec3{}, vec.Vec3{})
	spin := &TimeTable[vec.Vec3]{Times: []float64{0, 1}, Values: []vec.Vec3{{}, {X: 2, Y: 1}}}
	err := errors.Join(w.SetFixed(door, FixRX|FixRY|FixX, nil, nil), w.SetLoad(door, vec.Vec3{}, vec.V(5, -3, 2)),
		w.SetFixed(free, FixRX, nil, nil), w.SetFixed(driven, FixRX|FixRY, nil, spin))
	if err != nil {
		t.Fatal(err)
	}
	energy := w.Measure().Rotation
	steps(t, w, 3000, dt)
	b := w.Bodies()
	if got, want := b.Spin.At(int(door)), 2*w.Time()/b.Inertia[door].ZZ; !(math.Abs(got.Z/want-1) < 1e-9) || got.X != 0 || got.Y != 0 {
		t.Errorf("the door turns with %v rad/s, expected %g about z", got, want)
	}
	if _, torque := w.Reaction(door); !(torque.Sub(vec.V(-5, 3, 0)).Norm() < 1e-9) {
		t.Errorf("the hinge acts with %v N·m, expected (-5, 3, 0)", torque)
	}
	if got := b.Spin.At(int(free)); got.X != 0 {
		t.Errorf("the spin is %v, expected none about x", got)
	}
	own := func(id soa.ID) float64 { return 0.5 * b.Spin.At(int(id)).Dot(b.AngMom.At(int(id))) }
	if got := own(free); !(math.Abs(got/energy-1) < 1e-4) {
		t.Errorf("the energy of a box that cannot turn about x is %g J, expected %g", got, energy)
	}
	if got := b.Spin.At(int(driven)); !(math.Abs(got.X-2) < 1e-12) || !(math.Abs(got.Y-1) < 1e-12) {
		t.Errorf("the spin is %v, expected 2 and 1 about x and y", got)
	}
	if m := w.Measure(); !(math.Abs(m.LeftOver) < 1e-4*m.Ledger.Applied) {
		t.Errorf("left over %g J of %g J of work", m.LeftOver, m.Ledger.Applied)
	}
}

// TestLocalDamping lets a damped ball fall and rise: its acceleration is g·(1−α) down and g·(1+α) on the way up.
func TestLocalDamping(t *testing.T) {
	const share, dt = 0.3, 1e-3
	w := newWorld(t, Config{Gravity: down}, loadLaw)
	shape := addShape(t, w, ball(t, 1))
	falls := addMoving(t, w, shape, at(0, 0, 0), vec.V(0, 0, -1), vec.Vec3{})
	rises := addMoving(t, w, shape, at(5, 0, 0), vec.V(0, 0, 10), vec.V(0, 1, 0))
	if err := errors.Join(w.SetLocalDamping(falls, share), w.SetLocalDamping(rises, share), w.SetLoad(rises, vec.Vec3{}, vec.V(0, 0.1, 0))); err != nil {
		t.Fatal(err)
	}
	steps(t, w, 500, dt)
	if got, want := w.Bodies().Vel.Z[falls], -1-9.81*(1-share)*0.5; !(math.Abs(got-want) < 0.01) {
		t.Errorf("the ball falls at %g m/s, expected %g", got, want)
	}
	if got, want := w.Bodies().Vel.Z[rises], 10-9.81*(1+share)*0.5; !(math.Abs(got-want) < 0.01) {
		t.Errorf("the ball rises at %g m/s, expected %g", got, want)
	}
	if m := w.Measure(); !(m.Ledger.Damping > 10) || !(math.Abs(m.LeftOver) < 1e-3*m.Ledger.Damping) {
		t.Errorf("left over %g J of %g J damped", m.LeftOver, m.Ledger.Damping)
	}
}

// TestTurningGravity is V18b by a table of gravity: a block lies on a floor, and gravity turns to 0.1° below and
// above the friction angle. There it rests, and slides with g·(sin θ − µ·cos θ).
func TestTurningGravity(t *testing.T) {
	const mu, dt = 0.5, 1e-4
	for _, off := range []float64{-0.1, 0.1} {
		angle := math.Atan(mu) + off*math.Pi/180
		w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: 1e6, Tangential: 8e5, Friction: mu, Restitution: 0.2})
		addFloor(t, w)
		id := addMoving(t, w, addShape(t, w, box(t, 2, 2, 1)), at(0, 0, 0.5), vec.Vec3{}, vec.Vec3{})
		table := &TimeTable[vec.Vec3]{}
		for i := range 101 {
			a := angle * float64(i) / 100
			table.Times, table.Values = append(table.Times, 0.5+0.01*float64(i)), append(table.Values, vec.V(9.81*math.Sin(a), 0, -9.81*math.Cos(a)))
		}
		if err := w.SetGravity(table); err != nil {
			t.Fatal(err)
		}
		steps(t, w, 20000, dt)
		before := w.Bodies().Vel.X[id]
		steps(t, w, 5000, dt)
		speed := w.Bodies().Vel.X[id]
		if want := 9.81 * (math.Sin(angle) - mu*math.Cos(angle)); off > 0 && !(math.Abs((speed-before)/0.5/want-1) < 1e-3) {
			t.Errorf("above the friction angle it slides with %g m/s², expected %g", (speed-before)/0.5, want)
		}
		if off < 0 && !(math.Abs(speed) < 1e-6) {
			t.Errorf("below the friction angle it moves at %g m/s, expected rest", speed)
		}
		if m := w.Measure(); !(math.Abs(m.LeftOver) < 1e-6*m.StartedAbove) || m.Ledger.Changed == 0 {
			t.Errorf("%+g°: left over %g J of %g J, %g J by the change of gravity", off, m.LeftOver, m.StartedAbove, m.Ledger.Changed)
		}
	}
}
