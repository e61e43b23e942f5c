package engine

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// Cases with known results under the thickness law. Package verify has more of them.

// heightOf returns the height of a rotated unit cube.
func heightOf(rot vec.Quat) float64 {
	z := rot.RotateInv(vec.V(0, 0, 1))
	return math.Abs(z.X) + math.Abs(z.Y) + math.Abs(z.Z)
}

// TestThicknessGrazing is case V17 for balls: friction creates no energy. The error of an elastic
// impact is of third order if the contact time is a whole number of steps, because the errors at
// its start and end then cancel. Otherwise it is at most π²/4 times the square of the step over the
// contact time (see TestImpactErrsByItsKinks).
func TestThicknessGrazing(t *testing.T) {
	law := func(e, mu float64) force.Thickness {
		return force.Thickness{Stiffness: grazeStiffness, Tangential: 2.0 / 7 * grazeStiffness, Friction: mu, Restitution: e}
	}
	const n = 50
	for _, mu := range []float64{0, 0.1, 0.5, 1} {
		for degrees := 0.0; degrees <= 90; degrees += 15 {
			angle := min(degrees, 89)
			for _, e := range []float64{0.1, 0.5, 0.9} {
				if gain := grazeUnder(t, law(e, mu), angle, 0, n) - 1; gain > 1e-9 {
					t.Errorf("e = %g, µ = %g, %g°: energy rises by %.3g", e, mu, angle, gain)
				}
			}
			if gain := grazeUnder(t, law(1, mu), angle, 0, n) - 1; gain > 10.0/(n*n*n) {
				t.Errorf("e = 1, µ = %g, %g°: energy rises by %.3g, expected at most %.3g", mu, angle, gain, 10.0/(n*n*n))
			}
		}
	}
	for _, n := range []float64{50.25, 50.5, 100.5} {
		for _, degrees := range []float64{0, 25, 60} {
			for _, mu := range []float64{0, 0.5, 10} {
				gain, most := grazeUnder(t, law(1, mu), degrees, 0, n)-1, math.Pi*math.Pi/4/(n*n)
				if gain > most || degrees == 0 && gain < most/8 {
					t.Errorf("µ = %g, %g°, %g steps a contact: energy rises by %.3g, expected up to %.3g", mu, degrees, n, gain, most)
				}
			}
		}
	}
	for _, n := range []float64{100, 200} {
		for _, degrees := range []float64{5, 25, 50, 70} {
			for phase := range 4 {
				gain := grazeUnder(t, law(1, 10), degrees, 0, n*(1+0.02*float64(phase))) - 1
				if most := 10 / (n * n * n); gain > most {
					t.Errorf("µ = 10, %g°, %g steps a contact: energy rises by %.3g, expected at most %.3g", degrees, n, gain, most)
				}
			}
		}
	}
}

// TestThicknessCubesAtAngles is case V17 for cubes thrown at the floor at angles up to 80°. With
// restitution 0.9 they must not gain energy. With 1 the gain must be at most 1e-4 at a hundredth of
// the contact time, and fall with the square of the step.
func TestThicknessCubesAtAngles(t *testing.T) {
	throw := func(law force.Thickness, rot vec.Quat, vel vec.Vec3, share float64) float64 {
		w := newWorld(t, Config{}, law)
		addFloor(t, w)
		pose := vec.Pose{Pos: vec.V(0, 0, 0.5*heightOf(rot)+1e-5), Rot: rot}
		addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), pose, vel, vec.Vec3{})
		before, touched := w.Measure().Kinetic(), false
		for range int(60 / share) {
			steps(t, w, 1, share*math.Pi*math.Sqrt(1/law.Stiffness))
			m := w.Measure()
			touched = touched || m.Active > 0
			if touched && m.Active == 0 {
				return m.Kinetic()/before - 1
			}
		}
		t.Fatal("the cube stays, or never came to the floor")
		return 0
	}
	r := rand.New(rand.NewPCG(7, 7))
	squares := [2]float64{}
	const n = 12
	for k := range n {
		rot := vec.FromRotationVector(vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()))
		if k%4 == 0 {
			rot = vec.FromRotationVector(vec.V(0.19*math.Pi/180*float64(k/4), 0, 0))
		}
		vel := vec.V(math.Tan(80*math.Pi/180*float64(k)/n), 0, -1)
		for i, share := range []float64{1.0 / 50, 1.0 / 100} {
			gain := throw(force.Thickness{Stiffness: 1e8, Restitution: 1}, rot, vel, share)
			if squares[i] += gain * gain; i == 1 && math.Abs(gain) > 1e-4 {
				t.Errorf("cube %d: energy changes by %.2e at a hundredth of the contact time", k, gain)
			}
		}
		law := force.Thickness{Stiffness: 1e8, Tangential: 8e7, Friction: 0.4, Restitution: 0.9}
		if gain := throw(law, rot, vel, 1.0/50); gain > 1e-9 {
			t.Errorf("cube %d, restitution 0.9: energy rises by %.2e", k, gain)
		}
	}
	if coarse, fine := math.Sqrt(squares[0]/n), math.Sqrt(squares[1]/n); fine > coarse/3 {
		t.Errorf("in the mean the energy changes by %.2e at a fiftieth of the contact time, by %.2e at a hundredth", coarse, fine)
	}
}
