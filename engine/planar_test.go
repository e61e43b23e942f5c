package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestPlanarBodiesTurnAboutZ spins a box that is tilted out of the plane of a planar world, so that z
// is no principal axis. It must turn about z alone, and keep its energy.
func TestPlanarBodiesTurnAboutZ(t *testing.T) {
	w := newWorld(t, Config{Planar: true}, loadLaw)
	pose := vec.Pose{Rot: vec.FromRotationVector(vec.V(0.5, 0, 0))}
	id := addMoving(t, w, addShape(t, w, box(t, 1, 2, 3)), pose, vec.Vec3{}, vec.V(0, 0, 1))
	steps(t, w, 1000, 1e-3)
	spin, m := w.Bodies().Spin.At(int(id)), w.Measure()
	if !(math.Hypot(spin.X, spin.Y) < 1e-13) || !(math.Abs(spin.Z-1) < 1e-13) || !(math.Abs(m.LeftOver) < 1e-12*m.Rotation) {
		t.Errorf("the spin is %v, and %g of %g J are left over, expected 1 about z, and none", spin, m.LeftOver, m.Rotation)
	}
}
