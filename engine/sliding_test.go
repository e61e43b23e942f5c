package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// slider returns a plate on a slab, at rest in the normal direction, under gravity tilted by the
// angle, rad.
//
// The plate is thin, because friction acts at its base. The contact's location balances its moment
// about the centre, but the location moves only after the plate tilts. The friction spring needs a
// slip of µ·N/kt to reach its limit; the tangential dashpot damps this transient.
func slider(t *testing.T, angle, mu float64) (w *World, id int) {
	t.Helper()
	const k, thick = 1e7, 0.002
	s, c := math.Sincos(angle)
	w = newWorld(t, Config{Gravity: vec.V(9.81*s, 0, -9.81*c)},
		force.Linear{Kn: k, Kt: 0.8 * k, Mu: mu, ByRestitution: true, Restitution: 0.1, Dt: slideStep * 6e10})
	slab(t, w)
	shape := addShape(t, w, box(t, 1, 1, thick))
	sink := 9.81 * c * thick * 1000 / k
	id = addBody(t, w, BodySpec{Parts: one(shape, 1000), Pose: at(-1, 0, thick/2-sink)})
	return w, id
}

const slideStep = 5e-6

// TestSlidingOnAnIncline is case V18.
func TestSlidingOnAnIncline(t *testing.T) {
	require.Numbers(t)
	w, id := slider(t, pi/6, 0.5)
	steps(t, w, 1/slideStep, slideStep)
	if x := w.bodies.Pos.X[id] + 1; math.Abs(x-0.32857270) > 1e-4*0.32857270 {
		t.Errorf("slid %.8f m in 1 s, expected 0.32857270", x)
	}
	if v := w.bodies.Vel.X[id]; math.Abs(v-0.65714539) > 1e-4*0.65714539 {
		t.Errorf("slides at %.8f m/s after 1 s, expected 0.65714539", v)
	}
}

// TestOnsetOfSliding is case V18b: a tenth of a degree decides.
func TestOnsetOfSliding(t *testing.T) {
	require.Numbers(t)
	const mu = 0.5
	phi := math.Atan(mu)
	const tenth = 0.1 * pi / 180
	rest, id := slider(t, phi-tenth, mu)
	steps(t, rest, 1/slideStep, slideStep)
	if v := rest.bodies.Vel.At(id).Norm(); v > 1e-6 {
		t.Errorf("a tenth of a degree below the friction angle the block moves at %g m/s", v)
	}
	slide, id := slider(t, phi+tenth, mu)
	steps(t, slide, 0.5/slideStep, slideStep)
	v0 := slide.bodies.Vel.X[id]
	steps(t, slide, 1/slideStep, slideStep)
	a := slide.bodies.Vel.X[id] - v0
	s, c := math.Sincos(phi + tenth)
	if want := 9.81 * (s - mu*c); math.Abs(a-want) > 1e-4*want {
		t.Errorf("a tenth of a degree above it accelerates by %.8f m/s², expected %.8f", a, want)
	}
}

// TestStopOnAPlane is case V18c.
func TestStopOnAPlane(t *testing.T) {
	require.Numbers(t)
	w, id := slider(t, 0, 0.3)
	w.bodies.Vel.X[id] = 1
	const dt = slideStep
	stop, far := 0.0, 0.0
	for i := range 100_000 {
		steps(t, w, 1, dt)
		if far = max(far, w.bodies.Pos.X[id]+1); stop == 0 && w.bodies.Vel.X[id] <= 0 {
			stop = float64(i+1) * dt
		}
	}
	if math.Abs(stop-0.33978933) > 1e-4*0.33978933+dt {
		t.Errorf("stops after %.8f s, expected 0.33978933", stop)
	}
	if math.Abs(far-0.16989467) > 1e-4*0.16989467 {
		t.Errorf("stops after %.8f m, expected 0.16989467", far)
	}
	if v := w.bodies.Vel.At(id).Norm(); v > 1e-4 {
		t.Errorf("still moves at %g m/s", v)
	}
}

// TestWedgeInAValley is case V18f: each of two planes at an angle α to the vertical carries a wedge between
// them with the force W/(2 sin α), without friction.
func TestWedgeInAValley(t *testing.T) {
	for _, law := range []force.Parameters{
		force.Linear{Kn: 1e6, ByRestitution: true, Restitution: 0.1}, force.Thickness{Stiffness: 1e6, Restitution: 0.1},
	} {
		for _, degrees := range []float64{30, 50} {
			s, c := math.Sincos(degrees * pi / 180)
			w := newWorld(t, Config{Gravity: down}, law)
			var walls [2]int
			for i, side := range []float64{-1, 1} {
				walls[i] = addWall(t, w, WallSpec{Parts: one(addShape(t, w, PlaneTemplate()), 0), Pose: PlanePose(vec.Vec3{}, vec.V(-side*c, 0, s))})
			}
			p, err := geometry.FromPoints("wedge", []vec.Vec3{
				{Y: -0.5}, {Y: 0.5}, {X: s, Y: -0.5, Z: c}, {X: s, Y: 0.5, Z: c}, {X: -s, Y: -0.5, Z: c}, {X: -s, Y: 0.5, Z: c},
			})
			if err != nil {
				t.Fatal(err)
			}
			id := addBody(t, w, BodySpec{Parts: one(addShape(t, w, p.Template()), 1000), Pose: vec.IdentityPose})
			steps(t, w, 20000, 1e-4)
			weight := 9.81 * w.bodies.Mass[id]
			for i, wall := range walls {
				f, _, err := w.WallForce(soa.ID(wall))
				if want := weight / (2 * s); err != nil || math.Abs(f.Norm()-want) > 1e-6*want {
					t.Errorf("%T, %g°: plane %d carries %.9g N, expected %.9g", law, degrees, i, f.Norm(), want)
				}
			}
		}
	}
}

// TestColumnOfCubes is case V30 for the gap law: joint i from the top carries i cubes and is
// compressed by W·i/k.
func TestColumnOfCubes(t *testing.T) {
	require.Numbers(t)
	const n, k = 6, 1e6
	w := newWorld(t, Config{Gravity: down}, force.Linear{Kn: k, Kt: k, Mu: 0.5, ByRestitution: true, Restitution: 0.05})
	slab(t, w)
	shape := addShape(t, w, box(t, 0.5, 0.5, 0.5))
	for i := range n {
		addBody(t, w, BodySpec{Parts: one(shape, 1000), Pose: at(0, 0, 0.25+0.5*float64(i))})
	}
	steps(t, w, 40_000, 1e-4)
	weight := 125 * 9.81
	found := 0
	for i := range w.space.ActiveRows {
		found++
		// A is always the lower index, so the lower cube; the slab is body 0.
		lower := int(w.space.Pieces.Body[w.space.Pairs.A[w.space.Contacts.Pair[i]]])
		above := float64(n - lower)
		if f := math.Abs(w.forces.Force.Z[i]); math.Abs(f-above*weight) > 1e-9*above*weight {
			t.Errorf("below cube %d: force %.9f, expected %.9f", lower+1, f, above*weight)
		}
		if gap := w.space.Contacts.Gap[i]; math.Abs(gap+above*weight/k) > 1e-9*above*weight/k+1e-15 {
			t.Errorf("below cube %d: gap %.12g, expected %.12g", lower+1, gap, -above*weight/k)
		}
	}
	if found != n {
		t.Errorf("%d contacts, expected %d", found, n)
	}
	if m := w.Measure(); m.MaxSpeed > 1e-9 {
		t.Errorf("the column moves at %g m/s", m.MaxSpeed)
	}
}
