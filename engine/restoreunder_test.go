package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestRestoreUnderOtherLaws lets a block creep on a slope until its friction springs hold it, and goes on under a lower
// friction, another stiffness and another kind of law. The energy that a spring loses beyond the lower friction is
// friction, all else is a change.
func TestRestoreUnderOtherLaws(t *testing.T) {
	const dt = 5e-5
	build := func(law force.Parameters) *World {
		w := newWorld(t, Config{Gravity: vec.V(4, 0, -9)}, law)
		planeWall(t, w, vec.IdentityPose, Motion{})
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 1, 1, 1)), 1000), Pose: at(0, 0, 0.5)})
		return w
	}
	law := force.Thickness{Stiffness: 1e7, Tangential: 8e6, Friction: 0.6, Restitution: 0.2}
	w := build(law)
	steps(t, w, 10000, dt)
	before := w.Measure()
	for name, c := range map[string]struct {
		law  force.Parameters
		kept bool
		want func(l *Ledger) bool
	}{
		"friction": {force.Thickness{Stiffness: 1e7, Tangential: 8e6, Friction: 0.3, Restitution: 0.2}, true, func(l *Ledger) bool {
			limit := 0.3 * 9000 / 8e6
			lost := 0.5*8e6*(4000.0/8e6)*(4000.0/8e6) - 0.5*8e6*limit*limit
			return math.Abs((l.Friction-before.Ledger.Friction)/lost-1) < 0.05 && math.Abs(l.Changed) < 1e-9
		}},
		"same":      {law, true, func(l *Ledger) bool { return math.Abs(l.Changed) < 1e-12 && l.Friction == before.Ledger.Friction }},
		"stiffness": {force.Thickness{Stiffness: 2e7, Tangential: 8e6, Friction: 0.6, Restitution: 0.2}, true, func(l *Ledger) bool { return math.Abs(l.Changed/before.Ledger.Elastic-1) < 1e-3 }},
		"kind": {force.Linear{Kn: 1e7, Kt: 8e6, Mu: 0.6, ByRestitution: true, Restitution: 0.2}, false, func(l *Ledger) bool {
			return l.Shear == 0 && math.Abs(l.Changed-(l.Elastic-before.Ledger.Elastic-before.Ledger.Shear)) < 1e-9
		}},
	} {
		other := build(c.law)
		if err := other.RestoreUnder(w.State(), func(a, b soa.Material) bool { return c.kept }); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		m := other.Measure()
		if !c.want(&m.Ledger) {
			t.Errorf("%s: %+v after %+v", name, m.Ledger, before.Ledger)
		}
		steps(t, other, 4000, dt)
		if end := other.Measure(); !(math.Abs(end.LeftOver-before.LeftOver) < 1e-3*(1+math.Abs(end.Ledger.Friction))) {
			t.Errorf("%s: left over %g J, %g J before", name, end.LeftOver, before.LeftOver)
		}
	}
}
