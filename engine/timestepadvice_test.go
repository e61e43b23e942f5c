package engine

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
)

// TestThicknessAdvice checks that the advised step is a fiftieth of the contact time of the
// lightest body, and that steps are rejected at or before the limit of 3·k/m, the largest
// eigenvalue of a body with one contact.
func TestThicknessAdvice(t *testing.T) {
	const k = 1e6
	for _, size := range [][3]float64{{1, 1, 1}, {2, 1, 0.2}, {2, 0.2, 0.2}} {
		for _, e := range []float64{1, 0.3} {
			w := newWorld(t, Config{}, force.Thickness{Stiffness: k, Tangential: 0.8 * k, Friction: 0.5, Restitution: e})
			addFloor(t, w)
			s := addShape(t, w, box(t, size[0], size[1], size[2]))
			addBody(t, w, BodySpec{Parts: one(s, 8), Pose: at(0, 0, 1)})
			light := addBody(t, w, BodySpec{Parts: one(s, 2), Pose: at(0, 0, 3)})
			addBody(t, w, BodySpec{Parts: one(s, 2), Pose: at(0, 0, 6)})
			m := w.Bodies().Mass[light]
			ts := w.TimeStep()
			if want := math.Pi * math.Sqrt(m/(2*k)) / 50; math.Abs(ts.Advised-want) > 1e-12*want {
				t.Errorf("%v, e = %g: a step of %g s is advised, expected %g s", size, e, ts.Advised, want)
			}
			if most := 2 / math.Sqrt(3*k/m); !(ts.Stable <= most) {
				t.Errorf("%v, e = %g: stable up to %g s, expected at most %g s", size, e, ts.Stable, most)
			}
			if e < 1 {
				continue
			}
			if text, err := w.CheckTimeStep(0.99 * ts.Advised); err != nil || text != "" {
				t.Errorf("%v: below the advised step: warning %q, error %v", size, text, err)
			}
			if text, err := w.CheckTimeStep(1.01 * ts.Advised); err != nil || !strings.Contains(text, "at most 2 %") {
				t.Errorf("%v: above the advised step: warning %q, error %v", size, text, err)
			}
		}
	}
}

// TestAdviceIsAccepted checks that the advised step, as messages print it, is accepted if dashpots
// make the stable limit shorter than a fiftieth of the contact time.
func TestAdviceIsAccepted(t *testing.T) {
	for _, e := range []float64{0.05, 0.001} {
		for _, friction := range []float64{0, 0.5, 1000} {
			for _, law := range []force.Parameters{
				force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: friction, Restitution: e},
				force.Linear{Kn: 1e5, Kt: 8e4, Mu: friction, ByRestitution: true, Restitution: e},
			} {
				w := newWorld(t, Config{}, law)
				addFloor(t, w)
				addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.1, 0.1, 0.1)), 1000), Pose: at(0, 0, 1)})
				advised, err := strconv.ParseFloat(mark.Limit(w.TimeStep().Advised), 64)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := w.CheckTimeStep(advised); err != nil {
					t.Errorf("%+v: the advised step is refused: %v", law, err)
				}
			}
		}
	}
}

// TestAdviceOfTwoLaws checks that each law gives its own advice, and that the shorter one counts.
func TestAdviceOfTwoLaws(t *testing.T) {
	law, err := force.NewTable(2, force.Linear{Kn: 1e6, ByRestitution: true, Restitution: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := law.Set(1, 1, force.Thickness{Stiffness: 1e4, Restitution: 1}); err != nil {
		t.Fatal(err)
	}
	w, err := New(Config{Workers: 1, Law: law})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	s := addShape(t, w, box(t, 1, 1, 1))
	for i := range 4 {
		parts := one(s, 1)
		parts[0].Material = [4]soa.Material{0, 0, 1, 1}[i]
		addBody(t, w, BodySpec{Parts: parts, Pose: at(2*float64(i), 0, 0)})
	}
	linear, thickness := 0.1*math.Pi*math.Sqrt(1/2e6), 0.02*math.Pi*math.Sqrt(1/2e4)
	if got, want := w.TimeStep().Advised, min(linear, thickness); math.Abs(got-want) > 1e-12*want {
		t.Errorf("a step of %g s is advised, expected %g s: %g s by the linear law, %g s by the other", got, want, linear, thickness)
	}
}
