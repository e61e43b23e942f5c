package engine

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/vec"
)

var soakPhysics = flag.Bool("soak.physics", false, "the long runs under the law of thickness")

// boxOfRocks throws 27 rocks about in a closed box without friction. It returns the world and the
// time of contact of its lightest rock.
func boxOfRocks(t *testing.T, seed uint64) (w *World, contact float64) {
	t.Helper()
	const stiffness = 1e5
	r := rand.New(rand.NewPCG(seed, 9))
	w = newWorld(t, Config{}, force.Thickness{Stiffness: stiffness, Restitution: 1})
	for _, n := range []vec.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		planeWall(t, w, PlanePose(n.Scale(-2), n), Motion{})
	}
	any := func() vec.Vec3 { return vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()) }
	mass := math.Inf(1)
	for i := range 27 {
		at := vec.V(float64(i%3-1), float64(i/3%3-1), float64(i/9-1)).Scale(1.2)
		shape := addShape(t, w, rock(t, 27*seed+uint64(i), 12, 0.5))
		id := addMoving(t, w, shape, vec.Pose{Pos: at, Rot: vec.Identity}, any(), any())
		mass = min(mass, w.Bodies().Mass[id])
	}
	return w, math.Pi * math.Sqrt(mass/(2*stiffness))
}

// TestSoakBox is case V17b: over ten seeds and 10⁵ steps of a hundredth of the contact time rocks keep
// their energy to 1e-4, and the error falls with the square of the step.
func TestSoakBox(t *testing.T) {
	if !*soakPhysics {
		t.Skip("only with -soak.physics")
	}
	mean := [2]float64{}
	const seeds = 10
	for seed := range uint64(seeds) {
		for i, share := range []float64{1.0 / 50, 1.0 / 100} {
			w, contact := boxOfRocks(t, seed)
			before := w.Measure().Kinetic()
			steps(t, w, int(1000/share), share*contact)
			m := w.Measure()
			off := (m.Kinetic()+m.Ledger.Elastic)/before - 1
			t.Logf("seed %d: with steps of %g of the contact time the energy is off by %.2e", seed, share, off)
			mean[i] += math.Abs(off) / seeds
			if i == 1 && math.Abs(off) > 1e-4 {
				t.Errorf("seed %d: the energy is off by %.2e, expected at most 1e-4", seed, off)
			}
		}
	}
	if mean[1] > mean[0]/3 {
		t.Errorf("in the mean the energy is off by %.2e, with half the step by %.2e, expected a quarter", mean[0], mean[1])
	}
}
