package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/vec"
)

// TestUsersBullet4795: with one contact point at a time, a cube set down on an edge froze there. A
// cube that stands on an edge or, next to that, on a corner must fall onto a face and come to rest
// on all of it.
func TestUsersBullet4795(t *testing.T) {
	require.Numbers(t)
	const side, k, dt = 0.2, 1e6, 1e-4
	for _, c := range []struct {
		name string
		turn vec.Vec3
	}{
		{"edge, 44 degrees", vec.V(0, 44*pi/180, 0)},
		{"edge, 10 degrees", vec.V(10*pi/180, 0, 0)},
		{"edge, 30 degrees, turned", vec.V(0.3, 0.3, 0).Unit().Scale(30 * pi / 180)},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, Config{Gravity: down}, force.Linear{Kn: k, Kt: 0.8 * k, Mu: 0.5, ByRestitution: true, Restitution: 0.02, Dt: 5000})
			slab(t, w)
			id := addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, side, side, side)), 2000), Pose: vec.Pose{
				Pos: vec.V(0, 0, side), Rot: vec.FromRotationVector(c.turn)}})
			w.bodies.Pos.Z[id] -= lowestCorner(w, id)
			steps(t, w, 30_000, dt)
			if v := restless(t, w, 500, dt); !(v < 1e-3) {
				t.Errorf("it moves at up to %g m/s", v)
			}
			up := w.bodies.Rot.At(id).RotateInv(vec.V(0, 0, 1)).MaxAbs()
			sink := 9.81 * w.bodies.Mass[id] / k
			if z := w.bodies.Pos.Z[id]; !(1-up < 1e-8) || !(math.Abs(z-(side/2-sink)) < 0.1*sink) {
				t.Errorf("its centre is at %.9f, expected %.9f; the axis next to the vertical has the cosine %.12f", z, side/2-sink, up)
			}
		})
	}
}
