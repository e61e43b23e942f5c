package engine

import (
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/floors"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// A flat floor acts as one surface, however it is cut into facets. The floors in this file are the
// square of side 2 around the origin, in the plane z = 0 unless rotated.

// triangles is a wall under construction: polygons in the wall's frame.
type triangles [][]vec.Vec3

func gridFloor(n int, shift float64, seed uint64) triangles { return floors.Grid(n, shift, seed) }

func brickFloor(n int) triangles { return floors.Bricks(n) }

// without removes the polygons whose middle lies in a rectangle.
func (f triangles) without(x0, y0, x1, y1 float64) triangles {
	var out triangles
	for _, p := range f {
		var m vec.Vec3
		for _, v := range p {
			m = m.Add(v.Scale(1 / float64(len(p))))
		}
		if m.X < x0 || m.X > x1 || m.Y < y0 || m.Y > y1 {
			out = append(out, p)
		}
	}
	return out
}

// bent lifts each vertex by a random height up to z, the same in all facets.
func (f triangles) bent(z float64) triangles {
	r, lift := geometry.NewRand(3), map[vec.Vec3]float64{}
	var out triangles
	for _, p := range f {
		var q []vec.Vec3
		for _, v := range p {
			if _, ok := lift[v]; !ok {
				lift[v] = r.Range(-z, z)
			}
			q = append(q, v.Add(vec.V(0, 0, lift[v])))
		}
		out = append(out, q)
	}
	return out
}

// merged returns the result of geometry.MergeFacets for a floor.
func (f triangles) merged(t testing.TB) triangles {
	t.Helper()
	merged, err := floors.Merged(f)
	if err != nil {
		t.Fatal(err)
	}
	return merged
}

// plane returns the pose of the plane of a floor in a wall with the given pose.
func (f triangles) plane(pose vec.Pose) vec.Pose {
	var n, at vec.Vec3 // of the largest triangle, whose normal is the most accurate
	for _, p := range f {
		if m := p[1].Sub(p[0]).Cross(p[2].Sub(p[0])); m.Norm() > n.Norm() {
			n, at = m, p[0]
		}
	}
	if n.Z < 0 {
		n = n.Neg()
	}
	return pose.Mul(PlanePose(at, n.Unit()))
}

// wall adds a floor to a world.
func (f triangles) wall(t testing.TB, w *World, pose vec.Pose, motion Motion) int {
	t.Helper()
	return addWall(t, w, WallSpec{Pose: pose, Motion: motion, Parts: f.parts(t, w)})
}

// parts adds the shapes of the facets to a world.
func (f triangles) parts(t testing.TB, w *World) (parts []Part) {
	t.Helper()
	for _, p := range f {
		s, err := geometry.FacetPolygonTemplate(p)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, Part{Shape: addShape(t, w, s)})
	}
	return parts
}

// planeWall adds the plane z = 0 of a pose.
func planeWall(t testing.TB, w *World, pose vec.Pose, motion Motion) int {
	t.Helper()
	return addWall(t, w, WallSpec{Pose: pose, Motion: motion, Parts: []Part{{Shape: addShape(t, w, PlaneTemplate())}}})
}

// apart returns the largest difference of two bodies in position (m), orientation, velocity (m/s)
// and relative spin.
func apart(a *World, i int, b *World, j int) float64 {
	x, y := &a.bodies, &b.bodies
	return max(x.Pos.At(i).Sub(y.Pos.At(j)).MaxAbs(), x.Vel.At(i).Sub(y.Vel.At(j)).MaxAbs(), x.Spin.At(i).Sub(y.Spin.At(j)).MaxAbs()/(1+x.Spin.At(i).Norm()),
		1-math.Abs(x.Rot.At(i).Dot(y.Rot.At(j))))
}

// activeContacts counts the contacts of a world.
func activeContacts(w *World) int {
	n := 0
	for _, a := range w.space.Contacts.Active {
		if a {
			n++
		}
	}
	return n
}

// TestFloorsOfAnyTriangulation rolls a ball and slides a block over thousands of edges, with
// friction. The motion must be that over a plane and over one facet, and the force on the floor
// that on the plane in every step. A tumbling rock amplifies rounding with each impact, and at its
// stiffness a difference of 1e-14 m is a difference of 1e-8 N, so only its motion is compared.
func TestFloorsOfAnyTriangulation(t *testing.T) {
	law := force.Linear{Kn: 1e6, Kt: 8e5, Mu: 0.3, ByRestitution: true, Restitution: 0.5, Dt: 100}
	n := require.Rounds(600, 1200, 3000)
	floors := []struct {
		name  string
		floor triangles
	}{
		{"one facet", triangles{{vec.V(-1, -1, 0), vec.V(1, -1, 0), vec.V(1, 1, 0), vec.V(-1, 1, 0)}}},
		{"2 triangles", gridFloor(1, 0, 1)},
		{"8 triangles", gridFloor(2, 0, 1)},
		{"50 triangles", gridFloor(5, 0, 1)},
		{"800 triangles", gridFloor(20, 0, 1)},
		{"random, 200", gridFloor(10, 0.4, 2)},
		{"random, 1800", gridFloor(30, 0.45, 3)},
		{"running bond", brickFloor(14)},
		{"merged, bent", gridFloor(10, 0.4, 4).bent(4e-7).merged(t)},
		{"with a hole", gridFloor(12, 0, 5).without(0.7, 0.7, 0.9, 0.9)},
		{"with a hole, bent, merged", gridFloor(12, 0.3, 6).bent(4e-7).without(0.7, 0.7, 0.9, 0.9).merged(t)},
		{"an L, merged", gridFloor(12, 0.3, 7).without(0.6, 0.6, 1, 1).merged(t)},
	}
	bodies := []struct {
		name  string
		shape *soa.Template
		turn  vec.Quat
		high  float64
	}{
		{"ball", ball(t, 0.1), vec.Identity, 0.1},
		{"block", box(t, 0.4, 0.3, 0.1), vec.FromRotationVector(vec.V(0, 0, 0.4)), 0.05},
		{"block on an edge", box(t, 0.3, 0.3, 0.3), vec.FromRotationVector(vec.V(pi/4, 0, 0)), 0.15 * math.Sqrt2},
		{"rounded block", rounded(box(t, 0.4, 0.3, 0.1), 0.03), vec.FromRotationVector(vec.V(0, 0, 0.4)), 0.08},
		{"rounded edge", rounded(box(t, 0.3, 0.3, 0.3), 0.03), vec.FromRotationVector(vec.V(pi/4, 0, 0)), 0.15*math.Sqrt2 + 0.03},
		{"rock", rock(t, 4, 30, 0.12), vec.FromRotationVector(vec.V(0.3, 0.2, 0.1)), 0.11},
	}
	const dt = 1e-4
	tilt := vec.FromRotationVector(vec.V(0.3, -0.2, 0.7))
	for _, pose := range []vec.Pose{vec.IdentityPose, {Pos: vec.V(3, -2, 1), Rot: tilt}} {
		for _, b := range bodies {
			world := func(wall func(w *World)) *World {
				w := newWorld(t, Config{Gravity: pose.Rot.Rotate(down)}, law)
				wall(w)
				addBody(t, w, BodySpec{Parts: one(addShape(t, w, b.shape), 1000), Vel: pose.Rot.Rotate(vec.V(1.1, 0.9, 0)),
					Pose: pose.Mul(vec.Pose{Pos: vec.V(-0.35, -0.3, b.high), Rot: b.turn})})
				return w
			}
			for _, f := range floors {
				plane := world(func(w *World) { planeWall(t, w, f.floor.plane(pose), Motion{}) })
				w := world(func(w *World) { f.floor.wall(t, w, pose, Motion{}) })
				for step := range n {
					steps(t, plane, 1, dt)
					steps(t, w, 1, dt)
					if d := apart(w, 1, plane, 1); !(d < 1e-9) {
						t.Fatalf("%s on %s, pose %v, step %d: %g off the motion on a plane; %d contacts", b.name, f.name, pose, step, d, activeContacts(w))
					}
					got, want := w.bodies.Force.At(0), plane.bodies.Force.At(0)
					if d := got.Sub(want).Norm(); b.name != "rock" && !(d < 1e-9*(want.Norm()+9.81*w.bodies.Mass[1])) {
						t.Fatalf("%s on %s, pose %v, step %d: the floor feels %v, a plane %v", b.name, f.name, pose, step, got, want)
					}
				}
				if v := plane.bodies.Vel.At(1).Norm(); v < 0.1 {
					t.Errorf("%s moves at %g m/s at the end, expected to cross edges to the end", b.name, v)
				}
			}
		}
	}
}

// TestPressedOnTheTriangulation presses bodies on edges and corners of a triangulation, at any
// depth and orientation. Force and location must be those on a plane.
func TestPressedOnTheTriangulation(t *testing.T) {
	floors := []triangles{gridFloor(2, 0, 1), gridFloor(6, 0.4, 2), brickFloor(5), gridFloor(12, 0.3, 7).without(0.6, 0.6, 1, 1).merged(t)}
	shapes := []*soa.Template{ball(t, 0.1), box(t, 0.2, 0.2, 0.2), rock(t, 4, 30, 0.12), spike(t), rounded(rock(t, 5, 30, 0.12), 0.01)}
	law := force.Linear{Kn: 1e6, Kt: 8e5, Mu: 0.3, Dn: 300}
	r := geometry.NewRand(11)
	rounds := 60
	if require.Quick() {
		rounds = 12
	}
	for round := range rounds {
		f := floors[round%len(floors)]
		p := f[int(r.Float64()*float64(len(f)))]
		k := int(r.Float64() * float64(len(p)))
		place := p[k] // a corner of the triangulation, or a point on an edge
		if round%2 == 1 {
			place = place.AddScaled(r.Float64(), p[(k+1)%len(p)].Sub(place))
		}
		if max(math.Abs(place.X), math.Abs(place.Y)) > 0.7 {
			continue
		}
		for i, shape := range shapes {
			depth := 0.03 * math.Pow(10, -5*r.Float64())
			pose := vec.Pose{Rot: r.Rotation()}
			if round%3 == 0 {
				pose.Rot = vec.FromRotationVector(vec.V(0, 0, 6*r.Float64()))
			}
			low := vec.V(0, 0, -shape.Radius)
			for j, v := range shape.Verts {
				if q := pose.Rot.Rotate(v); j == 0 || q.Z < low.Z {
					low = q
				}
			}
			pose.Pos = vec.V(place.X-low.X, place.Y-low.Y, -low.Z+shape.Round-depth)
			if round%3 == 0 {
				pose.Pos.X, pose.Pos.Y = place.X, place.Y
			}
			pose.Pos = pose.Pos.Sub(pose.Rot.Rotate(shape.Origin))
			var at, push [2]vec.Vec3
			for side := range 2 {
				w := newWorld(t, Config{}, law)
				if side == 0 {
					f.wall(t, w, vec.IdentityPose, Motion{})
				} else {
					planeWall(t, w, f.plane(vec.IdentityPose), Motion{})
				}
				addBody(t, w, BodySpec{Parts: one(addShape(t, w, shape), 1000), Pose: pose, Vel: vec.V(0.1, 0.2, -0.1), Spin: vec.V(1, 2, 3)})
				w.Measure()
				if n := activeContacts(w); n != 1 {
					t.Fatalf("round %d, shape %d, depth %g, side %d: %d contacts", round, i, depth, side, n)
				}
				for c, active := range w.space.Contacts.Active {
					if active {
						at[side], push[side] = w.space.Contacts.Location.At(c), w.forces.Force.At(c)
					}
				}
			}
			if d := at[0].Sub(at[1]).Norm(); !(d < 1e-10) {
				t.Errorf("round %d, shape %d, depth %g: it acts at %v, expected %v", round, i, depth, at[0], at[1])
			}
			if d := push[0].Sub(push[1]).Norm(); !(d <= 1e-9*push[1].Norm()) {
				t.Errorf("round %d, shape %d, depth %g: force %v, expected %v", round, i, depth, push[0], push[1])
			}
		}
	}
}

// rounded sets the rounding radius of a shape.
func rounded(s *soa.Template, r float64) *soa.Template {
	s.Round = r
	return s
}

// spike returns a slender pyramid on its side, all of whose sections are far narrower than deep.
func spike(t testing.TB) *soa.Template {
	t.Helper()
	return hull(t, []vec.Vec3{vec.V(0, 0, -0.2), vec.V(0.02, 0, 0.1), vec.V(-0.01, 0.02, 0.1), vec.V(-0.01, -0.02, 0.1)})
}

// TestUsersMeshFloorRebounds is a report by a user: a body rebounded from a mesh differently than
// from an analytic wall, because each triangle exerted a force. Dropped on corners and edges of
// triangles, a ball and a block must rebound as from a plane.
func TestUsersMeshFloorRebounds(t *testing.T) {
	law := force.Linear{Kn: 1e6, Kt: 8e5, Mu: 0.4, ByRestitution: true, Restitution: 0.7}
	for i, shape := range []*soa.Template{ball(t, 0.1), box(t, 0.2, 0.2, 0.2), box(t, 0.2, 0.2, 0.2)} {
		for j, f := range []triangles{gridFloor(2, 0, 1), gridFloor(8, 0, 1), gridFloor(9, 0.4, 2), gridFloor(8, 0.4, 2).bent(4e-7).without(0.7, 0.7, 1, 1).merged(t)} {
			t.Run(fmt.Sprint("shape ", i, " floor ", j), func(t *testing.T) {
				run := func(mesh bool) *World {
					w := newWorld(t, Config{Gravity: down}, law)
					if mesh {
						f.wall(t, w, vec.IdentityPose, Motion{})
					} else {
						planeWall(t, w, f.plane(vec.IdentityPose), Motion{})
					}
					turn := vec.Identity
					if i == 2 {
						turn = vec.FromRotationVector(vec.V(0.5, 0.6, 0.3))
					}
					addBody(t, w, BodySpec{Parts: one(addShape(t, w, shape), 1000), Pose: vec.Pose{Pos: vec.V(0, 0, 0.2), Rot: turn}, Vel: vec.V(0, 0, -2)})
					steps(t, w, 3000, 2e-5)
					return w
				}
				a, b := run(true), run(false)
				if d := apart(a, 1, b, 1); !(d < 1e-9) {
					t.Errorf("it comes back %g off: velocity %v, from a plane %v", d, a.bodies.Vel.At(1), b.bodies.Vel.At(1))
				}
				if v := b.bodies.Vel.At(1); i < 2 && !(v.Z > 0.5) {
					t.Errorf("velocity %v, expected a rebound", v)
				}
			})
		}
	}
}
