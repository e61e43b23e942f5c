package engine

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/scree-dem/scree/engine/surface"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// pit returns a floor of triangles with a square pit of half side a in the middle, 1 deep.
func pit() triangles {
	wall := gridFloor(8, 0, 1).without(-0.5, -0.5, 0.5, 0.5)
	for side := range 4 {
		turn := vec.FromRotationVector(vec.V(0, 0, math.Pi/2*float64(side)))
		at := func(i, j int) vec.Vec3 {
			x := turn.Rotate(vec.V(0.5, 0.25*float64(i)-0.5, -0.25*float64(j)))
			return vec.V(math.Round(4*x.X)/4, math.Round(4*x.Y)/4, x.Z)
		}
		for i := range 4 {
			for j := range 4 {
				wall = append(wall, []vec.Vec3{at(i, j), at(i+1, j), at(i+1, j+1)}, []vec.Vec3{at(i, j), at(i+1, j+1), at(i, j+1)})
			}
		}
	}
	return wall
}

// TestPressBesideARidge presses a cube against the side of a pit, near its middle and in a corner,
// flat and with a rough open edge. The floor above must exert no force, although the cube is deep
// under it.
func TestPressBesideARidge(t *testing.T) {
	const depth = 1e-3
	for name, wall := range map[string]triangles{"even": pit(), "rough": pit().bent(2e-3)} {
		w, id := pressWorld(t, wall, box(t, 0.6, 0.6, 0.6))
		for _, y := range []float64{0, 0.07, 0.2 - depth, 0.2 + depth} {
			f, _ := w.pressAt(id, at(0.2+depth, y, -0.4))
			aside := 0.0
			if y > 0.2 {
				aside = -depth
			}
			if off := f.Sub(vec.V(-depth, aside, 0)).Norm(); off > 0.02*depth {
				t.Errorf("%s, at y = %g: the force is %v, expected %g from each side", name, y, f, depth)
			}
		}
	}
}

// TestPressNeverPulls presses blocks in random poses on rough floors. The force must point out of
// the wall, along the normals of the facets around the block.
func TestPressNeverPulls(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	any := func() vec.Vec3 { return vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()) }
	for _, noise := range []float64{5e-4, 0.02, 0.1} {
		for _, shape := range []*soa.Template{box(t, 1, 1, 1), box(t, 1, 0.7, 0.2), rock(t, 4, 12, 0.5)} {
			w, id := pressWorld(t, roughFloor(8, noise, 1), shape)
			for range 20 {
				pose := vec.Pose{Pos: vec.V(0.3*r.NormFloat64(), 0.3*r.NormFloat64(), 0), Rot: vec.FromRotationVector(any())}
				pose.Pos.Z = w.touchdown(id, pose) - math.Pow(10, -4+3*r.Float64())
				f, _ := w.pressAt(id, pose)
				if !(f.Z > 0) {
					t.Errorf("noise %g: at %v the force is %v", noise, pose, f)
				}
			}
		}
	}
}

// TestPressAndOtherLaws slides bricks of two materials over a floor of two materials, with the
// linear law for one pair. Each brick must move as if its law were the only one.
func TestPressAndOtherLaws(t *testing.T) {
	thick := force.Thickness{Stiffness: 1e6, Tangential: 8e5, Friction: 0.3, Restitution: 0.3}
	linear := force.Linear{Kn: 1e6, Kt: 8e5, Mu: 0.3, ByRestitution: true, Restitution: 0.3}
	run := func(base force.Parameters, pair force.Parameters) *World {
		law, err := force.NewTable(3, base)
		if err != nil {
			t.Fatal(err)
		}
		if pair != nil {
			if err := law.Set(1, 2, pair); err != nil {
				t.Fatal(err)
			}
		}
		w, err := New(Config{Gravity: down, Law: law, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(w.Close)
		parts := gridFloor(4, 0, 1).parts(t, w)
		for k := range parts {
			parts[k].Material = 2
		}
		addWall(t, w, WallSpec{Pose: vec.IdentityPose, Parts: parts})
		brick := addShape(t, w, box(t, 0.3, 0.2, 0.1))
		for k := range 2 {
			part := Part{Shape: brick, Density: 200, Material: soa.Material(k)}
			addBody(t, w, BodySpec{Parts: []Part{part}, Pose: at(-0.5, 0.5*float64(k), 0.0499), Vel: vec.V(1, 0, 0)})
		}
		steps(t, w, 600, 1e-4)
		return w
	}
	mixed, thicks, linears := run(thick, linear), run(thick, nil), run(linear, nil)
	if d := apart(mixed, 1, thicks, 1); d > 1e-15 {
		t.Errorf("beside a brick of another law, the brick of the thickness law is off by %g", d)
	}
	if d := apart(mixed, 2, linears, 2); d > 1e-15 {
		t.Errorf("beside a brick of another law, the brick of the linear law is off by %g", d)
	}
}

// TestPressSlivers presses a cube on a floor with facets narrower than a seam, and with duplicate
// facets.
func TestPressSlivers(t *testing.T) {
	sliver := triangles{{vec.V(-1, 0, 0), vec.V(1, 0, 0), vec.V(0, 1e-9, 0)}}
	for _, floor := range []triangles{append(gridFloor(2, 0, 1), sliver...), append(sliver, gridFloor(2, 0, 1)...)} {
		w, id := pressWorld(t, floor, box(t, 0.5, 0.5, 0.5))
		if f, _ := w.pressAt(id, at(0.1, 0.1, 0.249)); f.Sub(vec.V(0, 0, 1e-3)).Norm() > 1e-9 {
			t.Errorf("on slivers the force is %v, expected 1e-3 upright", f)
		}
	}
	for _, twice := range []triangles{append(gridFloor(2, 0, 1), gridFloor(3, 0, 1)...), append(gridFloor(2, 0, 1), gridFloor(2, 0, 1)...)} {
		w, id := pressWorld(t, twice, box(t, 0.5, 0.5, 0.5))
		if f, _ := w.pressAt(id, at(0.1, 0.1, 0.249)); !(f.Z >= 0.999e-3 && f.Z <= 1.2e-3 && math.Abs(f.X)+math.Abs(f.Y) < 1e-12) {
			t.Errorf("on facets given twice the force is %v, expected one like 1e-3 upright", f)
		}
	}
}

// TestPressRestitution drops a cube on a wall of facets, on a face, an edge and a corner, with the
// force through its centre of mass.
func TestPressRestitution(t *testing.T) {
	for name, c := range map[string]struct {
		rot    vec.Quat
		height float64
	}{
		"face":   {vec.Identity, 0.5},
		"edge":   {vec.FromRotationVector(vec.V(math.Pi/4, 0, 0)), math.Sqrt(0.5)},
		"corner": {vec.FromRotationVector(vec.V(1, -1, 0).Unit().Scale(math.Acos(1 / math.Sqrt(3)))), math.Sqrt(0.75)},
	} {
		const stiffness = 1e6
		w := newWorld(t, Config{}, force.Thickness{Stiffness: stiffness, Restitution: 0.5})
		gridFloor(3, 0.2, 1).wall(t, w, vec.IdentityPose, Motion{})
		id := int(addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), vec.Pose{Pos: vec.V(0.01, 0, c.height+1e-4), Rot: c.rot}, vec.V(0, 0, -1), vec.Vec3{}))
		for range 3000 {
			if steps(t, w, 1, ofContact(stiffness, 1.0/100)); activeContacts(w) == 0 && w.Bodies().Vel.Z[id] > 0 {
				break
			}
		}
		if e := w.Bodies().Vel.Z[id]; math.Abs(e-0.5) > 0.005 {
			t.Errorf("on its %s a cube with restitution 0.5 bounces with %g", name, e)
		}
	}
}

// TestPressImpactsKeepEnergy drops cubes in random poses on a valley, a ridge and a rough floor,
// without damping. Their energy may change by the error of the step only.
func TestPressImpactsKeepEnergy(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 4))
	for name, wall := range map[string]triangles{"valley": twoSlopes(0.2), "ridge": twoSlopes(-0.2), "rough": roughFloor(10, 0.02, 1)} {
		for k := range 3 {
			w := newWorld(t, Config{}, force.Thickness{Stiffness: 1e7, Restitution: 1})
			wall.wall(t, w, vec.IdentityPose, Motion{})
			rot := vec.FromRotationVector(vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()))
			internals, id := pressWorld(t, wall, box(t, 0.5, 0.5, 0.5))
			pose := vec.Pose{Pos: vec.V(0.1, 0, 0), Rot: rot}
			pose.Pos.Z = internals.touchdown(id, pose) + 1e-4
			addMoving(t, w, addShape(t, w, box(t, 0.5, 0.5, 0.5)), pose, vec.V(0.5, 0, -2), vec.Vec3{})
			start, touched := w.Measure().Kinetic(), false
			for range 100 {
				steps(t, w, 10, ofContact(1e7, 1.0/100)*math.Sqrt(2*0.125))
				m := w.Measure()
				touched = touched || m.Active > 0
				if off := m.Kinetic() + m.Ledger.Elastic - start; math.Abs(off) > 2e-4*start {
					t.Errorf("%s, cube %d: the energy is off by %g of %g J", name, k, off, start)
					break
				}
			}
			if !touched {
				t.Errorf("%s: cube %d touched nothing", name, k)
			}
		}
	}
}

// TestPressMemory compares the estimated memory of the material behind facets with the actual one,
// on ground whose facets have own shares.
func TestPressMemory(t *testing.T) {
	w, _ := pressWorld(t, roughFloor(12, 0.1, 1), box(t, 0.1, 0.1, 0.1))
	w.makeFacets()
	taken := uint64(0)
	for i := range w.space.Sides.Facets {
		f := &w.space.Sides.Facets[i]
		taken += uint64(unsafe.Sizeof(*f)) + 24*uint64(cap(f.Corners))
		for _, s := range f.Side {
			for _, p := range s.Prisms {
				taken += uint64(unsafe.Sizeof(p)) + uint64(unsafe.Sizeof(p.Sides[0]))*uint64(cap(p.Sides))
			}
			for _, p := range s.Own {
				taken += uint64(unsafe.Sizeof(p)) + uint64(unsafe.Sizeof(p.Sides[0]))*uint64(cap(p.Sides))
			}
		}
	}
	for _, shares := range w.space.Sides.Shares {
		taken += uint64(unsafe.Sizeof(shares))
		if shares.Beyond == nil {
			taken += 8 * uint64(cap(shares.Weights))
		}
	}
	if each := int(taken / 288); surface.FacetMemory < each*4/5 || surface.FacetMemory > each*5/4 {
		t.Errorf("facets take %d bytes each, said are %d", each, surface.FacetMemory)
	}
}

// TestPressTimeStep leaves a slightly tilted plate on a wall of facets, without damping. With steps
// just below the stable limit its motion must not grow.
func TestPressTimeStep(t *testing.T) {
	w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: 1e6, Restitution: 1})
	gridFloor(5, 0, 1).wall(t, w, vec.IdentityPose, Motion{})
	id := addMoving(t, w, addShape(t, w, box(t, 1.8, 0.9, 0.18)), at(0, 0, 0), vec.Vec3{}, vec.Vec3{})
	sink := 9.81 * w.Bodies().Mass[id] / 1e6
	w.bodies.Pos.Set(int(id), vec.V(0, 0, 0.09-sink))
	w.bodies.Rot.Set(int(id), vec.FromRotationVector(vec.V(1e-3*sink, 1e-3*sink, 0)))
	most := 0.0
	for range 4000 {
		steps(t, w, 1, 0.99*w.TimeStep().Stable)
		most = max(most, w.Measure().Kinetic())
	}
	if most > 1e-3*float64(w.Bodies().Mass[id]*9.81)*sink {
		t.Errorf("the plate has up to %g J, and %g J under its weight", most, w.Bodies().Mass[id]*9.81*sink)
	}
}

// TestPressWarnsOfDeepBlocks drives a block into a wall of facets. The world must warn once the
// block is deeper than the wall can feel, and not before.
func TestPressWarnsOfDeepBlocks(t *testing.T) {
	for name, c := range map[string]struct {
		wall   triangles
		height float64
		deep   bool
	}{
		"shallow":       {gridFloor(3, 0, 1), 0.5 - 0.01, false},
		"deep":          {gridFloor(3, 0, 1), 0.5 - 0.3, true},
		"thick plate":   {append(gridFloor(3, 0, 1), gridFloor(2, 0, 1).moved(vec.V(0, 0, -0.03))...), 0.5 - 0.01, false},
		"thinner plate": {append(gridFloor(3, 0, 1), gridFloor(2, 0, 1).moved(vec.V(0, 0, -0.015))...), 0.5 - 0.01, true},
	} {
		w := newWorld(t, Config{}, force.Thickness{Stiffness: 1e3, Restitution: 1})
		c.wall.wall(t, w, vec.IdentityPose, Motion{})
		addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), at(0, 0, c.height), vec.Vec3{}, vec.Vec3{})
		steps(t, w, 3, 1e-4)
		said := 0
		for _, text := range w.Warnings() {
			if strings.Contains(text, "deeper in a wall of facets") {
				said++
			}
		}
		if (said == 1) != c.deep || said > 1 {
			t.Errorf("%s: warned %d times: %q", name, said, w.Warnings())
		}
	}
}

// TestPressOnSteepGround compares the force with difference quotients of the stored energy, on
// ground that is too steep for the oracle: ridges end neighbouring facets, and corners are cut.
func TestPressOnSteepGround(t *testing.T) {
	for name, wall := range map[string]triangles{"ground": roughFloor(6, 0.3, 4), "pit": pit().bent(0.02)} {
		w, id := pressWorld(t, wall, box(t, 0.7, 0.5, 0.3))
		r := rand.New(rand.NewPCG(3, 6))
		for range 12 {
			turn := vec.V(0.1*r.NormFloat64(), 0.1*r.NormFloat64(), r.NormFloat64())
			pose := vec.Pose{Pos: vec.V(0.3*r.NormFloat64(), 0.3*r.NormFloat64(), 0), Rot: vec.FromRotationVector(turn)}
			pose.Pos.Z = w.touchdown(id, pose) - 0.01
			f, _ := w.pressAt(id, pose)
			depth := math.Sqrt(2 * storedIn(w))
			for k, axis := range []vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
				slope := func(step float64) float64 {
					w.pressAt(id, vec.Pose{Pos: pose.Pos.AddScaled(step, axis), Rot: pose.Rot})
					up := storedIn(w)
					w.pressAt(id, vec.Pose{Pos: pose.Pos.AddScaled(-step, axis), Rot: pose.Rot})
					return (up - storedIn(w)) / (2 * step)
				}
				step := 1e-3 * depth
				if want := -(4*slope(step/2) - slope(step)) / 3; math.Abs(want-f.Dot(axis)) > 1e-5*depth {
					t.Errorf("%s: along axis %d at depth %.2g the force is %g, expected %g", name, k, depth, f.Dot(axis), want)
				}
			}
		}
	}
}

// TestPressThinPlate presses a cube on a closed plate thinner than the depth to which the cube is
// felt: from above and below, hanging over its open edge, and from the side. The other sides of the
// plate must exert no force.
func TestPressThinPlate(t *testing.T) {
	v := func(i int) vec.Vec3 { return vec.V(float64(i&1)*2-1, float64(i>>1&1)*2-1, float64(i>>2&1)*0.05-0.05) }
	var plate triangles
	for _, q := range [][4]int{{4, 5, 7, 6}, {0, 2, 3, 1}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		plate = append(plate, []vec.Vec3{v(q[0]), v(q[1]), v(q[2])}, []vec.Vec3{v(q[0]), v(q[2]), v(q[3])})
	}
	const depth = 1e-3
	for name, wall := range map[string]triangles{"two triangles a side": plate, "32": plate.divided(4)} {
		w, id := pressWorld(t, wall, box(t, 1, 1, 1))
		for _, c := range []struct {
			at, want vec.Vec3
			rest     float64 // largest sideways force of the open edge, as a share of the depth
		}{
			{vec.V(0.3, 0.1, 0.5-depth), vec.V(0, 0, depth), 1e-12},
			{vec.V(0.3, 0.1, -0.55+depth), vec.V(0, 0, -depth), 1e-12},
			{vec.V(1, 0.1, 0.5-depth), vec.V(0, 0, depth*math.Pow(0.5, 1.0/8)), 1e-3},
			{vec.V(1.5-depth, 0.1, 0.1), vec.V(depth*math.Pow(0.05, 1.0/8), 0, 0), 0.01},
		} {
			if f, _ := w.pressAt(id, vec.Pose{Pos: c.at, Rot: vec.Identity}); f.Sub(c.want).Norm() > float64(c.rest*depth) {
				t.Errorf("%s: at %v the force is %v, expected %v", name, c.at, f, c.want)
			}
		}
	}
}

// TestPressOnAnOpenEdge drops a slab flat on the open edge of an upright plate. It must fall to one
// side without gaining energy.
func TestPressOnAnOpenEdge(t *testing.T) {
	w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: 4e5, Tangential: 3.2e5, Friction: 0.4, Restitution: 0.4})
	a, b, c, d := vec.V(0, -0.3, 0), vec.V(0, 0.3, 0), vec.V(0, 0.3, 0.1), vec.V(0, -0.3, 0.1)
	addWall(t, w, WallSpec{Pose: vec.IdentityPose, Parts: triangles{{a, b, c}, {a, c, d}}.parts(t, w)})
	slab := addShape(t, w, box(t, 0.1, 0.06, 0.02))
	addBody(t, w, BodySpec{Parts: []Part{{Shape: slab, Density: 2600}}, Pose: at(0.02, 0, 0.1101)})
	steps(t, w, 10_000, 1e-5)
	m := w.Measure()
	if tilt := w.Bodies().Rot.At(1).Rotate(vec.V(0, 0, 1)).Z; tilt > 0.95 || math.Abs(m.LeftOver) > 1e-6 {
		t.Errorf("the slab leans by a cosine of %.3g, %.3g J are not accounted for, expected it to tip over and 1e-6 J at most", tilt, m.LeftOver)
	}
}
