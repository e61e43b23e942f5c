package engine

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// slab adds a wall that is a block with its top in the plane z = 0.
func slab(t testing.TB, w *World) int {
	t.Helper()
	s := addShape(t, w, box(t, 40, 40, 2))
	return addWall(t, w, WallSpec{Name: "slab", Parts: []Part{{Shape: s}}, Pose: at(0, 0, -1)})
}

// TestEdgeImpact is case V16: a unit cube tilted by 30° falls on its edge, frictionless and
// elastic. The reference is the rigid impact with lever arm 0.18301270. The spring's result must be
// within 1e-3 if the deformation is 1e-4.
func TestEdgeImpact(t *testing.T) {
	const k = 1e8
	w := newWorld(t, Config{}, force.Linear{Kn: k})
	slab(t, w)
	tilt := vec.FromRotationVector(vec.V(0, pi/6, 0))
	low := 0.5 * (math.Cos(pi/6) + math.Sin(pi/6))
	id := addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 1, 1, 1)), 1),
		Pose: vec.Pose{Pos: vec.V(0, 0, low+1e-6), Rot: tilt}, Vel: vec.V(0, 0, -1)})
	const dt = 2e-6
	worst := 0.0
	for range 400 {
		steps(t, w, 1, dt)
		worst = max(worst, w.Measure().Penetration)
	}
	b := &w.bodies
	if worst > 1e-4 || worst < 5e-5 {
		t.Errorf("penetration %g, expected just below 1e-4", worst)
	}
	if v := b.Vel.At(id); math.Abs(v.Z-0.66533177) > 1e-3*0.66533177 || math.Abs(v.X)+math.Abs(v.Y) > 1e-9 {
		t.Errorf("velocity %v, expected 0.66533177 upwards", v)
	}
	if s := b.Spin.At(id); math.Abs(math.Abs(s.Y)-1.82866123) > 1e-3*1.82866123 || math.Abs(s.X)+math.Abs(s.Z) > 1e-9 {
		t.Errorf("spin %v, expected 1.82866123 about y", s)
	}
	if m := w.Measure(); math.Abs(m.Kinetic()-0.5) > 1e-3 {
		t.Errorf("kinetic energy %g, expected 0.5", m.Kinetic())
	}
}

// TestFaceImpact is case V16c: a cube that falls flat on its face rebounds with the same speed and
// does not rotate.
func TestFaceImpact(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1e8})
	slab(t, w)
	id := addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 1, 1, 1)), 1), Pose: at(0.3, 0.2, 0.5+1e-6), Vel: vec.V(0, 0, -1)})
	for range 400 {
		steps(t, w, 1, 2e-6)
		for i, active := range w.space.Contacts.Active {
			if at := w.space.Contacts.Location.At(i); active && math.Hypot(at.X-0.3, at.Y-0.2) > 1e-12 {
				t.Fatalf("the contact acts at %v, expected above the centroid", at)
			}
		}
	}
	if v := w.bodies.Vel.At(id); math.Abs(v.Z-1) > 1e-3 {
		t.Errorf("velocity %v, expected 1 upwards", v)
	}
	if s := w.bodies.Spin.At(id).Norm(); s > 1e-9 {
		t.Errorf("spin %g, expected none", s)
	}
}

// graze shoots a ball at a wall at an angle from the normal, in degrees, and returns the ratio of
// its kinetic energies after and before.
func graze(t *testing.T, e, mu, degrees, spin, stepsPerContact float64) float64 {
	t.Helper()
	law := force.Linear{Kn: grazeStiffness, Kt: 2.0 / 7 * grazeStiffness, Mu: mu, ByRestitution: true, Restitution: e}
	return grazeUnder(t, law, degrees, spin, stepsPerContact)
}

const grazeStiffness = 1e6 // N/m

// grazeUnder is graze under a law of that stiffness.
func grazeUnder(t *testing.T, law force.Parameters, degrees, spin, stepsPerContact float64) float64 {
	t.Helper()
	const k, r = grazeStiffness, 0.1
	w := newWorld(t, Config{}, law)
	slab(t, w)
	s, c := math.Sincos(degrees * pi / 180)
	id := addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, r)), 2500), Pose: at(0, 0, r+1e-5),
		Vel: vec.V(s, 0, -c), Spin: vec.V(0, spin, 0)})
	before := w.Measure().Kinetic()
	dt := pi * math.Sqrt(w.bodies.Mass[id]/k) / stepsPerContact
	touched := false
	for range int(1e-5/(c*dt)) + 40*int(stepsPerContact) {
		steps(t, w, 1, dt)
		if m := w.Measure(); m.Active > 0 {
			touched = true
		} else if touched {
			break
		}
	}
	if !touched {
		t.Fatal("the ball did not reach the wall")
	}
	return w.Measure().Kinetic() / before
}

// TestFrictionGivesNoEnergy is case V17.
func TestFrictionGivesNoEnergy(t *testing.T) {
	const n = 50
	for _, mu := range []float64{0, 0.1, 0.3, 0.5, 1} {
		for degrees := 0.0; degrees <= 90; degrees += 7.5 {
			angle := min(degrees, 89)
			for _, e := range []float64{0.1, 0.5, 0.9} {
				if gain := graze(t, e, mu, angle, 0, n) - 1; gain > 1e-9 {
					t.Errorf("e = %g, µ = %g, %g°: energy rises by %.3g", e, mu, angle, gain)
				}
			}
			if gain := graze(t, 1, mu, angle, 0, n) - 1; gain > 10/float64(n*n*n) {
				t.Errorf("e = 1, µ = %g, %g°: energy rises by %.3g, expected at most %.3g", mu, angle, gain, 10/float64(n*n*n))
			}
		}
	}
	// At this impact another code gained a third of the energy.
	if gain := graze(t, 0.9, 0.5, 76, 0, n) - 1; gain > 1e-9 {
		t.Errorf("76°, µ = 0.5: energy rises by %.3g", gain)
	}
}

// TestImpactErrorIsOfThirdOrder halves the step three times: the largest gain of elastic, sticking
// impacts must fall by 8 each time.
func TestImpactErrorIsOfThirdOrder(t *testing.T) {
	worst := func(n float64) float64 {
		g := 0.0
		for _, degrees := range []float64{5, 15, 25, 35} {
			// Various phases of the step at which the ball arrives.
			for phase := range 4 {
				g = max(g, math.Abs(graze(t, 1, 10, degrees, 0, n*(1+0.02*float64(phase)))-1))
			}
		}
		return g
	}
	coarse, fine := worst(25), worst(100)
	if order := math.Log2(coarse/fine) / 2; order < 2.7 && fine > 1e-9 {
		t.Errorf("the energy is off by %.3g with 25 steps a contact and %.3g with 100: order %.2f, expected 3", coarse, fine, order)
	}
}

// TestBallOnCube is case V22: a ball that hits a cube's face, edge or corner head-on has the same
// contact duration and restitution as on a wall. Walls of facets and of blocks must give the same.
func TestBallOnCube(t *testing.T) {
	const k, r, e = 1e6, 0.1, 0.6
	law := force.Linear{Kn: k, ByRestitution: true, Restitution: e, Tension: true}
	zeta := force.DampingForRestitution(e, true)
	third := math.Acos(1 / math.Sqrt(3))
	for _, c := range []struct {
		name string
		top  float64  // height of the cube's highest point
		turn vec.Quat // rotation of the cube
		wall func(w *World)
	}{
		{"face", 0.5, vec.Identity, nil},
		{"edge", math.Sqrt(0.5), vec.FromRotationVector(vec.V(pi/4, 0, 0)), nil},
		{"corner", math.Sqrt(0.75), vec.FromRotationVector(vec.V(1, -1, 0).Unit().Scale(third)), nil},
		{"wall of facets", 0, vec.Identity, func(w *World) { floor(t, w, 5) }},
		{"wall of a block", 0, vec.Identity, func(w *World) { slab(t, w) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, Config{}, law)
			mass := 2500 * 4.0 / 3 * pi * r * r * r
			meff := mass
			if c.wall != nil {
				c.wall(w)
			} else {
				cube := addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 1, 1, 1)), 2500), Pose: vec.Pose{Rot: c.turn}})
				meff = mass * w.bodies.Mass[cube] / (mass + w.bodies.Mass[cube])
			}
			x := 0.21
			if c.wall == nil {
				x = 0
			}
			id := addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, r)), 2500), Pose: at(x, 0, c.top+r+1e-7), Vel: vec.V(0, 0, -1)})
			want := pi * math.Sqrt(meff/k) / math.Sqrt(1-zeta*zeta)
			dt := want / 2000
			start, end := -1.0, -1.0
			for i := range 2400 {
				steps(t, w, 1, dt)
				if active := w.Measure().Active; active > 0 && start < 0 {
					start = float64(i) * dt
				} else if active == 0 && start >= 0 && end < 0 {
					end = float64(i) * dt
				}
			}
			if got := end - start; math.Abs(got-want) > 1e-3*want {
				t.Errorf("contact lasts %g s, expected %g", got, want)
			}
			relative := w.bodies.Vel.Z[id]
			if c.wall == nil {
				relative -= w.bodies.Vel.Z[0]
			}
			if math.Abs(relative-e) > 1e-3 {
				t.Errorf("restitution %g, expected %g", relative, e)
			}
			if side := w.bodies.Spin.At(id).Norm(); side > 1e-9 {
				t.Errorf("the ball spins at %g, expected not at all", side)
			}
		})
	}
}

// TestFacetAndBlockWallsAgree lets the same rock bounce on a wall of facets and on a block, without
// friction.
func TestFacetAndBlockWallsAgree(t *testing.T) {
	run := func(wall func(w *World)) *World {
		w := newWorld(t, Config{Gravity: down}, force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.4, ByRestitution: true, Restitution: 0.6})
		wall(w)
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, rock(t, 5, 20, 0.1)), 2600),
			Pose: vec.Pose{Pos: vec.V(1, -1, 0.3), Rot: vec.FromRotationVector(vec.V(0.3, 0.2, 0.1))}, Vel: vec.V(0.3, 0.1, 0)})
		steps(t, w, 4000, 1e-4)
		return w
	}
	// One facet, large enough that the rock stays far from its edges.
	a := run(func(w *World) {
		addWall(t, w, WallSpec{Pose: vec.IdentityPose, Parts: []Part{{Shape: addShape(t, w,
			facet(t, vec.V(-40, -40, 0), vec.V(40, -40, 0), vec.V(0, 60, 0)))}}})
	})
	b := run(func(w *World) { slab(t, w) })
	if d := a.bodies.Pos.At(1).Sub(b.bodies.Pos.At(1)).Norm(); d > 1e-9 {
		t.Errorf("after the bounce the rocks are %g m apart", d)
	}
	if a.bodies.Vel.At(1).Norm() < 0.1 {
		t.Errorf("the rock does not move: %v", a.bodies.Vel.At(1))
	}
}

// TestInteractionDistanceActs holds a block above a wall by a law that acts across a gap.
func TestInteractionDistanceActs(t *testing.T) {
	const k, reach = 1e4, 0.01
	w := newWorld(t, Config{Gravity: down}, force.Linear{Kn: k, Dn: 300, Interaction: 2 * reach, ReferenceGap: reach})
	slab(t, w)
	id := addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.2, 0.2, 0.2)), 500), Pose: at(0, 0, 0.1+2.5*reach)})
	steps(t, w, 20_000, 2e-4)
	weight := 9.81 * w.bodies.Mass[id]
	want := 0.1 + reach - weight/k
	if z := w.bodies.Pos.Z[id]; math.Abs(z-want) > 1e-9 {
		t.Errorf("the block hovers at %.12f, expected %.12f", z, want)
	}
	if m := w.Measure(); m.Active != 1 || m.Penetration != 0 {
		t.Errorf("%d active contacts with penetration %g, expected one across a gap", m.Active, m.Penetration)
	}
	if f := w.bodies.Force.At(0); math.Abs(f.Z+weight) > 1e-6*weight {
		t.Errorf("the wall feels %v, expected the weight %g", f, weight)
	}
}

func TestClumpIsOneBody(t *testing.T) {
	w := newWorld(t, Config{Gravity: down}, force.Linear{Kn: 1e5, Dn: 500})
	slab(t, w)
	s := addShape(t, w, ball(t, 0.1))
	d := addShape(t, w, box(t, 0.1, 0.1, 0.1))
	part := func(shape soa.Shape, x float64) Part {
		return Part{Shape: shape, Density: 1000, Local: vec.Pose{Pos: vec.V(x, 0, 0), Rot: vec.Identity}}
	}
	id := addBody(t, w, BodySpec{Parts: []Part{part(s, -0.3), part(d, 0), part(s, 0.3)}, Pose: at(0, 0, 0.1)})
	steps(t, w, 4000, 1e-4)
	if got, want := w.Measure().Active, 2; got != want {
		t.Errorf("%d active contacts, expected %d: the middle part hangs", got, want)
	}
	sink := 9.81 * w.bodies.Mass[id] / 2 / 1e5
	if z := w.bodies.Pos.Z[id]; math.Abs(z-(0.1-sink)) > 1e-7 {
		t.Errorf("the clump lies at %g, expected %g", z, 0.1-sink)
	}
	if p := fmt.Sprint(w.space.Pieces.Body[1:]); p != "[1 1 1]" {
		t.Errorf("pieces belong to bodies %s, expected one body", p)
	}
}

// TestPlaneWallIsASlab lets the same bodies fall on a plane and on a block, and lifts both.
func TestPlaneWallIsASlab(t *testing.T) {
	run := func(plane bool) *World {
		w := newWorld(t, Config{Gravity: down}, force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.4, ByRestitution: true, Restitution: 0.6})
		lift := Motion{Velocity: vec.V(0.1, 0, 0.2), Amplitude: vec.V(0, 0, 0.01), Frequency: 5}
		if plane {
			addWall(t, w, WallSpec{Parts: []Part{{Shape: addShape(t, w, PlaneTemplate())}},
				Pose: PlanePose(vec.V(3, 4, 0), vec.V(0, 0, 2)), Motion: lift})
		} else {
			addWall(t, w, WallSpec{Parts: []Part{{Shape: addShape(t, w, box(t, 40, 40, 2))}}, Pose: at(0, 0, -1), Motion: lift})
		}
		rocks := addShape(t, w, rock(t, 5, 20, 0.1))
		balls := addShape(t, w, ball(t, 0.1))
		for i := range 6 {
			s := rocks
			if i%2 == 1 {
				s = balls
			}
			addBody(t, w, BodySpec{Parts: one(s, 2600), Vel: vec.V(0.3, 0.1, -1), Pose: vec.Pose{
				Pos: vec.V(float64(i), 0, 0.2+0.05*float64(i)), Rot: vec.FromRotationVector(vec.V(0.3*float64(i), 0.2, 0.1))}})
		}
		steps(t, w, 5000, 1e-4)
		return w
	}
	a, b := run(true), run(false)
	for i := 1; i < 7; i++ {
		if d := a.bodies.Pos.At(i).Sub(b.bodies.Pos.At(i)).Norm(); d > 1e-9 {
			t.Errorf("body %d: %g m apart", i, d)
		}
	}
	if n := a.AnsweredBy().Rebuilds; n < 2 {
		t.Errorf("%d searches for pairs, expected several", n)
	}
}

func TestPlanesDoNotTurn(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1})
	_, err := w.AddWall(WallSpec{Parts: []Part{{Shape: addShape(t, w, PlaneTemplate())}}, Pose: vec.IdentityPose,
		Motion: Motion{Spin: vec.V(0, 0, 1)}})
	if !errors.Is(err, ErrBody) {
		t.Errorf("error %v, expected ErrBody", err)
	}
}
