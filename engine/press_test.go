package engine

import (
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestPressOnAFlatWall lays a cube with its face on flat walls: cut in any way, of opposite
// orientation, and of facets that are not connected. Force and potential must be those of a plane,
// also on a closed plate thinner than the block.
func TestPressOnAFlatWall(t *testing.T) {
	plate := gridFloor(2, 0, 1)
	plate = append(plate, gridFloor(3, 0, 1).moved(vec.V(0, 0, -0.1))...)
	for name, wall := range map[string]triangles{
		"two": gridFloor(1, 0, 1), "grid": gridFloor(7, 0, 1), "turned over": gridFloor(9, 0.3, 1), "bond": brickFloor(5), "plate": plate,
		"one":   {{vec.V(-1, -1, 0), vec.V(1, -1, 0), vec.V(1, 1, 0), vec.V(-1, 1, 0)}},
		"loose": append(gridFloor(4, 0, 1).without(-2, -2, 0, 2), gridFloor(6, 0, 1).without(0, -2, 2, 2)...),
	} {
		for _, up := range []float64{1, -1} {
			w, id := pressWorld(t, wall, box(t, 1, 0.8, 0.5))
			const depth = 1e-3
			pose := vec.Pose{Pos: vec.V(0.03, 0.02, 0.25-depth), Rot: vec.FromRotationVector(vec.V(0, 0, 0.3))}
			if up < 0 && name == "plate" {
				pose.Pos.Z += 0.1
			}
			pose.Pos.Z *= up
			f, m := w.pressAt(id, pose)
			if stored := storedIn(w); math.Abs(stored-0.5*depth*depth) > 1e-13 {
				t.Errorf("%s, from %g: the potential is %g, expected %g", name, up, stored, 0.5*depth*depth)
			}
			if f.Sub(vec.V(0, 0, up*depth)).Norm() > 1e-12 || m.Norm() > 1e-12 {
				t.Errorf("%s, from %g: force %v and moment %v, expected %g upright", name, up, f, m, depth)
			}
			if n := activeContacts(w); n != 1 {
				t.Errorf("%s, from %g: %d contacts, expected 1", name, up, n)
			}
		}
	}
}

// divided divides each triangle into n² equal ones.
func (f triangles) divided(n int) (out triangles) {
	for _, p := range f {
		at := func(i, j int) vec.Vec3 {
			return p[0].AddScaled(float64(i)/float64(n), p[1].Sub(p[0])).AddScaled(float64(j)/float64(n), p[2].Sub(p[0]))
		}
		for i := range n {
			for j := range n - i {
				out = append(out, []vec.Vec3{at(i, j), at(i+1, j), at(i, j+1)})
				if i+j < n-1 {
					out = append(out, []vec.Vec3{at(i+1, j), at(i+1, j+1), at(i, j+1)})
				}
			}
		}
	}
	return out
}

// fanned divides each triangle into three, n times, around points off their middles.
func (f triangles) fanned(n int) (out triangles) {
	if n == 0 {
		return f
	}
	for k, p := range f {
		off := 0.2 + 0.05*float64(k%5)
		m := p[0].Scale(1-2*off).AddScaled(off, p[1]).AddScaled(off, p[2])
		out = append(out, []vec.Vec3{p[0], p[1], m}, []vec.Vec3{p[1], p[2], m}, []vec.Vec3{p[2], p[0], m})
	}
	return out.fanned(n - 1)
}

// TestPressIsTheSameOnPartsOfFacets divides the facets of flat, folded and rough walls into a
// hundred each, also on one side of a fold only. The force on a block must be the same.
func TestPressIsTheSameOnPartsOfFacets(t *testing.T) {
	slopes := func(bend float64) triangles { return twoSlopes(bend) }
	for name, c := range map[string][2]triangles{
		"flat":         {twoSlopes(0), twoSlopes(0).divided(10)},
		"valley":       {slopes(0.3), slopes(0.3).divided(10)},
		"ridge":        {slopes(-0.3), slopes(-0.3).divided(10)},
		"steep valley": {slopes(1.5), slopes(1.5).divided(10)},
		"steep ridge":  {slopes(-1.5), slopes(-1.5).divided(10)},
		"half":         {slopes(-0.2), append(slopes(-0.2)[:2:2], slopes(-0.2)[2:].divided(10)...)},
		"rough":        {roughFloor(2, 0.01, 1), roughFloor(2, 0.01, 1).divided(10)},
		"rougher":      {roughFloor(2, 0.2, 3), roughFloor(2, 0.2, 3).divided(10)},
		"fans":         {roughFloor(2, 0.2, 3), roughFloor(2, 0.2, 3).fanned(4)},
		"pit":          {pit().merged(t), pit().divided(2)},
		"rough pit":    {pit().bent(2e-3), pit().bent(2e-3).divided(3)},
	} {
		t.Run(name, func(t *testing.T) {
			whole, id := pressWorld(t, c[0], box(t, 0.9, 0.7, 0.5))
			parts, _ := pressWorld(t, c[1], box(t, 0.9, 0.7, 0.5))
			for k := range 4 {
				tilt := vec.V(0.02*float64(k), -0.03*float64(k), 0.4*float64(k))
				pose := vec.Pose{Pos: vec.V(0.1*float64(k)-0.2, 0.07, 0), Rot: vec.FromRotationVector(tilt)}
				pose.Pos.Z = whole.touchdown(id, pose) - 2e-3*float64(1+k)
				f, m := whole.pressAt(id, pose)
				g, n := parts.pressAt(id, pose)
				if !(f.Norm() > 1e-5) && k > 0 {
					t.Fatalf("pose %d: the block is hardly pressed: %v", k, f)
				}
				if off, turn := f.Sub(g).Norm(), m.Sub(n).Norm(); off > 1e-10 || turn > 1e-10 {
					t.Errorf("pose %d: forces %v and %v, moments %v and %v", k, f, g, m, n)
				}
			}
		})
	}
}

// TestPressBricksSlideAlike lets bricks with tiny gaps slide over folds and over a floor with a
// roughness of 1e-4. Each must keep the speed of its neighbours. The speeds must be those on a
// plane, except for the loss at a fold.
func TestPressBricksSlideAlike(t *testing.T) {
	n := 6
	if *soakPress > 0 {
		n = *soakPress
	}
	floors := map[string]triangles{}
	for _, bend := range []float64{1e-6, 1e-4, 1e-2, 0.1} {
		if *soakPress > 0 || bend == 1e-4 || bend == 0.1 {
			floors[fmt.Sprint("valley of ", bend)], floors[fmt.Sprint("ridge of ", bend)] = wideFold(bend, n), wideFold(-bend, n)
		}
	}
	var rough triangles
	for i := range 6 {
		for j := range n + 2 {
			p := func(i, j int) vec.Vec3 {
				return vec.V(float64(i)-3, float64(j)-1, 1e-4*(float64((i*7919+j*104729)%1000)/500-1))
			}
			rough = append(rough, []vec.Vec3{p(i, j), p(i+1, j), p(i+1, j+1)}, []vec.Vec3{p(i, j), p(i+1, j+1), p(i, j+1)})
		}
	}
	floors["rough floor"] = rough
	for name, floor := range floors {
		w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: 1e6, Tangential: 8e5, Friction: 0.3, Restitution: 0.3})
		floor.wall(t, w, vec.IdentityPose, Motion{})
		brick := addShape(t, w, box(t, 0.7, 0.5, 0.3))
		first := w.Bodies().Len()
		for k := range n {
			pose := at(-0.6+1.05e-5*float64(k), 0.6*float64(k), 0.15-9.81e-6)
			addBody(t, w, BodySpec{Parts: one(brick, 1/0.105), Pose: pose, Vel: vec.V(5, 0, 0)})
		}
		steps(t, w, 3500/(1+9/n), 1e-4)
		for k := first + 1; k < w.Bodies().Len(); k++ {
			v, before := w.Bodies().Vel.At(k).Norm(), w.Bodies().Vel.At(k-1).Norm()
			if math.Abs(v-before) > 0.005*before || !(v > 3) {
				t.Errorf("%s: brick %d has %g m/s, the one before %g", name, k-first, v, before)
			}
		}
	}
}

// wideFold returns two slopes over which n bricks slide side by side.
func wideFold(bend float64, n int) triangles {
	s, c := math.Sin(bend), math.Cos(bend)
	y := 0.6*float64(n) + 1
	return triangles{
		{vec.V(-3, -1, 0), vec.V(0, -1, 0), vec.V(0, y, 0), vec.V(-3, y, 0)},
		{vec.V(0, -1, 0), vec.V(3*c, -1, 3*s), vec.V(3*c, y, 3*s), vec.V(0, y, 0)},
	}
}

// TestPressStepsStay leaves a brick on a rough floor alone. It must come to rest without gaining
// energy.
func TestPressStepsStay(t *testing.T) {
	w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: 0.5, Restitution: 0.3})
	roughFloor(8, 4e-3, 1).wall(t, w, vec.IdentityPose, Motion{})
	id := addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.7, 0.5, 0.3)), 1/0.105), Pose: at(0, 0, 0.16)})
	start := w.Measure()
	steps(t, w, 4700, 3e-4)
	a := w.Bodies().Pos.At(id)
	m := w.Measure()
	steps(t, w, 330, 3e-4)
	if creep := w.Bodies().Pos.At(id).Sub(a).Norm() / 0.1; creep > 1e-9 || m.Kinetic() > 1e-12 {
		t.Errorf("after 1.4 s the brick creeps at %g m/s and has %g J", creep, m.Kinetic())
	}
	if off := math.Abs(m.LeftOver); off > 1e-3*start.Potential || m.Active == 0 {
		t.Errorf("the account is off by %g of %g J", m.LeftOver, start.Potential)
	}
}

// TestPressMovingWall shakes a rough tray with a brick in it, and compares the wall's work with the
// ledger.
func TestPressMovingWall(t *testing.T) {
	w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: 1e6, Tangential: 8e5, Friction: 0.4, Restitution: 0.3})
	wall := roughFloor(8, 4e-3, 1).wall(t, w, at(0.3, 0.1, -0.2), Motion{Amplitude: vec.V(0.01, 0, 0.005), Frequency: 5, Spin: vec.V(0, 0, 0.3), Centre: vec.V(1, 0, 0)})
	addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.7, 0.5, 0.3)), 1/0.105), Pose: at(0.3, 0.1, -0.04)})
	pushed := 0.0
	for range 6000 {
		steps(t, w, 1, 1e-4)
		f, _, err := w.WallForce(soa.ID(wall))
		if err != nil {
			t.Fatal(err)
		}
		pushed += f.Z / 6000
	}
	if m := w.Measure(); math.Abs(m.LeftOver) > 2e-3 || !(m.Ledger.Walls > 0.01) {
		t.Errorf("the account is off by %g J, the wall put %g J in", m.LeftOver, m.Ledger.Walls)
	}
	if math.Abs(pushed+9.81) > 0.3 {
		t.Errorf("the wall feels %g N in the mean, expected the brick's weight", pushed)
	}
}

// TestPressSameBits drops rocks, balls and clumps into a rough tray, on several workers, with other
// candidate pairs, and across restarts.
func TestPressSameBits(t *testing.T) {
	build := func(workers int, skin float64) *World {
		w := newWorld(t, Config{Gravity: down, Workers: workers, Skin: skin}, force.Thickness{Stiffness: 1e4, Tangential: 8e3, Friction: 0.5, Restitution: 0.3})
		roughFloor(12, 0.05, 2).wall(t, w, vec.IdentityPose, Motion{Amplitude: vec.V(0, 0, 0.002), Frequency: 20})
		dice, pellet := addShape(t, w, box(t, 0.15, 0.15, 0.15)), addShape(t, w, ball(t, 0.06))
		for i := range 27 {
			pose := vec.Pose{Pos: vec.V(0.3*float64(i%3-1), 0.3*float64(i/3%3-1), 0.2+0.28*float64(i/9)), Rot: vec.FromRotationVector(vec.V(float64(i), 1, 0.1))}
			parts := one(addShape(t, w, rock(t, uint64(i), 12, 0.1)), 1000)
			switch i % 3 {
			case 1:
				parts = one(pellet, 1000)
			case 2:
				parts = append(one(dice, 1000), Part{Shape: pellet, Density: 1000, Local: at(0.12, 0, 0)})
			}
			addBody(t, w, BodySpec{Parts: parts, Pose: pose, Vel: vec.V(0, 0, -1)})
		}
		return w
	}
	const n, dt = 600, 2e-4
	w := build(1, 0)
	steps(t, w, n, dt)
	want := w.Hash()
	if m := w.Measure(); m.Active < 15 {
		t.Fatalf("%d contacts are active", m.Active)
	}
	for _, c := range []struct {
		workers int
		skin    float64
	}{{3, 0}, {2, 0.2}} {
		w := build(c.workers, c.skin)
		steps(t, w, n, dt)
		if got := w.Hash(); got != want {
			t.Errorf("%d workers, skin %g: hash %x, expected %x", c.workers, c.skin, got, want)
		}
	}
	w = build(2, 0)
	for _, at := range []int{240, 411, n} {
		steps(t, w, at-int(w.Steps()), dt)
		state := w.State()
		w = build(1, 0.05)
		if err := w.Restore(state); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.Hash(); got != want {
		t.Errorf("restarted: hash %x, expected %x", got, want)
	}
}

// TestPressAllocatesNothing steps a brick that slides over a rough floor.
func TestPressAllocatesNothing(t *testing.T) {
	w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: 1e6, Tangential: 8e5, Friction: 0.3, Restitution: 0.3})
	roughFloor(10, 4e-3, 1).wall(t, w, vec.IdentityPose, Motion{})
	addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.3, 0.3, 0.3)), 40), Pose: at(-0.5, 0, 0.16), Vel: vec.V(1, 0.3, 0)})
	steps(t, w, 1000, 1e-4)
	if n := testing.AllocsPerRun(200, func() { steps(t, w, 1, 1e-4) }); n > 0 {
		t.Errorf("a step allocates %g times", n)
	}
}

// TestPressBallsAsOnAPlane checks that a ball rests on a floor of facets as on a plane.
func TestPressBallsAsOnAPlane(t *testing.T) {
	height := func(wall func(w *World)) float64 {
		w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: 1e4, Restitution: 0.3})
		wall(w)
		id := addMoving(t, w, addShape(t, w, ball(t, 0.3)), at(0, 0.01, 0.31), vec.Vec3{}, vec.Vec3{})
		steps(t, w, 2000, 1e-4)
		return w.Bodies().Pos.Z[id]
	}
	plane := height(func(w *World) { addFloor(t, w) })
	for name, floor := range map[string]triangles{"grid": gridFloor(9, 0.3, 1), "one": {{vec.V(-1, -1, 0), vec.V(1, -1, 0), vec.V(0, 1, 0)}}} {
		if got := height(func(w *World) { floor.wall(t, w, vec.IdentityPose, Motion{}) }); math.Abs(got-plane) > 1e-12 {
			t.Errorf("on a %s of facets a ball is at %.17g, on a plane at %.17g", name, got, plane)
		}
	}
}

// TestPressStiffness measures the stiffness of a cube on a flat wall of facets: on its face, an
// edge and a corner, and against a tilt. docs/laws-derivations.md has the figures.
func TestPressStiffness(t *testing.T) {
	w, id := pressWorld(t, gridFloor(4, 0, 1), box(t, 1, 1, 1))
	brick, other := pressWorld(t, gridFloor(4, 0, 1), box(t, 1, 0.8, 0.25))
	const depth, step = 1e-3, 1e-6
	slope := func(w *World, id int, height float64, rot vec.Quat) float64 {
		down, _ := w.pressAt(id, vec.Pose{Pos: vec.V(0, 0, height-depth-step), Rot: rot})
		up, _ := w.pressAt(id, vec.Pose{Pos: vec.V(0, 0, height-depth+step), Rot: rot})
		return (down.Z - up.Z) / (2 * step)
	}
	tilted := func(angle float64) float64 {
		_, m := w.pressAt(id, vec.Pose{Pos: vec.V(0, 0, 0.5-depth), Rot: vec.FromRotationVector(vec.V(angle, 0, 0))})
		return -m.X
	}
	corner := vec.FromRotationVector(vec.V(1, -1, 0).Unit().Scale(math.Acos(1 / math.Sqrt(3))))
	edge := vec.FromRotationVector(vec.V(math.Pi/4, 0, 0))
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"face", slope(w, id, 0.5, vec.Identity), 1},
		{"face of another area", slope(brick, other, 0.5, vec.FromRotationVector(vec.V(0, math.Pi/2, 0))), math.Pow(0.25, 1.0/8)},
		{"edge", slope(w, id, math.Sqrt(0.5), edge), 0.386},
		{"corner", slope(w, id, math.Sqrt(0.75), corner), 0.15},
		{"tilt", (tilted(1e-7) - tilted(-1e-7)) / 2e-7, 1.25},
	} {
		t.Logf("%s: %.4f", c.what, c.got)
		if math.Abs(c.got-c.want) > 0.03*c.want {
			t.Errorf("%s: stiffness %g, expected %g", c.what, c.got, c.want)
		}
	}
}
