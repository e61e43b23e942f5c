package engine

import (
	"errors"
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
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

// TestPlanarPoseKeepsTheTilt sets the pose of a tilted box in a planar world. A turn about z must be
// accepted, and its spin must stay along z. Another tilt must be rejected: the box has an inertia for
// its own tilt alone.
func TestPlanarPoseKeepsTheTilt(t *testing.T) {
	w := newWorld(t, Config{Planar: true}, loadLaw)
	tilt := vec.FromRotationVector(vec.V(0.5, 0.2, 0))
	id := addMoving(t, w, addShape(t, w, box(t, 1, 2, 3)), vec.Pose{Rot: tilt}, vec.Vec3{}, vec.Vec3{})
	turn := vec.FromRotationVector(vec.V(0, 0, 1))
	if err := errors.Join(w.SetPose(id, w.Pose(id)), w.SetPose(id, vec.Pose{Pos: vec.V(1, 0, 0), Rot: turn.Mul(tilt)}),
		w.SetVelocity(id, vec.Vec3{}, vec.V(0, 0, 1))); err != nil {
		t.Fatal(err)
	}
	for _, rot := range []vec.Quat{vec.Identity, turn, vec.FromRotationVector(vec.V(0.5, 0.2001, 0))} {
		if err := w.SetPose(id, vec.Pose{Rot: rot}); !errors.Is(err, ErrBody) {
			t.Errorf("rotation %v: error %v, expected ErrBody", rot, err)
		}
	}
	steps(t, w, 100, 1e-3)
	if spin := w.Bodies().Spin.At(int(id)); spin.Sub(vec.V(0, 0, 1)).Norm() > 1e-13 {
		t.Errorf("the spin is %v, expected 1 about z", spin)
	}
}

// TestPlanarWallOutOfPlane moves a slanted plane along z, so that it pushes a disc in the plane, and
// turns a block about y into another one. The ledger must account for the work of both walls.
func TestPlanarWallOutOfPlane(t *testing.T) {
	w := newWorld(t, Config{Planar: true}, force.Linear{Kn: 1e5, Kt: 1e5, Mu: 0.5})
	round := addShape(t, w, ball(t, 0.5))
	addMoving(t, w, round, at(0, 0, 0), vec.Vec3{}, vec.Vec3{})
	addMoving(t, w, round, at(10, 3, 0), vec.Vec3{}, vec.Vec3{})
	addWall(t, w, WallSpec{Parts: one(addShape(t, w, PlaneTemplate()), 0), Pose: PlanePose(vec.V(-0.58, 0, 0), vec.V(1, 0, 0.5)),
		Motion: Motion{Velocity: vec.V(0, 0, 1)}})
	addWall(t, w, WallSpec{Parts: one(addShape(t, w, box(t, 1, 1, 3)), 0), Pose: at(11.01, 3, 0), Motion: Motion{Spin: vec.V(0, 0.5, 0), Centre: vec.V(11.01, 3, 1)}})
	steps(t, w, 1500, 2e-4)
	if m := w.Measure(); !(w.Bodies().Vel.X[0] > 0.1) || !(w.Bodies().Vel.X[1] < -0.1) || !(math.Abs(m.LeftOver) < 1e-3*m.Ledger.Walls) {
		t.Errorf("velocities %v and %v, left over %g J, %+v", w.Bodies().Vel.At(0), w.Bodies().Vel.At(1), m.LeftOver, m)
	}
}
