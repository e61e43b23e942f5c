package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/vec"
)

// TestShakingIsFedByWeight sets a cube of restitution 0.8, rotated by 20°, on a slope a tenth of a
// degree below the friction angle. It shakes while it slides. The energy of the shaking comes from
// its weight: friction and dashpots only dissipate, up to the error of the step, and they dissipate
// exactly the potential energy that the cube loses.
func TestShakingIsFedByWeight(t *testing.T) {
	require.Numbers(t)
	const g, mu, k = 9.81, 0.5, 1e6
	sin, cos := vec.Sincos(vec.Atan2(mu, 1) - 0.1*math.Pi/180)
	run := func(share float64) (gave float64) {
		w := newWorld(t, Config{Gravity: vec.V(g*sin, 0, -g*cos)}, force.Thickness{Stiffness: k, Tangential: 0.8 * k, Friction: mu, Restitution: 0.8})
		addFloor(t, w)
		turned := vec.Pose{Pos: vec.V(0, 0, 0.5), Rot: vec.FromRotationVector(vec.V(0, 0, math.Pi/9))}
		addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), turned, vec.Vec3{}, vec.Vec3{})
		dt := ofContact(k, share)
		was, most := w.Measure(), 0.0
		for range int(0.3 / dt) {
			steps(t, w, 1, dt)
			l := w.ledger
			gave += max(was.Ledger.Friction-l.Friction, 0)
			if l.Damping < was.Ledger.Damping {
				t.Fatalf("after %g s dashpots give %g J", w.Time(), was.Ledger.Damping-l.Damping)
			}
			was.Ledger = l
			most = max(most, l.Elastic)
		}
		m := w.Measure()
		drop := g * g * cos * cos / (2 * k) // J, kinetic energy of the cube's fall until its weight is carried
		t.Logf("steps of %g of the contact time: the weight gave %.4g J, friction took %.4g J and gave %.2g J, dashpots took %.4g J; left over %.2g J; the drop is %.2g J",
			share, m.StartedAbove-m.Potential, m.Ledger.Friction, gave, m.Ledger.Damping, m.LeftOver, drop)
		if m.Ledger.Damping < 10*drop || most < 2*drop {
			t.Errorf("dashpots took %g J, and springs held up to %g J: the cube does not shake", m.Ledger.Damping, most)
		}
		if gave > 1e-6*m.Ledger.Friction || math.Abs(m.LeftOver) > 1e-3*m.Ledger.Damping {
			t.Errorf("friction gave %g J of the %g J that it took; left over are %g J", gave, m.Ledger.Friction, m.LeftOver)
		}
		return gave
	}
	if coarse, fine := run(1.0/50), run(1.0/100); fine > coarse/2.5 {
		t.Errorf("friction gives %g J, with half the step %g J, expected a quarter", coarse, fine)
	}
}
