package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// TestFrictionOfSlidingAndTurning checks that the limits of sliding and of turning do not depend on
// each other: a square plate that slides at v and turns at ω on its face has the friction µ·N and
// the moment µ·N·r, with r the root mean square distance from the centre of the face. It logs the
// shares that a face under even pressure has, by a sum over its points (docs/laws-derivations.md).
func TestFrictionOfSlidingAndTurning(t *testing.T) {
	const k, mu, spin, n = 1e6, 0.3, 20.0, 200
	r := 1 / math.Sqrt(6)
	for _, ratio := range []float64{0, 0.5, 1, 2} { // v/(ω·r)
		v := ratio * spin * r
		w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: k, Tangential: 0.8 * k, Friction: mu, Restitution: 0.5})
		addFloor(t, w)
		plate := addShape(t, w, box(t, 1, 1, 0.001))
		id := addBody(t, w, BodySpec{Parts: one(plate, 1000), Pose: at(0, 0, 0.0005-9.81/k), Vel: vec.V(v, 0, 0), Spin: vec.V(0, 0, spin)})
		steps(t, w, 20, ofContact(k, 1.0/50))
		f, m := w.bodies.Force.At(id), w.bodies.Torque.At(id)
		force, moment := math.Hypot(f.X, f.Y)/(mu*f.Z), -m.Z/(mu*f.Z*r)
		evenForce, evenMoment := 0.0, 0.0
		for i := range n * n {
			x, y := (float64(i%n)+0.5)/n-0.5, (float64(i/n)+0.5)/n-0.5
			vx, vy := v-spin*y, spin*x
			speed := math.Hypot(vx, vy)
			evenForce += vx / speed / (n * n)
			evenMoment += (x*vy - y*vx) / speed / (r * n * n)
		}
		t.Logf("v = %g ω·r: friction %.3f µ·N and moment %.3f µ·N·r, under even pressure %.2f and %.2f", ratio, force, moment, evenForce, evenMoment)
		want := 1.0
		if ratio == 0 {
			want = 0
		}
		if math.Abs(force-want) > 1e-2 || math.Abs(moment-1) > 1e-2 {
			t.Errorf("v = %g ω·r: friction %g µ·N and moment %g µ·N·r, expected %g and 1", ratio, force, moment, want)
		}
	}
}
