package engine

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// shadow returns Σ ⅛·dt²·(f²/m + τ·I⁻¹·τ) over the forces of contacts, J. The kinetic energy of
// full steps is lower than the mean of the half steps around them by this amount. It is the only
// remainder of the ledger if all work of a law is booked.
func shadow(w *World, dt float64) (sum float64) {
	b := w.Bodies()
	for i := range b.Len() {
		if b.InvMass[i] != 0 {
			f, torque := b.Force.At(i), b.Torque.At(i)
			sum += dt * dt / 8 * (b.InvMass[i]*f.Norm2() + torque.Dot(spinOf(b.Rot.At(i), torque, b.InvInertia.At(i))))
		}
	}
	return sum
}

// tumble drops rocks and bricks on a floor and on each other.
func tumble(t *testing.T, cfg Config, law force.Parameters) *World {
	t.Helper()
	cfg.Gravity = down
	w := newWorld(t, cfg, law)
	addFloor(t, w)
	r := rand.New(rand.NewPCG(5, 5))
	any := func() vec.Vec3 { return vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()) }
	for i := range 12 {
		s := box(t, 0.3, 0.2, 0.15)
		if i%2 == 0 {
			s = rock(t, uint64(i), 12, 0.15)
		}
		pose := vec.Pose{Pos: vec.V(0.1*float64(i%2), 0.05*float64(i%3), 0.25+0.4*float64(i)), Rot: vec.FromRotationVector(any())}
		addMoving(t, w, addShape(t, w, s), pose, vec.Vec3{}, any())
	}
	return w
}

// TestAccountCloses drops bodies under laws with and without a potential, with damping and
// friction. The energy that the law without a potential creates must be LawExcess and not LeftOver.
// LeftOver is the difference of full and half steps only.
func TestAccountCloses(t *testing.T) {
	const k, dt = 1e3, 1e-4
	for _, c := range []struct {
		name   string
		law    force.Parameters
		excess bool
		left   float64 // as a share of the energy lost
	}{
		{"linear", force.Linear{Kn: k, Kt: 0.8 * k, Mu: 0.5, ByRestitution: true, Restitution: 0.5}, true, 1e-11},
		{"thickness", force.Thickness{Stiffness: k, Tangential: 0.8 * k, Friction: 0.5, Restitution: 0.5}, false, 1e-3},
	} {
		w := tumble(t, Config{}, c.law)
		w.Measure()
		before := shadow(w, dt)
		steps(t, w, 8000, dt)
		m := w.Measure()
		lost := m.Ledger.Damping + m.Ledger.Friction
		if m.Ledger.Damping < 0.1 || m.Ledger.Friction < 0.1 {
			t.Fatalf("%s: lost to damping %g J, to friction %g J", c.name, m.Ledger.Damping, m.Ledger.Friction)
		}
		left := m.LeftOver
		if c.excess {
			left += shadow(w, dt) - before
		}
		t.Logf("%s: lost %.3g J, excess %.3g J, left over %.3g J, without half steps %.3g J, normal %.3g J", c.name, lost, m.Ledger.LawExcess,
			m.LeftOver, left, w.NormalLeftOver(m, dt))
		if math.Abs(left) > c.left*lost || math.Abs(m.LeftOver) > w.NormalLeftOver(m, dt) {
			t.Errorf("%s: of %g J lost %g J are left over, %g J without the half steps, expected at most %g", c.name, lost, m.LeftOver, left, c.left*lost)
		}
		if got := math.Abs(m.Ledger.LawExcess) > 1e-3*lost; got != c.excess {
			t.Errorf("%s: the law's excess is %g J of %g J lost", c.name, m.Ledger.LawExcess, lost)
		}
	}
}

// TestAccountOfRelief starts two cubes inside each other. Over time the force that relief removes
// returns. The energy of that must be LawExcess, although the law has a potential.
func TestAccountOfRelief(t *testing.T) {
	w := newWorld(t, Config{Relief: Relief{Time: 0.05}}, force.Thickness{Stiffness: 1e4, Restitution: 0.5})
	s := addShape(t, w, box(t, 1, 1, 1))
	addMoving(t, w, s, at(0, 0, 0), vec.Vec3{}, vec.Vec3{})
	addMoving(t, w, s, at(0.1, 0.2, 0.99), vec.Vec3{}, vec.Vec3{})
	steps(t, w, 1000, 1e-4)
	m := w.Measure()
	if gained := m.Kinetic() + m.Ledger.Damping; !(gained > 0.01) || math.Abs(m.Ledger.LawExcess-gained) > 1e-3*gained || math.Abs(m.LeftOver) > 1e-3*gained {
		t.Errorf("the cubes fly apart with %g J, the excess is %g J, left over %g J", gained, m.Ledger.LawExcess, m.LeftOver)
	}
}

type inner = force.Law

// pretender is a law that wrongly claims to have a potential: while bodies separate, its force is a
// tenth too large.
type pretender struct{ inner }

func (p pretender) Law() (force.Law, error) { return p, nil }

func (p pretender) Needs() force.Needs {
	n := p.inner.Needs()
	n.Potential = true
	return n
}

func (p pretender) Apply(c *force.Contact, history []float64, r *force.Result) {
	p.inner.Apply(c, history, r)
	if c.Velocity.Dot(c.Normal) < 0 {
		r.Force = r.Force.Scale(1.1)
	}
}

// TestNormalLeftOverIsExceeded bounces a ball under a law that has a potential, and under one that
// claims so and creates energy.
func TestNormalLeftOverIsExceeded(t *testing.T) {
	linear, err := force.Linear{Kn: 1e4, ByRestitution: true, Restitution: 1}.Law()
	if err != nil {
		t.Fatal(err)
	}
	for i, law := range []force.Parameters{force.Thickness{Stiffness: 1e4, Restitution: 1}, pretender{linear}} {
		w := newWorld(t, Config{}, law)
		addFloor(t, w)
		addMoving(t, w, addShape(t, w, ball(t, 0.5)), at(0, 0, 0.5+1e-4), vec.V(0, 0, -1), vec.Vec3{})
		steps(t, w, 500, 1e-4)
		m := w.Measure()
		if normal := w.NormalLeftOver(m, 1e-4); m.Active != 0 || math.Abs(m.LeftOver) > normal != (i == 1) {
			t.Errorf("%T: %g J are left over, normal up to %g J", law, m.LeftOver, normal)
		}
	}
}

// TestAccountKnowsRotation checks that a flying, spinning brick has kinetic energy of both kinds,
// and that each stays constant.
func TestAccountKnowsRotation(t *testing.T) {
	w := newWorld(t, Config{}, force.Thickness{Stiffness: 1e4, Restitution: 1})
	id := addMoving(t, w, addShape(t, w, box(t, 3, 2, 1)), at(0, 0, 0), vec.V(2, 0, 0), vec.V(0.1, 1, 0.1))
	want := 0.5 * w.Bodies().Spin.At(int(id)).Dot(w.Bodies().AngMom.At(int(id)))
	steps(t, w, 200, 1e-2)
	if m := w.Measure(); math.Abs(m.Translation-12) > 1e-12 || math.Abs(m.Rotation-want) > 1e-9*want || m.Kinetic() != m.Translation+m.Rotation {
		t.Errorf("translation %g J, rotation %g J, expected 12 J and %g J", m.Translation, m.Rotation, want)
	}
}
