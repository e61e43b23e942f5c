package force

import (
	"errors"
	"math"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// memory is what a contact stores from step to step.
type memory struct{ slip, normal vec.Vec3 }

// apply evaluates one step of a contact.
func (h *memory) apply(l *Linear, c *Contact, r *Result) {
	history := []float64{h.slip.X, h.slip.Y, h.slip.Z}
	c.PreviousNormal = h.normal
	l.Apply(c, history, r)
	h.slip, h.normal = slipOf(history), c.Normal
}

func newLaw(t *testing.T, l Linear) *Linear {
	t.Helper()
	table, err := NewTable(1, l)
	if err != nil {
		t.Fatal(err)
	}
	return table.At(0, 0).(*Linear)
}

// impact simulates a head-on impact of a unit mass on a wall at unit speed, and returns its speed
// afterwards.
func impact(l *Linear, dt float64) float64 {
	x, v, f := 0.0, 1.0, 0.0
	var h memory
	n := vec.V(0, 0, -1) // A is above wall B
	for {
		v += 0.5 * dt * f
		x += dt * v
		var r Result
		h.apply(l, &Contact{Gap: -x, Normal: n, Velocity: vec.V(0, 0, -v), Mass: 1, Dt: dt}, &r)
		f = -r.Force.Z
		v += 0.5 * dt * f
		if x <= 0 {
			return -v
		}
	}
}

func TestRestitutionIsThatOfAnImpact(t *testing.T) {
	for _, tension := range []bool{false, true} {
		for _, e := range []float64{1, 0.9, 0.5, 0.2, 0.05} {
			l := newLaw(t, Linear{Kn: 1, ByRestitution: true, Restitution: e, Tension: tension})
			if got := impact(l, 1e-4); math.Abs(got-e) > 2e-4 {
				t.Errorf("tension %v: an impact with restitution %g gives %g", tension, e, got)
			}
		}
	}
}

func TestRestitutionAndDampingAreInverse(t *testing.T) {
	for _, tension := range []bool{false, true} {
		for _, e := range []float64{0.999999, 0.9, 0.5, 0.1, 0.001} {
			z := DampingForRestitution(e, tension)
			if got := RestitutionForDamping(z, tension); math.Abs(got-e) > 1e-12 {
				t.Errorf("tension %v: e = %g gives ζ = %g, which gives e = %g", tension, e, z, got)
			}
		}
	}
	// The clipped formula has three branches, which meet at ζ = 1 with e = exp(−2).
	for _, z := range []float64{1 - 1e-9, 1, 1 + 1e-9} {
		if got := RestitutionForDamping(z, false); math.Abs(got-math.Exp(-2)) > 1e-7 {
			t.Errorf("ζ = %g gives e = %g, expected %g", z, got, math.Exp(-2))
		}
	}
}

func TestFrictionSticksAndSlides(t *testing.T) {
	l := newLaw(t, Linear{Kn: 100, Kt: 50, Mu: 0.5})
	var h memory
	var r Result
	m := Contact{Gap: -0.01, Normal: vec.V(0, 0, -1), Velocity: vec.V(0.002, 0, 0), Mass: 1, Dt: 1}
	h.apply(l, &m, &r)
	// Normal force 1 N, friction limit 0.5 N; the spring has 50·0.002 = 0.1 N.
	if want := vec.V(-0.1, 0, 1); r.Force.Sub(want).Norm() > 1e-15 || r.Sliding {
		t.Errorf("sticking gives force %v, sliding %v, expected %v", r.Force, r.Sliding, want)
	}
	m.Velocity = vec.V(1, 0, 0)
	h.apply(l, &m, &r)
	if want := vec.V(-0.5, 0, 1); r.Force.Sub(want).Norm() > 1e-15 || !r.Sliding {
		t.Errorf("sliding gives force %v, sliding %v, expected %v", r.Force, r.Sliding, want)
	}
	if want := 0.5 / 50; math.Abs(h.slip.Norm()-want) > 1e-15 {
		t.Errorf("the spring is %g m long, expected %g", h.slip.Norm(), want)
	}
}

func TestHistoryTurnsWithTheContact(t *testing.T) {
	l := newLaw(t, Linear{Kn: 100, Kt: 50, Mu: 10})
	start := memory{slip: vec.V(0.01, 0, 0), normal: vec.V(0, 0, 1)}
	for _, c := range []struct {
		name   string
		normal vec.Vec3
		twist  float64
		want   vec.Vec3
	}{
		{"still", vec.V(0, 0, 1), 0, vec.V(0.01, 0, 0)},
		{"normal leans along the spring", vec.V(0.6, 0, 0.8), 0, vec.V(0.008, 0, -0.006)},
		{"normal leans across the spring", vec.V(0, 0.6, 0.8), 0, vec.V(0.01, 0, 0)},
		{"normal turns over", vec.V(0, 0, -1), 0, vec.V(0, 0, 0)},
		{"bodies turn together", vec.V(0, 0, 1), 1e-4, vec.V(0.01*math.Cos(1e-4), 0.01*math.Sin(1e-4), 0)},
	} {
		h := start
		var r Result
		h.apply(l, &Contact{Gap: -0.1, Normal: c.normal, Twist: c.twist, Mass: 1, Dt: 1}, &r)
		if h.slip.Sub(c.want).Norm() > 1e-10 {
			t.Errorf("%s: slip %v, expected %v", c.name, h.slip, c.want)
		}
	}
}

func TestInteractionDistance(t *testing.T) {
	l := newLaw(t, Linear{Kn: 100, ReferenceGap: 0.1, Interaction: 0.2})
	for _, c := range []struct{ gap, want float64 }{{0.15, 0}, {0.1, 0}, {0.05, 5}, {0, 10}, {-0.1, 20}} {
		var h memory
		var r Result
		h.apply(l, &Contact{Gap: c.gap, Normal: vec.V(0, 0, -1), Mass: 1, Dt: 1}, &r)
		if math.Abs(r.Force.Z-c.want) > 1e-12 {
			t.Errorf("gap %g: force %g, expected %g", c.gap, r.Force.Z, c.want)
		}
	}
	if l.Needs().Reach != 0.2 {
		t.Errorf("reach %g, expected 0.2", l.Needs().Reach)
	}
}

func TestLawsNotPhysical(t *testing.T) {
	for name, l := range map[string]Linear{
		"no stiffness":                  {},
		"negative friction":             {Kn: 1, Kt: 1, Mu: -1},
		"friction without spring":       {Kn: 1, Mu: 0.5},
		"restitution above one":         {Kn: 1, ByRestitution: true, Restitution: 1.1},
		"restitution of zero":           {Kn: 1, ByRestitution: true},
		"stiffness not a number":        {Kn: math.NaN()},
		"stiffness infinite":            {Kn: math.Inf(1)},
		"reference beyond interaction":  {Kn: 1, ReferenceGap: 0.1},
		"negative interaction distance": {Kn: 1, Interaction: -1, ReferenceGap: -2},
	} {
		if _, err := NewTable(1, l); !errors.Is(err, ErrLaw) {
			t.Errorf("%s: error %v, expected ErrLaw", name, err)
		}
	}
	table, err := NewTable(2, Linear{Kn: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Set(0, 2, Linear{Kn: 1}); !errors.Is(err, ErrLaw) {
		t.Errorf("a third material of two: error %v, expected ErrLaw", err)
	}
	if err := table.Set(0, 1, Linear{Kn: 3}); err != nil || table.At(1, 0).(*Linear).Kn != 3 {
		t.Errorf("the law of a pair is not symmetric: %v, %v", table.At(1, 0), err)
	}
}

// FuzzApply checks that friction creates no energy: in a closed cycle of slips at any normal
// forces, the work done on the contact is at least the energy in its spring.
func FuzzApply(f *testing.F) {
	f.Add([]byte{1, 200, 3, 40, 5, 60, 255, 8})
	f.Add([]byte{128, 128, 0, 255, 255, 0})
	f.Fuzz(func(t *testing.T, path []byte) {
		law, err := Linear{Kn: 100, Kt: 80, Mu: 0.7}.Law()
		if err != nil {
			t.Fatal(err)
		}
		l := law.(*Linear)
		var h memory
		var r Result
		taken := 0.0
		for i := 0; i+2 < len(path); i += 3 {
			m := Contact{
				Gap: -float64(path[i]) / 1000, Normal: vec.V(0, 0, 1), Mass: 1, Dt: 1,
				Velocity: vec.V(float64(path[i+1])-128, float64(path[i+2])-128, 0).Scale(1e-4),
			}
			before := 0.5 * l.Kt * h.slip.Norm2()
			h.apply(l, &m, &r)
			// The force acts at the end of the slip, so the work differs from the exact one by at
			// most half of kt·|slip|² per step.
			taken += -r.Friction.Dot(m.Velocity)
			if r.Friction.Norm() > l.Mu*100*-m.Gap*(1+1e-12) {
				t.Fatalf("friction %g exceeds µ·f = %g", r.Friction.Norm(), l.Mu*100*-m.Gap)
			}
			if math.Abs(r.Held-before-r.HeldRise) > 1e-15 {
				t.Fatalf("the spring's energy rose by %g, told %g", r.Held-before, r.HeldRise)
			}
			if taken < r.Held-1e-12 {
				t.Fatalf("step %d: the contact took %g and its spring holds %g", i/3, taken, r.Held)
			}
		}
	})
}

func BenchmarkApply(b *testing.B) {
	law, err := Linear{Kn: 100, Kt: 80, Mu: 0.7, ByRestitution: true, Restitution: 0.5}.Law()
	if err != nil {
		b.Fatal(err)
	}
	l := law.(*Linear)
	m := Contact{Gap: -0.01, Normal: vec.V(0, 0, 1), Velocity: vec.V(1e-3, 2e-3, 1e-4), Twist: 0.1, Mass: 1, Dt: 1e-3}
	var h memory
	var r Result
	for b.Loop() {
		h.apply(l, &m, &r)
	}
	if !(r.Force.Norm() > 0) {
		b.Fatal("no force")
	}
}
