package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// riding returns a cube of 1 kg on a floor that moves, at x and with the velocities given, and a
// step of t_c/50. The friction is 0.5.
func riding(t *testing.T, m Motion, x float64, vel, spin vec.Vec3) (w *World, id int, dt float64) {
	const k = 1e5
	w = newWorld(t, Config{Gravity: vec.V(0, 0, -9.81)}, force.Thickness{Stiffness: k, Tangential: 0.8 * k, Friction: 0.5, Restitution: 0.2})
	addWall(t, w, WallSpec{Pose: at(0, 0, -0.5), Parts: one(addShape(t, w, box(t, 4, 4, 1)), 1), Motion: m})
	id = addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.1, 0.1, 0.1)), 1000), Pose: at(x, 0, 0.05-9.81/k), Vel: vel, Spin: spin})
	return w, id, ofContact(k, 1.0/50)
}

// TestRidesAShakenFloor shakes a floor by less than friction holds. No contact slides, so friction
// takes no energy, except by an error of the order dt². A velocity of the floor that is half a step
// away from that of the cube would give the cube ½·m·a²·dt a second: 0.3 mJ in each of the 4 s.
func TestRidesAShakenFloor(t *testing.T) {
	m := Motion{Amplitude: vec.V(0.004, 0, 0), Frequency: 5, Ramp: 0.2}
	w, id, dt := riding(t, m, 0, vec.Vec3{}, vec.Vec3{})
	steps(t, w, int(1/dt), dt)
	l := w.Measure().Ledger
	if math.Abs(l.Friction) > 1e-6 || l.Damping < 5e-4 {
		t.Errorf("friction took %.3g J and dashpots %.3g J, expected no friction", l.Friction, l.Damping)
	}
	if d := w.bodies.Pos.X[id] - w.bodies.Pos.X[0]; math.Abs(d) > 1e-4 {
		t.Errorf("the cube is %.3g m from its place on the floor", d)
	}
	if _, vel, _ := w.walls[0].at(w.time, 0); w.bodies.Vel.At(0) != vel {
		t.Errorf("after a step the floor moves at %v, expected %v", w.bodies.Vel.At(0), vel)
	}
}

// TestCreepsOnATurntable lets a cube ride on a turning floor. The velocity of its centre is that of
// the half step, and the arms of both spins are those of its end. So it creeps towards the axis at
// ½ω²·r·dt (docs/laws.md).
func TestCreepsOnATurntable(t *testing.T) {
	const spin, r = 2.0, 1.0
	for _, share := range []float64{1, 0.5} {
		w, id, dt := riding(t, Motion{Spin: vec.V(0, 0, spin)}, r, vec.V(0, spin*r, 0), vec.V(0, 0, spin))
		dt *= share
		radius := func() float64 { return math.Hypot(w.bodies.Pos.X[id], w.bodies.Pos.Y[id]) }
		const seconds = 0.5
		steps(t, w, int(0.2/dt), dt)
		before, booked := radius(), w.Measure().Ledger.Friction
		steps(t, w, int(seconds/dt), dt)
		creep, want := (before-radius())/seconds, 0.5*spin*spin*r*dt
		gain := (booked - w.Measure().Ledger.Friction) / seconds
		t.Logf("dt %.3g s: creeps at %.4g m/s, ½ω²·r·dt is %.4g; friction gives %.4g W", dt, creep, want, gain)
		if math.Abs(creep-want) > 0.02*want || math.Abs(gain-spin*spin*r*want) > 0.02*spin*spin*r*want {
			t.Errorf("dt %g s: creeps at %g m/s and gains %g W, expected %g and %g", dt, creep, gain, want, spin*spin*r*want)
		}
	}
}
