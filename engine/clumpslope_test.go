package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// elbow adds an L of a lying beam and a post on its end, three cubes of 1 m in all, to a floor under a gravity that is
// tilted by a slope towards +x or −x. The beam and the post overlap in a cube. Its centre is 5/6 m from the post's side and high.
func elbow(t *testing.T, slope, mu, stiffness float64) (w *World, id int) {
	t.Helper()
	s, c := vec.Sincos(slope)
	w = newWorld(t, Config{Gravity: vec.V(9.81*s, 0, -9.81*c)}, force.Thickness{Stiffness: stiffness, Tangential: 0.8 * stiffness, Friction: mu, Restitution: 0.1})
	addFloor(t, w)
	beam, post := box(t, 2, 1, 1), box(t, 1, 1, 2)
	union, err := geometry.UnionMass([]geometry.MassPiece{{Shape: beam, Pose: at(1, 0, 0.5), Density: 1000}, {Shape: post, Pose: at(0.5, 0, 1), Density: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	parts := []Part{{Shape: addShape(t, w, beam), Local: at(1, 0, 0.5)}, {Shape: addShape(t, w, post), Local: at(0.5, 0, 1)}}
	return w, addBody(t, w, BodySpec{Parts: parts, Pose: at(0, 0, 0), Mass: &union})
}

// TestElbowSlides is V18b with a body of two pieces: a tenth of a degree below the friction angle it rests, and above
// it slides like a point.
func TestElbowSlides(t *testing.T) {
	const mu, dt, tenth = 0.5, 1e-4, 0.1 * math.Pi / 180
	phi := vec.Atan2(mu, 1)
	for _, side := range []float64{-1, 1} {
		rest, id := elbow(t, side*(phi-tenth), mu, 1e8)
		steps(t, rest, 15000, dt)
		if v := rest.bodies.Vel.At(id).Norm(); v > 1e-6 {
			t.Errorf("below the friction angle the L moves at %g m/s", v)
		}
		slide, id := elbow(t, side*(phi+tenth), mu, 1e8)
		steps(t, slide, 10000, dt)
		v := slide.bodies.Vel.X[id]
		steps(t, slide, 10000, dt)
		s, c := vec.Sincos(phi + tenth)
		if a, want := side*(slide.bodies.Vel.X[id]-v), 9.81*(s-mu*c); math.Abs(a-want) > 1e-3*want {
			t.Errorf("above the friction angle the L accelerates by %g m/s², expected %g", a, want)
		}
	}
}

// TestElbowTopples is V19 with a body of two pieces, whose own centroid decides: towards the post it topples above 45°,
// away from it above atan 1.4, and it turns as fast as a rigid body about its edge.
func TestElbowTopples(t *testing.T) {
	const g, stiffness, dt = 9.81, 1e8, 5e-5
	for _, c := range []struct {
		degrees, edge float64
		topples       bool
	}{{-44, 0, false}, {-46, 0, true}, {53.5, 2, false}, {55.5, 2, true}} {
		slope := c.degrees * math.Pi / 180
		w, id := elbow(t, slope, 3, stiffness)
		angle := 0.0
		for n := 0; n < 40000 && math.Abs(angle) < 0.2; n++ {
			steps(t, w, 1, dt)
			z := w.bodies.Rot.At(id).Rotate(vec.V(0, 0, 1))
			angle = vec.Atan2(z.X, z.Z)
		}
		if topples := math.Abs(angle) >= 0.2; topples != c.topples {
			t.Errorf("on a slope of %g° the L turns by %g rad, expected that it topples: %t", c.degrees, angle, c.topples)
			continue
		} else if !topples {
			continue
		}
		// The centre is at (away, 5/6) from the edge. The moment about the edge is that about the centre, 5500/3 kg·m²,
		// and 3000 kg times the distance².
		const high = 5.0 / 6
		away := math.Abs(c.edge - 5.0/6)
		height := func(a float64) float64 { // along gravity, above the edge
			return high*math.Cos(math.Abs(slope)+a) + away*math.Sin(math.Abs(slope)+a)
		}
		moment := 5500.0/3 + 3000*(away*away+high*high)
		want := math.Sqrt(2 * 3000 * g * (height(0) - height(math.Abs(angle))) / moment)
		if got := math.Abs(w.bodies.Spin.Y[id]); math.Abs(got-want) > 5e-3*want {
			t.Errorf("on a slope of %g° the L has turned by %g rad, at %g rad/s, a rigid body at %g rad/s", c.degrees, angle, got, want)
		}
	}
}

// TestElbowFalls lets the L fall 5 cm. In the air it does not turn, and at last the floor carries its weight.
func TestElbowFalls(t *testing.T) {
	w, id := elbow(t, 0, 0.5, 1e7)
	w.bodies.Pos.Z[id] += 0.05
	steps(t, w, 900, 1e-4)
	if v := w.bodies.Vel.At(id); math.Abs(v.Z+9.81*0.09) > 1e-9 || w.bodies.Spin.At(id).Norm() > 1e-12 {
		t.Errorf("after 0.09 s it falls at %v and turns at %v", v, w.bodies.Spin.At(id))
	}
	steps(t, w, 30000, 1e-4)
	f, _, err := w.WallForce(0)
	if weight := 3000 * 9.81; err != nil || math.Abs(f.Norm()-weight) > 1e-3*weight || w.bodies.Vel.At(id).Norm() > 1e-3 {
		t.Errorf("the floor carries %g N, expected %g, and the L moves at %v: %v", f.Norm(), weight, w.bodies.Vel.At(id), err)
	}
}
