package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// TestDeepPairsAreNamedOnce checks that two bodies whose pieces start deep in each other are named
// once, with their deepest contact.
func TestDeepPairsAreNamedOnce(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1e4})
	s := addShape(t, w, ball(t, 1))
	var clump []Part
	for i := range 12 {
		clump = append(clump, Part{Shape: s, Density: 1000, Local: at(0, 3*float64(i), 0)})
	}
	addBody(t, w, BodySpec{Name: "a", Parts: clump, Pose: at(0, 0, 0)})
	addBody(t, w, BodySpec{Name: "b", Parts: clump, Pose: at(1.5, 0, 0)})
	addBody(t, w, BodySpec{Name: "c", Parts: one(s, 1000), Pose: at(-1, 0, 0)})
	w.Measure()
	if got := strings.Join(w.Warnings(), "; "); len(w.Warnings()) != 2 ||
		!strings.Contains(got, "body 0 (a) and body 1 (b) start 0.5 m inside each other") ||
		!strings.Contains(got, "body 0 (a) and body 2 (c) start 1 m inside each other") {
		t.Errorf("warnings %q", w.Warnings())
	}
}

// TestDeepClumpsAreNamedOnce starts two clumps of a ball and a box in each other, so that each has
// the first piece of one of their pairs.
func TestDeepClumpsAreNamedOnce(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1e4})
	clump := []Part{{Shape: addShape(t, w, ball(t, 1)), Density: 1}, {Shape: addShape(t, w, box(t, 2, 2, 2)), Density: 1, Local: at(0, 5, 0)}}
	addBody(t, w, BodySpec{Parts: clump, Pose: at(0, 0, 0)})
	addBody(t, w, BodySpec{Parts: clump, Pose: vec.Pose{Pos: vec.V(1.5, 5, 0), Rot: vec.FromRotationVector(vec.V(0, 0, pi))}})
	if w.Measure(); len(w.Warnings()) != 1 {
		t.Errorf("warnings %q, expected one", w.Warnings())
	}
}

// TestThickOverlapIsOfItsStep starts two cubes deep in each other that part fast. The warning of the
// first step must give the thickness after that step.
func TestThickOverlapIsOfItsStep(t *testing.T) {
	w := newWorld(t, Config{}, force.Thickness{Stiffness: 1, Restitution: 1})
	cube := addShape(t, w, box(t, 1, 1, 1))
	addMoving(t, w, cube, at(0, 0, 0), vec.Vec3{}, vec.Vec3{})
	addMoving(t, w, cube, at(0.7, 0, 0), vec.V(1, 0, 0), vec.Vec3{})
	steps(t, w, 1, 0.05)
	want := fmt.Sprintf("step 1: body 0 and body 1 overlap by a thickness of %.3g m", -w.space.Contacts.Gap[0])
	if got := strings.Join(w.Warnings(), "; "); !strings.Contains(got, want) {
		t.Errorf("warnings %q, expected %q", got, want)
	}
}

// TestThickOverlapsAreNamedOnce throws rocks so hard at soft ones that they penetrate deeply. The
// first pair of that step must be named once, the same on any number of workers and after a
// restart. With stiff rocks, no pair is named.
func TestThickOverlapsAreNamedOnce(t *testing.T) {
	build := func(workers int, k float64) *World {
		w := newWorld(t, Config{Workers: workers, TilePairs: 3}, force.Thickness{Stiffness: k, Restitution: 0.5})
		s := addShape(t, w, rock(t, 1, 12, 0.5))
		for i := range 6 {
			x := 3 * float64(i)
			addBody(t, w, BodySpec{Name: fmt.Sprint("low", i), Parts: one(s, 1), Pose: at(x, 0, 0)})
			addBody(t, w, BodySpec{Name: fmt.Sprint("high", i), Parts: one(s, 1), Pose: at(x, 0, 1.1-0.01*float64(i%3)), Vel: vec.V(0, 0, -1)})
		}
		return w
	}
	const n, dt = 900, 1e-3
	run := func(workers int, k float64, stop int) *World {
		w := build(workers, k)
		if stop > 0 {
			steps(t, w, stop, dt)
			state := w.State()
			w = build(workers, k)
			if err := w.Restore(state); err != nil {
				t.Fatal(err)
			}
		}
		steps(t, w, n-int(w.Steps()), dt)
		return w
	}
	if stiff := run(1, 1e3, 0).Warnings(); len(stiff) != 0 {
		t.Errorf("stiff rocks: %q", stiff)
	}
	want := run(1, 1, 0).Warnings()
	if len(want) != 1 || !strings.Contains(want[0], "body 4 (low2) and body 5 (high2) overlap by a thickness of") {
		t.Fatalf("warnings %q", want)
	}
	var step int
	if _, err := fmt.Sscanf(want[0], "step %d:", &step); err != nil || step < 2 {
		t.Fatalf("%q names no step", want[0])
	}
	if got := run(3, 1, 0).Warnings(); !slices.Equal(got, want) {
		t.Errorf("on three workers %q, expected %q", got, want)
	}
	if got := run(1, 1, step-1).Warnings(); !slices.Equal(got, want) {
		t.Errorf("restarted before step %d: %q, expected %q", step, got, want)
	}
	if got := run(1, 1, step).Warnings(); len(got) != 0 {
		t.Errorf("restarted after step %d: %q, expected nothing anew", step, got)
	}
}

// TestBodiesThroughEachOther puts a cube across a plate that is thinner than it, inside a larger
// cube, and under a plane. Their overlaps do not change as they move, so the bodies feel no force.
// The world must name both once, at the start, and not again after a restart. A cube that is as deep
// on a face, an edge or a corner, or in the rim of the plate, feels a force and is not named so.
func TestBodiesThroughEachOther(t *testing.T) {
	edge, corner, tilted := vec.FromRotationVector(vec.V(pi/4, 0, 0)), vec.FromRotationVector(vec.V(-1, 1, 0).Unit().Scale(0.9553166181245093)), vec.FromRotationVector(vec.V(0.2, 0.3, 0.1))
	for _, c := range []struct {
		name    string
		wall    vec.Vec3 // its sides; 0 for a plane at z = 0
		pose    vec.Pose
		vel     vec.Vec3
		through string
	}{
		{"across a plate", vec.V(9, 9, 0.1), at(0, 0, 0.3), vec.Vec3{}, "step 0"},
		{"its end across a plate", vec.V(9, 9, 0.1), at(0, 0, 0.44), vec.Vec3{}, "step 0"},
		{"tilted across a plate", vec.V(9, 9, 0.1), vec.Pose{Rot: tilted}, vec.Vec3{}, "step 0"},
		{"inside a cube", vec.V(3, 3, 3), vec.Pose{Pos: vec.V(0.5, 0.5, 0.5), Rot: tilted}, vec.Vec3{}, "step 0"},
		{"under a plane", vec.Vec3{}, vec.Pose{Pos: vec.V(0, 0, -2), Rot: tilted}, vec.Vec3{}, "step 0"},
		{"thrown through a plate", vec.V(9, 9, 0.1), at(0, 0, 0.6), vec.V(0, 0, -30), "step 13"},
		{"on a face", vec.V(9, 9, 2), at(0, 0, 1.2), vec.Vec3{}, ""},
		{"on an edge", vec.V(9, 9, 2), vec.Pose{Pos: vec.V(0, 0, 1.3), Rot: edge}, vec.Vec3{}, ""},
		{"on a corner", vec.V(9, 9, 2), vec.Pose{Pos: vec.V(0, 0, 1.4), Rot: corner}, vec.Vec3{}, ""},
		{"in the rim of a plate", vec.V(9, 9, 0.1), at(4.95, 0, 0), vec.Vec3{}, ""},
	} {
		build := func() *World {
			w := newWorld(t, Config{}, force.Thickness{Stiffness: 1e3, Restitution: 0.5})
			wall := WallSpec{Name: "wall", Pose: PlanePose(vec.Vec3{}, vec.V(0, 0, 1)), Parts: []Part{{Shape: addShape(t, w, PlaneTemplate())}}}
			if s := c.wall; s != (vec.Vec3{}) {
				wall.Pose, wall.Parts[0].Shape = at(0, 0, 0), addShape(t, w, box(t, s.X, s.Y, s.Z))
			}
			addWall(t, w, wall)
			addBody(t, w, BodySpec{Name: "cube", Parts: one(addShape(t, w, box(t, 1, 1, 1)), 1000), Pose: c.pose, Vel: c.vel})
			return w
		}
		said := func(w *World) (all []string) {
			for _, text := range w.Warnings() {
				if strings.Contains(text, "feel almost no force") {
					all = append(all, text)
				}
			}
			return all
		}
		w := build()
		steps(t, w, 20, 4e-4)
		got := said(w)
		if len(got) != min(len(c.through), 1) || len(got) == 1 && !(strings.HasPrefix(got[0], c.through+": body ") &&
			strings.Contains(got[0], "body 0 (wall)") && strings.Contains(got[0], "body 1 (cube)")) {
			t.Errorf("%s: warnings %q, expected %q", c.name, w.Warnings(), c.through)
		}
		again := build()
		if err := again.Restore(w.State()); err != nil {
			t.Fatal(err)
		}
		if steps(t, again, 1, 4e-4); c.through != "" && len(said(again)) > 0 {
			t.Errorf("%s: restarted, warnings %q", c.name, again.Warnings())
		}
	}
}
