package engine

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// bounce throws a body without gravity at the floor at unit speed, in steps of dt. It returns the
// remaining share of its kinetic energy and its upward speed.
func bounce(t *testing.T, s *soa.Template, rot vec.Quat, law force.Thickness, dt float64) (energy, speed float64) {
	t.Helper()
	w := newWorld(t, Config{}, law)
	addFloor(t, w)
	shape := addShape(t, w, s)
	view, lowest := w.Shapes().View(shape), 0.0
	for k := range view.NVerts {
		lowest = min(lowest, rot.Rotate(view.Vert(soa.Vertex(k))).Z)
	}
	if view.Kind == soa.Ball {
		lowest = -view.Radius
	}
	id := int(addMoving(t, w, shape, vec.Pose{Pos: vec.V(0, 0, 1e-4-lowest), Rot: rot}, vec.V(0, 0, -1), vec.Vec3{}))
	before, touched := w.Measure().Kinetic(), false
	for range 200000 {
		steps(t, w, 1, dt)
		m := w.Measure()
		if touched = touched || m.Active > 0; touched && m.Active == 0 {
			return m.Kinetic() / before, w.Bodies().Vel.Z[id]
		}
	}
	t.Fatal("the body stays on the floor")
	return 0, 0
}

// cubePoses are poses in which the contact force on a falling cube passes through its centre of
// mass.
var cubePoses = []struct {
	name string
	rot  vec.Quat
}{
	{"face", vec.Identity},
	{"edge", vec.FromRotationVector(vec.V(math.Pi/4, 0, 0))},
	{"corner", vec.FromRotationVector(vec.V(1, -1, 0).Unit().Scale(math.Acos(1 / math.Sqrt(3))))},
}

// TestModulusRestitution drops a cube on its face, edge and corner, and a ball. Under each area
// exponent they must bounce with the specified restitution. So |F|²/2Φ is the right stiffness for
// the dashpot even if the force is not linear in depth.
func TestModulusRestitution(t *testing.T) {
	for _, a := range []float64{0.5, 1} {
		for _, e := range []float64{0.2, 0.5, 0.8} {
			law := force.Thickness{Stiffness: 1e6, Restitution: e, AreaExponent: a}
			worst := ""
			check := func(name string, s *soa.Template, rot vec.Quat) {
				_, got := bounce(t, s, rot, law, 5e-5)
				worst += fmt.Sprintf(" %s %.4f", name, got)
				if math.Abs(got-e) > 0.01*e {
					t.Errorf("area exponent %g: with restitution %g the %s bounces with %g", a, e, name, got)
				}
			}
			for _, p := range cubePoses {
				check(p.name, box(t, 1, 1, 1), p.rot)
			}
			check("ball", ball(t, 0.5), vec.Identity)
			t.Logf("area exponent %g, restitution %g:%s", a, e, worst)
		}
	}
}

// TestModulusKeepsEnergy drops cubes and rocks at any angle under a law with an area exponent. With
// restitution 1 they must keep their energy up to the error of the time step, which falls with its
// square. With friction and restitution 0.9 they must lose energy.
func TestModulusKeepsEnergy(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	worst := [2]float64{}
	for k := range 12 {
		s := box(t, 1, 1, 1)
		if k%2 == 1 {
			s = rock(t, uint64(k), 12, 0.5)
		}
		rot := vec.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalized()
		if k%6 == 0 {
			rot = vec.FromRotationVector(vec.V(0.19*math.Pi/180+math.Pi/2, 0, 0)) // nearly on a face
		}
		law := force.Thickness{Stiffness: 1e6, Restitution: 1, AreaExponent: 0.5 + 0.5*float64(k/2%2)}
		const dt = 5e-5
		coarse, _ := bounce(t, s, rot, law, dt)
		fine, _ := bounce(t, s, rot, law, dt/4)
		worst[0], worst[1] = max(worst[0], math.Abs(coarse-1)), max(worst[1], math.Abs(fine-1))
		law.Restitution, law.Friction, law.Tangential = 0.9, 0.4, 8e5
		if left, _ := bounce(t, s, rot, law, dt); left > 1+1e-9 {
			t.Errorf("impact %d with restitution 0.9 leaves with %+.2e of the energy more", k, left-1)
		}
	}
	if worst[0] > 1e-3 || worst[1] > 1e-4 || worst[1] > worst[0]/8 {
		t.Errorf("the energy is off by %.2e, with a quarter of the step by %.2e", worst[0], worst[1])
	}
	t.Logf("the energy is off by %.2e, with a quarter of the step by %.2e", worst[0], worst[1])
}

// TestModulusAtRest lets cubes of two sizes and a ball settle. A face must sink by W/(E·A^a), a
// ball by δ with W = (1+a/2)·E·(π·R)^a·δ^(1+a).
func TestModulusAtRest(t *testing.T) {
	for _, a := range []float64{0.5, 1} {
		const modulus = 1e6
		w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: modulus, Restitution: 0.1, AreaExponent: a})
		addFloor(t, w)
		large := int(addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), at(0, 0, 0.5), vec.Vec3{}, vec.Vec3{}))
		plate := int(addMoving(t, w, addShape(t, w, box(t, 2, 0.5, 0.1)), at(3, 0, 0.05), vec.Vec3{}, vec.Vec3{}))
		sphere := int(addMoving(t, w, addShape(t, w, ball(t, 0.5)), at(6, 0, 0.5), vec.Vec3{}, vec.Vec3{}))
		dt := w.TimeStep().Advised
		steps(t, w, int(0.3/dt), dt)
		b := w.Bodies()
		weight := func(id int) float64 { return b.Mass[id] * 9.81 }
		for _, c := range []struct {
			id          int
			half, sinks float64
		}{
			{large, 0.5, weight(large) / modulus},
			{plate, 0.05, weight(plate) / modulus},
			{sphere, 0.5, math.Pow(weight(sphere)/((1+a/2)*modulus*math.Pow(math.Pi*0.5, a)), 1/(1+a))},
		} {
			if got := c.half - b.Pos.Z[c.id]; math.Abs(got-c.sinks) > 1e-3*c.sinks {
				t.Errorf("area exponent %g: body %d sinks in by %g m, expected %g m", a, c.id, got, c.sinks)
			}
		}
	}
}

// TestModulusTimeStep compares the contact time used for the time step with that of bodies that lie
// flat: it must be shorter, but at most three times. A patch of 4 m² must make it shorter than one
// of 1 m² for the same mass.
func TestModulusTimeStep(t *testing.T) {
	for _, a := range []float64{0.5, 1} {
		for _, size := range [][3]float64{{1, 1, 1}, {2, 2, 0.25}, {2, 0.2, 0.2}, {0.1, 0.1, 0.1}} {
			w := newWorld(t, Config{}, force.Thickness{Stiffness: 1e6, Restitution: 1, AreaExponent: a})
			addFloor(t, w)
			id := addMoving(t, w, addShape(t, w, box(t, size[0], size[1], size[2])), at(0, 0, 1), vec.Vec3{}, vec.Vec3{})
			flat := math.Pi * math.Sqrt(w.Bodies().Mass[id]/(1e6*math.Pow(size[0]*size[1], a)))
			if got := w.TimeStep().Contact; !(got <= flat) || got < flat/3 {
				t.Errorf("area exponent %g, %v: contact time %g s, flat on the floor %g s", a, size, got, flat)
			}
		}
		w := newWorld(t, Config{}, force.Thickness{Stiffness: 1e6, Restitution: 1, AreaExponent: a})
		addFloor(t, w)
		id := int(addMoving(t, w, addShape(t, w, ball(t, 0.5)), at(0, 0, 1), vec.Vec3{}, vec.Vec3{}))
		deep := expectedOverlap * 0.5
		slope := (1 + a/2) * (1 + a) * 1e6 * math.Pow(math.Pi*0.5*deep, a)
		most := math.Pi * math.Sqrt(w.Bodies().Mass[id]/slope)
		if got := w.TimeStep().Contact; !(got <= most) || got < most/3 {
			t.Errorf("area exponent %g: contact time of a ball %g s, by the slope of its force %g s", a, got, most)
		}
	}
}

// TestModulusSameBits lets bodies settle under a law with an area exponent on several workers and
// across a restart.
func TestModulusSameBits(t *testing.T) {
	law := force.Thickness{Stiffness: 1e4, Tangential: 8e3, Friction: 0.5, Restitution: 0.3, AreaExponent: 0.5}
	const n, dt = 6000, 1e-4
	w := tumble(t, Config{TilePairs: 3}, law)
	steps(t, w, n, dt)
	m := w.Measure()
	if m.Active < 1 || m.Ledger.Friction <= 0 {
		t.Fatalf("%d contacts, friction took %g J", m.Active, m.Ledger.Friction)
	}
	if normal := w.NormalLeftOver(m, dt); math.Abs(m.LeftOver) > normal || m.Ledger.LawExcess != 0 {
		t.Errorf("%g J are left over, normal up to %g J, the excess is %g J", m.LeftOver, normal, m.Ledger.LawExcess)
	}
	again := tumble(t, Config{Workers: 3}, law)
	steps(t, again, n/2, dt)
	state := again.State()
	again = tumble(t, Config{Workers: 2}, law)
	if err := again.Restore(state); err != nil {
		t.Fatal(err)
	}
	steps(t, again, n-n/2, dt)
	if again.Hash() != w.Hash() {
		t.Errorf("restarted: hash %x, expected %x", again.Hash(), w.Hash())
	}
	sameMeasure(t, w, again)
}

// TestModulusRefusesBlocksOnFacets checks that blocks and facets are rejected only if the law of
// their own pair has an area exponent, in either order, because their patch is not known.
func TestModulusRefusesBlocksOnFacets(t *testing.T) {
	grows := force.Thickness{Stiffness: 1e6, Restitution: 1, AreaExponent: 0.5}
	for name, c := range map[string]struct {
		first, second string // "block", "ball", "facet" or "still", a wall that is a block
		between       bool   // the pair of their materials has an area exponent, not only another pair
		want          string
	}{
		"block and facet":       {"block", "facet", true, "body 1 \"wall\" part 0 is a facet of material 1, and there is a block of material 0"},
		"facet and block":       {"facet", "block", true, "body 1 \"body\" part 0 is a block of material 0, and there is a facet of material 1"},
		"another pair's":        {"block", "facet", false, ""},
		"another pair's, later": {"facet", "block", false, ""},
		"ball":                  {"ball", "facet", true, ""},
		"block of a wall":       {"still", "facet", true, ""},
	} {
		law, err := force.NewTable(3, force.Thickness{Stiffness: 1e6, Restitution: 1})
		if err != nil {
			t.Fatal(err)
		}
		other := soa.Material(2)
		if c.between {
			other = 1
		}
		if err := law.Set(0, other, grows); err != nil {
			t.Fatal(err)
		}
		w, err := New(Config{Law: law, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(w.Close)
		add := func(what string) (err error) {
			switch what {
			case "facet":
				s := addShape(t, w, facet(t, vec.V(-1, -1, 0), vec.V(1, -1, 0), vec.V(0, 1, 0)))
				_, err = w.AddWall(WallSpec{Name: "wall", Parts: []Part{{Shape: s, Material: 1}}, Pose: at(0, 0, 0)})
			case "still":
				_, err = w.AddWall(WallSpec{Name: "wall", Parts: []Part{{Shape: addShape(t, w, box(t, 1, 1, 1))}}, Pose: at(0, 0, 5)})
			default:
				s := ball(t, 0.3)
				if what == "block" {
					s = box(t, 0.5, 0.5, 0.5)
				}
				_, err = w.AddBody(BodySpec{Name: "body", Parts: []Part{{Shape: addShape(t, w, s), Density: 1000}}, Pose: at(0, 0, 1)})
			}
			return err
		}
		if err := add(c.first); err != nil {
			t.Errorf("%s: the first: %v", name, err)
		}
		switch err := add(c.second); {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (!errors.Is(err, ErrBody) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, expected %s", name, err, c.want)
		}
	}
}

// TestModulusBallOnFacets bounces balls on a floor of facets under a law with an area exponent;
// they must move as on a plane.
func TestModulusBallOnFacets(t *testing.T) {
	for _, a := range []float64{0.5, 1} {
		run := func(floor func(w *World)) (z, vz float64) {
			w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: 1e6, Tangential: 8e5, Friction: 0.3, Restitution: 0.5, AreaExponent: a})
			id := addMoving(t, w, addShape(t, w, ball(t, 0.3)), at(0.1, 0.05, 0.301), vec.V(0.1, 0, -1), vec.Vec3{})
			floor(w)
			steps(t, w, 700, 1e-4)
			return w.Bodies().Pos.Z[id], w.Bodies().Vel.Z[id]
		}
		z, vz := run(func(w *World) { addFloor(t, w) })
		fz, fvz := run(func(w *World) { gridFloor(9, 0.3, 1).wall(t, w, vec.IdentityPose, Motion{}) })
		if !(vz > -0.3) || math.Abs(z-fz) > 1e-12 || math.Abs(vz-fvz) > 1e-11 {
			t.Errorf("area exponent %g: on facets the ball is at %.17g with %.17g m/s, on a plane at %.17g with %.17g", a, fz, fvz, z, vz)
		}
	}
}
