package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/vec"
)

// TestImpactErrsByItsKinks measures the error of the time step in elastic impacts. The error arises
// at the start and the end of a contact, where the force has a kink. It is dt²·J·B(φ)/2 for each
// kink, with opposite signs for start and end. J = k·v² is the stiffness times the square of the
// speed at the kink, φ the fraction of the step at which the kink lies, and B(φ) = φ² − φ + 1/6. In
// total it is at most dt²·J/8 for each contact. Between the kinks the step conserves a modified
// energy.
//
// A cube that comes down flat with a small tilt first hits with one corner, of stiffness 0.3·k. It
// then turns, hits with the opposite corner at twice the speed, and usually with the first corner
// again.
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
				lasts = float64(touching) * share // duration of the first contact, in units of π·√(m/2k)
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
