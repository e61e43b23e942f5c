package engine

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// thrown is a block that flies to the floor without gravity, m/s and rad/s.
type thrown struct {
	shape     *soa.Template
	rot       vec.Quat
	vel, spin vec.Vec3
}

// drawThrown draws a block that hits the floor at up to 89° from the normal: a cube or a rock, at
// any orientation or nearly on a face, an edge or a corner.
func drawThrown(t *testing.T, r *rand.Rand) (b thrown) {
	t.Helper()
	b.shape, b.rot = box(t, 1, 1, 1), vec.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalized()
	if k := r.IntN(6); k > 2 {
		nearly := []vec.Quat{vec.Identity, vec.FromRotationVector(vec.V(math.Pi/4, 0, 0)),
			vec.FromRotationVector(vec.V(1, -1, 0).Unit().Scale(math.Acos(1 / math.Sqrt(3))))}[k-3]
		off := vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(math.Pow(10, -7+6*r.Float64()))
		b.rot = vec.FromRotationVector(off).Mul(nearly)
	} else if k == 0 {
		b.shape = rock(t, r.Uint64N(1000), 4+r.IntN(30), 0.6)
	}
	sin, cos := math.Sincos(89 * math.Pi / 180 * r.Float64())
	b.vel = vec.V(sin, 0, -cos)
	if r.IntN(2) == 0 {
		b.spin = vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(cos)
	}
	return b
}

// gain throws the block on the floor. It returns the largest relative gain of kinetic energy while
// nothing touches, the largest change that the kinks of the force may cause (see
// TestImpactErrsByItsKinks), and whether the block touched the floor. The step is a share of
// π·√(m/2k).
//
// A kink is a jump J of the second derivative of the stored energy. At the ends of a contact J is
// that derivative itself, so its largest value during the contact is used for J. Both ends together
// contribute at most dt²·J/8, and a corner that joins the contact at most dt²·J/12.
func (b *thrown) gain(t *testing.T, law force.Thickness, share float64) (gain, kinks float64, touched bool) {
	t.Helper()
	w := newWorld(t, Config{NoLedger: true}, law)
	addFloor(t, w)
	shape := addShape(t, w, b.shape)
	view, lowest := w.Shapes().View(shape), 0.0
	for k := range view.NVerts {
		lowest = min(lowest, b.rot.Rotate(view.Vert(soa.Vertex(k))).Z)
	}
	contact := math.Pi
	id := int(addMoving(t, w, shape, vec.Pose{Pos: vec.V(0, 0, 1e-7-lowest), Rot: b.rot}, b.vel, b.spin))
	contact *= math.Sqrt(w.Bodies().Mass[id] / (2 * law.Stiffness))
	before := w.Measure().Kinetic()
	gain = math.Inf(-1)
	stored, most := [3]float64{}, 0.0 // in this step and the two before; largest of the present contact
	for range int(60 / share) {
		steps(t, w, 1, share*contact)
		m := w.Measure()
		stored[0], stored[1], stored[2] = 0.5*law.Stiffness*m.Penetration*m.Penetration, stored[0], stored[1]
		if most = max(most, math.Abs(stored[0]-2*stored[1]+stored[2])); m.Active == 0 {
			kinks += most * (1.0/8 + 1.0/12) / before
			stored, most = [3]float64{}, 0
		}
		if touched = touched || m.Active > 0; touched && m.Active == 0 {
			gain = max(gain, m.Kinetic()/before-1)
			if w.Bodies().Vel.Z[id] > 0 && w.Bodies().Pos.Z[id] > view.Radius {
				break
			}
		}
	}
	w.Close()
	return gain, kinks, touched
}

// impactsGain throws n blocks at any angle. With restitution up to 0.9 none may gain energy. With 1
// none may gain or lose more than the kinks of its contacts allow, and the error must fall with the
// square of the step. The error of a block that falls flat on a face may be π²/8·(dt/t_c)², which
// is 1.2e-4 at a hundredth of the contact time, and twice as much for one that rocks. At 1/140 of
// the contact time the error is below 1e-4 for every orientation.
func impactsGain(t *testing.T, n int) {
	t.Helper()
	r := rand.New(rand.NewPCG(17, 17))
	sum, worst, finest, share, counted, above := [2]float64{}, 0.0, 0.0, 0.0, 0, 0
	for k := range n {
		b := drawThrown(t, r)
		e, mu := 0.05+0.85*r.Float64(), float64(r.IntN(5))/4
		if k%2 == 0 {
			e = 0.9
		}
		law := force.Thickness{Stiffness: 1e8, Tangential: 8e7, Friction: mu, Restitution: e}
		if gain, _, _ := b.gain(t, law, 1.0/50); gain > 1e-9 {
			t.Errorf("block %d, restitution %.2f, friction %g: energy rises by %.2g", k, e, mu, gain)
		}
		coarse, _, _ := b.gain(t, force.Thickness{Stiffness: 1e8, Restitution: 1}, 1.0/50)
		fine, kinks, touched := b.gain(t, force.Thickness{Stiffness: 1e8, Restitution: 1}, 1.0/100)
		if !touched || math.IsInf(coarse, 0) || math.IsInf(fine, 0) {
			continue
		}
		finer, _, _ := b.gain(t, force.Thickness{Stiffness: 1e8, Restitution: 1}, 1.0/140)
		if share = max(share, math.Abs(fine)/kinks); math.Abs(fine) > kinks {
			t.Errorf("block %d: energy changes by %.2g, the kinks of its contacts allow %.2g", k, fine, kinks)
		}
		finest = max(finest, math.Abs(finer))
		counted++
		if math.Abs(fine) > 1e-4 {
			t.Logf("block %d: energy changes by %.2g at a hundredth of the contact time, by %.2g at a fiftieth", k, fine, coarse)
			above++
		}
		sum[0], sum[1], worst = sum[0]+coarse*coarse, sum[1]+fine*fine, max(worst, math.Abs(fine))
	}
	coarse, fine := math.Sqrt(sum[0]/float64(counted)), math.Sqrt(sum[1]/float64(counted))
	t.Logf("%d of %d blocks: energy off by %.2g at most at a hundredth of the contact time; in the mean by %.2g, and by %.2g at a fiftieth",
		counted, n, worst, fine, coarse)
	t.Logf("a block is off by %.2g of what the kinks of its contacts allow at most", share)
	if t.Logf("at a 140th of the contact time off by %.2g at most", finest); !(finest <= 1e-4) {
		t.Errorf("of %d blocks the energy changes by up to %.2g at a 140th of the contact time, expected 1e-4 at most", counted, finest)
	}
	t.Logf("of %d blocks the energy of %d changes by more than 1e-4 at a hundredth of the contact time", counted, above)
	if fine > coarse/3 || counted < n*9/10 {
		t.Errorf("%d of %d blocks: in the mean energy is off by %.2g, by %.2g with half the step", counted, n, coarse, fine)
	}
}

// TestThicknessThrownBlocks is a short form of TestSoakImpacts.
func TestThicknessThrownBlocks(t *testing.T) {
	require.Numbers(t)
	impactsGain(t, 12)
}

// TestSoakImpacts is case V17 for blocks.
func TestSoakImpacts(t *testing.T) {
	if !*soakPhysics {
		t.Skip("only with -soak.physics")
	}
	impactsGain(t, 4000)
}
