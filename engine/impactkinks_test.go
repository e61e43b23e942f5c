package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/vec"
)

// TestImpactErrsByItsKinks is what the step makes of an elastic impact. It errs where a contact
// begins and where it ends, for the force has a kink there: by dt²·J·B(φ)/2 each, begin and end of
// opposite sign. J = k·v² is the stiffness there times the square of the speed there, φ the share
// of the step that the kink is in, and B(φ) = φ² − φ + 1/6. Together that is at most dt²·J/8 for
// each contact. In between the step keeps an energy of its own.
//
// A cube that comes down flat with a tilt falls on one corner, of stiffness 0.3·k, turns and falls
// at twice the speed on the opposite one, and mostly on the first again.
func TestImpactErrsByItsKinks(t *testing.T) {
	require.Numbers(t)
	const k, tip, contacts, phases = 1e8, 0.3, 1 + 4 + 1, 12
	law := force.Thickness{Stiffness: k, Restitution: 1}
	throw := func(share, phase float64) (gain, lasts float64) {
		w := newWorld(t, Config{NoLedger: true}, law)
		addFloor(t, w)
		dt := ofContact(k, share)
		rot := vec.FromRotationVector(vec.V(0.004, 0.003, 0))
		pose := vec.Pose{Pos: vec.V(0, 0, 0.5*heightOf(rot)+float64(phase*dt)), Rot: rot}
		id := int(addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), pose, vec.V(0, 0, -1), vec.Vec3{}))
		before, touching := w.Measure().Kinetic(), 0
		for range int(100 / share) {
			steps(t, w, 1, dt)
			switch active := w.Measure().Active > 0; {
			case active:
				touching++
			case touching > 0 && lasts == 0:
				lasts = float64(touching) * share // the first contact, in units of π·√(m/2k)
			case w.Bodies().Vel.Z[id] > 0 && w.Bodies().Pos.Z[id] > 0.51:
				return w.Measure().Kinetic()/before - 1, lasts
			}
		}
		t.Fatal("the cube stays")
		return 0, 0
	}
	for _, share := range []float64{1.0 / 50, 1.0 / 100} {
		dt := ofContact(k, share)
		most, worst, lasts := dt*dt*tip*k*contacts/8/0.5, 0.0, math.Inf(1)
		for n := range phases {
			gain, first := throw(share, float64(n)/phases)
			worst, lasts = max(worst, math.Abs(gain)), min(lasts, first)
		}
		t.Logf("steps of %g of the contact time: off by %.3g at most, the kinks allow %.3g; the first contact lasts %.3g times as long", share, worst, most, lasts)
		if worst > most || worst < most/4 {
			t.Errorf("steps of %g of the contact time: the energy is off by %g at most, expected up to %g", share, worst, most)
		}
		if lasts < 1 {
			t.Errorf("the first contact lasts %g of the contact time, expected no shorter one", lasts)
		}
	}
}
