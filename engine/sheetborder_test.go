package engine

import (
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// What is true where a flat part of a wall ends: at its own edges, at edges with other parts, at holes.

// square is one facet.
var square = triangles{{vec.V(-1, -1, 0), vec.V(1, -1, 0), vec.V(1, 1, 0), vec.V(-1, 1, 0)}}

// TestOffTheEdge: bodies that slide and roll off the edge, and over the corner, of a floor tip and fall, and bounce off its
// edge, as on one facet. The floor is cut at random, so each step of the way has edges of triangles in reach.
func TestOffTheEdge(t *testing.T) {
	for _, f := range []triangles{gridFloor(1, 0, 1), gridFloor(6, 0, 1), gridFloor(9, 0.4, 2), brickFloor(9)} {
		for _, b := range []struct {
			name  string
			shape *soa.Template
			turn  vec.Quat
			high  float64
			k     float64
			hover float64 // m, a law that acts across a gap
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
					addBody(t, w, Body{Parts: one(addShape(t, w, b.shape), 1000), Vel: vel, Pose: vec.Pose{Pos: vec.V(0.75, 0.7, b.high), Rot: b.turn}})
					return w
				}
				got, want := world(f), world(square)
				touched := 0
				for step := range 5000 {
					steps(t, got, 1, 1e-4)
					steps(t, want, 1, 1e-4)
					n, m := activeContacts(got), activeContacts(want)
					if d := apart(got, 1, want, 1); n != m || !(d < 1e-9) {
						t.Fatalf("%s at %v on %d facets, step %d: %g off, %d contacts, expected %d", b.name, vel, len(f), step, d, n, m)
					}
					touched += n
				}
				if z := want.bodies.Pos.Z[1]; z > -0.05 || touched < 50 {
					t.Errorf("%s at %v: height %g after %d steps of contact, expected a fall", b.name, vel, z, touched)
				}
			}
		}
	}
}

// roof is two sides of a triangulated roof, whose ridge is the y axis, each of slope s; below 0 a valley.
func roof(n int, s float64) triangles {
	var out triangles
	for _, p := range gridFloor(n, 0.3, 8) {
		for _, side := range []float64{-1, 1} {
			var q []vec.Vec3
			for _, v := range p {
				x := 0.5 * (v.X + 1) // 0 to 1 away from the ridge
				q = append(q, vec.V(side*x, v.Y, -s*x))
			}
			out = append(out, q)
		}
	}
	return out
}

// TestBallOverARidge: a ball that rolls over a ridge between two triangulated slopes feels one force, that of its distance to
// the roof, and one contact: no facet's edge pushes by itself. In a valley it has two.
func TestBallOverARidge(t *testing.T) {
	const k, r = 1e6, 0.1
	for _, slope := range []float64{0.02, 0.3, 1.5, -0.3, -1} {
		sides, c := roof(8, slope), 1/math.Sqrt(1+slope*slope)
		for i := range 201 {
			x := (float64(i) - 100) / 500
			p := vec.V(x, 0.3+0.1*x, -slope*math.Abs(x)+(r-1e-5)/c)
			// The distances to the two sides, and to the ridge if the foot is beyond it.
			var want vec.Vec3
			n := 0
			for _, side := range []float64{-1, 1} {
				normal := vec.V(side*slope*c, 0, c)
				h := normal.Dot(vec.V(p.X, 0, p.Z))
				if foot := side * (p.X - h*normal.X); foot > 0 && h < r {
					want = want.AddScaled(k*(r-h), normal)
					n++
				}
			}
			if d := math.Hypot(p.X, p.Z); n == 0 && d < r {
				want, n = vec.V(p.X, 0, p.Z).Scale(k*(r-d)/d), 1
			}
			w := newWorld(t, Config{}, force.Linear{Kn: k})
			sides.wall(t, w, vec.IdentityPose, Motion{})
			addBody(t, w, Body{Parts: one(addShape(t, w, ball(t, r)), 1000), Pose: vec.Pose{Pos: p, Rot: vec.Identity}})
			w.Measure()
			if got := activeContacts(w); got != n {
				t.Fatalf("slope %g, x = %g: %d contacts, expected %d", slope, x, got, n)
			}
			if f := w.bodies.Force.At(1); f.Sub(want).Norm() > 1e-7 {
				t.Fatalf("slope %g, x = %g: force %v, expected %v", slope, x, f, want)
			}
		}
	}
}

// TestInACorner: a ball and a block in the corner of a triangulated floor and two walls have a contact with each.
func TestInACorner(t *testing.T) {
	const k = 1e6
	var corner triangles
	for _, p := range gridFloor(6, 0.3, 9) {
		for axis := range 3 {
			var q []vec.Vec3
			for _, v := range p {
				x, y := 0.5*(v.X+1), 0.5*(v.Y+1)
				q = append(q, [3]vec.Vec3{vec.V(x, y, 0), vec.V(0, x, y), vec.V(y, 0, x)}[axis])
			}
			corner = append(corner, q)
		}
	}
	for _, shape := range []*soa.Template{ball(t, 0.1), box(t, 0.2, 0.2, 0.2)} {
		w := newWorld(t, Config{}, force.Linear{Kn: k})
		corner.wall(t, w, vec.IdentityPose, Motion{})
		addBody(t, w, Body{Parts: one(addShape(t, w, shape), 1000), Pose: at(0.1-1e-4, 0.1-2e-4, 0.1-3e-4)})
		w.Measure()
		if n := activeContacts(w); n != 3 {
			t.Errorf("%v: %d contacts, expected three", shape.Kind, n)
		}
		if f, want := w.bodies.Force.At(1), vec.V(100, 200, 300); f.Sub(want).Norm() > 1e-6 {
			t.Errorf("%v: force %v, expected %v", shape.Kind, f, want)
		}
	}
}

// TestBlockOverARidge: a block that lies flat over the shared edge of two triangulated slopes has one contact with it, in the
// middle of the edge's part under it; one that lies on a floor up to its edge with a slope has one with the floor.
func TestBlockOverARidge(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1e6})
	roof(6, 0.5).wall(t, w, vec.IdentityPose, Motion{})
	addBody(t, w, Body{Parts: one(addShape(t, w, box(t, 0.4, 0.4, 0.2)), 1000), Pose: at(0, 0.1, 0.1-1e-4)})
	w.Measure()
	if n := activeContacts(w); n != 1 {
		t.Errorf("%d contacts with a ridge, expected one", n)
	}
	if f, m := w.bodies.Force.At(1), w.bodies.Torque.At(1); f.Sub(vec.V(0, 0, 100)).Norm() > 1e-6 || m.Norm() > 1e-6 {
		t.Errorf("force %v and torque %v, expected 100 N upwards through the centre", f, m)
	}

	var step triangles
	for _, p := range gridFloor(6, 0.3, 9) {
		var q, r []vec.Vec3
		for _, v := range p {
			q = append(q, vec.V(v.X-1, v.Y, 0))
			r = append(r, vec.V(0, v.Y, v.X-1)) // down from its edge
		}
		step = append(step, q, r)
	}
	for _, shift := range []float64{0, 1e-9, -0.03, 0.07} {
		w := newWorld(t, Config{}, force.Linear{Kn: 1e6})
		step.wall(t, w, vec.IdentityPose, Motion{})
		addBody(t, w, Body{Parts: one(addShape(t, w, box(t, 0.4, 0.4, 0.2)), 1000), Pose: at(shift, 0.1, 0.1-1e-4)})
		w.Measure()
		if n, f := activeContacts(w), w.bodies.Force.At(1); n != 1 || f.Sub(vec.V(0, 0, 100)).Norm() > 1e-6 {
			t.Errorf("shift %g: %d contacts, force %v, expected one of 100 N upwards", shift, n, f)
		}
	}
}

// TestOverAHole: a block that lies on both sides of a hole has one contact, at the centroid of what it touches; in a hole with
// room it has none, and in one that is too tight one with each side, however the sides are cut.
func TestOverAHole(t *testing.T) {
	const k = 1e6
	for name, f := range map[string]triangles{
		"grid": gridFloor(20, 0, 1), "rows": brickFloor(20), "merged": gridFloor(20, 0, 1).without(-0.3, -0.2, 0.1, 0.2).merged(t),
	} {
		f := f.without(-0.3, -0.2, 0.1, 0.2) // the square from -0.3, -0.2 to 0.1, 0.2
		world := func(a, b, c float64, pose vec.Pose) *World {
			w := newWorld(t, Config{}, force.Linear{Kn: k})
			f.wall(t, w, vec.IdentityPose, Motion{})
			addBody(t, w, Body{Parts: one(addShape(t, w, box(t, a, b, c)), 1000), Pose: pose})
			w.Measure()
			return w
		}
		if name == "rows" {
			f = append(triangles{}, f...)
		}
		w := world(0.8, 0.1, 0.1, at(-0.05, 0.03, 0.05-1e-4)) // over it from -0.45 to 0.35
		if n := activeContacts(w); n != 1 {
			t.Errorf("%s: %d contacts of a beam over the hole, expected one", name, n)
		}
		for i, active := range w.contacts.Active {
			// 0.15 on the left, from -0.45 to -0.3, and 0.25 on the right, from 0.1 to 0.35.
			want := vec.V((0.15*-0.375+0.25*0.225)/0.4, 0.03, -5e-5)
			if p := w.contacts.Location.At(i); name != "rows" && active && p.Sub(want).Norm() > 1e-12 {
				t.Errorf("%s: it acts at %v, expected %v", name, p, want)
			}
		}
		if name == "rows" {
			continue // their hole has teeth
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
		for i, active := range w.contacts.Active {
			if g := w.contacts.Gap[i]; active && math.Abs(g+2e-4) > 1e-9 {
				t.Errorf("%s: gap %g in a tight hole, expected -2e-4", name, g)
			}
		}
		w = newWorld(t, Config{}, force.Linear{Kn: k})
		f.wall(t, w, vec.IdentityPose, Motion{})
		high := math.Sqrt((0.25-1e-4)*(0.25-1e-4) - 0.04)
		addBody(t, w, Body{Parts: one(addShape(t, w, ball(t, 0.25)), 1000), Pose: at(-0.1, 0, high)})
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

// TestInARoundHole: a prism of many sides in a hole that is too tight, turned anyhow in it, is held from all sides by what it
// overlaps there, never by its depth under the plane.
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
		// Corners of a prism that is turned reach beyond its sides: as wide as the hole between sides, at most.
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
		addBody(t, w, Body{Parts: one(addShape(t, w, prism), 1000), Pose: at(0, 0, 0)})
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

// TestBothSidesOfASheet: what comes from below a triangulated floor is carried as from above, mirrored.
func TestBothSidesOfASheet(t *testing.T) {
	run := func(sign float64) *World {
		w := newWorld(t, Config{Gravity: down.Scale(sign)}, force.Linear{Kn: 1e6, Kt: 8e5, Mu: 0.4, ByRestitution: true, Restitution: 0.4})
		gridFloor(12, 0, 1).wall(t, w, vec.IdentityPose, Motion{})
		addBody(t, w, Body{Parts: one(addShape(t, w, box(t, 0.4, 0.3, 0.1)), 1000), Pose: at(-0.31, 0.17, 0.06*sign), Vel: vec.V(0.9, 0.4, 0)})
		addBody(t, w, Body{Parts: one(addShape(t, w, ball(t, 0.1)), 1000), Pose: at(0.31, -0.57, 0.11*sign), Vel: vec.V(-0.9, 0.4, 0)})
		steps(t, w, 3000, 1e-4)
		return w
	}
	a, b := run(1), run(-1)
	for i := 1; i < 3; i++ {
		p, q := a.bodies.Pos.At(i), b.bodies.Pos.At(i)
		if d := p.Sub(vec.V(q.X, q.Y, -q.Z)).Norm(); !(d < 1e-9) {
			t.Errorf("body %d is %g m from its mirror image", i, d)
		}
	}
}

// TestMovingSheet: a triangulated floor that moves and shakes carries a block and a ball as a plane does, and one that turns as
// one facet.
func TestMovingSheet(t *testing.T) {
	for name, motion := range map[string]Motion{
		"shakes": {Velocity: vec.V(0.3, 0.1, 0.2), Amplitude: vec.V(0, 0.01, 0.003), Frequency: 7},
		"turns":  {Spin: vec.V(0.3, 0.2, 1), Centre: vec.V(0.1, 0, -1)},
	} {
		run := func(wall func(w *World)) *World {
			w := newWorld(t, Config{Gravity: down}, force.Linear{Kn: 1e6, Kt: 8e5, Mu: 0.4, ByRestitution: true, Restitution: 0.4, Dt: 100})
			wall(w)
			addBody(t, w, Body{Parts: one(addShape(t, w, box(t, 0.4, 0.3, 0.1)), 1000), Pose: at(-0.31, 0.17, 0.06)})
			addBody(t, w, Body{Parts: one(addShape(t, w, ball(t, 0.1)), 1000), Pose: at(0.31, -0.37, 0.11)})
			steps(t, w, 3000, 1e-4)
			return w
		}
		f := gridFloor(9, 0.4, 2)
		got := run(func(w *World) { f.wall(t, w, vec.IdentityPose, motion) })
		want := run(func(w *World) {
			if name == "turns" {
				square.wall(t, w, vec.IdentityPose, motion)
			} else {
				planeWall(t, w, vec.IdentityPose, motion)
			}
		})
		for i := 1; i < 3; i++ {
			if d := apart(got, i, want, i); !(d < 1e-9) {
				t.Errorf("%s: body %d is %g off", name, i, d)
			}
		}
	}
}

// TestSheetOfPlacedFacets: facets that have places of their own in the wall are a sheet too, for bodies of several pieces.
func TestSheetOfPlacedFacets(t *testing.T) {
	run := func(f triangles) *World {
		w := newWorld(t, Config{Gravity: down}, force.Linear{Kn: 1e6, Kt: 8e5, Mu: 0.3, ByRestitution: true, Restitution: 0.5, Dt: 100})
		if f == nil {
			planeWall(t, w, vec.IdentityPose, Motion{})
		} else {
			var parts []Part
			for i, p := range f {
				local := vec.Pose{Pos: vec.V(float64(i%3), 0.5, 0.25*float64(i%2)), Rot: vec.FromRotationVector(vec.V(0.3*float64(i%4), 0.1, 0))}
				var q []vec.Vec3
				for _, v := range p {
					q = append(q, local.PointInv(v))
				}
				parts = append(parts, Part{Shape: addShape(t, w, facet(t, q[0], q[1], q[2])), Local: local})
			}
			addWall(t, w, Wall{Pose: vec.IdentityPose, Parts: parts})
		}
		cube, round := addShape(t, w, box(t, 0.2, 0.2, 0.2)), addShape(t, w, ball(t, 0.1))
		part := func(s soa.Shape, x, y float64) Part {
			return Part{Shape: s, Density: 1000, Local: vec.Pose{Pos: vec.V(x, y, 0), Rot: vec.Identity}}
		}
		addBody(t, w, Body{Parts: []Part{part(cube, 0, 0), part(cube, 0.3, 0.1), part(round, 0, 0.25)}, Pose: at(-0.4, -0.3, 0.1), Vel: vec.V(1.2, 0.7, 0)})
		steps(t, w, 2500, 1e-4)
		return w
	}
	want := run(nil)
	got := run(gridFloor(9, 0.4, 2))
	if d := apart(got, 1, want, 1); !(d < 1e-9) {
		t.Errorf("the body is %g off", d)
	}
	if v := want.bodies.Vel.At(1); v.Norm() < 0.1 {
		t.Errorf("velocity %v, expected a body that slides", v)
	}
}

// shaken is a heap on a triangulated floor with a hole that shakes, beside a triangulated step.
func shaken(t testing.TB, cfg Config) *World {
	cfg.Gravity = down
	w := newWorld(t, cfg, force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.5, ByRestitution: true, Restitution: 0.4})
	floor := append(gridFloor(16, 0.3, 2).without(0.2, 0.2, 0.45, 0.45), roof(5, 1)[:20]...)
	floor.wall(t, w, vec.IdentityPose, Motion{Amplitude: vec.V(0.01, 0, 0.004), Frequency: 9})
	shapes := []soa.Shape{addShape(t, w, box(t, 0.2, 0.15, 0.1)), addShape(t, w, ball(t, 0.08)), addShape(t, w, rock(t, 4, 20, 0.1))}
	r := geometry.NewRand(5)
	for i := range 27 {
		p := vec.V(-0.3+0.3*float64(i%3), -0.3+0.3*float64(i/3%3), 0.15+0.25*float64(i/9))
		addBody(t, w, Body{Parts: one(shapes[i%3], 2000), Pose: vec.Pose{Pos: p, Rot: r.Rotation()}})
	}
	return w
}

// TestSheetsGiveTheSameBits: on any number of workers, with any tiles, and after a restart at any time.
func TestSheetsGiveTheSameBits(t *testing.T) {
	const n, dt = 2400, 2e-4
	want := shaken(t, Config{Workers: 1})
	var states [][]Column
	var hashes []uint64
	for i := range n {
		if i%400 == 200 {
			states = append(states, want.State())
		}
		steps(t, want, 1, dt)
		hashes = append(hashes, want.Hash())
	}
	if m := want.Measure(); m.Active < 9 {
		t.Fatalf("%d contacts at the end, expected a heap", m.Active)
	}
	for _, workers := range []int{2, 3, 7} {
		w := shaken(t, Config{Workers: workers, TilePairs: 16 * workers})
		for i := range n {
			steps(t, w, 1, dt)
			if h := w.Hash(); h != hashes[i] {
				t.Fatalf("%d workers: hash %016x at step %d, expected %016x", workers, h, i+1, hashes[i])
			}
		}
	}
	for k, s := range states {
		w := shaken(t, Config{Workers: 2})
		if err := w.Restore(s); err != nil {
			t.Fatal(err)
		}
		for i := 400*k + 200; i < n; i++ {
			steps(t, w, 1, dt)
			if h := w.Hash(); h != hashes[i] {
				t.Fatalf("restart at step %d: hash %016x at step %d, expected %016x", 400*k+200, h, i+1, hashes[i])
			}
		}
	}
}

// TestSheetsAllocateNothing once the world is warm.
func TestSheetsAllocateNothing(t *testing.T) {
	w := shaken(t, Config{Workers: 1, Skin: 1})
	steps(t, w, 2000, 2e-4)
	if n := testing.AllocsPerRun(200, func() { steps(t, w, 1, 2e-4) }); n > 0 {
		t.Errorf("%g allocations a step", n)
	}
}

// TestSheetsOfAnyScale: the same in another unit and far away.
func TestSheetsOfAnyScale(t *testing.T) {
	run := func(scale, offset float64) (out []vec.Vec3) {
		// Mass as length³, stiffness so that times stay: k as length³, gravity as length.
		w := newWorld(t, Config{Gravity: down.Scale(scale)},
			force.Linear{Kn: 1e6 * scale * scale * scale, Kt: 8e5 * scale * scale * scale, Mu: 0.3, ByRestitution: true, Restitution: 0.5})
		var f triangles
		for _, p := range gridFloor(8, 0, 2).without(0.5, 0.5, 1, 1) {
			var q []vec.Vec3
			for _, v := range p {
				q = append(q, v.Scale(scale))
			}
			f = append(f, q)
		}
		at := vec.V(offset, offset, 0).Scale(scale)
		f.wall(t, w, vec.Pose{Pos: at, Rot: vec.Identity}, Motion{})
		addBody(t, w, Body{Parts: one(addShape(t, w, box(t, 0.4*scale, 0.3*scale, 0.1*scale)), 1000), Vel: vec.V(0.9, 0.4, 0).Scale(scale),
			Pose: vec.Pose{Pos: at.Add(vec.V(-0.31, 0.17, 0.06).Scale(scale)), Rot: vec.FromRotationVector(vec.V(0, 0, 0.4))}})
		addBody(t, w, Body{Parts: one(addShape(t, w, ball(t, 0.1*scale)), 1000), Vel: vec.V(0.9, 0.4, 0).Scale(scale),
			Pose: vec.Pose{Pos: at.Add(vec.V(-0.31, -0.47, 0.11).Scale(scale)), Rot: vec.Identity}})
		steps(t, w, 3000, 1e-4)
		for i := 1; i < 3; i++ {
			out = append(out, w.bodies.Pos.At(i).Sub(at).Scale(1/scale))
		}
		return out
	}
	want := run(1, 0)
	for _, c := range []struct{ scale, offset, tol float64 }{{1e6, 0, 1e-9}, {1e-6, 0, 1e-9}, {1, 1e6, 1e-6}} {
		for i, p := range run(c.scale, c.offset) {
			if d := p.Sub(want[i]).Norm(); !(d < c.tol) {
				t.Errorf("scale %g, offset %g: body %d is %g off", c.scale, c.offset, i, d)
			}
		}
	}
}

// FuzzSheet compares a block's contact with a triangulated square with that with one facet, wherever and however deep it lies;
// with a hole in it, no contact is deeper than the plane says or than the deepest facet is less.
func FuzzSheet(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Add(uint64(77), uint64(1))
	f.Fuzz(func(t *testing.T, seed, cut uint64) {
		r := geometry.NewRand(seed)
		floor := gridFloor(1+int(cut%9), 0.35, cut)
		shape := rock(t, seed%7, 8+int(seed%20), 0.2)
		if seed%5 == 0 {
			shape.Round = 0.02
		}
		if seed%3 == 0 {
			shape = box(t, 0.3, 0.2, 0.1+0.3*r.Float64())
		}
		pose := vec.Pose{Pos: vec.V(r.Range(-1.2, 1.2), r.Range(-1.2, 1.2), r.Range(-0.05, 0.25)), Rot: r.Rotation()}
		world := func(f triangles) *World {
			w := newWorld(t, Config{}, force.Linear{Kn: 1e6, Dn: 10})
			f.wall(t, w, vec.IdentityPose, Motion{})
			addBody(t, w, Body{Parts: one(addShape(t, w, shape), 1000), Pose: pose, Vel: vec.V(0.1, 0.2, -0.3)})
			w.Measure()
			return w
		}
		got, want := world(floor), world(square)
		a, b := contactsOf(got), contactsOf(want)
		if len(a) != len(b) {
			t.Fatalf("%v: contacts %v, with one facet %v", pose, a, b)
		}
		if len(a) == 1 {
			// Where two directions are equally deep, either may be the answer.
			if math.Abs(a[0].gap-b[0].gap) > 1e-10 || a[0].normal.Sub(b[0].normal).Norm() < 1e-6 && a[0].at.Sub(b[0].at).Norm() > 1e-7 {
				t.Errorf("%v: contact %+v, with one facet %+v", pose, a[0], b[0])
			}
		}
		x, y := r.Range(-1, 0.5), r.Range(-1, 0.5)
		holed := floor.without(x, y, x+0.4, y+0.4)
		if len(holed) < 2 {
			return
		}
		deepest := 0.0
		for _, p := range holed {
			for _, c := range contactsOf(world(triangles{p})) {
				deepest = min(deepest, c.gap)
			}
		}
		least := 0.0
		for _, c := range contactsOf(world(holed)) {
			least = min(least, c.gap)
		}
		if under := -planeDepth(want); least > deepest*(1-1e-9)+1e-10 || least < under-1e-10 {
			t.Errorf("%v: depth %g in a floor with a hole, expected %g, of its deepest facet, to %g", pose, -least, -deepest, -under)
		}
	})
}

// seen is a contact as a test sees it.
type seen struct {
	gap        float64
	normal, at vec.Vec3
}

func (s seen) String() string { return fmt.Sprintf("%g along %v at %v", s.gap, s.normal, s.at) }

func contactsOf(w *World) (out []seen) {
	for i, active := range w.contacts.Active {
		if active {
			out = append(out, seen{w.contacts.Gap[i], w.contacts.Normal.At(i), w.contacts.Location.At(i)})
		}
	}
	return out
}

// planeDepth is how far body 1 reaches through the plane z = 0, from the side where that is less.
func planeDepth(w *World) float64 {
	p := w.bodies.FirstPiece[1]
	pose, v := w.pieces.Pose(&w.bodies, p), w.shapes.View(w.pieces.Shape[p])
	low, high := math.Inf(1), math.Inf(-1)
	for k := range v.NVerts {
		z := pose.Point(v.Vert(soa.Vertex(k))).Z
		low, high = min(low, z), max(high, z)
	}
	return max(min(-low, high)+v.Round, 0)
}

// FuzzBallOnWall compares a ball's contact with the triangulated surface of a rock, as a wall, with that with the rock: one,
// wherever it is, at a face, an edge or a corner.
func FuzzBallOnWall(f *testing.F) {
	f.Add(uint64(1), uint8(0))
	f.Add(uint64(5), uint8(7))
	f.Add(uint64(9), uint8(200))
	f.Fuzz(func(t *testing.T, seed uint64, size uint8) {
		r := geometry.NewRand(seed)
		shape := rock(t, seed%50, 4+int(size%40), 0.3)
		if size%5 == 0 {
			shape = box(t, 0.4, 0.3, 0.2)
		}
		var surface triangles
		for k := range shape.Normals {
			var loop []vec.Vec3
			for _, v := range shape.Tail[shape.LoopFirst[k]:shape.LoopFirst[k+1]] {
				loop = append(loop, shape.Verts[v])
			}
			// A fan about a point within, with sides cut in two.
			var middle vec.Vec3
			for _, v := range loop {
				middle = middle.AddScaled(1/float64(len(loop)), v)
			}
			for i, v := range loop {
				next := loop[(i+1)%len(loop)]
				half := v.AddScaled(0.5, next.Sub(v))
				surface = append(surface, []vec.Vec3{v, half, middle}, []vec.Vec3{half, next, middle})
			}
		}
		const radius = 0.1
		pose := vec.Pose{Pos: vec.V(1, 2, 3), Rot: r.Rotation()}
		// Over a vertex, an edge or a face, or nearly so, just touching or deep.
		k := int(r.Float64() * float64(len(surface)))
		p := surface[k][int(r.Float64()*3)]
		if r.Float64() < 0.7 {
			p = p.AddScaled(r.Float64(), surface[k][int(r.Float64()*3)].Sub(p))
		}
		p = p.AddScaled(math.Pow(10, -1-10*r.Float64()), r.Unit())
		// A ball far in touches the back of a thin rock too, through its front.
		out := p.Unit()
		for _, n := range shape.Normals {
			if d := n.Dot(p); d > 0 && n.Dot(out) > 0.5 {
				out = out.Add(n.Scale(r.Float64()))
			}
		}
		p = p.AddScaled(radius*(0.97+0.05*r.Float64()), out.Unit())
		run := func(asFacets bool) []seen {
			w := newWorld(t, Config{}, force.Linear{Kn: 1e6})
			if asFacets {
				surface.wall(t, w, pose, Motion{})
			} else {
				solid := *shape
				solid.Origin = vec.Vec3{}
				addWall(t, w, Wall{Pose: pose, Parts: []Part{{Shape: addShape(t, w, &solid)}}})
			}
			addBody(t, w, Body{Parts: one(addShape(t, w, ball(t, radius)), 1000), Pose: vec.Pose{Pos: pose.Point(p), Rot: vec.Identity}})
			w.Measure()
			return contactsOf(w)
		}
		got, want := run(true), run(false)
		if len(want) == 1 && math.Abs(want[0].gap) < 1e-12 || len(want) == 0 && len(got) == 1 && got[0].gap > -1e-12 {
			return // too close to call
		}
		if len(got) != len(want) {
			t.Fatalf("ball at %v: contacts %v, with the rock %v", p, got, want)
		}
		// Points 1e-8 apart, the root of rounding, may be as near.
		if len(got) == 1 && (math.Abs(got[0].gap-want[0].gap) > 1e-11 || got[0].at.Sub(want[0].at).Norm() > 1e-8) {
			t.Errorf("ball at %v: contact %v, with the rock %v", p, got[0], want[0])
		}
	})
}
