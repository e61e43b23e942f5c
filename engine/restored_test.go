package engine

import (
	"errors"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestRestoredWorldHasGaps checks that Gap and LateLists work in a restored world before its first
// step, when it has contacts but no candidate pairs.
func TestRestoredWorldHasGaps(t *testing.T) {
	build := func() *World {
		w := newWorld(t, Config{Search: "vl", SearchEvery: 3}, setLaws["thickness"])
		addFloor(t, w)
		addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), at(0, 0, 0.4999), vec.Vec3{}, vec.Vec3{})
		return w
	}
	w, other := build(), build()
	steps(t, w, 2, 1e-4)
	if err := other.Restore(w.State()); err != nil {
		t.Fatal(err)
	}
	gaps := func(w *World) (all []float64) {
		for c := range w.ActiveContacts() {
			all = append(all, w.Gap(c.Row))
		}
		return all
	}
	if got, want := gaps(other), gaps(w); len(want) != 1 || len(got) != 1 || got[0] != want[0] {
		t.Errorf("gaps %v, expected one and equal %v", got, want)
	}
	if text := other.LateLists(); text != "" {
		t.Errorf("warning %q before the first search", text)
	}
}

// TestStateOfAChangeBeforeTheFirstStep restores states that were saved after the first forces and a
// change, but before the first step.
func TestStateOfAChangeBeforeTheFirstStep(t *testing.T) {
	build := func() (*World, soa.ID) {
		w := newWorld(t, Config{}, setLaws["thickness"])
		return w, addMoving(t, w, addShape(t, w, box(t, 1, 2, 1)), at(0, 0, 5), vec.Vec3{}, vec.V(0.1, 0.2, 0.3))
	}
	for name, change := range map[string]func(w *World, id soa.ID) error{
		"none":     func(*World, soa.ID) error { return nil },
		"velocity": func(w *World, id soa.ID) error { return w.SetVelocity(id, vec.Vec3{}, vec.V(1, 2, 3)) },
		"pose":     func(w *World, id soa.ID) error { return w.SetPose(id, at(1, 0, 5)) },
	} {
		w, id := build()
		w.Measure()
		if err := change(w, id); err != nil {
			t.Fatal(err)
		}
		other, _ := build()
		if err := other.Restore(w.State()); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		steps(t, w, 3, 1e-3)
		steps(t, other, 3, 1e-3)
		if w.Hash() != other.Hash() {
			t.Errorf("%s: the restored world has another hash", name)
		}
	}
}

// TestStateOfWhatWasSetBeforeTheStart sets poses and velocities before the first forces, and restores
// the state in a world that was built without them. Relief forgives the overlap with the plane at the
// pose that was set.
func TestStateOfWhatWasSetBeforeTheStart(t *testing.T) {
	build := func() (*World, soa.ID) {
		w := newWorld(t, Config{Relief: Relief{Time: 1}}, setLaws["linear"])
		addWall(t, w, WallSpec{Parts: one(addShape(t, w, PlaneTemplate()), 0)})
		return w, addMoving(t, w, addShape(t, w, box(t, 1, 2, 1)), at(0, 0, 5), vec.Vec3{}, vec.V(0.1, 0.2, 0.3))
	}
	for n := range 3 {
		w, id := build()
		pose := vec.Pose{Pos: vec.V(0, 0, 0.4), Rot: vec.FromRotationVector(vec.V(0.1, 0, 0))}
		if err := errors.Join(w.SetVelocity(id, vec.V(0, 0, 1), vec.V(0.3, 0.7, 0.9)), w.SetPose(id, pose)); err != nil {
			t.Fatal(err)
		}
		steps(t, w, 100*n, 1e-3)
		other, _ := build()
		if err := other.Restore(w.State()); err != nil {
			t.Errorf("after %d steps: %v", w.Steps(), err)
			continue
		}
		steps(t, w, 3, 1e-3)
		steps(t, other, 3, 1e-3)
		if w.Hash() != other.Hash() {
			t.Errorf("after %d steps: the restored world has another hash", w.Steps())
		}
	}
}

// TestStateOfABallInACorner restores a ball that is deep in one facet of a wall and barely touches
// another. Under a law with an area exponent both contacts have the patch of the deep one.
func TestStateOfABallInACorner(t *testing.T) {
	for _, exponent := range []float64{0.5, 1} {
		build := func() *World {
			law := force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: 0.5, Restitution: 0.5, AreaExponent: exponent}
			w := newWorld(t, Config{}, law)
			corner := triangles{
				{vec.V(0, -2, 0), vec.V(0, 2, 0), vec.V(0, 2, 2), vec.V(0, -2, 2)},
				{vec.V(0, -2, 0), vec.V(2, -2, 0), vec.V(2, 2, 0), vec.V(0, 2, 0)},
			}
			corner.wall(t, w, vec.IdentityPose, Motion{})
			addMoving(t, w, addShape(t, w, ball(t, 0.5)), at(0.5-1e-7, 0.1, 0.48), vec.V(0, 0.01, 0), vec.Vec3{})
			return w
		}
		w := build()
		steps(t, w, 2, 1e-6)
		if n := w.Measure().Active; n != 2 {
			t.Errorf("%d contacts, expected 2", n)
		}
		if err := build().Restore(w.State()); err != nil {
			t.Errorf("exponent %g: %v", exponent, err)
		}
	}
}
