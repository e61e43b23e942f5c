package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// TestBlocksPassBends slides a block without friction over a slight bend between two facets, under the
// linear law, from ten places. It must keep its energy: no contact with the edge may push it back.
func TestBlocksPassBends(t *testing.T) {
	for _, drop := range []float64{0.002, 0.01} {
		floor := triangles{
			{vec.V(-1, -1, 0), vec.V(0.5, -1, 0), vec.V(0.5, 1, 0), vec.V(-1, 1, 0)},
			{vec.V(0.5, -1, 0), vec.V(2.5, -1, -drop), vec.V(2.5, 1, -drop), vec.V(0.5, 1, 0)},
		}
		for k := range 10 {
			w := newWorld(t, Config{Gravity: down}, force.Linear{Kn: 1e6, ByRestitution: true, Restitution: 0.3})
			floor.wall(t, w, vec.IdentityPose, Motion{})
			addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.4, 0.3, 0.2)), 2600),
				Pose: at(0.2+0.000017*float64(k), 0.03, 0.0994), Vel: vec.V(2, 0, 0)})
			before := w.Measure()
			steps(t, w, 4000, 1e-4)
			after := w.Measure()
			lost := before.Kinetic() + before.Potential - after.Kinetic() - after.Potential
			if x := w.bodies.Pos.At(1).X; x < 0.9 || math.Abs(lost) > 1e-2*before.Kinetic() {
				t.Errorf("a bend of %g m in 2 m, start %d: the block is at x = %.3f m and lost %.3f J of %.3f J", drop, k, x, lost, before.Kinetic())
			}
		}
	}
}
