package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/vec"
)

// Cases with known results under the thickness law.

// TestThicknessEdgeImpact is case V16: a unit cube tilted by 30° falls on its edge, frictionless
// and elastic. The reference is the rigid impact with lever arm 0.18301270. The difference is due
// to the rotation of the cube during contact, so it falls with the contact time, ∝ 1/√k.
func TestThicknessEdgeImpact(t *testing.T) {
	const up, turns = 0.66533177, 1.82866123
	off := [2]float64{}
	for i, k := range []float64{1.5e8, 1.5e6} {
		w := newWorld(t, Config{}, force.Thickness{Stiffness: k, Restitution: 1})
		addFloor(t, w)
		rot := vec.FromRotationVector(vec.V(0, math.Pi/6, 0))
		pose := vec.Pose{Pos: vec.V(0, 0, 0.5*heightOf(rot)+1e-6), Rot: rot}
		id := int(addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), pose, vec.V(0, 0, -1), vec.Vec3{}))
		deepest := 0.0
		for range 300 {
			steps(t, w, 1, 2e-6*math.Sqrt(1.5e8/k))
			deepest = max(deepest, w.Measure().Penetration)
		}
		m, v, s := w.Measure(), w.Bodies().Vel.At(id), w.Bodies().Spin.At(id)
		off[i] = max(math.Abs(v.Z-up)/up, math.Abs(math.Abs(s.Y)-turns)/turns)
		if m.Active != 0 || math.Abs(v.X)+math.Abs(v.Y)+math.Abs(s.X)+math.Abs(s.Z) > 1e-9 {
			t.Errorf("k = %g: %d contacts, velocity %v, spin %v, expected none, upwards and about y", k, m.Active, v, s)
		}
		if i == 0 && (deepest > 1e-4 || off[0] > 1e-3) {
			t.Errorf("k = %g: %g m deep, velocity %v, spin %v, expected 1e-4 m at most, %g and %g", k, deepest, v, s, up, turns)
		}
		if math.Abs(m.Kinetic()-0.5) > 1e-4 {
			t.Errorf("k = %g: kinetic energy %g, expected 0.5", k, m.Kinetic())
		}
	}
	if t.Logf("off by %.3g, with a hundredth of the stiffness by %.3g", off[0], off[1]); off[0] > off[1]/7 || off[0] < off[1]/14 {
		t.Errorf("off by %g, with a hundredth of the stiffness by %g, expected a tenth", off[0], off[1])
	}
}

// heightOf returns the height of a rotated unit cube.
func heightOf(rot vec.Quat) float64 {
	z := rot.RotateInv(vec.V(0, 0, 1))
	return math.Abs(z.X) + math.Abs(z.Y) + math.Abs(z.Z)
}

// TestThicknessFaceImpact is case V16c: a cube that falls flat on its face rebounds with the same
// speed and does not rotate, and the force acts above its centroid.
func TestThicknessFaceImpact(t *testing.T) {
	w := newWorld(t, Config{}, force.Thickness{Stiffness: 1e8, Restitution: 1})
	addFloor(t, w)
	id := int(addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), at(0.3, 0.2, 0.5+1e-6), vec.V(0, 0, -1), vec.Vec3{}))
	touched := 0
	for range 300 {
		steps(t, w, 1, 2e-6)
		for i, active := range w.space.Contacts.Active {
			if at := w.space.Contacts.Location.At(i); active {
				if touched++; math.Hypot(at.X-0.3, at.Y-0.2) > 1e-12 {
					t.Fatalf("the force acts at %v, expected above the centroid", at)
				}
			}
		}
	}
	if v, s := w.Bodies().Vel.At(id), w.Bodies().Spin.At(id); touched == 0 || math.Abs(v.Z-1) > 1e-4 || s.Norm() > 1e-9 {
		t.Errorf("%d steps in contact, velocity %v, spin %v, expected 1 upwards and none", touched, v, s)
	}
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

// thicknessSlider returns a cube of 1 kg on the floor, at its equilibrium depth, under gravity
// tilted by an angle.
func thicknessSlider(t *testing.T, angle, mu float64) (w *World, id int, dt float64) {
	t.Helper()
	const k = 1e7
	s, c := vec.Sincos(angle)
	w = newWorld(t, Config{Gravity: vec.V(9.81*s, 0, -9.81*c)}, force.Thickness{Stiffness: k, Tangential: 0.8 * k, Friction: mu, Restitution: 0.1})
	addFloor(t, w)
	id = int(addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), at(0, 0, 0.5-9.81*c/k), vec.Vec3{}, vec.Vec3{}))
	return w, id, 5e-5
}

// TestThicknessSliding is cases V18 and V18c: a cube slides down a slope of 30°, and stops on a
// plane, like a point mass.
func TestThicknessSliding(t *testing.T) {
	w, id, dt := thicknessSlider(t, math.Pi/6, 0.5)
	steps(t, w, 20, dt) // Friction starts with the first step.
	x0, v0 := w.Bodies().Pos.X[id], w.Bodies().Vel.X[id]
	steps(t, w, int(math.Round(1/dt)), dt)
	x, v := w.Bodies().Pos.X[id]-x0-v0, w.Bodies().Vel.X[id]-v0
	if math.Abs(x-0.32857270) > 1e-4*0.32857270 || math.Abs(v-0.65714539) > 1e-4*0.65714539 {
		t.Errorf("slid %.8f m in 1 s, and is faster by %.8f m/s, expected 0.32857270 and 0.65714539", x, v)
	}
	w, id, dt = thicknessSlider(t, 0, 0.3)
	w.bodies.Vel.X[id] = 1
	stop, far := 0.0, 0.0
	for i := range int(0.4 / dt) {
		steps(t, w, 1, dt)
		if far = max(far, w.Bodies().Pos.X[id]); stop == 0 && w.Bodies().Vel.X[id] <= 0 {
			stop = float64(i+1) * dt
		}
	}
	if math.Abs(stop-0.33978933) > 1e-4*0.33978933+dt || math.Abs(far-0.16989467) > 1e-4*0.16989467 {
		t.Errorf("stops after %.8f s and %.8f m, expected 0.33978933 and 0.16989467", stop, far)
	}
	if v := w.Bodies().Vel.At(id).Norm(); v > 1e-6 {
		t.Errorf("still moves at %g m/s", v)
	}
}

// TestThicknessToppling is case V19: a block of width b and height 1 on a slope stays, slides or
// topples. It topples as fast as a rigid block that gravity rotates about its edge.
func TestThicknessToppling(t *testing.T) {
	for _, c := range []struct {
		what         string
		b, slope, mu float64
	}{
		{"stays", 0.5, 25, 1}, {"topples", 0.4, 25, 1}, {"slides", 1, 20, 0.3},
	} {
		const k, g = 2e6, 9.81
		slope := c.slope * math.Pi / 180
		sin, cos := vec.Sincos(slope)
		w := newWorld(t, Config{Gravity: vec.V(g*sin, 0, -g*cos)}, force.Thickness{Stiffness: k, Tangential: 0.8 * k, Friction: c.mu, Restitution: 0.2})
		addFloor(t, w)
		id := int(addMoving(t, w, addShape(t, w, box(t, c.b, 1, 1)), at(0, 0, 0.5-c.b*g*cos/k), vec.Vec3{}, vec.Vec3{}))
		const dt = 4e-5
		angle := 0.0
		for n := 0; n < int(0.6/dt) && angle < 0.1; n++ {
			steps(t, w, 1, dt)
			z := w.Bodies().Rot.At(id).Rotate(vec.V(0, 0, 1))
			angle = vec.Atan2(z.X, z.Z)
		}
		slid, what := w.Bodies().Pos.X[id], "stays"
		switch {
		case angle >= 0.1:
			what = "topples"
			height := func(a float64) float64 { return 0.5 * (math.Cos(slope+a) + c.b*math.Sin(slope+a)) }
			want := math.Sqrt(6 * g * (height(0) - height(angle)) / (1 + c.b*c.b))
			if got := w.Bodies().Spin.Y[id]; math.Abs(got-want) > 2e-3*want {
				t.Errorf("turned by %g rad at %g rad/s, a rigid block at %g rad/s", angle, got, want)
			}
		case slid > 1e-3:
			what = "slides"
		case slid > 1e-5:
			what = fmt.Sprintf("creeps %g m", slid)
		}
		if what != c.what {
			t.Errorf("a block %g wide on a slope of %g° with friction %g %s, expected that it %s", c.b, c.slope, c.mu, what, c.what)
		}
	}
}

// TestThicknessColumn is case V30: joint i from the top carries i cubes and is compressed by W·i/k.
// The step is a fiftieth of the contact time.
func TestThicknessColumn(t *testing.T) {
	require.Numbers(t)
	const n, k = 10, 1e8
	w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: k, Tangential: k, Friction: 0.5, Restitution: 0.1})
	addFloor(t, w)
	shape := addShape(t, w, box(t, 0.5, 0.5, 0.5))
	for i := range n {
		addBody(t, w, BodySpec{Parts: one(shape, 1000), Pose: at(0, 0, 0.25+0.5*float64(i))})
	}
	steps(t, w, 9500, math.Pi*math.Sqrt(125/(2*k))/50)
	weight, found := 125*9.81, 0
	for i := range w.space.ActiveRows {
		found++
		// Cubes are numbered from the floor, which is body 0.
		a, b := int(w.space.Pieces.Body[w.space.Pairs.A[w.space.Contacts.Pair[i]]]), int(w.space.Pieces.Body[w.space.Pairs.B[w.space.Contacts.Pair[i]]])
		load := weight * float64(n-min(a, b))
		if f := math.Abs(w.forces.Force.Z[i]); math.Abs(f-load) > 1e-9*load {
			t.Errorf("below cube %d: force %.9f, expected %.9f", min(a, b)+1, f, load)
		}
		if gap := w.space.Contacts.Gap[i]; math.Abs(gap+load/k) > 1e-9*load/k+1e-15 {
			t.Errorf("below cube %d: gap %.12g, expected %.12g", min(a, b)+1, gap, -load/k)
		}
	}
	if m := w.Measure(); found != n || m.MaxSpeed > 1e-9 {
		t.Errorf("%d contacts, expected %d, at %g m/s", found, n, m.MaxSpeed)
	}
}
