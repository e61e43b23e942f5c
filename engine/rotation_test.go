package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/vec"
)

// TestFreeRotation is case V21: a box 3×2×1 that rotates about its middle axis, which is unstable.
// The reference is the solution by Jacobi's elliptic functions.
func TestFreeRotation(t *testing.T) {
	w := newWorld(t, Config{NoLedger: true}, force.Linear{Kn: 1})
	// A box of sides 3, 2, 1 and mass 1 has moments 5/12, 10/12 and 13/12 about x, y and z.
	id := addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 3, 2, 1)), 1.0/6), Pose: vec.IdentityPose,
		Spin: vec.V(0.01, 1, 0.01)})
	b := &w.bodies
	energy := func() float64 { return 0.5 * b.Spin.At(id).Dot(b.AngMom.At(id)) }
	e0, l0 := energy(), b.AngMom.At(id).Norm()
	if math.Abs(l0-0.83341416) > 1e-8 || math.Abs(e0-0.41674167) > 1e-8 {
		t.Fatalf("L = %.9f, E = %.9f, expected 0.83341416 and 0.41674167", l0, e0)
	}
	const dt = 1e-3
	first, half := crossingsOfMiddleAxis(5.0/12, 10.0/12, 13.0/12, vec.V(0.01, 1, 0.01))
	if math.Abs(first-15.0659263) > 1e-7 || math.Abs(2*half-51.1015231) > 1e-7 {
		t.Fatalf("the reference has its first crossing at %.8f and period %.8f, expected 15.0659263 and 51.1015231", first, 2*half)
	}
	n := 1_000_000
	if require.Quick() {
		n = 100_000
	}
	before, crossings := 1.0, 0
	for i := range n {
		steps(t, w, 1, dt)
		if d := math.Abs(energy()-e0) / e0; d > 1e-10 {
			t.Fatalf("step %d: energy is off by %.3g", i, d)
		}
		// The angular momentum in the world is the state variable. Only the length of I·ω, computed
		// from the orientation, may drift.
		spin := b.Rot.At(id).RotateInv(b.Spin.At(id))
		l := b.Rot.At(id).Rotate(b.Inertia[id].MulVec(spin))
		if d := l.Sub(b.AngMom.At(id)).Norm() / l0; d > 1e-10 {
			t.Fatalf("step %d: angular momentum is off by %.3g", i, d)
		}
		if spin.Y*before < 0 {
			at := (float64(i) + before/(before-spin.Y)) * dt
			want := first + float64(crossings)*half
			if d := math.Abs(at - want); d > 1e-6 {
				t.Errorf("crossing %d at %.7f s, expected %.7f", crossings, at, want)
			}
			crossings++
		}
		before = spin.Y
	}
	if want := int((float64(n)*dt-first)/half) + 1; crossings != want {
		t.Errorf("%d crossings, expected %d", crossings, want)
	}
}

// crossingsOfMiddleAxis returns the time of the first zero of a free body's spin about its middle
// axis, and the time between zeros, s: Landau & Lifshitz, Mechanics, § 37, for L² > 2·E·I2 and a
// spin that starts positive and growing. It computes the elliptic integrals by the
// arithmetic-geometric mean.
func crossingsOfMiddleAxis(i1, i2, i3 float64, w vec.Vec3) (first, half float64) {
	l := vec.V(i1*w.X, i2*w.Y, i3*w.Z)
	e2, l2 := l.Dot(w), l.Norm2() // twice the energy
	speed := math.Sqrt((i3 - i2) * (l2 - e2*i1) / (i1 * i2 * i3))
	m := (i2 - i1) * (e2*i3 - l2) / ((i3 - i2) * (l2 - e2*i1))
	most := math.Sqrt((e2*i3 - l2) / (i2 * (i3 - i2)))
	phi := math.Asin(w.Y / most)
	a, b, scale := 1.0, math.Sqrt(1-m), 1.0
	for range 40 {
		// Landen: tan(φ' − φ) = (b/a)·tan φ, with φ' on the branch nearest to 2φ.
		next := math.Atan(b / a * math.Tan(phi))
		next += math.Pi * math.Round((phi-next)/math.Pi)
		phi += next
		a, b, scale = (a+b)/2, math.Sqrt(a*b), 2*scale
		if math.Abs(a-b) < 1e-16 {
			break
		}
	}
	k, f := math.Pi/(2*a), phi/(scale*a)
	return (2*k - f) / speed, 2 * k / speed
}

// TestRotationIsOfFourthOrder halves the step and checks that the error falls to at most a
// sixteenth.
func TestRotationIsOfFourthOrder(t *testing.T) {
	inertia := vec.Sym3{XX: 5.0 / 12, YY: 10.0 / 12, ZZ: 13.0 / 12, XY: 0.1, XZ: -0.05, YZ: 0.2}
	inverse, ok := inertia.Inverse()
	if !ok {
		t.Fatal("inertia is not positive definite")
	}
	l := vec.V(0.3, 0.8, -0.4)
	run := func(n int) vec.Quat {
		q := vec.FromRotationVector(vec.V(0.1, 0.2, 0.3))
		for range n {
			q, _ = rotate(q, l, inverse, 1/float64(n))
		}
		return q
	}
	// At most 0.02 rad per stage: at least 60 steps.
	fine := run(4096)
	distance := func(q vec.Quat) float64 {
		d := q.Conj().Mul(fine)
		return vec.V(d.X, d.Y, d.Z).Norm()
	}
	coarse, finer := distance(run(80)), distance(run(160))
	if order := math.Log2(coarse / finer); order < 3.9 {
		t.Errorf("errors %.3g and %.3g at half the step: order %.2f, expected 4", coarse, finer, order)
	}
}
