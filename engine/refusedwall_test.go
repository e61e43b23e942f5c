package engine

import (
	"errors"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestRefusedWallLeavesNothing refuses a wall of a plane and tangled facets, in a world that keeps
// loads and earlier positions. The world must be as before.
func TestRefusedWallLeavesNothing(t *testing.T) {
	build := func() *World {
		w := newWorld(t, Config{Integrator: PositionVerlet}, loadLaw)
		addMoving(t, w, addShape(t, w, ball(t, 0.5)), at(0, 0, 5), vec.Vec3{}, vec.Vec3{})
		return w
	}
	w, other := build(), build()
	if err := w.SetLoad(0, vec.V(1, 0, 0), vec.Vec3{}); err != nil {
		t.Fatal(err)
	}
	parts := []Part{{Shape: addShape(t, w, PlaneTemplate())}}
	for i := range 3000 {
		x := 1e-4 * float64(i)
		parts = append(parts, Part{Shape: addShape(t, w, facet(t, vec.V(x, 0, 0), vec.V(x+1, 0.1*x, 0), vec.V(x, 1, 0)))})
	}
	if _, err := w.AddWall(WallSpec{Parts: parts}); !errors.Is(err, ErrBody) {
		t.Fatalf("error %v, expected one that wraps ErrBody", err)
	}
	steps(t, w, 1, 1e-4)
	if err := other.Restore(w.State()); err != nil {
		t.Error(err)
	}
}

// TestWallMovesFromItsPose checks that a motion that begins before time 0 is refused: the wall would
// be elsewhere after the first step.
func TestWallMovesFromItsPose(t *testing.T) {
	w := newWorld(t, Config{}, loadLaw)
	part := one(addShape(t, w, box(t, 1, 1, 1)), 1)
	if _, err := w.AddWall(WallSpec{Parts: part, Motion: Motion{Velocity: vec.V(1, 0, 0), From: -5}}); !errors.Is(err, ErrBody) {
		t.Errorf("error %v, expected one that wraps ErrBody", err)
	}
}
