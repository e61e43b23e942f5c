package engine

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// rocksInCell returns a world with some periodic sides, and bodies at random places in and around the box. In an open world each
// body stands there with all its images that may touch another.
func rocksInCell(t testing.TB, seed uint64, sides [3]Side, open bool) (w *World, n int) {
	t.Helper()
	r := geometry.NewRand(seed)
	size := vec.V(r.Range(0.45, 0.8), r.Range(0.45, 0.8), r.Range(0.45, 0.8))
	from := vec.V(r.Range(-1, 1), r.Range(-1, 1), r.Range(-1, 1))
	d := Domain{Box: vec.Box{Min: from, Max: from.Add(size)}, Sides: sides}
	cfg := Config{Domain: d}
	if open {
		cfg.Domain = Domain{}
	}
	w = newWorld(t, cfg, force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: 0.4, Restitution: 0.5})
	hull, ballShape, cube := addShape(t, w, rock(t, seed, 14, 0.1)), addShape(t, w, ball(t, 0.05)), addShape(t, w, box(t, 0.1, 0.08, 0.06))
	parts := [][]Part{
		{{Shape: hull, Density: 2000}},
		{{Shape: ballShape, Density: 2000}},
		{{Shape: ballShape, Density: 2000, Local: at(-0.03, 0, 0)}, {Shape: cube, Density: 1000, Local: at(0.02, 0.01, 0)}},
	}
	n = 40
	period := [3]float64{size.X, size.Y, size.Z}
	images := [][3]float64{{}}
	for axis := range 3 {
		if open && sides[axis] == Periodic {
			for _, n := range images {
				for _, by := range []float64{-1, 1} {
					m := n
					m[axis] = by
					images = append(images, m)
				}
			}
		}
	}
	all := make([]BodySpec, n)
	for k := range all {
		p := from.Add(vec.V(r.Float64()*size.X, r.Float64()*size.Y, r.Float64()*size.Z))
		all[k] = BodySpec{Parts: parts[k%3], Pose: vec.Pose{Pos: p, Rot: r.Rotation()}, Vel: vec.V(r.Range(-1, 1), r.Range(-1, 1), r.Range(-1, 1)), Spin: vec.V(r.Range(-5, 5), 1, 2)}
		for axis := range 3 { // Somewhere else: the cell is the same.
			by := math.Floor(r.Range(-3, 4)) * period[axis]
			if !open && sides[axis] == Periodic {
				setAlong(&all[k].Pose.Pos, axis, along(all[k].Pose.Pos, axis)+by)
			}
		}
	}
	for _, image := range images {
		for _, b := range all {
			b.Pose.Pos = b.Pose.Pos.Add(vec.V(image[0]*size.X, image[1]*size.Y, image[2]*size.Z))
			addBody(t, w, b)
		}
	}
	return w, n
}

// TestPeriodicAgainstImages compares a periodic cell with an open world in which all images stand: the forces on the bodies are
// the same to rounding, wherever the bodies are.
func TestPeriodicAgainstImages(t *testing.T) {
	for seed := range uint64(24) {
		compareWithImages(t, seed)
	}
}

func FuzzPeriodic(f *testing.F) {
	f.Add(uint64(77))
	f.Fuzz(func(t *testing.T, seed uint64) { compareWithImages(t, seed) })
}

func compareWithImages(t *testing.T, seed uint64) {
	t.Helper()
	sides := [3]Side{Side(seed & 1), Side(seed >> 1 & 1), Side(seed >> 2 & 1)}
	cell, n := rocksInCell(t, seed, sides, false)
	images, _ := rocksInCell(t, seed, sides, true)
	if err := errors.Join(cell.Fault(), images.Fault()); err != nil {
		t.Fatal(err)
	}
	largest := 0.0
	for i := range n {
		largest = max(largest, images.bodies.Force.At(i).Norm())
	}
	for i := range n {
		f, m := cell.bodies.Force.At(i).Sub(images.bodies.Force.At(i)), cell.bodies.Torque.At(i).Sub(images.bodies.Torque.At(i))
		if !(f.Norm() < 1e-9*largest) || !(m.Norm() < 1e-9*largest) {
			t.Errorf("seed %d, sides %v, body %d: force %v in the cell, %v among images", seed, sides, i, cell.bodies.Force.At(i), images.bodies.Force.At(i))
		}
	}
}

// TestPeriodicMotion compares the motion of a cell with that of the same bodies displaced by other periods, over many passages of
// sides.
func TestPeriodicMotion(t *testing.T) {
	a := hullCell(t, Config{}, 64, 0.8, force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: 0.4, Restitution: 0.3}, vec.Vec3{})
	b := hullCell(t, Config{}, 64, 0.8, force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: 0.4, Restitution: 0.3}, vec.V(0.8, -1.6, 2.4))
	steps(t, a, 1200, 1e-4)
	steps(t, b, 1200, 1e-4)
	passed := 0
	for i := range a.bodies.Len() {
		if d := a.bodies.Pos.At(i).Sub(b.bodies.Pos.At(i)).Add(vec.V(0.8, -1.6, 2.4)).Norm(); !(d < 1e-8) {
			t.Fatalf("body %d is off by %g m", i, d)
		}
		if a.space.Turn(i) != [3]int32{} {
			passed++
		}
	}
	if passed == 0 {
		t.Error("no body has passed a side")
	}
}

// TestChainAcrossASide: a closed chain of clumps under pressure drifts across the side of the box, and its forces stay.
func TestChainAcrossASide(t *testing.T) {
	const pitch, depth = 0.4, 1e-3
	w := newWorld(t, Config{Domain: Domain{Box: vec.Box{Max: vec.V(5*(pitch-depth), 2, 2)}, Sides: [3]Side{Periodic}}},
		force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: 0.4, Restitution: 0.5})
	cube, knob := addShape(t, w, box(t, 0.2, 0.2, 0.2)), addShape(t, w, ball(t, 0.1))
	for k := range 5 {
		addBody(t, w, BodySpec{Parts: []Part{{Shape: cube, Density: 1000, Local: at(-0.1, 0, 0)}, {Shape: knob, Density: 1000, Local: at(0.1, 0, 0)}},
			Pose: at(float64(k)*(pitch-depth), 1, 1), Vel: vec.V(2, 0, 0)})
	}
	first, least, most := 0.0, math.Inf(1), 0.0
	for i := range 6000 {
		for c := range w.ActiveContacts() {
			if f := c.Force.Norm(); first == 0 {
				first = f
			} else {
				least, most = min(least, f), max(most, f)
			}
		}
		if i == 0 && w.Measure().Active != 5 {
			t.Fatalf("%d contacts, expected 5", w.Measure().Active)
		}
		steps(t, w, 1, 1e-4)
	}
	if w.space.Turn(4)[0] == 0 {
		t.Error("the chain has not passed the side")
	}
	if !(first > 50) || !(least > first*(1-1e-9)) || !(most < first*(1+1e-9)) {
		t.Errorf("the chain is pressed by %.15g N at first, then by %.15g N to %.15g N", first, least, most)
	}
}

// TestWallsInACell: a cube slides on a plane, or on a mesh that reaches beyond the periodic sides, as it does in the open.
func TestWallsInACell(t *testing.T) {
	for _, mesh := range []bool{false, true} {
		var x [2]float64
		for k, sides := range [][3]Side{{}, {Periodic, Open, Open}} {
			w := newWorld(t, Config{Gravity: down, Domain: Domain{Box: vec.Box{Max: vec.V(1, 1, 1)}, Sides: sides}},
				force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: 0.2, Restitution: 0.2})
			cube := addShape(t, w, box(t, 0.2, 0.2, 0.2))
			addBody(t, w, BodySpec{Parts: one(cube, 1000), Pose: at(0.5, 0.5, 0.1), Vel: vec.V(3, 0, 0)})
			if mesh {
				to := 2.0
				if sides[0] == Open {
					to = 10
				}
				a, b, c, d := vec.V(-1, 0, 0), vec.V(to, 0, 0), vec.V(to, 1, 0), vec.V(-1, 1, 0)
				addWall(t, w, WallSpec{Parts: []Part{{Shape: addShape(t, w, facet(t, a, b, c))}, {Shape: addShape(t, w, facet(t, a, c, d))}}})
			} else {
				planeWall(t, w, PlanePose(vec.Vec3{}, vec.V(0, 0, 1)), Motion{})
			}
			steps(t, w, 16000, 1e-4)
			x[k] = w.bodies.Pos.X[0]
			if m := w.Measure(); !(math.Abs(m.LeftOver) < 1e-3*m.Ledger.Friction) || !(m.MaxSpeed < 1e-3) {
				t.Errorf("mesh %v, sides %v: %+v", mesh, sides, m)
			}
		}
		// v²/(2µg) is 2.29 m, so the cube passes two sides.
		if tol := map[bool]float64{false: 1e-9, true: 2e-3}[mesh]; !(math.Abs(x[0]-0.5-9/(0.4*9.81)) < 5e-3) || !(math.Abs(x[0]-x[1]) < tol) {
			t.Errorf("mesh %v: the cube slides to %.12g m in the open and to %.12g m in the cell", mesh, x[0], x[1])
		}
	}
}

// TestSides: the sides of a domain reflect, stop and destroy bodies.
func TestSides(t *testing.T) {
	for side, want := range map[Side]string{
		Reflect: "1 body, at 0.0550 going 1.0000 0.5000, spin 3",
		Stop:    "1 body, at 1.0000 going 0.0000 0.0000, spin 0",
		Destroy: "0 bodies, gone 1 of 4.19 kg",
	} {
		w := newWorld(t, Config{Domain: Domain{Box: vec.Box{Max: vec.V(1, 9, 9)}, Sides: [3]Side{side}}}, force.Thickness{Stiffness: 1e5, Restitution: 1})
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, 0.1)), 1000), Pose: at(0.5, 1, 1), Vel: vec.V(1, 0.5, 0), Spin: vec.V(0, 0, 3)})
		start := w.Measure()
		for range 1555 { // The sides that reflect do so twice.
			steps(t, w, 1, 1e-3)
		}
		got := fmt.Sprintf("0 bodies, gone %d of %.3g kg", func() int { n, _ := w.Destroyed(); return n }(), func() float64 { _, m := w.Destroyed(); return m }())
		if w.bodies.Count() > 0 {
			v := w.bodies.Vel.At(0)
			got = fmt.Sprintf("1 body, at %.4f going %.4f %.4f, spin %.3g", w.bodies.Pos.X[0], v.X, v.Y, w.bodies.Spin.Z[0])
		}
		if got != want {
			t.Errorf("%v: %s, expected %s", side, got, want)
		}
		if m := w.Measure(); !(math.Abs(m.LeftOver) < 1e-12*start.Kinetic()) {
			t.Errorf("%v: left over %g J, %+v", side, m.LeftOver, m.Ledger)
		}
	}
}

// TestDomainRefused: what does not fit a domain is refused with its numbers.
func TestDomainRefused(t *testing.T) {
	d := Domain{Box: vec.Box{Max: vec.V(1, 1, 1)}, Sides: [3]Side{Periodic, Open, Reflect}}
	in := func() *World { return newWorld(t, Config{Domain: d}, force.Thickness{Stiffness: 1e5, Restitution: 1}) }
	law, err := force.NewTable(1, force.Thickness{Stiffness: 1e5, Restitution: 1})
	if err != nil {
		t.Fatal(err)
	}
	body := func(w *World, r float64) error {
		_, err := w.AddBody(BodySpec{Parts: one(addShape(t, w, ball(t, r)), 1000), Pose: at(0.5, 0.5, 0.5)})
		return err
	}
	wall := func(lo, hi float64) error {
		w := in()
		addWall(t, w, WallSpec{Parts: []Part{{Shape: addShape(t, w, facet(t, vec.V(lo, 0, 0), vec.V(hi, 0, 0), vec.V(lo, 1, 0)))}}})
		return errors.Join(body(w, 0.1), w.Fault())
	}
	for _, c := range []struct {
		want string
		err  error
	}{
		{"expected at least 1.04 m, twice the diameter", body(in(), 0.26)},
		{"", body(in(), 0.25)},
		{"reaches from -0.1 m to 1.3 m along x, where the domain is periodic; expected it to reach from at most -0.2 m to at least 1.2 m", wall(-0.1, 1.3)},
		{"or to stay between 0.1 m and 0.9 m", wall(0.2, 0.95)},
		{"", wall(-0.2, 1.2)},
		{"", wall(0.1, 0.9)},
		{"expected one parallel to x", func() error {
			w := in()
			planeWall(t, w, PlanePose(vec.Vec3{}, vec.V(0.1, 0, 1)), Motion{})
			return errors.Join(body(w, 0.1), w.Fault())
		}()},
		{"a rate or a stress, expected a periodic axis: it is open", in().SetCellRate([3]*TimeTable[float64]{nil, Constant(1.0), nil})},
		{"a rate or a stress, expected a periodic axis: it is reflect", in().SetCellServo(&CellServo{Stress: [3]*TimeTable[float64]{2: Constant(1.0)}, MaxRate: 1})},
		{"highest rate 0 1/s", in().SetCellServo(&CellServo{Stress: [3]*TimeTable[float64]{Constant(1.0)}})},
		{"finite one with a volume", (&Config{Law: law, Domain: Domain{Sides: d.Sides}}).validate()},
		{"expected Open to Destroy", (&Config{Law: law, Domain: Domain{Box: d.Box, Sides: [3]Side{9}}}).validate()},
		{"expected Open", (&Config{Law: law, Planar: true, Domain: Domain{Box: d.Box, Sides: d.Sides}}).validate()},
	} {
		if c.want == "" && c.err != nil || c.want != "" && (c.err == nil || !strings.Contains(c.err.Error(), c.want)) {
			t.Errorf("error %v, expected %q", c.err, c.want)
		}
	}
}

// TestCellEndsWhenThin: a box that becomes shorter than two bodies ends the run.
func TestCellEndsWhenThin(t *testing.T) {
	w := newWorld(t, Config{Domain: Domain{Box: vec.Box{Max: vec.V(1, 1, 1)}, Sides: allPeriodic}}, force.Thickness{Stiffness: 1e5, Restitution: 1})
	addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, 0.1)), 1000), Pose: at(0.5, 0.5, 0.5)})
	if err := w.SetCellRate([3]*TimeTable[float64]{nil, Constant(-5.0), nil}); err != nil {
		t.Fatal(err)
	}
	var err error
	n := 0
	for ; err == nil && n < 5000; n++ {
		err = w.Step(1e-3)
	}
	if l := 0.4; !errors.Is(err, ErrFault) || !strings.Contains(err.Error(), "along y, where it is periodic, expected at least 0.4 m") || math.Abs(float64(n)*1e-3-math.Log(1/l)/5) > 2e-3 {
		t.Errorf("after %d steps: %v", n, err)
	}
}

// TestCellServo presses elastic cubes, which reach the stress, and books its work.
func TestCellServo(t *testing.T) {
	w := cubeLattice(t, Config{}, -2e-3, vec.V(0.3, 0, 0), true)
	for _, id := range w.bodies.ID {
		if err := w.SetLocalDamping(id, 0.3); err != nil {
			t.Fatal(err)
		}
	}
	const stress = 2000.0
	if err := w.SetCellServo(&CellServo{Stress: [3]*TimeTable[float64]{Constant(stress), nil, nil}, MaxRate: 0.05}); err != nil {
		t.Fatal(err)
	}
	steps(t, w, 6000, 1e-3)
	r, err := w.DomainRegion()
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.Stress(r)
	if a := w.Cell()[0]; err != nil || !a.Works || !(math.Abs(a.Measured/stress-1) < 1e-6) || !(math.Abs(s.XX/-stress-1) < 1e-4) {
		t.Errorf("the sides measure %+v, the cell %v, %v", a, s.XX, err)
	}
	if m := w.Measure(); !(math.Abs(m.LeftOver) < 1e-3*math.Abs(m.Ledger.Walls)) || !(m.Ledger.Walls > 0) {
		t.Errorf("left over %g J, %+v", m.LeftOver, m.Ledger)
	}
}

// TestCellServoInAPlane: a planar cell is one metre thick.
func TestCellServoInAPlane(t *testing.T) {
	w := newWorld(t, Config{Planar: true, Domain: Domain{Box: vec.Box{Max: vec.V(0.81, 0.5, 0)}, Sides: [3]Side{Periodic, Periodic}}},
		force.Thickness{Stiffness: 1e5, Restitution: 0.5})
	disc, err := geometry.ParseBuiltin("disc:0.1")
	if err != nil {
		t.Fatal(err)
	}
	template, err := disc.Template()
	if err != nil {
		t.Fatal(err)
	}
	h := addShape(t, w, template)
	for k := range 4 {
		id := addBody(t, w, BodySpec{Parts: one(h, 1000), Pose: at(0.1+0.2025*float64(k), 0.25, 0)})
		if err := w.SetLocalDamping(soa.ID(id), 0.5); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.SetCellServo(&CellServo{Stress: [3]*TimeTable[float64]{Constant(300.0)}, MaxRate: 0.5}); err != nil {
		t.Fatal(err)
	}
	steps(t, w, 8000, 2e-4)
	for c := range w.ActiveContacts() {
		if f := c.Force.Norm(); !(math.Abs(f/150-1) < 1e-4) {
			t.Errorf("a contact carries %g N, expected 300 Pa × 0.5 m × 1 m", f)
		}
	}
	if n := w.Measure().Active; n != 4 {
		t.Errorf("%d contacts, expected 4", n)
	}
}
