package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// TestSpringsThatEndAreLost drags a cube sideways, on a floor of triangles and on a block, until its
// friction springs hold energy. Then the cube leaves within one step. The ledger must book what the
// springs held as lost to friction.
func TestSpringsThatEndAreLost(t *testing.T) {
	const dt = 1e-4
	for name, addGround := range map[string]func(*World){
		"triangles": func(w *World) { gridFloor(8, 0, 1).wall(t, w, vec.IdentityPose, Motion{}) },
		"block": func(w *World) {
			part := one(addShape(t, w, box(t, 4, 4, 1)), 1000)
			if _, err := w.AddWall(WallSpec{Parts: part, Pose: at(0, 0, -0.5)}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		w := newWorld(t, Config{}, force.Thickness{Stiffness: 1e6, Tangential: 8e5, Friction: 10, Restitution: 1})
		addGround(w)
		id := addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), at(0.1, 0.05, 0.4999), vec.V(0.01, 0, 0), vec.Vec3{})
		steps(t, w, 5, dt)
		before := w.Measure().Ledger
		if !(before.Shear > 1e-6) {
			t.Fatalf("%s: the springs hold %g J, expected more", name, before.Shear)
		}
		if err := w.SetVelocity(id, vec.V(0, 0, 1000), vec.Vec3{}); err != nil {
			t.Fatal(err)
		}
		steps(t, w, 1, dt)
		after := w.Measure().Ledger
		if lost := after.Friction - before.Friction; after.Shear != 0 || math.Abs(lost-before.Shear) > 1e-6*before.Shear {
			t.Errorf("%s: %g J are lost to friction and %g J stay in springs, which held %g J", name, lost, after.Shear, before.Shear)
		}
	}
}
