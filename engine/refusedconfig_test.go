package engine

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// wantError checks that an error is of a kind and contains all words.
func wantError(t *testing.T, what string, err, kind error, words ...string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("%s: error %v, expected %v", what, err, kind)
		return
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%s: error %q does not say %q", what, err, word)
		}
	}
}

func TestConfigRefused(t *testing.T) {
	table, err := force.NewTable(1, force.Linear{Kn: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what  string
		cfg   Config
		words string
	}{
		{"no law", Config{}, "Config.Law is nil, expected the contact laws"},
		{"location", Config{Law: table, Location: 9}, "location 9, expected 0 (Reduced), 1 (Witness) or 2 (Full)"},
		{"method", Config{Law: table, Method: 200}, "expected one of narrow.Methods"},
		{"a recorder of no workers", Config{Law: table, Workers: 1, Recorder: &sched.Recorder{}}, "a recorder of 0 workers in a world of 1, expected 1 to 1024 in a world of 1"},
		{"a recorder of two workers", Config{Law: table, Workers: 2, Recorder: &sched.Recorder{Workers: 2}}, "a recorder of 2 workers in a world of 2"},
		{"a cap alone", Config{Law: table, Relief: Relief{Cap: 0.01}}, "relief of what exceeds 0.01 m in 0 s, expected a time > 0 s"},
	} {
		_, err := New(c.cfg)
		wantError(t, c.what, err, ErrConfig, c.words)
	}
}

// TestReliefWithoutCap checks that a Time without a Cap forgives the whole overlap.
func TestReliefWithoutCap(t *testing.T) {
	w := newWorld(t, Config{Relief: Relief{Time: 1}}, force.Linear{Kn: 1e3})
	s := addShape(t, w, ball(t, 1))
	addBody(t, w, BodySpec{Parts: one(s, 1), Pose: at(0, 0, 0)})
	addBody(t, w, BodySpec{Parts: one(s, 1), Pose: at(1.9, 0, 0)})
	for c := range w.ActiveContacts() {
		if c.Force != (vec.Vec3{}) {
			t.Errorf("at the start the force is %v N, expected none", c.Force)
		}
	}
}

func TestBodiesRefusedBySentences(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1})
	s := addShape(t, w, ball(t, 1))
	add := func(parts ...Part) error {
		_, err := w.AddBody(BodySpec{Name: "b", Parts: parts})
		return err
	}
	wantError(t, "no parts", add(), ErrBody, "has no parts, expected one at least")
	wantError(t, "a shape", add(Part{Shape: 7, Density: 1}), ErrBody, "has shape 7 and material 0, expected one of the 1 shapes", "1 materials")
	_, err := w.AddShape(nil)
	wantError(t, "nil", err, ErrBody, "the shape is nil, expected one")
	addBody(t, w, BodySpec{Parts: one(s, 1)})
	steps(t, w, 1, 1e-3)
	wantError(t, "a body too light for the last step", add(one(s, 1e-12)...), ErrTimeStep, "would need time steps of at most", "the last one was of 0.001 s")
	if w.bodies.Len() != 1 || w.space.Pieces.Len() != 1 || w.changed {
		t.Error("a refused body has changed the world")
	}
}

func TestNothingIsAddedAfterClose(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1})
	s := addShape(t, w, ball(t, 1))
	w.Close()
	_, err := w.AddShape(ball(t, 1))
	wantError(t, "AddShape", err, ErrClosed, "after Close")
	_, err = w.AddBody(BodySpec{Parts: one(s, 1)})
	wantError(t, "AddBody", err, ErrClosed, "after Close")
	_, err = w.AddWall(WallSpec{Parts: []Part{{Shape: s}}})
	wantError(t, "AddWall", err, ErrClosed, "after Close")
	if w.space.Shapes.Len() != 1 || w.bodies.Len() != 0 {
		t.Error("what is refused left rows behind")
	}
}

// faultyLaw is a law of another package that returns given values.
type faultyLaw struct {
	springs force.Springs
	push    float64 // N, force if the gap is below from
	from    float64 // m
}

func (l faultyLaw) Law() (force.Law, error)            { return l, nil }
func (l faultyLaw) Needs() force.Needs                 { return force.Needs{} }
func (l faultyLaw) Held([]float64) float64             { return 0 }
func (l faultyLaw) Springs(_, _ float64) force.Springs { return l.springs }
func (l faultyLaw) Apply(c *force.Contact, _ []float64, r *force.Result) {
	*r = force.Result{}
	if c.Gap < l.from {
		r.Force = c.Normal.Scale(-l.push)
	}
}

// faultyWorld returns two balls that approach each other, and a distant one.
func faultyWorld(t *testing.T, law faultyLaw) *World {
	w := newWorld(t, Config{}, law)
	s := addShape(t, w, ball(t, 1))
	addBody(t, w, BodySpec{Name: "far", Parts: one(s, 1), Pose: at(0, 9, 0)})
	addBody(t, w, BodySpec{Name: "left", Parts: one(s, 1), Pose: at(0, 0, 0), Vel: vec.V(1, 0, 0)})
	addBody(t, w, BodySpec{Name: "right", Parts: one(s, 1), Pose: at(1.999, 0, 0)})
	return w
}

func TestSpringsOfALawRefused(t *testing.T) {
	for name, s := range map[string]force.Springs{
		"Normal:NaN": {Normal: math.NaN()}, "Normal:-1": {Normal: -1}, "NormalDashpot:-2": {Normal: 1, NormalDashpot: -2},
		"Tangent:NaN": {Normal: 1, Tangent: math.NaN()}, "Friction:-0.5": {Normal: 1, Friction: -0.5},
	} {
		w := faultyWorld(t, faultyLaw{springs: s})
		words := []string{"Springs of the law engine.faultyLaw gives {", name, "expected numbers ≥ 0"}
		wantError(t, "Step, "+name, w.Step(1e-4), force.ErrLaw, words...)
		_, err := w.CheckTimeStep(1e-4)
		wantError(t, "CheckTimeStep, "+name, err, force.ErrLaw, words...)
	}
}

// TestForceOfALawNotFinite checks that the fault names the contact, whether its force is not finite
// at the start or later.
func TestForceOfALawNotFinite(t *testing.T) {
	words := []string{"the law engine.faultyLaw gives the contact of body 1 (left) and body 2 (right), at a gap of -0.00", "expected finite"}
	for name, push := range map[string]float64{"NaN": math.NaN(), "Inf": math.Inf(1)} {
		for when, from := range map[string]float64{"start": 0, "later": -0.002} {
			w := faultyWorld(t, faultyLaw{springs: force.Springs{Normal: 1}, push: push, from: from})
			var err error
			for n := 0; err == nil && n < 100; n++ {
				err = w.Step(1e-4)
			}
			wantError(t, name+" "+when, err, ErrFault, words...)
			if again := w.Step(1e-4); again != err {
				t.Errorf("%s %s: the next step says %v, expected the same fault", name, when, again)
			}
			if p := w.bodies.Pose(soa.Body(0)).Pos; !p.Finite() {
				t.Errorf("%s %s: the far body is at %v", name, when, p)
			}
		}
	}
}
