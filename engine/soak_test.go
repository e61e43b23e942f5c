package engine

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/vec"
)

var soakPhysics = flag.Bool("soak.physics", false, "the long runs under the law of thickness")

// boxOfRocks throws 27 rocks about in a closed box without friction. It returns the world and the
// contact time of its lightest rock.
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

// TestSoakBox is case V17b: over ten seeds and 10⁵ steps of a hundredth of the contact time, rocks
// must keep their energy to 1e-4, and the error must fall with the square of the step.
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

// rocksInGravity drops elastic rocks without friction between four planes onto a fifth. It returns
// the world and the contact time of its lightest rock.
func rocksInGravity(t *testing.T, n int) (w *World, contact float64) {
	t.Helper()
	const stiffness = 1e5
	w = newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: stiffness, Restitution: 1})
	addFloor(t, w)
	for _, out := range []vec.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		planeWall(t, w, PlanePose(out.Scale(-2.6), out), Motion{})
	}
	r := rand.New(rand.NewPCG(4, 9))
	mass := math.Inf(1)
	for i := range n {
		at := vec.V(float64(i%4)-1.5, float64(i/4%4)-1.5, 0.6+float64(i/16)).Mul(vec.V(1.2, 1.2, 1.1))
		turn := vec.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalized()
		id := addMoving(t, w, addShape(t, w, rock(t, uint64(i), 12, 0.5)), vec.Pose{Pos: at, Rot: turn}, vec.Vec3{}, vec.Vec3{})
		mass = min(mass, w.Bodies().Mass[id])
	}
	return w, math.Pi * math.Sqrt(mass/(2*stiffness))
}

// drift makes n steps and returns the largest error of the sum of kinetic, potential and elastic
// energy: relative to the sum at the start, and to the largest kinetic energy.
func drift(t *testing.T, w *World, n int, dt float64) (ofAll, ofMotion float64) {
	t.Helper()
	of := func() (all, kinetic float64) {
		m := w.Measure()
		return m.Kinetic() + m.Potential + m.Ledger.Elastic, m.Kinetic()
	}
	start, _ := of()
	worst, most := 0.0, 0.0
	for done := 0; done < n; done += 20 {
		steps(t, w, 20, dt)
		e, kinetic := of()
		worst, most = max(worst, math.Abs(e-start)), max(most, kinetic)
	}
	return worst / start, worst / most
}

// TestThicknessRocksKeepEnergy is a short form of TestSoakGravity.
func TestThicknessRocksKeepEnergy(t *testing.T) {
	require.Numbers(t)
	w, contact := rocksInGravity(t, 20)
	ofAll, ofMotion := drift(t, w, 20_000, contact/100)
	if t.Logf("off by %.2g of all energy, %.2g of the motion's", ofAll, ofMotion); ofMotion > 1e-3 {
		t.Errorf("the energy is off by %g of the largest kinetic energy, expected 1e-3 at most", ofMotion)
	}
	if n := w.AnsweredBy().Active; n < 5000 {
		t.Errorf("rocks touched %d times, counted by steps, expected more than 5000", n)
	}
}

// TestSoakGravity drops a hundred elastic rocks without friction onto a heap. Over 10⁵ steps of a
// hundredth of the contact time they must keep their energy to 1e-3.
func TestSoakGravity(t *testing.T) {
	if !*soakPhysics {
		t.Skip("only with -soak.physics")
	}
	w, contact := rocksInGravity(t, 100)
	ofAll, ofMotion := drift(t, w, 100_000, contact/100)
	touched := w.AnsweredBy().Active
	t.Logf("off by %.2g of all energy, %.2g of the motion's; rocks touched %d times, counted by steps", ofAll, ofMotion, touched)
	if ofMotion > 1e-3 || touched < 400_000 {
		t.Errorf("the energy is off by %g of the largest kinetic energy over %d touches, expected 1e-3 at most over 400000", ofMotion, touched)
	}
}
