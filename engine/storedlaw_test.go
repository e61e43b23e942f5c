package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// storingLaw is a law of another package that stores a bad number in one place from a gap on.
type storingLaw struct {
	points bool
	from   float64 // m
	store  func(history []float64, r *force.Result)
}

func (l *storingLaw) Law() (force.Law, error) { return l, nil }
func (l *storingLaw) Needs() force.Needs {
	return force.Needs{History: 3, Points: l.points, Potential: true}
}
func (l *storingLaw) Held([]float64) float64             { return 0 }
func (l *storingLaw) Springs(_, _ float64) force.Springs { return force.Springs{Normal: 1} }
func (l *storingLaw) Apply(c *force.Contact, history []float64, r *force.Result) {
	*r = force.Result{}
	if l.points {
		history = c.Points[0].History
	}
	if c.Gap < l.from {
		l.store(history, r)
	}
}

// TestLawStoresNumbersNotFinite checks that a law that stores NaN or an infinity, in any place, stops
// the world with a fault that names the pair, at the start or later, on any number of workers.
func TestLawStoresNumbersNotFinite(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(-1)
	for what, c := range map[string]struct {
		points bool
		words  string
		store  func(history []float64, r *force.Result)
	}{
		"history":          {false, "a history of [", func(h []float64, _ *force.Result) { h[2] = nan }},
		"infinite history": {false, "a history of [-Inf 0 0]", func(h []float64, _ *force.Result) { h[0] = inf }},
		"point":            {true, "a history of [", func(h []float64, _ *force.Result) { h[1] = nan }},
		"stored":           {false, "Stored, Held and HeldRise of", func(_ []float64, r *force.Result) { r.Stored = nan }},
		"stored by points": {true, "Stored, Held and HeldRise of", func(_ []float64, r *force.Result) { r.Stored = inf }},
		"held":             {false, "HeldRise of", func(_ []float64, r *force.Result) { r.Held = nan }},
		"rise":             {false, "HeldRise of", func(_ []float64, r *force.Result) { r.HeldRise = inf }},
		"normal":           {false, "Normal of", func(_ []float64, r *force.Result) { r.Normal = vec.V(0, inf, 0) }},
		"damping":          {false, "Damping of", func(_ []float64, r *force.Result) { r.Damping.Z = nan }},
		"damping moment":   {false, "DampingMoment of", func(_ []float64, r *force.Result) { r.DampingMoment.X = nan }},
		"friction":         {false, "Friction of", func(_ []float64, r *force.Result) { r.Friction.Y = nan }},
		"friction moment":  {false, "FrictionMoment of", func(_ []float64, r *force.Result) { r.FrictionMoment.X = inf }},
	} {
		for when, from := range map[string]float64{"start": 0, "later": -0.002} {
			for _, cfg := range []Config{{Workers: 1}, {Workers: 3, TilePairs: 1}, {NoLedger: true}} {
				w := newWorld(t, cfg, &storingLaw{points: c.points, from: from, store: c.store})
				s := addShape(t, w, ball(t, 1))
				for i, name := range []string{"far", "left", "right", "upper left", "upper right"} { // two pairs, of which the first is named
					addBody(t, w, BodySpec{Name: name, Parts: one(s, 1), Pose: at(1.999*float64((i+1)%2), 0, 9*float64((i+1)/2)),
						Vel: vec.V(float64(i%2), 0, 0)})
				}
				var err error
				for n := 0; err == nil && n < 100; n++ {
					err = w.Step(1e-4)
				}
				wantError(t, what+" "+when, err, ErrFault, "the law *engine.storingLaw gives the contact of body 1 (left) and body 2 (right)", c.words, "expected finite")
				if again := w.Step(1e-4); again != err {
					t.Errorf("%s %s: the next step says %v, expected the same fault", what, when, again)
				}
			}
		}
	}
}
