package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// loadLaw is the law of worlds in which nothing touches.
var loadLaw = force.Linear{Kn: 1e5}

// TestWorkOfALoadAfterAChange sets the velocity of a body that carries a load. The load's power
// changes with the velocity, and the step that follows must book the new power.
func TestWorkOfALoadAfterAChange(t *testing.T) {
	for _, before := range []int{0, 1} {
		w := newWorld(t, Config{}, loadLaw)
		id := addMoving(t, w, addShape(t, w, ball(t, 1)), at(0, 0, 0), vec.Vec3{}, vec.Vec3{})
		steps(t, w, before, 1e-3)
		if err := w.SetLoad(id, vec.V(1, 0, 0), vec.Vec3{}); err != nil {
			t.Fatal(err)
		}
		if err := w.SetVelocity(id, vec.V(100, 0, 0), vec.Vec3{}); err != nil {
			t.Fatal(err)
		}
		steps(t, w, 1, 1e-3)
		if m := w.Measure(); !(math.Abs(m.LeftOver) < 1e-9) || !(math.Abs(m.Ledger.Applied-0.1) < 1e-6) {
			t.Errorf("%d steps before: the load did %g J, left over %g J, expected 0.1 J and 0", before, m.Ledger.Applied, m.LeftOver)
		}
	}
}

// TestBodiesAfterALoad adds a body and a wall after SetLoad. They must take loads, and the state must
// fit a world that was built without loads.
func TestBodiesAfterALoad(t *testing.T) {
	build := func(loaded bool) *World {
		w := newWorld(t, Config{}, loadLaw)
		shape := addShape(t, w, ball(t, 1))
		addMoving(t, w, shape, at(0, 0, 0), vec.Vec3{}, vec.Vec3{})
		if loaded {
			if err := w.SetLoad(0, vec.V(1, 0, 0), vec.Vec3{}); err != nil {
				t.Fatal(err)
			}
		}
		addMoving(t, w, shape, at(10, 0, 0), vec.Vec3{}, vec.Vec3{})
		addWall(t, w, WallSpec{Parts: one(shape, 1), Pose: at(20, 0, 0)})
		return w
	}
	w, other := build(true), build(false)
	steps(t, w, 1, 1e-3)
	if err := w.SetLoad(1, vec.V(0, 2, 0), vec.Vec3{}); err != nil {
		t.Fatal(err)
	}
	if err := other.Restore(w.State()); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*World{w, other} {
		steps(t, w, 1, 1e-3)
		if v := w.Bodies().Vel; !(v.X[0] > 0 && v.Y[1] > 0) {
			t.Errorf("velocities %v and %v, expected along the loads", v.At(0), v.At(1))
		}
	}
	if w.Hash() != other.Hash() {
		t.Error("the restored world has another hash")
	}
}
