package scree_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// PointSprings puts a spring, a dashpot and a friction spring at each point of a contact, as game
// engines do.
type PointSprings struct {
	Kn, Kt float64 // N/m, of one point
	Zeta   float64 // share of critical damping, of one point
	Mu     float64 // coefficient of friction
}

// Law implements force.Parameters.
func (l PointSprings) Law() (force.Law, error) {
	if !(l.Kn > 0 && l.Kt > 0 && l.Zeta >= 0 && l.Mu >= 0) {
		return nil, fmt.Errorf("point springs %+v, expected stiffnesses > 0 N/m, damping and friction ≥ 0: %w", l, force.ErrLaw)
	}
	return l, nil
}

// Needs implements force.Law. Each point stores its slip, m.
func (l PointSprings) Needs() force.Needs { return force.Needs{Points: true, History: 3} }

// Apply implements force.Law.
func (l PointSprings) Apply(c *force.Contact, _ []float64, r *force.Result) {
	*r = force.Result{}
	for i := range c.Points {
		p := &c.Points[i]
		v := c.VelocityAt(p)
		overlap, closing := -(p.Gap + c.Forgiven), v.Dot(c.Normal)
		if !(overlap > 0) {
			clear(p.History)
			continue
		}
		spring := float64(l.Kn * overlap)
		dashpot := 2 * float64(l.Zeta*closing) * math.Sqrt(float64(l.Kn*c.MassAt(p, c.Normal)))
		dashpot = max(dashpot, -spring)
		slip := vec.V(p.History[0], p.History[1], p.History[2]).AddScaled(c.Dt, v)
		slip = slip.AddScaled(-slip.Dot(c.Normal), c.Normal)
		if pull, limit := float64(l.Kt*slip.Norm()), float64(l.Mu*(spring+dashpot)); pull > limit {
			slip, r.Sliding = slip.Scale(limit/pull), true
		}
		p.History[0], p.History[1], p.History[2] = slip.X, slip.Y, slip.Z

		damping, friction := c.Normal.Scale(-dashpot), slip.Scale(-l.Kt)
		all := damping.Add(friction).AddScaled(-spring, c.Normal)
		r.Force, r.Moment = r.Force.Add(all), r.Moment.Add(p.Arm.Cross(all))
		r.Damping, r.DampingMoment = r.Damping.Add(damping), r.DampingMoment.Add(p.Arm.Cross(damping))
		r.Friction, r.FrictionMoment = r.Friction.Add(friction), r.FrictionMoment.Add(p.Arm.Cross(friction))
		r.Stored += 0.5 * float64(spring*overlap)
	}
}

// Held implements force.Law. It returns the energy in the friction spring of one point.
func (l PointSprings) Held(history []float64) float64 {
	return 0.5 * float64(l.Kt*vec.V(history[0], history[1], history[2]).Norm2())
}

// Springs implements force.Law, for force.MaxPoints points in parallel.
func (l PointSprings) Springs(mass, _ float64) force.Springs {
	n := float64(force.MaxPoints)
	dashpot := 2 * float64(l.Zeta*math.Sqrt(float64(n*l.Kn*mass)))
	return force.Springs{Normal: n * l.Kn, NormalDashpot: dashpot, Tangent: n * l.Kt, Friction: l.Mu}
}

// floors are the floors under the cubes of these tests.
var floors = []struct {
	name string
	add  func(w *engine.World) error
}{
	{"plane", func(w *engine.World) error {
		_, err := w.AddWall(engine.WallSpec{Parts: []engine.Part{{Shape: must(w.AddShape(engine.PlaneTemplate()))}}, Pose: engine.PlanePose(vec.Vec3{}, vec.V(0, 0, 1))})
		return err
	}},
	{"block", func(w *engine.World) error {
		slab := must(w.AddShape(must(geometry.Box(4, 4, 1)).Template()))
		_, err := w.AddWall(engine.WallSpec{Parts: []engine.Part{{Shape: slab}}, Pose: vec.Pose{Pos: vec.V(0, 0, -0.5), Rot: vec.Identity}})
		return err
	}},
	{"facets around", func(w *engine.World) error { return addFacets(w, 3, 2) }},
	{"facets to the rim", func(w *engine.World) error { return addFacets(w, 0.5, 3) }},
	{"facets in the cube's shadow", func(w *engine.World) error { return addFacets(w, 0.3, 4) }},
}

// addFacets adds a square floor with half side half, divided into n×n squares of two triangles.
func addFacets(w *engine.World, half float64, n int) error {
	wall := engine.WallSpec{Pose: vec.Pose{Rot: vec.Identity}}
	at := func(i, j int) vec.Vec3 {
		return vec.V(half*(2*float64(i)/float64(n)-1), half*(2*float64(j)/float64(n)-1), 0)
	}
	for i := range n {
		for j := range n {
			for _, corners := range [2][3]vec.Vec3{{at(i, j), at(i+1, j), at(i+1, j+1)}, {at(i, j), at(i+1, j+1), at(i, j+1)}} {
				wall.Parts = append(wall.Parts, engine.Part{Shape: must(w.AddShape(must(geometry.FacetTemplate(corners[0], corners[1], corners[2]))))})
			}
		}
	}
	_, err := w.AddWall(wall)
	return err
}

// watched is PointSprings, except that each point also stores the force of its springs, N, after
// its slip.
type watched struct{ PointSprings }

func (l watched) Law() (force.Law, error) { return l, nil }
func (l watched) Needs() force.Needs      { return force.Needs{Points: true, History: 4} }
func (l watched) Apply(c *force.Contact, history []float64, r *force.Result) {
	l.PointSprings.Apply(c, history, r)
	for i := range c.Points {
		p := &c.Points[i]
		p.History[3] = l.Kn * max(-(p.Gap+c.Forgiven), 0)
	}
}

// pointForces returns the forces of the points of the only active contact.
func pointForces(t *testing.T, w *engine.World) (all []float64) {
	t.Helper()
	n, con := 0, w.Contacts()
	for i, active := range con.Active {
		if !active {
			continue
		}
		n++
		for k := 0; k < len(w.Forces().History); k += 5 {
			if w.Forces().History[k][i] != 0 {
				all = append(all, w.Forces().History[k+4][i])
			}
		}
	}
	if n != 1 {
		t.Fatalf("%d active contacts, expected 1; the body is at %v", n, w.Bodies().Pos.At(w.Bodies().Len()-1))
	}
	return all
}

var pointSprings = PointSprings{Kn: 1e6, Kt: 8e5, Zeta: 0.5, Mu: 0.5}

// onFloor returns a world with a cube of 1 m and 1000 kg, rotated by yaw about the vertical, that
// just touches a floor.
func onFloor(t *testing.T, law force.Parameters, add func(w *engine.World) error, gravity vec.Vec3, yaw float64) *engine.World {
	t.Helper()
	w := must(engine.New(engine.Config{Law: must(force.NewTable(1, law)), Gravity: gravity}))
	t.Cleanup(w.Close)
	check(add(w))
	cube := must(w.AddShape(must(geometry.Box(1, 1, 1)).Template()))
	pose := vec.Pose{Pos: vec.V(0, 0, 0.5), Rot: vec.FromRotationVector(vec.V(0, 0, yaw))}
	must(w.AddBody(engine.BodySpec{Parts: []engine.Part{{Shape: cube, Density: 1000}}, Pose: pose}))
	return w
}

// TestCubeStandsOnItsCorners: a cube at rest is carried by the corners of the overlap of its face
// with the floor, equally by each corner. On a slope the downhill corners carry more, by the moment
// of friction.
func TestCubeStandsOnItsCorners(t *testing.T) {
	const weight = 9810.0
	for _, floor := range floors {
		for _, yaw := range []float64{0, 0.4} {
			want := 4
			if floor.name == "facets to the rim" && yaw != 0 {
				want = 8
			}
			w := onFloor(t, watched{pointSprings}, floor.add, vec.V(0, 0, -9.81), yaw)
			for range 4000 {
				check(w.Step(5e-4))
			}
			got := pointForces(t, w)
			if len(got) != want {
				t.Errorf("%s, turned by %g: %d points, expected %d", floor.name, yaw, len(got), want)
				continue
			}
			for _, f := range got {
				if math.Abs(f-weight/float64(want)) > 1e-6*weight {
					t.Errorf("%s, turned by %g: %v N, expected %g each", floor.name, yaw, got, weight/float64(want))
					break
				}
			}
			gap := -weight / float64(want) / pointSprings.Kn
			for c := range w.ActiveContacts() {
				if math.Abs(c.Gap-gap) > 1e-9 || c.Location.Sub(vec.V(0, 0, gap/2)).Norm() > 1e-6 {
					t.Errorf("%s, turned by %g: gap %g m at %v, expected %g m in the middle", floor.name, yaw, c.Gap, c.Location, gap)
				}
			}
		}
		const slope = 0.2
		w := onFloor(t, watched{pointSprings}, floor.add, vec.V(9.81*math.Sin(slope), 0, -9.81*math.Cos(slope)), 0)
		for range 8000 {
			check(w.Step(5e-4))
		}
		low, high := math.Inf(1), 0.0
		for _, f := range pointForces(t, w) {
			low, high = min(low, f), max(high, f)
		}
		// For two corners each: the sum is the load. The difference times half a side is the moment
		// of friction.
		half := 0.5
		if floor.name == "facets in the cube's shadow" {
			half = 0.3
		}
		sum, difference := weight*math.Cos(slope)/2, weight*math.Sin(slope)/2*0.5/half
		if math.Abs(low+high-sum) > 1e-3*weight || math.Abs(high-low-difference) > 5e-3*weight {
			t.Errorf("%s, slope %g: corners carry %g and %g N, expected %g and %g", floor.name, slope, low, high, (sum-difference)/2, (sum+difference)/2)
		}
		if v := w.Bodies().Vel.At(w.Bodies().Len() - 1).Norm(); v > 1e-6 {
			t.Errorf("%s, slope %g: the cube moves at %g m/s, expected to stay", floor.name, slope, v)
		}
	}
}

// heapOfPoints returns a world with blocks, a clump and a ball that fall on floors of every kind.
func heapOfPoints(t *testing.T, workers int, l PointSprings, add func(w *engine.World) error) *engine.World {
	t.Helper()
	w := must(engine.New(engine.Config{Law: must(force.NewTable(1, l)), Gravity: vec.V(0, 0, -9.81), Workers: workers, TilePairs: 16}))
	t.Cleanup(w.Close)
	check(add(w))
	shapes := []engine.Part{}
	for _, p := range []*geometry.Polyhedron{must(geometry.Box(0.2, 0.3, 0.25)), must(geometry.Rock(3, 14, 0.15)), must(geometry.Prism(6, 0.1, 0.2))} {
		shapes = append(shapes, engine.Part{Shape: must(w.AddShape(p.Template())), Density: 1000})
	}
	shapes = append(shapes, engine.Part{Shape: must(w.AddShape(must(geometry.BallTemplate(0.12)))), Density: 1000})
	left, right := shapes[0], shapes[0]
	left.Local.Pos, right.Local.Pos = vec.V(-0.08, 0, 0), vec.V(0.08, 0.03, 0)
	left.Local.Rot, right.Local.Rot = vec.Identity, vec.FromRotationVector(vec.V(0.3, 0.1, 0))
	for k := range 15 {
		parts := []engine.Part{left, right}
		if k%5 < 4 {
			parts = shapes[k%5 : k%5+1]
		}
		at := vec.V(0.05*float64(k%3)-0.05, 0.04*float64(k%4)-0.06, 0.25+0.3*float64(k))
		turn := vec.FromRotationVector(vec.V(0.3*float64(k), 0.7, 0.2*float64(k)))
		must(w.AddBody(engine.BodySpec{Parts: parts, Pose: vec.Pose{Pos: at, Rot: turn}, Vel: vec.V(0, 0, -1-0.3*float64(k))}))
	}
	return w
}

// TestPointsSameBits: a heap under a law of points has the same bits with any number of workers and
// after a restart, and its energy account closes.
func TestPointsSameBits(t *testing.T) {
	const steps, dt = 7000, 1e-4
	l := PointSprings{Kn: 3e5, Kt: 2e5, Zeta: 0.5, Mu: 0.4}
	for _, floor := range floors[:4] {
		run := func(workers, restartAt int) (uint64, *engine.World) {
			w := heapOfPoints(t, workers, l, floor.add)
			for k := range steps {
				if k == restartAt {
					state := w.State()
					w = heapOfPoints(t, workers, l, floor.add)
					check(w.Restore(state))
				}
				check(w.Step(dt))
			}
			return w.Hash(), w
		}
		want, w := run(1, -1)
		several := 0
		for _, active := range w.Contacts().Active {
			if active {
				several++
			}
		}
		if least := map[bool]int{true: 5, false: 2}[floor.name != "facets to the rim"]; several < least {
			t.Errorf("%s: %d contacts at the end, expected a heap", floor.name, several)
		}
		m := w.Measure()
		t.Logf("%s: %d contacts, %+v, left over %g J", floor.name, several, m.Ledger, m.LeftOver)
		if lost := m.Ledger.Damping + m.Ledger.Friction; !(lost > 0) || math.Abs(m.LeftOver) > 1e-3*lost {
			t.Errorf("%s: %g J not accounted for of %g J lost", floor.name, m.LeftOver, lost)
		}
		for _, c := range [][2]int{{2, -1}, {1, 2700}, {3, 5500}} {
			if got, _ := run(c[0], c[1]); got != want {
				t.Errorf("%s: %d workers, restarted at step %d: hash %x, expected %x", floor.name, c[0], c[1], got, want)
			}
		}
	}
}

// TestPointsAllocateNothing checks that steps of cubes at rest under a law of points allocate
// nothing.
func TestPointsAllocateNothing(t *testing.T) {
	for _, floor := range floors {
		w := onFloor(t, pointSprings, floor.add, vec.V(0, 0, -9.81), 0.4)
		for range 200 {
			check(w.Step(5e-4))
		}
		if n := testing.AllocsPerRun(100, func() { check(w.Step(5e-4)) }); n != 0 {
			t.Errorf("%s: %g allocations a step, expected none", floor.name, n)
		}
	}
}

// TestPointsOfCutFloors: the force of a square floor on a block, inside the square and across its
// boundary, does not depend on the division of the square into facets.
func TestPointsOfCutFloors(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 7))
	law := must(force.NewTable(1, PointSprings{Kn: 1e6, Kt: 1, Mu: 0}))
	for range 150 {
		pose := vec.Pose{Rot: vec.FromRotationVector(vec.V(4e-3*r.NormFloat64(), 4e-3*r.NormFloat64(), 3*r.Float64()))}
		pose.Pos = vec.V(1.2*r.Float64()-0.6, 1.2*r.Float64()-0.6, 0.499-0.002*r.Float64())
		var want [2]vec.Vec3
		for n := 1; n < 6; n += 2 {
			w := must(engine.New(engine.Config{Law: law}))
			check(addFacets(w, 0.7, n))
			cube := must(w.AddShape(must(geometry.Box(1, 1, 1)).Template()))
			id := must(w.AddBody(engine.BodySpec{Parts: []engine.Part{{Shape: cube, Density: 1000}}, Pose: pose}))
			w.Measure()
			got := [2]vec.Vec3{w.Bodies().Force.At(int(id)), w.Bodies().Torque.At(int(id))}
			w.Close()
			if n == 1 {
				want = got
			}
			if d := got[0].Sub(want[0]).Norm() + got[1].Sub(want[1]).Norm(); d > 1e-6 || !(got[0].Z > 0) {
				t.Fatalf("cut in %d: at %+v force %v, torque %v, expected %v, %v", n, pose, got[0], got[1], want[0], want[1])
			}
		}
	}
}

// reaching is PointSprings whose springs begin at a gap of 3 mm.
type reaching struct{ PointSprings }

func (l reaching) Law() (force.Law, error) { return l, nil }
func (l reaching) Needs() force.Needs {
	return force.Needs{Points: true, History: 3, Reach: 3e-3, Unloaded: 3e-3}
}
func (l reaching) Apply(c *force.Contact, history []float64, r *force.Result) {
	for i := range c.Points {
		c.Points[i].Gap -= 3e-3
	}
	l.PointSprings.Apply(c, history, r)
}

// TestPointsOfNotchedFloors: the force of a floor with notches, holes or gaps on a block that leans
// by little does not depend on the division of the floor into facets. The block overlaps the floor,
// or is above it within the reach of the law.
func TestPointsOfNotchedFloors(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 7))
	springs := PointSprings{Kn: 1e6, Kt: 1, Mu: 0}
	for _, k := range []struct {
		name  string
		cells [][2]int // the squares of a grid that are floor
	}{
		{"L", [][2]int{{0, 0}, {1, 0}, {0, 1}}},
		{"ring", [][2]int{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}},
		{"two squares", [][2]int{{0, 0}, {2, 0}}},
	} {
		for n := range 6 {
			law, height := force.Parameters(springs), 0.499
			if n%2 == 1 {
				law, height = reaching{springs}, 0.501
			}
			side, tilt := 0.4+0.5*r.Float64(), math.Pow(10, -9+6*r.Float64())
			pose := vec.Pose{Rot: vec.FromRotationVector(vec.V(tilt*r.NormFloat64(), tilt*r.NormFloat64(), 3*r.Float64()))}
			pose.Pos = vec.V(side*(0.5+2*r.Float64()), side*(0.5+r.Float64()), height)
			var want [2]vec.Vec3
			for _, cuts := range []int{1, 3} {
				w := must(engine.New(engine.Config{Law: must(force.NewTable(1, law))}))
				check(addCells(w, k.cells, side, cuts))
				cube := must(w.AddShape(must(geometry.Box(1, 1, 1)).Template()))
				id := must(w.AddBody(engine.BodySpec{Parts: []engine.Part{{Shape: cube, Density: 1000}}, Pose: pose}))
				w.Measure()
				got := [2]vec.Vec3{w.Bodies().Force.At(int(id)), w.Bodies().Torque.At(int(id))}
				w.Close()
				if cuts == 1 {
					want = got
				}
				// A corner of the floor and a crossing of edges within a seam of it may stand for each other.
				if d := got[0].Sub(want[0]).Norm() + got[1].Sub(want[1]).Norm(); d > 1e-5*want[0].Norm() {
					t.Errorf("%s of sides %g, cut in %d: at %+v force %v, torque %v, expected %v, %v", k.name, side, cuts, pose, got[0], got[1], want[0], want[1])
				}
			}
		}
	}
}

// addCells adds a floor of squares of a grid, each divided into n×n squares of two triangles.
func addCells(w *engine.World, cells [][2]int, side float64, n int) error {
	wall := engine.WallSpec{Pose: vec.Pose{Rot: vec.Identity}}
	for _, c := range cells {
		at := func(i, j int) vec.Vec3 {
			return vec.V(side*(float64(c[0])+float64(i)/float64(n)), side*(float64(c[1])+float64(j)/float64(n)), 0)
		}
		for k := range n * n {
			i, j := k/n, k%n
			for _, corners := range [2][3]vec.Vec3{{at(i, j), at(i+1, j), at(i+1, j+1)}, {at(i, j), at(i+1, j+1), at(i, j+1)}} {
				wall.Parts = append(wall.Parts, engine.Part{Shape: must(w.AddShape(must(geometry.FacetTemplate(corners[0], corners[1], corners[2]))))})
			}
		}
	}
	_, err := w.AddWall(wall)
	return err
}

// TestPointsKeepTheirMemoryWhenRowsCloseUp removes a body while a cube slides over the rim of a floor of facets. Taking a state
// closes the rows up, and must change no bit: points remember by features with numbers of pieces, not rows.
func TestPointsKeepTheirMemoryWhenRowsCloseUp(t *testing.T) {
	var want uint64
	for _, read := range []bool{false, true} {
		laws, err := force.NewTable(1, PointSprings{Kn: 1e5, Kt: 8e4, Zeta: 0.1, Mu: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		w, err := engine.New(engine.Config{Gravity: vec.V(0, 0, -9.81), Law: laws, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		cube, err := geometry.Box(0.2, 0.2, 0.2)
		if err != nil {
			t.Fatal(err)
		}
		shape, err := w.AddShape(cube.Template())
		if err != nil {
			t.Fatal(err)
		}
		part := []engine.Part{{Shape: shape, Density: 2600}}
		far, err := w.AddBody(engine.BodySpec{Parts: part, Pose: vec.Pose{Pos: vec.V(9, 0, 9)}})
		if err != nil {
			t.Fatal(err)
		}
		var mesh []engine.Part
		for _, c := range [][3]vec.Vec3{{vec.V(-2, -2, 0), vec.V(2, -2, 0), vec.V(2, 2, 0)}, {vec.V(-2, -2, 0), vec.V(2, 2, 0), vec.V(-2, 2, 0)}} {
			facet, err := geometry.FacetTemplate(c[0], c[1], c[2])
			if err != nil {
				t.Fatal(err)
			}
			s, err := w.AddShape(facet)
			if err != nil {
				t.Fatal(err)
			}
			mesh = append(mesh, engine.Part{Shape: s})
		}
		_, e1 := w.AddWall(engine.WallSpec{Parts: mesh})
		_, e2 := w.AddBody(engine.BodySpec{Parts: part, Pose: vec.Pose{Pos: vec.V(1.95, 0.2, 0.0999)}, Vel: vec.V(0.1, 0, 0)})
		if e1 != nil || e2 != nil {
			t.Fatal(e1, e2)
		}
		for step := range 100 {
			if step == 50 {
				if err := w.RemoveBody(far); err != nil {
					t.Fatal(err)
				}
				if read {
					w.State()
				}
			}
			if err := w.Step(1e-4); err != nil {
				t.Fatal(err)
			}
		}
		if got := w.Hash(); !read {
			want = got
		} else if got != want {
			t.Errorf("hash %016x, expected %016x", got, want)
		}
		if w.Measure().Active != 1 {
			t.Errorf("%d contacts, expected 1", w.Measure().Active)
		}
	}
}
