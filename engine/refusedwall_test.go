package engine

import (
	"errors"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// TestRefusedWallLeavesNothing refuses a wall of a plane and facets that is too fast for the last step,
// in a world that keeps loads and earlier positions. The world must be as before.
func TestRefusedWallLeavesNothing(t *testing.T) {
	build := func() *World {
		w := newWorld(t, Config{Integrator: PositionVerlet}, loadLaw)
		addMoving(t, w, addShape(t, w, ball(t, 0.5)), at(0, 0, 5), vec.Vec3{}, vec.Vec3{})
		if err := w.SetLoad(0, vec.V(1, 0, 0), vec.Vec3{}); err != nil {
			t.Fatal(err)
		}
		steps(t, w, 1, 1e-4)
		return w
	}
	w, other := build(), build()
	parts := []Part{{Shape: addShape(t, w, PlaneTemplate())}, {Shape: addShape(t, w, facet(t, vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(0, 1, 0)))}}
	facets, err := geometry.NewWallFacets([][]vec.Vec3{{vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(0, 1, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	fast := Motion{Velocity: vec.V(1e6, 0, 0)}
	shapes := w.Shapes().Len()
	for _, v := range []WallSpec{{Parts: parts, Motion: fast}, {Facets: facets, Motion: fast}, {Facets: facets, Parts: parts}, {Facets: facets, Material: 9}} {
		if _, err := w.AddWall(v); err == nil || w.Shapes().Len() != shapes {
			t.Fatalf("error %v and %d shapes, expected one and %d", err, w.Shapes().Len(), shapes)
		}
	}
	steps(t, w, 1, 1e-4)
	steps(t, other, 1, 1e-4)
	if w.Hash() != other.Hash() {
		t.Error("the refused walls have changed the world")
	}
	if _, err := w.AddWall(WallSpec{Facets: facets}); err != nil {
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
