package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// TestHeavyOnLight drops a heavy cube by a hundredth of its side onto a light cube on a plane, with
// a restitution of 0.2. It measures the share of its energy that the first bounce keeps, and the
// time until the heavy cube rests: until its speed stays below a hundredth of that of the fall. The
// dashpots may only take energy.
func TestHeavyOnLight(t *testing.T) {
	const fall, k, g = 0.01, 1e7, 9.81
	for _, ratio := range []float64{1, 10, 100, 1000} {
		w := newWorld(t, Config{Gravity: vec.V(0, 0, -g)}, force.Thickness{Stiffness: k, Tangential: 0.8 * k, Friction: 0.5, Restitution: 0.2})
		addWall(t, w, WallSpec{Parts: []Part{{Shape: addShape(t, w, PlaneTemplate())}}, Pose: PlanePose(vec.Vec3{}, vec.V(0, 0, 1))})
		cube := addShape(t, w, box(t, 1, 1, 1))
		addBody(t, w, BodySpec{Parts: one(cube, 1), Pose: at(0, 0, 0.5)})
		addBody(t, w, BodySpec{Parts: one(cube, ratio), Pose: at(0, 0, 1.5+fall)})
		const heavy = 2
		dt := 0.02 * math.Pi * math.Sqrt(1/(2*k))
		speed, kept, rest, last := math.Sqrt(2*g*fall), 0.0, 0.0, math.Inf(-1)
		for w.Time() < 20 && w.Time() < rest+0.5+speed/g {
			steps(t, w, 1, dt)
			v := w.Bodies().Vel.Z[heavy]
			if kept == 0 && last > 0 && v <= last {
				kept = last * last / (speed * speed) // It leaves with its greatest speed.
			}
			if last = v; math.Abs(v) > 0.01*speed {
				rest = w.Time()
			}
		}
		m := w.Measure()
		t.Logf("%4g : 1 keeps %.2f of its energy in the first bounce, rests after %.2f s", ratio, kept, rest)
		if kept > 1 || !(math.Abs(m.LeftOver) < 1e-3*ratio*g*fall) {
			t.Errorf("%g : 1 keeps %g of its energy; %g J are not accounted for", ratio, kept, m.LeftOver)
		}
	}
}
