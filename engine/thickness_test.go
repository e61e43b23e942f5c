package engine

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// addFloor adds the plane z = 0.
func addFloor(t testing.TB, w *World) {
	t.Helper()
	planeWall(t, w, PlanePose(vec.Vec3{}, vec.V(0, 0, 1)), Motion{})
}

// addMoving adds a body of one shape with density 1.
func addMoving(t testing.TB, w *World, shape soa.Shape, pose vec.Pose, vel, spin vec.Vec3) soa.ID {
	t.Helper()
	return soa.ID(addBody(t, w, BodySpec{Parts: one(shape, 1), Pose: pose, Vel: vel, Spin: spin}))
}

// ofContact returns a share of the contact time of two unit masses on a spring.
func ofContact(stiffness, share float64) float64 { return share * math.Pi * math.Sqrt(1/(2*stiffness)) }

// TestThicknessOnASlope sets a cube, rotated by 20°, on slopes below and above the friction angle
// by at least a tenth of a degree (cases V18b and V32c). Below, it must stay once it has settled;
// above, it must slide like a point mass. With a restitution of 0.8 it shakes while it slides, and
// takes 9 s to settle.
func TestThicknessOnASlope(t *testing.T) {
	require.Numbers(t)
	const g = 9.81
	for _, c := range []struct{ mu, off, k, e, settles float64 }{
		{0.5, -0.1, 1e6, 0.2, 0.5}, {0.5, -1, 1e6, 0.2, 0.5}, {0.5, -10, 1e6, 0.2, 0.5}, {0.2, -0.1, 1e6, 0.2, 0.5},
		{0.8, -0.1, 1e6, 0.2, 0.5}, {0.5, -0.1, 1e5, 0.2, 1}, {0.5, -0.1, 1e6, 0.5, 1}, {0.5, -0.1, 1e6, 0.8, 10}, {0.5, 0.1, 1e6, 0.2, 0.5},
	} {
		if c.settles > 1 && !*soakPhysics {
			continue
		}
		angle := vec.Atan2(c.mu, 1) + c.off*math.Pi/180
		sin, cos := vec.Sincos(angle)
		law := force.Thickness{Stiffness: c.k, Tangential: 0.8 * c.k, Friction: c.mu, Restitution: c.e}
		w := newWorld(t, Config{Gravity: vec.V(g*sin, 0, -g*cos)}, law)
		addFloor(t, w)
		pose := vec.Pose{Pos: vec.V(0, 0, 0.5), Rot: vec.FromRotationVector(vec.V(0, 0, math.Pi/9))}
		id := addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), pose, vec.Vec3{}, vec.Vec3{})
		dt := ofContact(c.k, 1.0/50)
		steps(t, w, int(c.settles/dt), dt)
		v0, x0, t0 := w.Bodies().Vel.At(int(id)), w.Bodies().Pos.At(int(id)), w.Time()
		steps(t, w, int(0.5/dt), dt)
		v, x, passed := w.Bodies().Vel.At(int(id)), w.Bodies().Pos.At(int(id)), w.Time()-t0
		if c.off < 0 {
			creep := x.Sub(x0).Norm() / passed
			if t.Logf("%+v: slid %.2g m, then creeps at %.2g m/s", c, math.Hypot(x0.X, x0.Y), creep); creep > 1e-12 {
				t.Errorf("%+v: the cube creeps at %g m/s", c, creep)
			}
			continue
		}
		want := g * (sin - c.mu*cos)
		got := (v.X - v0.X) / passed
		if t.Logf("%+v: gains %.9g m/s², expected %.9g", c, got, want); math.Abs(got-want) > 1e-4*want {
			t.Errorf("%+v: the cube gains %g m/s², expected %g", c, got, want)
		}
	}
}

// impactOnFloor drops a body on the floor at unit speed without gravity, and returns the remaining
// share of its kinetic energy.
func impactOnFloor(t *testing.T, s *soa.Template, rot vec.Quat, law force.Thickness, share float64) float64 {
	t.Helper()
	w := newWorld(t, Config{}, law)
	addFloor(t, w)
	shape := addShape(t, w, s)
	view, lowest := w.Shapes().View(shape), 0.0
	for k := range view.NVerts {
		lowest = min(lowest, rot.Rotate(view.Vert(soa.Vertex(k))).Z)
	}
	id := int(addMoving(t, w, shape, vec.Pose{Pos: vec.V(0, 0, 1e-4-lowest), Rot: rot}, vec.V(0, 0, -1), vec.Vec3{}))
	dt := share * math.Pi * math.Sqrt(w.Bodies().Mass[id]/law.Stiffness)
	before, touched := w.Measure().Kinetic(), false
	for range int(20 / share) {
		steps(t, w, 1, dt)
		m := w.Measure()
		touched = touched || m.Active > 0
		if m.Active == 0 && w.Bodies().Vel.Z[id] > 0 {
			break
		}
	}
	if !touched {
		t.Fatal("the body never touched the floor")
	}
	return w.Measure().Kinetic() / before
}

// TestThicknessRestitution drops a cube on a face, an edge and a corner, with the force through its
// centre of mass.
func TestThicknessRestitution(t *testing.T) {
	for name, rot := range map[string]vec.Quat{
		"face":   vec.Identity,
		"edge":   vec.FromRotationVector(vec.V(math.Pi/4, 0, 0)),
		"corner": vec.FromRotationVector(vec.V(1, -1, 0).Unit().Scale(math.Acos(1 / math.Sqrt(3)))),
	} {
		for _, e := range []float64{0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9} {
			left := impactOnFloor(t, box(t, 1, 1, 1), rot, force.Thickness{Stiffness: 1e6, Restitution: e}, 1.0/50)
			if got := math.Sqrt(left); math.Abs(got-e) > 0.01*e {
				t.Errorf("on its %s a cube with restitution %g bounces with %g", name, e, got)
			}
		}
	}
}

// TestThicknessImpactsKeepEnergy drops cubes and rocks at any angle. With restitution 1 they must
// keep their energy up to the error of the time step, which falls with its square; with less they
// must not gain energy.
func TestThicknessImpactsKeepEnergy(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for k := range 30 {
		s := box(t, 1, 1, 1)
		if k%2 == 1 {
			s = rock(t, uint64(k), 12, 0.5)
		}
		rot := vec.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalized()
		if k%6 == 0 {
			rot = vec.FromRotationVector(vec.V(0.19*math.Pi/180+math.Pi/2, 0, 0)) // nearly on a face
		}
		law := force.Thickness{Stiffness: 1e7, Restitution: 1}
		coarse, fine := impactOnFloor(t, s, rot, law, 1.0/100)-1, impactOnFloor(t, s, rot, law, 1.0/400)-1
		if math.Abs(coarse) > 1e-3 || math.Abs(fine) > 1e-4 {
			t.Errorf("impact %d leaves with %+.2e of the energy more, with a quarter of the step %+.2e", k, coarse, fine)
		}
		law.Restitution, law.Friction, law.Tangential = 0.9, 0.4, 8e6
		if left := impactOnFloor(t, s, rot, law, 1.0/100); left > 1+1e-9 {
			t.Errorf("impact %d with restitution 0.9 leaves with %+.2e of the energy more", k, left-1)
		}
	}
}

// TestThicknessBoxKeepsEnergy shakes 27 rocks in a closed box without friction. The energy of
// elastic impacts may change by the error of the step only, which falls with its square.
func TestThicknessBoxKeepsEnergy(t *testing.T) {
	err := func(share float64) float64 {
		const stiffness = 1e5
		r := rand.New(rand.NewPCG(1, 9))
		w := newWorld(t, Config{}, force.Thickness{Stiffness: stiffness, Restitution: 1})
		for _, n := range []vec.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
			planeWall(t, w, PlanePose(n.Scale(-2), n), Motion{})
		}
		mass := math.Inf(1)
		any := func() vec.Vec3 { return vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()) }
		for i := range 27 {
			at := vec.V(float64(i%3-1), float64(i/3%3-1), float64(i/9-1)).Scale(1.2)
			id := addMoving(t, w, addShape(t, w, rock(t, uint64(i), 12, 0.5)), vec.Pose{Pos: at, Rot: vec.Identity}, any().Scale(5), any())
			mass = min(mass, w.Bodies().Mass[id])
		}
		before := w.Measure().Kinetic()
		dt := share * math.Pi * math.Sqrt(mass/(2*stiffness))
		steps(t, w, int(80/share), dt)
		m := w.Measure()
		if math.Abs(m.Translation/before-1) < 0.01 {
			t.Fatal("the rocks hardly touched")
		}
		return math.Abs((m.Kinetic()+m.Ledger.Elastic)/before - 1)
	}
	if coarse, fine := err(1.0/25), err(1.0/100); fine > 1e-4 || fine > coarse/4 {
		t.Errorf("the energy is off by %.2e at a hundredth of the contact time, by %.2e at a 25th", fine, coarse)
	}
}

// TestThicknessSameBits throws rocks together on several workers, and across restarts.
func TestThicknessSameBits(t *testing.T) {
	build := func(workers int) *World {
		w := newWorld(t, Config{Gravity: down, Workers: workers}, force.Thickness{Stiffness: 1e3, Tangential: 8e2, Friction: 0.5, Restitution: 0.3})
		addFloor(t, w)
		r := rand.New(rand.NewPCG(3, 3))
		for i := range 60 {
			shape := addShape(t, w, rock(t, uint64(i%7), 12, 0.1))
			at := vec.V(0.22*float64(i%4), 0.22*float64(i/4%4), 0.12+0.22*float64(i/16))
			addMoving(t, w, shape, vec.Pose{Pos: at, Rot: vec.FromRotationVector(vec.V(r.Float64(), r.Float64(), r.Float64()))}, vec.V(0, 0, -1), vec.Vec3{})
		}
		return w
	}
	n := 3000
	if require.Quick() {
		n = 2000
	}
	const dt = 1e-4
	w := build(1)
	steps(t, w, n, dt)
	want := w.Hash()
	if m := w.Measure(); m.Active < 20 {
		t.Fatalf("%d contacts are active at height %g", m.Active, w.Bodies().Pos.Z[1])
	}
	for _, workers := range []int{2, 5} {
		w := build(workers)
		steps(t, w, n, dt)
		if got := w.Hash(); got != want {
			t.Errorf("%d workers: hash %x, expected %x", workers, got, want)
		}
	}
	w = build(2)
	for _, at := range []int{3 * n / 10, n / 2, n} {
		steps(t, w, at-int(w.Steps()), dt)
		state := w.State()
		w = build(1)
		if err := w.Restore(state); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.Hash(); got != want {
		t.Errorf("restarted: hash %x, expected %x", got, want)
	}
}

// TestThicknessInsideIsAccounted lets a small cube fly through a large one. The energy stored while
// it is inside must be in the ledger.
func TestThicknessInsideIsAccounted(t *testing.T) {
	w := newWorld(t, Config{}, force.Thickness{Stiffness: 1e5, Restitution: 1})
	addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), vec.Pose{Rot: vec.Identity}, vec.Vec3{}, vec.Vec3{})
	small := addMoving(t, w, addShape(t, w, box(t, 0.2, 0.2, 0.2)), vec.Pose{Pos: vec.V(0.01, 0.02, 0.61), Rot: vec.Identity}, vec.V(0, 0, -1000), vec.Vec3{})
	start, inside := w.Measure().Kinetic(), 0
	for range 3000 {
		steps(t, w, 1, 1e-6)
		m := w.Measure()
		if math.Abs(m.LeftOver) > 2e-3*start {
			t.Fatalf("at height %g the account is off by %g of %g J", w.Bodies().Pos.Z[small], m.LeftOver, start)
		}
		if m.Ledger.Elastic > 0 && math.Abs(w.Bodies().Pos.Z[small]) < 0.39 {
			inside++
		}
	}
	if inside == 0 {
		t.Fatal("the small cube was never inside")
	}
}
