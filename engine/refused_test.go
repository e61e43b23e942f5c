package engine

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestFarFromTheOrigin checks that bodies are rejected where neighbouring positions are more than
// 2⁻²⁰ of the body's radius apart, and that a body that flies there is a fault.
func TestFarFromTheOrigin(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1})
	s := addShape(t, w, ball(t, 1))
	const most = 1 << 32
	addBody(t, w, BodySpec{Parts: one(s, 1), Pose: at(most, -most, most)})
	for _, p := range []vec.Pose{at(1.001*most, 0, 0), at(0, -1e16, 0), at(0, 0, 1e300)} {
		if _, err := w.AddBody(BodySpec{Name: "far", Parts: one(s, 1), Pose: p}); !errors.Is(err, ErrBody) ||
			!strings.Contains(err.Error(), `"far" of radius 1 m is at`) {
			t.Errorf("a body at %v: error %v, expected ErrBody", p.Pos, err)
		}
		if _, err := w.AddWall(WallSpec{Name: "far", Parts: []Part{{Shape: s}}, Pose: p}); !errors.Is(err, ErrBody) {
			t.Errorf("a wall at %v: error %v, expected ErrBody", p.Pos, err)
		}
	}
	id := addBody(t, w, BodySpec{Name: "loose", Parts: one(s, 1), Pose: at(0, 0, 0), Vel: vec.V(0, 1e9, 0)})
	var err error
	for n := 0; err == nil && n < 2*horizonSteps; n++ {
		err = w.Step(1)
	}
	if !errors.Is(err, ErrFault) || !strings.Contains(err.Error(), "body 1 (loose) of radius 1 m has flown to") {
		t.Errorf("error %v after %d steps at %v, expected a fault", err, w.Steps(), w.bodies.Pos.At(id))
	}
	if again := w.Step(1); again == nil || again.Error() != err.Error() {
		t.Errorf("the next step says %v, expected the same fault", again)
	}
}

func TestAfterClose(t *testing.T) {
	w := twoCubes(t, force.Linear{Kn: 1e5})
	steps(t, w, 2, 1e-3)
	hash := w.Hash()
	w.Close()
	w.Close()
	if err := w.Step(1e-3); !errors.Is(err, ErrClosed) {
		t.Errorf("a step after Close: error %v, expected ErrClosed", err)
	}
	if w.Hash() != hash || w.Measure().Step != 2 {
		t.Error("a closed world cannot be read")
	}
}

func TestWallForceIsOfWalls(t *testing.T) {
	w := twoCubes(t, force.Linear{Kn: 1e5})
	id := floor(t, w, 1)
	if _, _, err := w.WallForce(soa.ID(id)); err != nil {
		t.Error(err)
	}
	for _, id := range []soa.ID{0, 1, 3, math.MaxUint32} {
		if _, _, err := w.WallForce(id); !errors.Is(err, ErrBody) {
			t.Errorf("body %d: error %v, expected ErrBody", id, err)
		}
	}
}

// TestPairsWithoutAnAnswer checks that a pair that no method can prove is no contact, but a fault
// that names the first such pair, on any number of workers.
func TestPairsWithoutAnAnswer(t *testing.T) {
	for _, m := range []narrow.Method{narrow.Auto, narrow.GJKEPA} {
		want := ""
		for _, workers := range []int{1, 3} {
			w := newWorld(t, Config{Workers: workers, TilePairs: 7, Method: m}, force.Linear{Kn: 1e5})
			slab(t, w)
			s := addShape(t, w, rock(t, 1, 12, 1))
			for i := range 60 {
				name := fmt.Sprintf("rock-%d", i)
				addBody(t, w, BodySpec{Name: name, Parts: one(s, 1), Pose: at(1.5*float64(i%8), 1.5*float64(i/8), 0.7)})
			}
			steps(t, w, 3, 1e-3)
			// Remove all certificates that could answer instead of a search.
			for i := range w.space.Pairs.Len() {
				w.space.Pairs.Expiry[i] = soa.Expired
				w.space.Pairs.DropAxis(i)
			}
			for row := range w.space.Contacts.Len() {
				w.space.Contacts.Facet[row] = soa.FacetID{}
				w.space.Contacts.Unprove(row)
			}
			w.space.Internals().SetUnproven(func(ans *narrow.Answer) bool { return true })
			err := w.Step(1e-3)
			if !errors.Is(err, ErrFault) {
				t.Fatalf("%v, %d workers: error %v, expected ErrFault", m, workers, err)
			}
			if want == "" {
				want = err.Error()
			}
			if err.Error() != want {
				t.Errorf("%v: %q on %d workers, %q on one", m, err, workers, want)
			}
			if n := activeContacts(w); n != 0 {
				t.Errorf("%v: %d active contacts without an answer", m, n)
			}
			if again := w.Step(1e-3); again == nil || again.Error() != want {
				t.Errorf("%v: the next step says %v, expected the same fault", m, again)
			}
		}
		for _, part := range []string{"step 4: body 0 (slab) and body 1 (rock-0), pieces at", "have no answer: no method proves how far apart they are"} {
			if !strings.Contains(want, part) {
				t.Errorf("%v: error %q does not say %q", m, want, part)
			}
		}
	}
}

// TestMassesOutOfRange checks that a body is rejected if its mass, inertia or their inverses are
// not finite.
func TestMassesOutOfRange(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1e5})
	small, large := addShape(t, w, ball(t, 1e-45)), addShape(t, w, ball(t, 1e45))
	for _, b := range []BodySpec{
		{Parts: one(small, 1e-190), Pose: vec.IdentityPose}, {Parts: one(small, 1e-90), Pose: vec.IdentityPose},
		{Parts: one(large, 1e90), Pose: vec.IdentityPose}, {Parts: one(large, 1e190), Pose: vec.IdentityPose},
	} {
		if _, err := w.AddBody(b); !errors.Is(err, ErrBody) {
			t.Errorf("density %g: error %v, expected ErrBody", b.Parts[0].Density, err)
		}
	}
	for _, b := range []BodySpec{{Parts: one(small, 1), Pose: vec.IdentityPose}, {Parts: one(large, 1), Pose: vec.IdentityPose}} {
		if _, err := w.AddBody(b); err != nil {
			t.Error(err)
		}
	}
}
