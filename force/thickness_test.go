package force

import (
	"errors"
	"math"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// within integrates ẍ = −x − d, with d = 2ζẋ clamped to ±x, from x = 0, ẋ = 1 until the mass
// returns, and returns its speed.
func within(zeta float64) float64 {
	const dt = 1e-4
	slope := func(x, v float64) float64 {
		return -x - min(max(2*zeta*v, -max(x, 0)), max(x, 0))
	}
	x, v := 0.0, 1.0
	for {
		// Fourth-order Runge-Kutta.
		k1, l1 := v, slope(x, v)
		k2, l2 := v+0.5*dt*l1, slope(x+0.5*dt*k1, v+0.5*dt*l1)
		k3, l3 := v+0.5*dt*l2, slope(x+0.5*dt*k2, v+0.5*dt*l2)
		k4, l4 := v+dt*l3, slope(x+dt*k3, v+dt*l3)
		x += dt / 6 * (k1 + 2*k2 + 2*k3 + k4)
		v += dt / 6 * (l1 + 2*l2 + 2*l3 + l4)
		if x <= 0 || v < 0 && -v < 1e-9 {
			return -v
		}
	}
}

// TestRestitutionWithinForce compares the closed form with the numerical motion of the oscillator,
// and the inverse with both.
func TestRestitutionWithinForce(t *testing.T) {
	for _, zeta := range []float64{0, 0.01, 0.1, 0.3267, 0.5, 0.9, 0.999, 1, 1.001, 1.458, 3, 6.92} {
		want := within(zeta)
		if got := RestitutionWithinForce(zeta); math.Abs(got-want) > 2e-4 {
			t.Errorf("ζ = %g: restitution %g, the oscillator's %g", zeta, got, want)
		}
	}
	for _, e := range []float64{1, 0.95, 0.8, 0.5, math.Exp(-4.0 / 3), 0.2, 0.05} {
		if got := RestitutionWithinForce(dampingOf(e, RestitutionWithinForce)); math.Abs(got-e) > 1e-9 {
			t.Errorf("the damping for %g has restitution %g", e, got)
		}
	}
}

// TestRestitutionOfStrongDamping compares both restitutions for large damping ratios with their
// limits 1/(4ζ²) and √2/(4ζ), and on both sides of the limit of damping ratios with each other.
func TestRestitutionOfStrongDamping(t *testing.T) {
	for zeta := 100.0; zeta < 1e160; zeta *= 7 {
		for name, of := range map[string][2]float64{
			"RestitutionForDamping":  {RestitutionForDamping(zeta, false), 1 / (4 * zeta) / zeta},
			"RestitutionWithinForce": {RestitutionWithinForce(zeta), math.Sqrt2 / 4 / zeta},
		} {
			if got, want := of[0], of[1]; !(math.Abs(got-want) <= want*(10*math.Log(zeta)/zeta/zeta+1e-12)) {
				t.Errorf("%s(%g) is %g, expected %g", name, zeta, got, want)
			}
		}
	}
	const below, above = maxDampingRatio, maxDampingRatio * (1 + 1e-15)
	if x, y := RestitutionForDamping(below, false), RestitutionForDamping(above, false); math.Abs(x-y) > 1e-7*y {
		t.Errorf("RestitutionForDamping jumps from %g to %g", x, y)
	}
	if x, y := RestitutionWithinForce(below), RestitutionWithinForce(above); math.Abs(x-y) > 1e-11*y {
		t.Errorf("RestitutionWithinForce jumps from %g to %g", x, y)
	}
}

// TestLeastRestitution checks the least restitutions that the documentation of both laws states.
func TestLeastRestitution(t *testing.T) {
	if e := RestitutionWithinForce(dampingOf(1e-6, RestitutionWithinForce)); math.Abs(e-0.0055) > 5e-5 {
		t.Errorf("the least restitution within the force is %g", e)
	}
	if e := RestitutionForDamping(DampingForRestitution(1e-6, false), false); math.Abs(e-6.1e-5) > 5e-7 {
		t.Errorf("the least restitution without tension is %g", e)
	}
	if e := RestitutionForDamping(DampingForRestitution(1e-6, true), true); math.Abs(e-1e-6) > 1e-15 {
		t.Errorf("restitution 1e-6 with tension becomes %g", e)
	}
}

func TestThicknessParameters(t *testing.T) {
	good := Thickness{Stiffness: 1, Tangential: 1, Friction: 1, Restitution: 1}
	if _, err := good.Law(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(l *Thickness){
		"no stiffness":            func(l *Thickness) { l.Stiffness = 0 },
		"stiffness infinite":      func(l *Thickness) { l.Stiffness = math.Inf(1) },
		"friction without spring": func(l *Thickness) { l.Tangential = 0 },
		"negative spring":         func(l *Thickness) { l.Tangential = -1 },
		"friction not a number":   func(l *Thickness) { l.Friction = math.NaN() },
		"restitution of zero":     func(l *Thickness) { l.Restitution = 0 },
		"restitution above one":   func(l *Thickness) { l.Restitution = 1.5 },
		"another area exponent":   func(l *Thickness) { l.AreaExponent = 0.25 },
	} {
		l := good
		change(&l)
		if _, err := l.Law(); !errors.Is(err, ErrLaw) {
			t.Errorf("%s: error %v, expected ErrLaw", name, err)
		}
	}
}

// slab returns a contact of two unit masses whose overlap is a slab of 1 m × 1 m with the given
// thickness and normal z.
func slab(thickness float64) Contact {
	third := vec.Sym3{XX: 1.0 / 12, YY: 1.0 / 12, ZZ: thickness * thickness / 12}
	one := Inertia{InvMass: 1, Inverse: vec.Sym3{XX: 6, YY: 6, ZZ: 6}, Rot: vec.Identity}
	c := Contact{Normal: vec.V(0, 0, 1), Mass: 0.5, Dt: 1e-3, A: one, B: one}
	c.Overlap = Overlap{
		Volume: thickness, Spread: third, Variance: thickness * thickness / 12,
		VarianceGradient: vec.V(0, 0, thickness/6), VolumeGradient: vec.V(0, 0, 1),
	}
	return c
}

// TestFirstSlipUnderRelief lets a contact get thicker than what relief forgives, in the middle of a
// step. It slips only for the rest of the step, as with a reference gap of that size.
func TestFirstSlipUnderRelief(t *testing.T) {
	const forgiven, thicker = 1e-3, 1e-5
	c := slab(forgiven + thicker)
	c.Velocity = vec.V(0.3, 0, 0.1) // the overlap gets thicker by 1e-4 m in the step
	var slips [2]float64
	for k, gap := range []float64{0, -forgiven} {
		law, err := Thickness{Stiffness: 1e4, Tangential: 1, Friction: 1e3, Restitution: 1, ReferenceGap: gap}.Law()
		if err != nil {
			t.Fatal(err)
		}
		if c.Forgiven = 0; gap == 0 {
			c.Forgiven = forgiven
		}
		var r Result
		history := make([]float64, law.Needs().History)
		law.Apply(&c, history, &r)
		slips[k] = history[slipX]
	}
	// The estimate assumes the rate 6λ'/s, which is that of the velocity for a slab.
	if want := 0.3 * thicker / 0.1; math.Abs(slips[0]-want) > 1e-9*want || slips[0] != slips[1] {
		t.Errorf("slip %g with relief, %g with a reference gap, expected %g", slips[0], slips[1], want)
	}
}

// TestSlopesWithinSprings compares the slope of the force, by difference quotients, with Springs:
// for a face, a ball, an edge and a cone's tip, whose thickness and volume are powers of the depth.
func TestSlopesWithinSprings(t *testing.T) {
	const step = 1e-6
	for _, exponent := range []float64{0, 0.5, 1} {
		for _, contact := range []struct {
			name             string
			share            float64 // thickness over depth
			volume           float64 // power of the depth
			sharpest, larger bool    // the slope equals its bound; the slope exceeds the spring of the patch
		}{
			{"face", 1, 1, exponent == 0, false},
			{"ball", 1, 2, true, exponent > 0},
			{"edge", math.Sqrt(12. / 18), 2, false, exponent > 0},
			{"tip", math.Sqrt(12 * 3. / 80), 3, false, exponent > 0},
		} {
			law, err := Thickness{Stiffness: 1, Restitution: 1, AreaExponent: exponent}.Law()
			if err != nil {
				t.Fatal(err)
			}
			force := func(depth float64) float64 {
				c, s, v := slab(1), contact.share*depth, math.Pow(depth, contact.volume)
				c.Overlap.Variance, c.Overlap.VarianceGradient = s*s/12, vec.V(0, 0, s*contact.share/6)
				c.Overlap.Volume, c.Overlap.VolumeGradient = v, vec.V(0, 0, contact.volume*v/depth)
				var r Result
				law.Apply(&c, make([]float64, law.Needs().History), &r)
				return -r.Force.Z
			}
			const depth = 0.1
			patch := math.Pow(math.Pow(depth, contact.volume-1)/contact.share, exponent)
			slope := (force(depth+step) - force(depth-step)) / (2 * step)
			spring := law.Springs(1, depth).Normal * patch
			bound := (1 + exponent) * (2 + exponent) / 2 * spring
			if slope > bound*(1+1e-6) || contact.sharpest != (slope > bound*(1-1e-6)) || contact.larger != (slope > spring*(1+1e-6)) {
				t.Errorf("exponent %g, %s: slope %g, spring of the patch %g, bound %g", exponent, contact.name, slope, spring, bound)
			}
		}
	}
}

// TestThicknessOfASlab checks that a face on a face has the potential ½·k·δ², with and without
// relief.
func TestThicknessOfASlab(t *testing.T) {
	law, err := Thickness{Stiffness: 1e4, Restitution: 1}.Law()
	if err != nil {
		t.Fatal(err)
	}
	for _, forgiven := range []float64{0, 4e-4, 2e-3} {
		c := slab(1e-3)
		c.Forgiven = forgiven
		var r Result
		law.Apply(&c, make([]float64, law.Needs().History), &r)
		depth := max(1e-3-forgiven, 0)
		if math.Abs(r.Force.Z+1e4*depth) > 1e-12 || r.Force.X != 0 || math.Abs(r.Stored-0.5e4*depth*depth) > 1e-15 || r.Moment.Norm() > 1e-15 {
			t.Errorf("forgiven %g: force %v, moment %v, stored %g", forgiven, r.Force, r.Moment, r.Stored)
		}
	}
}

// TestModulusOfASlab checks that a face of area A on a face has the potential ½·E·A^a·δ², with and
// without relief.
func TestModulusOfASlab(t *testing.T) {
	for _, a := range []float64{0.5, 1} {
		law, err := Thickness{Stiffness: 1e4, Restitution: 1, AreaExponent: a}.Law()
		if err != nil {
			t.Fatal(err)
		}
		for _, area := range []float64{0.01, 1, 6.25} {
			for _, forgiven := range []float64{0, 4e-4, 2e-3} {
				c := slab(1e-3)
				c.Overlap.Volume, c.Overlap.VolumeGradient.Z = area*c.Overlap.Volume, area
				c.Forgiven = forgiven
				var r Result
				law.Apply(&c, make([]float64, law.Needs().History), &r)
				depth, k := max(1e-3-forgiven, 0), 1e4*math.Pow(area, a)
				if math.Abs(r.Force.Z+k*depth) > 1e-12*k || math.Abs(r.Stored-0.5*k*depth*depth) > 1e-15*k {
					t.Errorf("area exponent %g, area %g, forgiven %g: force %v, stored %g", a, area, forgiven, r.Force, r.Stored)
				}
			}
		}
	}
}

// FuzzRub checks that friction creates no energy on a patch whose width and normal force change
// from step to step: the work done on the contact is at least the energy in its springs.
func FuzzRub(f *testing.F) {
	f.Add([]byte{1, 200, 3, 40, 5, 60, 255, 8, 1, 1})
	f.Add([]byte{128, 128, 0, 255, 255, 0, 9, 9, 9, 200, 100, 0, 0, 255, 3})
	f.Fuzz(func(t *testing.T, path []byte) {
		for _, exponent := range []float64{0, 0.5, 1} {
			rubAlong(t, path, exponent)
		}
	})
}

// rubAlong rubs a patch along a path, under a law with an area exponent.
func rubAlong(t *testing.T, path []byte, exponent float64) {
	law, err := Thickness{Stiffness: 100, Tangential: 80, Friction: 0.7, Restitution: 1, AreaExponent: exponent}.Law()
	if err != nil {
		t.Fatal(err)
	}
	history := make([]float64, law.Needs().History)
	taken, before := 0.0, vec.Vec3{}
	for i := 0; i+4 < len(path); i += 5 {
		c := slab(float64(path[i]) / 1000)
		width := float64(path[i+4]) / 255
		c.Overlap.Spread.XX, c.Overlap.Spread.YY = width/12, width/12
		c.Overlap.Volume, c.Overlap.VolumeGradient.Z = c.Overlap.Volume*width, width
		c.Dt, c.PreviousNormal = 1, before
		c.Velocity = vec.V(float64(path[i+1])-128, float64(path[i+2])-128, 0).Scale(1e-4)
		c.Spin = vec.V(0, 0, float64(path[i+3])-128).Scale(1e-3)
		held := law.Held(history)
		var r Result
		law.Apply(&c, history, &r)
		before = r.Normal
		taken -= r.Friction.Dot(c.Velocity) + r.FrictionMoment.Dot(c.Spin)
		if math.Abs(r.Held-held-r.HeldRise) > 1e-15 || r.Held != law.Held(history) {
			t.Fatalf("the springs held %g, then %g, and rose by %g", held, r.Held, r.HeldRise)
		}
		if normalForce := -r.Force.Z; r.Friction.Norm() > 0.7*normalForce+1e-12 || r.FrictionMoment.Norm() > 0.7*normalForce*math.Sqrt(width/6)+1e-12 {
			t.Fatalf("friction %g and its moment %g exceed their limits under %g", r.Friction.Norm(), r.FrictionMoment.Norm(), normalForce)
		}
		// The force acts at the end of the slip, so the computed work is at least the exact one.
		if taken < r.Held-1e-12 {
			t.Fatalf("area exponent %g, step %d: the contact took %g and its springs hold %g", exponent, i/5, taken, r.Held)
		}
	}
}
