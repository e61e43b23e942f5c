package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Tests of the boundary of a flat part of a wall: free edges, edges shared with other parts, holes.

// square is one facet.
var square = triangles{{vec.V(-1, -1, 0), vec.V(1, -1, 0), vec.V(1, 1, 0), vec.V(-1, 1, 0)}}

// TestOffTheEdge lets bodies slide and roll off an edge and over a corner of a floor, and bounce
// off its edge. They must tip and fall as on one facet. The floor is cut at random, so edges of
// triangles are within reach in every step.
func TestOffTheEdge(t *testing.T) {
	require.Numbers(t)
	floors := []triangles{gridFloor(1, 0, 1), gridFloor(6, 0, 1), gridFloor(9, 0.4, 2), brickFloor(9),
		append(gridFloor(5, 0.4, 3), brickFloor(4)...)} // one on top of the other
	for _, b := range []struct {
		name  string
		shape *soa.Template
		turn  vec.Quat
		high  float64
		k     float64
		hover float64 // m, reach of a law that acts across a gap
	}{
		{"ball", ball(t, 0.1), vec.Identity, 0.1, 1e6, 0},
		{"block", box(t, 0.4, 0.3, 0.1), vec.FromRotationVector(vec.V(0, 0, 0.4)), 0.05, 1e6, 0},
		{"block on its corner", box(t, 0.2, 0.2, 0.2), vec.FromRotationVector(vec.V(0.6, 0.5, 0)), 0.17, 1e6, 0},
		{"spike", spike(t), vec.FromRotationVector(vec.V(0, 0.1, 0)), 0.1995, 1e4, 0},
		{"rounded block", rounded(box(t, 0.4, 0.3, 0.1), 0.02), vec.FromRotationVector(vec.V(0, 0, 0.4)), 0.07, 1e6, 0},
		{"rounded rock", rounded(rock(t, 4, 20, 0.12), 0.02), vec.FromRotationVector(vec.V(0, 0, 0.4)), 0.13, 1e5, 0},
		{"block that hovers", box(t, 0.4, 0.3, 0.1), vec.FromRotationVector(vec.V(0, 0, 0.4)), 0.06, 1e6, 0.01},
		{"ball that hovers", ball(t, 0.1), vec.Identity, 0.11, 1e6, 0.01},
	} {
		law := force.Linear{Kn: b.k, Kt: 0.8 * b.k, Mu: 0.2, ByRestitution: true, Restitution: 0.3, Dt: 1e-4 * b.k,
			Interaction: 1.5 * b.hover, ReferenceGap: b.hover}
		for _, vel := range []vec.Vec3{vec.V(1.5, 0, 0), vec.V(1.2, 1.2, 0)} {
			world := func(f triangles) *World {
				w := newWorld(t, Config{Gravity: down}, law)
				f.wall(t, w, vec.IdentityPose, Motion{})
				addBody(t, w, BodySpec{Parts: one(addShape(t, w, b.shape), 1000), Vel: vel, Pose: vec.Pose{Pos: vec.V(0.75, 0.7, b.high), Rot: b.turn}})
				return w
			}
			want := world(square)
			var cut []*World
			for _, f := range floors {
				cut = append(cut, world(f))
			}
			touched := 0
			for step := range 5000 {
				steps(t, want, 1, 1e-4)
				n := activeContacts(want)
				for i, got := range cut {
					steps(t, got, 1, 1e-4)
					if d, m := apart(got, 1, want, 1), activeContacts(got); m != n || !(d < 1e-9) {
						t.Fatalf("%s at %v on %d facets, step %d: %g off, %d contacts, expected %d", b.name, vel, len(floors[i]), step, d, m, n)
					}
				}
				touched += n
			}
			if z := want.bodies.Pos.Z[1]; z > -0.05 || touched < 50 {
				t.Errorf("%s at %v: height %g after %d steps of contact, expected a fall", b.name, vel, z, touched)
			}
		}
	}
}

// TestOverAHole checks that a block across a hole has one contact, at the centroid of the area it
// touches. In a wide hole it has none, and in a hole that is too tight one with each side, however
// the sides are cut.
func TestOverAHole(t *testing.T) {
	const k = 1e6
	for name, f := range map[string]triangles{
		"grid": gridFloor(20, 0, 1), "rows": brickFloor(20), "merged": gridFloor(20, 0, 1).without(-0.3, -0.2, 0.1, 0.2).merged(t),
	} {
		f := f.without(-0.3, -0.2, 0.1, 0.2) // remove the rectangle from (-0.3, -0.2) to (0.1, 0.2)
		world := func(a, b, c float64, pose vec.Pose) *World {
			w := newWorld(t, Config{}, force.Linear{Kn: k})
			f.wall(t, w, vec.IdentityPose, Motion{})
			addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, a, b, c)), 1000), Pose: pose})
			w.Measure()
			return w
		}
		if name == "rows" {
			f = append(triangles{}, f...)
		}
		w := world(0.8, 0.1, 0.1, at(-0.05, 0.03, 0.05-1e-4)) // across it from x = -0.45 to 0.35
		if n := activeContacts(w); n != 1 {
			t.Errorf("%s: %d contacts of a beam over the hole, expected one", name, n)
		}
		for i, active := range w.space.Contacts.Active {
			// 0.15 on the left, from -0.45 to -0.3, and 0.25 on the right, from 0.1 to 0.35.
			want := vec.V((0.15*-0.375+0.25*0.225)/0.4, 0.03, -5e-5)
			if p := w.space.Contacts.Location.At(i); name != "rows" && active && p.Sub(want).Norm() > 1e-12 {
				t.Errorf("%s: it acts at %v, expected %v", name, p, want)
			}
		}
		if name == "rows" {
			continue // their hole has a jagged outline
		}
		if n := activeContacts(world(0.38, 0.38, 0.5, at(-0.1, 0, 0))); n != 0 {
			t.Errorf("%s: %d contacts of a block in a hole with room, expected none", name, n)
		}
		w = world(0.4004, 0.4004, 0.5, at(-0.1, 0, 0.05))
		if n := activeContacts(w); n != 4 {
			t.Errorf("%s: %d contacts of a block in a tight hole, expected four", name, n)
		}
		if f := w.bodies.Force.At(1).Norm(); f > 1e-6 {
			t.Errorf("%s: the sides of a tight hole push with %g N, expected balance", name, f)
		}
		for i, active := range w.space.Contacts.Active {
			if g := w.space.Contacts.Gap[i]; active && math.Abs(g+2e-4) > 1e-9 {
				t.Errorf("%s: gap %g in a tight hole, expected -2e-4", name, g)
			}
		}
		w = newWorld(t, Config{}, force.Linear{Kn: k})
		f.wall(t, w, vec.IdentityPose, Motion{})
		high := math.Sqrt((0.25-1e-4)*(0.25-1e-4) - 0.04)
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, 0.25)), 1000), Pose: at(-0.1, 0, high)})
		w.Measure()
		up := 4 * 1e-4 * k * high / (0.25 - 1e-4)
		if n, f := activeContacts(w), w.bodies.Force.At(1); n != 4 || f.Sub(vec.V(0, 0, up)).Norm() > 1e-6 {
			t.Errorf("%s: %d contacts of a ball in the hole, force %v, expected one with each side, and %g upwards", name, n, f, up)
		}
		if n := activeContacts(world(0.4004, 0.3, 0.5, at(-0.1+3e-4, 0, 0.05))); n != 1 {
			t.Errorf("%s: %d contacts of a block at one side, expected one", name, n)
		}
	}
}

// TestInARoundHole checks a prism of many sides in a hole that is too tight, at any rotation. The
// contacts must act from all sides by the overlap there, never by the depth under the plane.
func TestInARoundHole(t *testing.T) {
	const n, wide, over, k = 24, 0.3, 1e-4, 1e6
	ring := func(r, turn, z float64) (out []vec.Vec3) {
		for i := range n {
			s, c := math.Sincos(turn + 2*pi*float64(i)/n)
			out = append(out, vec.V(r*c, r*s, z))
		}
		return out
	}
	for i := range 40 {
		turn := pi / n * float64(i) / 20
		// The corners of a rotated prism reach beyond its sides; this is the width at which it fits
		// between the hole's sides.
		r := (wide*math.Cos(pi/n) + over) / math.Cos(pi/n-math.Mod(turn, 2*pi/n))
		if math.Mod(turn, 2*pi/n) > pi/n {
			r = (wide*math.Cos(pi/n) + over) / math.Cos(math.Mod(turn, 2*pi/n)-pi/n)
		}
		inner, outer := ring(wide, 0, 0), ring(1, 0.05*float64(i%3), 0)
		var f triangles
		for k := range n {
			m := (k + 1) % n
			f = append(f, []vec.Vec3{inner[k], outer[k], outer[m]}, []vec.Vec3{inner[k], outer[m], inner[m]})
		}
		w := newWorld(t, Config{}, force.Linear{Kn: k})
		f.wall(t, w, vec.IdentityPose, Motion{})
		prism := hull(t, append(ring(r, turn, -0.2), ring(r, turn, 0.3)...))
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, prism), 1000), Pose: at(0, 0, 0)})
		w.Measure()
		sides := contactsOf(w)
		for _, c := range sides {
			if c.gap < -3*over {
				t.Errorf("turned by %g: contact %v, expected a depth of %g or so", turn, c, over)
			}
		}
		if len(sides) < n/2 {
			t.Errorf("turned by %g: %d contacts, expected one with each side or corner", turn, len(sides))
		}
		if f := w.bodies.Force.At(1); f.Norm() > 3*over*k {
			t.Errorf("turned by %g: force %v, expected balance but for %g N", turn, f, 3*over*k)
		}
	}
}
