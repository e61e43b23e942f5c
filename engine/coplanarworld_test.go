package engine

import (
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Groups in a world: from both sides, in motion, on any number of workers, in any unit.

// TestBothSidesOfCoplanarFacets checks that bodies below a triangulated floor move as those above,
// mirrored.
func TestBothSidesOfCoplanarFacets(t *testing.T) {
	run := func(sign float64) *World {
		w := newWorld(t, Config{Gravity: down.Scale(sign)}, force.Linear{Kn: 1e6, Kt: 8e5, Mu: 0.4, ByRestitution: true, Restitution: 0.4})
		gridFloor(12, 0, 1).wall(t, w, vec.IdentityPose, Motion{})
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.4, 0.3, 0.1)), 1000), Pose: at(-0.31, 0.17, 0.06*sign), Vel: vec.V(0.9, 0.4, 0)})
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, 0.1)), 1000), Pose: at(0.31, -0.57, 0.11*sign), Vel: vec.V(-0.9, 0.4, 0)})
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

// TestMovingCoplanarFacets checks that a triangulated floor that moves and shakes carries a block
// and a ball as a plane does, and that a rotating one does so as one facet.
func TestMovingCoplanarFacets(t *testing.T) {
	for name, motion := range map[string]Motion{
		"shakes": {Velocity: vec.V(0.3, 0.1, 0.2), Amplitude: vec.V(0, 0.01, 0.003), Frequency: 7},
		"turns":  {Spin: vec.V(0.3, 0.2, 1), Centre: vec.V(0.1, 0, -1)},
	} {
		run := func(wall func(w *World)) *World {
			w := newWorld(t, Config{Gravity: down}, force.Linear{Kn: 1e6, Kt: 8e5, Mu: 0.4, ByRestitution: true, Restitution: 0.4, Dt: 100})
			wall(w)
			addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.4, 0.3, 0.1)), 1000), Pose: at(-0.31, 0.17, 0.06)})
			addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, 0.1)), 1000), Pose: at(0.31, -0.37, 0.11)})
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

// TestPlacedCoplanarFacets checks that facets with poses of their own in the wall form a group,
// too, for bodies of several pieces.
func TestPlacedCoplanarFacets(t *testing.T) {
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
			addWall(t, w, WallSpec{Pose: vec.IdentityPose, Parts: parts})
		}
		cube, round := addShape(t, w, box(t, 0.2, 0.2, 0.2)), addShape(t, w, ball(t, 0.1))
		part := func(s soa.Shape, x, y float64) Part {
			return Part{Shape: s, Density: 1000, Local: vec.Pose{Pos: vec.V(x, y, 0), Rot: vec.Identity}}
		}
		addBody(t, w, BodySpec{Parts: []Part{part(cube, 0, 0), part(cube, 0.3, 0.1), part(round, 0, 0.25)}, Pose: at(-0.4, -0.3, 0.1), Vel: vec.V(1.2, 0.7, 0)})
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

// shaken returns a heap on a shaking triangulated floor with a hole, beside a triangulated step.
func shaken(t testing.TB, cfg Config) *World {
	cfg.Gravity = down
	w := newWorld(t, cfg, force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.5, ByRestitution: true, Restitution: 0.4})
	floor := append(gridFloor(16, 0.3, 2).without(0.2, 0.2, 0.45, 0.45), roof(5, 1)[:20]...)
	floor.wall(t, w, vec.IdentityPose, Motion{Amplitude: vec.V(0.01, 0, 0.004), Frequency: 9})
	shapes := []soa.Shape{addShape(t, w, box(t, 0.2, 0.15, 0.1)), addShape(t, w, ball(t, 0.08)), addShape(t, w, rock(t, 4, 20, 0.1))}
	r := geometry.NewRand(5)
	for i := range 27 {
		p := vec.V(-0.3+0.3*float64(i%3), -0.3+0.3*float64(i/3%3), 0.15+0.25*float64(i/9))
		addBody(t, w, BodySpec{Parts: one(shapes[i%3], 2000), Pose: vec.Pose{Pos: p, Rot: r.Rotation()}})
	}
	return w
}

// TestCoplanarFacetsGiveTheSameBits covers any number of workers, any tiles and skin, and restarts
// at any time.
func TestCoplanarFacetsGiveTheSameBits(t *testing.T) {
	n := 2400
	if require.Quick() {
		n = 1600
	}
	const dt = 2e-4
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
	for _, skin := range []float64{0.05, 0.3, 1} { // other candidate pairs, and more facets of the wall
		w := shaken(t, Config{Workers: 2, Skin: skin})
		for i := range n / 2 {
			steps(t, w, 1, dt)
			if h := w.Hash(); h != hashes[i] {
				t.Fatalf("skin %g: hash %016x at step %d, expected %016x", skin, h, i+1, hashes[i])
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

// TestCoplanarFacetsAllocateNothing checks that a step allocates nothing once all buffers have
// their size.
func TestCoplanarFacetsAllocateNothing(t *testing.T) {
	w := shaken(t, Config{Workers: 1, Skin: 1})
	warm := 2000
	if require.Quick() {
		warm = 800
	}
	steps(t, w, warm, 2e-4)
	if n := testing.AllocsPerRun(200, func() { steps(t, w, 1, 2e-4) }); n > 0 {
		t.Errorf("%g allocations a step", n)
	}
}

// TestCoplanarFacetsOfAnyScale checks that results are the same in another unit and far from the
// origin.
func TestCoplanarFacetsOfAnyScale(t *testing.T) {
	run := func(scale, offset float64) (out []vec.Vec3) {
		// Mass scales as length³; for equal times, stiffness k scales as length³ and gravity as
		// length.
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
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.4*scale, 0.3*scale, 0.1*scale)), 1000), Vel: vec.V(0.9, 0.4, 0).Scale(scale),
			Pose: vec.Pose{Pos: at.Add(vec.V(-0.31, 0.17, 0.06).Scale(scale)), Rot: vec.FromRotationVector(vec.V(0, 0, 0.4))}})
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, 0.1*scale)), 1000), Vel: vec.V(0.9, 0.4, 0).Scale(scale),
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
