package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/engine/contact"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// TestKnownOverlapsAskForNoGap checks that most contacts of masonry need no gap. A world that
// computes all gaps must have the same bits and the same exact gaps.
func TestKnownOverlapsAskForNoGap(t *testing.T) {
	const n = 400
	w, asked := masonry(t, Config{Workers: 2}), masonry(t, Config{Workers: 2})
	asked.begin()
	asked.space.Internals().AskAllGaps()
	steps(t, w, n, thicknessStep)
	steps(t, asked, n, thicknessStep)
	if w.Hash() != asked.Hash() {
		t.Errorf("hash %016x with known overlaps, %016x without", w.Hash(), asked.Hash())
	}
	l := w.AnsweredBy()
	if none := asked.AnsweredBy().Overlap; none != 0 || 2*l.Overlap < l.Active {
		t.Errorf("%d of %d contacts were known, expected half of them; %d where none may be", l.Overlap, l.Active, none)
	}
	search := narrow.NewSearch()
	for i := range w.space.ActiveRows {
		a, b := w.space.PiecesOf(i)
		var found narrow.Answer
		search.Pair(w.space.Shapes.View(w.space.Pieces.Shape[a]), w.space.Pieces.Pose(&w.bodies, a), w.space.Shapes.View(w.space.Pieces.Shape[b]), w.space.Pieces.Pose(&w.bodies, b), 0, &found)
		if gap := w.Gap(i); gap != found.Gap || gap != asked.Gap(i) {
			t.Errorf("contact %d: gap %g, expected %g", i, gap, found.Gap)
		}
		if thick := -w.space.Contacts.Gap[i]; !(thick > 0) || thick > -found.Gap*(1+1e-9) {
			t.Errorf("contact %d is %g m thick, expected at most its depth, %g m", i, thick, -found.Gap)
		}
	}
}

// TestOverlapsAsThinAsRounding separates two cubes by a few roundings per step. Where the narrow
// phase and the proof of the overlap may disagree, contact must depend on the poses only: a world
// restored after every step must have the same bits.
func TestOverlapsAsThinAsRounding(t *testing.T) {
	const dt, rise = 1e-6, 2e-13 // s, m a step
	grazing, separated := 0, 0
	for k := range 20 {
		turn := vec.FromRotationVector(vec.V(0.7, 0.6, 0.1*float64(k)))
		lowest := 0.0
		for i := range 8 {
			lowest = min(lowest, turn.Rotate(vec.V(float64(i&1)-0.5, float64(i>>1&1)-0.5, float64(i>>2)-0.5)).Z)
		}
		build := func() *World {
			w := newWorld(t, Config{}, force.Thickness{Stiffness: 1, Restitution: 1})
			cube := addShape(t, w, box(t, 1, 1, 1))
			addMoving(t, w, cube, vec.Pose{Rot: vec.Identity}, vec.Vec3{}, vec.Vec3{})
			addMoving(t, w, cube, vec.Pose{Pos: vec.V(0.05, 0.02, 0.5-lowest-10*rise), Rot: turn}, vec.V(0, 0, rise/dt), vec.Vec3{})
			return w
		}
		w, last := build(), build()
		steps(t, w, 1, dt)
		steps(t, last, 1, dt)
		for range 20 {
			again := build()
			if err := again.Restore(last.State()); err != nil {
				t.Fatal(err)
			}
			steps(t, w, 1, dt)
			steps(t, again, 1, dt)
			if w.Hash() != again.Hash() {
				t.Fatalf("case %d, step %d: %d active after restarts, %d without", k, w.Steps(), again.Measure().Active, w.Measure().Active)
			}
			if last = again; w.Measure().Active == 0 {
				separated++
			} else if math.Abs(w.Gap(0)) < 2*rise {
				grazing++
			}
		}
	}
	if grazing == 0 || separated == 0 {
		t.Errorf("%d steps within rounding, %d apart, expected some of each", grazing, separated)
	}
}

// TestGrazingByFeatures checks that a pair with a gap within rounding touches if its overlap is
// proven.
func TestGrazingByFeatures(t *testing.T) {
	w := newWorld(t, Config{}, force.Thickness{Stiffness: 1, Restitution: 1})
	cube := addShape(t, w, box(t, 1, 1, 1))
	turn := vec.FromRotationVector(vec.V(0.7, 0.6, 0.2))
	addMoving(t, w, cube, vec.Pose{Rot: vec.Identity}, vec.Vec3{}, vec.Vec3{})
	addMoving(t, w, cube, vec.Pose{Pos: vec.V(0, 0, 1.2), Rot: turn}, vec.Vec3{}, vec.Vec3{})
	steps(t, w, 1, 1e-9)
	if w.Measure().Active != 1 {
		t.Fatal("the cubes do not touch")
	}
	grazes := func(gap float64) bool {
		return w.space.Internals().Grazes(0, narrow.Answer{Gap: gap, Normal: vec.V(0, 0, 1)})
	}
	if size := 2 * w.space.Shapes.Radius[0]; !grazes(1e-13) || grazes(2*contact.GrazeShare*size) {
		t.Error("a proven overlap touches where the narrow phase finds a gap of rounding, and only there")
	}
	w.bodies.Pos.Z[1] += 1
	if grazes(1e-13) {
		t.Error("bodies apart touch")
	}
}

// TestInsideWithoutAGap checks that bodies wholly inside each other feel no force and have no
// normal, whether or not a gap is computed.
func TestInsideWithoutAGap(t *testing.T) {
	for name, at := range map[string]vec.Vec3{"at one place": {}, "inside": {X: 0.1}} {
		var worlds [2]*World
		for k := range worlds {
			w := newWorld(t, Config{Gravity: vec.V(0, 0, -1)}, force.Thickness{Stiffness: 1e3, Restitution: 1})
			addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), vec.Pose{Rot: vec.Identity}, vec.Vec3{}, vec.Vec3{})
			size := 0.5
			if at == (vec.Vec3{}) {
				size = 1
			}
			addMoving(t, w, addShape(t, w, box(t, size, size, size)), vec.Pose{Pos: at, Rot: vec.Identity}, vec.Vec3{}, vec.Vec3{})
			w.begin()
			if k == 1 {
				w.space.Internals().AskAllGaps()
			}
			steps(t, w, 3, 1e-4)
			worlds[k] = w
		}
		w := worlds[0]
		if w.Hash() != worlds[1].Hash() || w.Measure().Active != 1 || w.space.Contacts.Normal.At(0) != (vec.Vec3{}) || w.forces.Force.At(0) != (vec.Vec3{}) {
			t.Errorf("%s: normal %v, force %v, with all gaps asked for %v", name, w.space.Contacts.Normal.At(0), w.forces.Force.At(0), worlds[1].space.Contacts.Normal.At(0))
		}
	}
}
