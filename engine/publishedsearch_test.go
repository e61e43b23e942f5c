package engine

import (
	"errors"
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// bricks is a pile of boxes on a fixed box, for the published search, with one box that slides.
func bricks(t *testing.T, cfg Config) *World {
	cfg.Gravity = down
	w := newWorld(t, cfg, force.Linear{Kn: 1e6, Kt: 8e5, Mu: 0.3, ByRestitution: true, Restitution: 0.3})
	addWall(t, w, WallSpec{Name: "floor", Pose: vec.Pose{Pos: vec.V(0, 0, -0.5), Rot: vec.Identity}, Parts: []Part{{Shape: addShape(t, w, box(t, 8, 8, 1))}}})
	brick := []Part{{Shape: addShape(t, w, box(t, 1, 0.5, 0.5)), Density: 2000}}
	for i, x := range []float64{-0.5, 0.5, 0, -2} {
		b := BodySpec{Parts: brick, Pose: vec.Pose{Pos: vec.V(x, 0, 0.25), Rot: vec.Identity}}
		switch i {
		case 2:
			b.Pose.Pos.Z = 0.75
		case 3:
			b.Vel = vec.V(-1, 0, 0)
		}
		addBody(t, w, b)
	}
	return w
}

// TestPublishedSearchRuns: bricks come to rest on the published search as by default. Every
// candidate pair passes the search in every step, with lists that stay. A brick that slides has
// contacts that slide, others stick.
func TestPublishedSearchRuns(t *testing.T) {
	w, other, ours := bricks(t, Config{Method: narrow.FDSPaper}), bricks(t, Config{Method: narrow.FDSPaper, Workers: 2, TilePairs: 3}), bricks(t, Config{})
	const dt = 2e-4
	steps(t, w, 200, dt)
	sliding := map[narrow.Mode]int{}
	for c, b := range w.BasicContacts() {
		if c.B == 4 || c.A == 4 {
			sliding[b.Mode]++
		}
	}
	if sliding[narrow.Slide] < 1 || sliding[narrow.Stick] > 0 {
		t.Errorf("modes of the sliding brick: %v", sliding)
	}
	steps(t, w, 4800, dt)
	steps(t, other, 5000, dt)
	steps(t, ours, 5000, dt)
	if w.Hash() != other.Hash() {
		t.Errorf("hash %016x on one worker, %016x on two", w.Hash(), other.Hash())
	}
	for i := range w.Bodies().Len() {
		if d := w.Bodies().Pos.At(i).Sub(ours.Bodies().Pos.At(i)).Norm(); d > 1e-3 {
			t.Errorf("body %d ends %g m from where it ends by default", i, d)
		}
	}
	counts := w.AnsweredBy()
	if counts.By[narrow.ByOdometer]+counts.By[narrow.ByAxis] > 0 || counts.By[narrow.ByFeature] < counts.By[narrow.ByWalk] {
		t.Errorf("pairs answered %+v", counts)
	}
	n, m, force := 0, 0, 0.0
	for c, b := range w.BasicContacts() {
		if n++; b.Mode == narrow.Open && b.Distance <= 0 || math.Abs(b.Normal.Norm()-1) > 1e-12 {
			t.Errorf("%+v", b)
		}
		force += math.Abs(c.Force.Z)
	}
	for range ours.BasicContacts() {
		m++
	}
	if n < 12 || m < 12 || force == 0 {
		t.Errorf("%d basic contacts, %d by default", n, m)
	}
}

// TestPublishedSearchLimits: laws, steps and states that the published search cannot take are
// refused.
func TestPublishedSearchLimits(t *testing.T) {
	for _, law := range []force.Parameters{force.Linear{Kn: 1, Interaction: 0.1}, force.Thickness{Stiffness: 1, Restitution: 0.3}} {
		table, err := force.NewTable(1, law)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(Config{Law: table, Method: narrow.FDSPaper}); !errors.Is(err, ErrConfig) {
			t.Errorf("%T: %v", law, err)
		}
	}
	w := bricks(t, Config{Method: narrow.FDSPaper})
	if err := w.SetVelocity(4, vec.V(0, 0, 200), vec.Vec3{}); err != nil {
		t.Fatal(err)
	}
	if err := w.Step(2e-4); !errors.Is(err, ErrTimeStep) {
		t.Errorf("a brick that moves by 0.04 m: %v", err)
	}
	w = bricks(t, Config{Method: narrow.FDSPaper})
	if err := bricks(t, Config{Method: narrow.FDSPaper}).Restore(w.State()); !errors.Is(err, ErrState) {
		t.Errorf("restored: %v", err)
	}
}
