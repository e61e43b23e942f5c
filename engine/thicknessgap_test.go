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

// Interaction distances and reference gaps under the thickness law.

// TestThicknessInteractionAndRelief checks that the relief of an initial overlap ends when the
// bodies separate, even if an interaction distance keeps their contact active.
func TestThicknessInteractionAndRelief(t *testing.T) {
	for name, shape := range map[string]*soa.Template{"block": box(t, 1, 1, 1), "ball": ball(t, 0.5)} {
		build := func(interaction float64) *World {
			law := force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: 0.3, Restitution: 0.9, Interaction: interaction}
			w := newWorld(t, Config{Gravity: down, Relief: Relief{Cap: 1e-4, Time: 10}}, law)
			addFloor(t, w)
			addMoving(t, w, addShape(t, w, shape), at(0, 0, 0.49), vec.V(0, 0, 1), vec.Vec3{})
			return w
		}
		near, far := build(0), build(0.3)
		forgiven := 0.0
		for k := range 1500 {
			steps(t, near, 1, 2e-4)
			steps(t, far, 1, 2e-4)
			if k == 0 {
				forgiven = far.forces.Relief[0]
			}
			if p, q := near.Bodies().Pos.At(1), far.Bodies().Pos.At(1); p != q {
				t.Fatalf("%s: in step %d at %v with an interaction distance, at %v without", name, k, q, p)
			}
		}
		if !(forgiven > 0.009) {
			t.Errorf("%s: %g m forgiven at the start", name, forgiven)
		}
	}
}

// TestThicknessInteraction drops blocks and balls on each other, with and without an interaction
// distance. They must move alike to the bit. With an interaction distance, a pair within that
// distance must have a contact with its gap and without a force.
func TestThicknessInteraction(t *testing.T) {
	const reach = 0.3
	for name, shapes := range map[string][2]*soa.Template{
		"blocks": {box(t, 1, 1, 1), rock(t, 3, 12, 0.5)}, "balls": {ball(t, 0.5), ball(t, 0.4)}, "ball on block": {box(t, 1, 1, 1), ball(t, 0.4)},
	} {
		build := func(interaction float64) *World {
			law := force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: 0.5, Restitution: 0.5, Interaction: interaction}
			w := newWorld(t, Config{Gravity: down}, law)
			addFloor(t, w)
			addMoving(t, w, addShape(t, w, shapes[0]), at(0, 0, 0.7), vec.Vec3{}, vec.Vec3{})
			addMoving(t, w, addShape(t, w, shapes[1]), at(0.1, 0.05, 2), vec.V(0, 0, -1), vec.V(0.3, 0, 0))
			return w
		}
		near, far := build(0), build(reach)
		apart := 0
		for k := range 2000 {
			steps(t, near, 1, 2e-4)
			steps(t, far, 1, 2e-4)
			for id := 1; id <= 2; id++ {
				if p, q := near.Bodies().Pos.At(id), far.Bodies().Pos.At(id); p != q {
					t.Fatalf("%s: in step %d body %d is at %v with an interaction distance, at %v without", name, k, id, q, p)
				}
			}
			c := &far.space.Contacts
			for i := range far.space.ActiveRows {
				if gap := far.Gap(i); gap > 0 {
					apart++
					if c.Gap[i] != gap || gap > reach || far.forces.Force.At(i) != (vec.Vec3{}) {
						t.Fatalf("%s: a contact has gap %g, a force %v, expected %g and none", name, c.Gap[i], far.forces.Force.At(i), gap)
					}
				}
			}
		}
		if m := far.Measure(); apart < 500 || m.Active < near.Measure().Active || math.Abs(m.LeftOver-near.Measure().LeftOver) > 0 {
			t.Errorf("%s: %d contacts across a gap, %d are active and %g J left over; without %d and %g", name, apart, m.Active, m.LeftOver,
				near.Measure().Active, near.Measure().LeftOver)
		}
	}
}

// gapDrop throws a body at a floor, or at the edge of a block below. It returns the remaining share
// of its kinetic energy, and its largest depth.
func gapDrop(t *testing.T, law force.Thickness, s *soa.Template, rot vec.Quat, edge bool, share float64) (left float64, deepest float64) {
	t.Helper()
	w := newWorld(t, Config{}, law)
	if edge {
		turned := vec.Pose{Pos: vec.V(0, 0.1, -math.Sqrt2), Rot: vec.FromRotationVector(vec.V(math.Pi/4, 0, 0))}
		addWall(t, w, WallSpec{Parts: []Part{{Shape: addShape(t, w, box(t, 2, 2, 2))}}, Pose: turned})
	} else {
		addFloor(t, w)
	}
	shape := addShape(t, w, s)
	view, lowest := w.Shapes().View(shape), 0.0
	for k := range view.NVerts {
		lowest = min(lowest, rot.Rotate(view.Vert(soa.Vertex(k))).Z)
	}
	if view.Kind == soa.Ball {
		lowest = -view.Radius
	}
	id := int(addMoving(t, w, shape, vec.Pose{Pos: vec.V(0, 0, max(law.ReferenceGap, 0)+1e-4-lowest), Rot: rot}, vec.V(0.3, 0, -1), vec.V(0, 0.2, 0)))
	dt := share * math.Pi * math.Sqrt(w.Bodies().Mass[id]/(2*law.Stiffness))
	before, touched := w.Measure().Kinetic(), false
	for range int(400 / share) {
		steps(t, w, 1, dt)
		m := w.Measure()
		deepest = max(deepest, m.Penetration)
		if touched = touched || m.Active > 0; touched && m.Active == 0 {
			return m.Kinetic() / before, deepest
		}
	}
	t.Fatal("the body stays, or never came to the floor")
	return 0, 0
}

// TestThicknessReferenceGapKeepsEnergy drops blocks and balls with springs that start inside the
// bodies, and balls with springs that start outside. Elastic impacts must keep their energy up to
// the error of the step, which falls with its square; head-on it is k·dt²/4m, which is π²/8 of the
// square of dt over π·√(m/2k). Other impacts must not gain energy, with friction either.
func TestThicknessReferenceGapKeepsEnergy(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	squares, n := [2]float64{}, 0
	for k := range 16 {
		s, gap := rock(t, uint64(k), 12, 0.5), -1e-3*r.Float64()
		switch k % 4 {
		case 1:
			s = box(t, 1, 1, 1)
		case 2:
			s = ball(t, 0.5)
		case 3:
			s, gap = ball(t, 0.5), 0.1
		}
		rot := vec.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalized()
		law := force.Thickness{Stiffness: 1e7, Restitution: 1, ReferenceGap: gap, Interaction: max(gap, 0)}
		for i, share := range []float64{1.0 / 50, 1.0 / 100} {
			left, deepest := gapDrop(t, law, s, rot, k%8 > 3, share)
			squares[i] += (left - 1) * (left - 1)
			if most := math.Pi * math.Pi / 8 * share * share; math.Abs(left-1) > most {
				t.Errorf("body %d, reference gap %g: energy changes by %.2e with steps of %g of the contact time, expected %.2e at most", k, gap, left-1, share, most)
			}
			if gap < 0 && deepest < -gap || gap > 0 && deepest > 0 {
				t.Errorf("body %d, reference gap %g: %g m deep", k, gap, deepest)
			}
		}
		n++
		law.Restitution, law.Friction, law.Tangential = 0.9, 0.4, 8e6
		if left, _ := gapDrop(t, law, s, rot, k%8 > 3, 1.0/50); left > 1+1e-9 || left < 0.3 {
			t.Errorf("body %d, reference gap %g, restitution 0.9: it leaves with %g of its energy", k, gap, left)
		}
	}
	if coarse, fine := math.Sqrt(squares[0]/float64(n)), math.Sqrt(squares[1]/float64(n)); fine > coarse/3 {
		t.Errorf("in the mean the energy changes by %.2e at a fiftieth of the contact time, by %.2e at a hundredth", coarse, fine)
	}
}

// TestThicknessReferenceGapRests checks that a resting body is compressed by W/k from the reference
// gap on, and that a body falling head-on bounces with the specified restitution.
func TestThicknessReferenceGapRests(t *testing.T) {
	const k = 1e5
	for _, c := range []struct {
		what string
		s    *soa.Template
		gap  float64
	}{{"block", box(t, 1, 1, 1), -2e-3}, {"ball", ball(t, 0.5), -2e-3}, {"ball", ball(t, 0.5), 0.01}} {
		for _, facets := range []bool{false, true} {
			if facets && c.what == "block" {
				continue
			}
			w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: k, Restitution: 0.2, ReferenceGap: c.gap, Interaction: 0.02})
			if facets {
				floor(t, w, 5)
			} else {
				addFloor(t, w)
			}
			id := int(addMoving(t, w, addShape(t, w, c.s), at(0, 0, 0.5+c.gap), vec.Vec3{}, vec.Vec3{}))
			steps(t, w, 5000, 1e-4)
			weight := 9.81 * w.Bodies().Mass[id]
			want := 0.5 + c.gap - weight/k
			if z := w.Bodies().Pos.Z[id]; math.Abs(z-want) > 1e-9*weight/k+1e-15 || w.Measure().Active != 1 {
				t.Errorf("a %s with reference gap %g, on facets %v, lies at %.15g with %d contacts, expected %.15g and one", c.what, c.gap, facets, z, w.Measure().Active, want)
			}
		}
		for _, e := range []float64{0.2, 0.5, 0.8} {
			law := force.Thickness{Stiffness: k, Restitution: e, ReferenceGap: c.gap, Interaction: max(c.gap, 0)}
			w := newWorld(t, Config{}, law)
			addFloor(t, w)
			id := int(addMoving(t, w, addShape(t, w, c.s), at(0, 0, 0.5+max(c.gap, 0)+1e-4), vec.V(0, 0, -1), vec.Vec3{}))
			dt := math.Pi * math.Sqrt(w.Bodies().Mass[id]/k) / 100
			for touched := false; ; {
				steps(t, w, 1, dt)
				active := w.Measure().Active > 0
				if touched = touched || active; touched && !active {
					break
				}
			}
			if got := w.Bodies().Vel.Z[id]; math.Abs(got-e) > 0.01*e {
				t.Errorf("a %s with reference gap %g and restitution %g bounces with %g", c.what, c.gap, e, got)
			}
		}
	}
}

// TestThicknessGapsSameBits throws rocks and balls together, with an interaction distance and
// springs that start inside, and balls alone, with springs that start outside. The bits must be the
// same on several workers and across restarts.
func TestThicknessGapsSameBits(t *testing.T) {
	for _, gap := range []float64{-1e-3, 1e-2} {
		build := func(workers int) *World {
			w := newWorld(t, Config{Gravity: down, Workers: workers}, force.Thickness{
				Stiffness: 1e3, Tangential: 8e2, Friction: 0.5, Restitution: 0.3, ReferenceGap: gap, Interaction: 0.02,
			})
			addFloor(t, w)
			for i := range 20 {
				s := ball(t, 0.1)
				if i%3 > 0 && gap < 0 {
					s = rock(t, uint64(i%7), 12, 0.1)
				}
				at := vec.V(0.23*float64(i%3)+0.01*float64(i/9), 0.23*float64(i/3%3), 0.12+0.23*float64(i/9))
				addMoving(t, w, addShape(t, w, s), vec.Pose{Pos: at, Rot: vec.FromRotationVector(vec.V(float64(i), 1, 0))}, vec.V(0, 0, -1), vec.Vec3{})
			}
			return w
		}
		const n, dt = 800, 1e-4
		w := build(1)
		steps(t, w, n, dt)
		want := w.Hash()
		if m := w.Measure(); m.Active < 10 {
			t.Fatalf("reference gap %g: %d contacts are active", gap, m.Active)
		}
		w = build(3)
		for k := range 8 {
			steps(t, w, n/8, dt)
			state := w.State()
			w.Close()
			w = build(1 + k%3)
			if err := w.Restore(state); err != nil {
				t.Fatal(err)
			}
		}
		if got := w.Hash(); got != want {
			t.Errorf("reference gap %g, 1 to 3 workers and restarts: hash %x, expected %x", gap, got, want)
		}
	}
}

// TestThicknessRefusesGaps checks that a reference gap or interaction distance that is undefined
// between two bodies is rejected with the reason, in either order.
func TestThicknessRefusesGaps(t *testing.T) {
	type add func(w *World) error
	body := func(s *soa.Template) add {
		return func(w *World) error {
			_, err := w.AddBody(BodySpec{Parts: one(addShape(t, w, s), 1), Pose: at(0, 0, 5*float64(w.Bodies().Len()))})
			return err
		}
	}
	wall := func(s *soa.Template) add {
		return func(w *World) error {
			_, err := w.AddWall(WallSpec{Parts: []Part{{Shape: addShape(t, w, s)}}, Pose: vec.IdentityPose})
			return err
		}
	}
	cube, sphere := body(box(t, 1, 1, 1)), body(ball(t, 0.5))
	face, plane, brick := wall(facet(t, vec.V(-4, -4, 0), vec.V(4, -4, 0), vec.V(0, 6, 0))), wall(PlaneTemplate()), wall(box(t, 9, 9, 1))
	for _, c := range []struct {
		what string
		gap  float64
		of   []add
		want string // empty if accepted
	}{
		{"a cube alone", 0.1, []add{cube}, ""},
		{"balls", 0.1, []add{sphere, plane, face, brick, sphere}, ""},
		{"a ball and a cube", 0.1, []add{cube, sphere}, ""},
		{"two cubes", 0.1, []add{cube, sphere, cube}, "bodies that are apart have no overlap"},
		{"a cube on a plane", 0.1, []add{plane, cube}, "bodies that are apart have no overlap"},
		{"a cube, then a wall", 0.1, []add{cube, brick}, "bodies that are apart have no overlap"},
		{"walls", 0.1, []add{brick, plane, face, brick}, ""},
		{"cubes inside", -1e-3, []add{cube, cube, plane, brick}, ""},
		{"a cube inside facets", -1e-3, []add{cube, face}, "a single contact has no thickness"},
		{"facets, then a cube", -1e-3, []add{face, cube}, "a single contact has no thickness"},
		{"balls inside facets", -1e-3, []add{face, sphere}, ""},
		{"a cube apart from facets", 0, []add{cube, face}, "active where they overlap alone"},
		{"facets apart from a cube", 0, []add{face, cube}, "law has an interaction distance"},
		{"a cube apart from others", 0, []add{cube, cube, plane, brick}, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			w := newWorld(t, Config{}, force.Thickness{Stiffness: 1e5, Restitution: 1, ReferenceGap: c.gap, Interaction: 0.2})
			var err error
			for k, f := range c.of {
				if err = f(w); err != nil && k < len(c.of)-1 {
					t.Fatal(err)
				}
			}
			if fmt.Sprint(err) != "<nil>" && c.want == "" || c.want != "" && (!errors.Is(err, ErrBody) || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, expected one of %q", err, c.want)
			}
		})
	}
	for _, law := range []force.Thickness{
		{Stiffness: 1, Restitution: 1, ReferenceGap: 0.1}, {Stiffness: 1, Restitution: 1, Interaction: -1},
		{Stiffness: 1, Restitution: 1, ReferenceGap: 0.1, Interaction: 0.1, AreaExponent: 1},
	} {
		if _, err := force.NewTable(1, law); !errors.Is(err, force.ErrLaw) {
			t.Errorf("%+v: error %v, expected ErrLaw", law, err)
		}
	}
}
