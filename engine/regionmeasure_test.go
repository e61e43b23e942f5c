package engine

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// cellOf adds six planes that face inwards around a box, in the order −x, +x, −y, +y, −z, +z.
func cellOf(t testing.TB, w *World, b vec.Box) (walls [6]soa.ID) {
	t.Helper()
	for k, n := range []vec.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		p := b.Min
		if k%2 == 1 {
			p = b.Max
		}
		walls[k] = soa.ID(planeWall(t, w, PlanePose(p, n), Motion{}))
	}
	return walls
}

// pressedRow is three cubes of 1 m between two plates of a cell of 4 m² across the row, which overlap by
// overlap at all four contacts.
func pressedRow(t testing.TB, overlap float64) (w *World, length float64, walls [6]soa.ID) {
	t.Helper()
	w = newWorld(t, Config{}, force.Thickness{Stiffness: 1e6, Tangential: 8e5, Friction: 0.5, Restitution: 0.2})
	length = 3 - 4*overlap
	cube := addShape(t, w, box(t, 1, 1, 1))
	for k := range 3 {
		addBody(t, w, BodySpec{Parts: one(cube, 1000), Pose: at(0.5-overlap+float64(k)*(1-overlap), 0, 0)})
	}
	return w, length, cellOf(t, w, vec.Box{Min: vec.V(0, -1, -1), Max: vec.V(length, 1, 1)})
}

func between(t testing.TB, w *World, walls [6]soa.ID) Region {
	t.Helper()
	r, err := w.BetweenWalls(walls)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func near(x, y, tol float64) bool { return math.Abs(x-y) <= tol*max(math.Abs(x), math.Abs(y)) }

// TestStressOfARow presses cubes in a row. Each contact has the force F, so the stress along the row is −F/A. The
// locations at the plates lie half of the overlap behind them, so the row is longer than the cell by the overlap.
func TestStressOfARow(t *testing.T) {
	const overlap = 1e-3
	w, length, walls := pressedRow(t, overlap)
	var m RegionMeasure
	if err := w.MeasureRegion(between(t, w, walls), &m); err != nil {
		t.Fatal(err)
	}
	f, _, err := w.WallForce(walls[1])
	if err != nil || !(f.X > 100) {
		t.Fatalf("the plate feels %v, %v", f, err)
	}
	if want := -f.X / 4 * (1 + overlap/length); !near(m.Stress.XX, want, 1e-9) || math.Abs(m.Stress.YY)+math.Abs(m.Stress.XY) > 1e-6*f.X {
		t.Errorf("stress %+v, expected %g along x alone", m.Stress, want)
	}
	if m.Contacts != 4 || m.Bodies != 3 || m.Coordination != 2 || m.Sliding != 0 || !near(m.Fabric.XX, 1, 1e-12) || m.Kinetic != 0 {
		t.Errorf("got %+v, expected 4 contacts along x of 3 bodies that have 2 each", m)
	}
	if !near(m.Volume, 4*length, 1e-12) {
		t.Errorf("the volume is %g, expected %g", m.Volume, 4*length)
	}
	if s, err := w.SolidFraction(between(t, w, walls)); err != nil || !near(s, (3-2*overlap)/(4*length), 1e-12) {
		t.Errorf("solid fraction %g, %v, expected %g", s, err, (3-2*overlap)/(4*length))
	}
	// The middle cube alone: a box around it has its two contacts, whose branches are a cube long.
	r, err := BoxRegion(vec.Box{Min: vec.V(0.9, -1, -1), Max: vec.V(2.1, 1, 1)})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.MeasureRegion(r, &m); err != nil || m.Bodies != 1 || m.Contacts != 2 || m.Coordination != 2 || !near(m.Stress.XX, -2*f.X*(1-overlap)/4.8, 1e-9) {
		t.Errorf("the box around the middle cube: %+v, %v", m, err)
	}
	// A ball around the last contact.
	if r, err = BallRegion(vec.V(length, 0, 0), 0.2); err != nil {
		t.Fatal(err)
	}
	if err := w.MeasureRegion(r, &m); err != nil || m.Bodies != 0 || m.Contacts != 1 || !near(m.Stress.XX, -f.X*0.5/m.Volume, 2*overlap) {
		t.Errorf("the ball at the plate: %+v, %v", m, err)
	}
}

// TestStressFollowsWalls moves a wall of a cell; the volume follows it. A wall that passes its opposite one is refused.
func TestStressFollowsWalls(t *testing.T) {
	w, length, walls := pressedRow(t, 1e-3)
	r := between(t, w, walls)
	if err := w.SetWallPose(walls[3], PlanePose(vec.V(0, 1.5, 0), vec.V(0, -1, 0))); err != nil {
		t.Fatal(err)
	}
	var m RegionMeasure
	if err := w.MeasureRegion(r, &m); err != nil || !near(m.Volume, 5*length, 1e-12) {
		t.Errorf("the volume is %g, %v, expected %g", m.Volume, err, 5*length)
	}
	if err := w.SetWallPose(walls[3], PlanePose(vec.V(0, -1.5, 0), vec.V(0, -1, 0))); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Stress(r); !errors.Is(err, ErrRegion) || !strings.Contains(err.Error(), "wall 5 and wall 6") {
		t.Errorf("walls that passed each other: %v", err)
	}
}

// TestObliqueCell measures a cell between oblique planes and a plate of two facets against a box of the same volume.
func TestObliqueCell(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1e5})
	plate := geometry.Mesh{Name: "plate", Verts: []vec.Vec3{{X: -5, Y: -5, Z: 1}, {X: 5, Y: -5, Z: 1}, {X: 5, Y: 5, Z: 1}, {X: -5, Y: 5, Z: 1}}, Faces: [][]int{{0, 1, 2}, {0, 2, 3}}}
	facets, _, err := geometry.MergeFacets(&plate)
	if err != nil {
		t.Fatal(err)
	}
	lean := vec.V(2, 1, 0) // the planes lean, so their distance is 2/√5 along the normal
	walls := [6]soa.ID{
		soa.ID(planeWall(t, w, PlanePose(vec.Vec3{}, lean), Motion{})), soa.ID(planeWall(t, w, PlanePose(vec.V(0, 0, -1), vec.V(0, 0, 1)), Motion{})),
		soa.ID(planeWall(t, w, PlanePose(vec.V(0, -1, 0), vec.V(0, 1, 0)), Motion{})), soa.ID(planeWall(t, w, PlanePose(vec.V(1, 0, 0), lean.Neg()), Motion{})),
		soa.ID(addWall(t, w, WallSpec{Facets: facets})), soa.ID(planeWall(t, w, PlanePose(vec.V(0, 1, 0), vec.V(0, -1, 0)), Motion{})),
	}
	r := between(t, w, walls)
	var m RegionMeasure
	if err := w.MeasureRegion(r, &m); err != nil || !near(m.Volume, 1*2*2, 1e-12) {
		t.Errorf("the volume is %g, %v, expected 4", m.Volume, err)
	}
	addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 4, 4, 4)), 1)})
	if s, err := w.SolidFraction(r); err != nil || !near(s, 1, 1e-12) {
		t.Errorf("a block that fills the cell has the solid fraction %g, %v, expected 1", s, err)
	}
}

func TestRegionsRefused(t *testing.T) {
	w, _, walls := pressedRow(t, 1e-3)
	bent := soa.ID(addWall(t, w, WallSpec{Name: "bent", Parts: []Part{
		{Shape: addShape(t, w, facet(t, vec.V(0, 0, 9), vec.V(1, 0, 9), vec.V(0, 1, 9)))},
		{Shape: addShape(t, w, facet(t, vec.V(1, 0, 9), vec.V(1, 1, 8), vec.V(0, 1, 9)))}}}))
	solid := soa.ID(addWall(t, w, WallSpec{Name: "beam", Parts: one(addShape(t, w, box(t, 1, 1, 1)), 1), Pose: at(9, 9, 9)}))
	with := func(k int, id soa.ID) [6]soa.ID { other := walls; other[k] = id; return other }
	for name, c := range map[string]struct {
		walls [6]soa.ID
		want  string
	}{
		"twice": {with(1, walls[0]), "twice"}, "a body": {with(1, 0), "between body 0, expected a wall"}, "nothing": {with(1, 99), "body 99"},
		"bent": {with(5, bent), "off the plane"}, "a block": {with(5, solid), "is a block"},
		"not opposite": {with(5, soa.ID(planeWall(t, w, PlanePose(vec.V(0, 0, 1), vec.V(0, 0.1, -1)), Motion{}))), "none of the other walls"},
		"turned away":  {with(5, soa.ID(planeWall(t, w, PlanePose(vec.V(0, 0, 1), vec.V(0, 0, 1)), Motion{}))), "expected them parallel"},
		"two pairs parallel": {[6]soa.ID{walls[0], walls[1], walls[2], walls[3], soa.ID(planeWall(t, w, PlanePose(vec.Vec3{}, vec.V(0, 1, 0)), Motion{})),
			soa.ID(planeWall(t, w, PlanePose(vec.V(0, 2, 0), vec.V(0, -1, 0)), Motion{}))}, "span space"},
	} {
		if _, err := w.BetweenWalls(c.walls); !errors.Is(err, ErrRegion) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := BoxRegion(vec.Box{Max: vec.V(1, 1, 0)}); !errors.Is(err, ErrRegion) {
		t.Errorf("a flat box: %v", err)
	}
	if _, err := BallRegion(vec.V(math.NaN(), 0, 0), 1); !errors.Is(err, ErrRegion) {
		t.Errorf("a ball nowhere: %v", err)
	}
	if _, err := w.Stress(Region{}); !errors.Is(err, ErrRegion) {
		t.Errorf("no region: %v", err)
	}
}

// TestUnbalanced rests a cube on a floor: the ratio falls from 1 to the error of the integration. Without contacts it is 1.
func TestUnbalanced(t *testing.T) {
	w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: 1e6, Restitution: 0.1})
	planeWall(t, w, vec.IdentityPose, Motion{})
	addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 1, 1, 1)), 1000), Pose: at(0, 0, 0.505)})
	if u := w.Unbalanced(); u != 1 {
		t.Errorf("in flight: %g, expected 1", u)
	}
	steps(t, w, 2000, 1e-3)
	if u := w.Unbalanced(); !(u < 1e-6) {
		t.Errorf("at rest: %g, expected 0", u)
	}
}

// TestMeasuresHaveFixedSums compares the measures of worlds with other workers and tiles, and of a restored one, bit by bit.
func TestMeasuresHaveFixedSums(t *testing.T) {
	r, err := BoxRegion(vec.Box{Min: vec.V(-0.5, -0.5, 0), Max: vec.V(0.5, 0.3, 0.5)})
	if err != nil {
		t.Fatal(err)
	}
	var worlds []*World
	for _, cfg := range []Config{{}, {Workers: 4, TilePairs: 16}} {
		w := heap(t, cfg, 100)
		steps(t, w, 600, 5e-4)
		worlds = append(worlds, w)
	}
	restored := heap(t, Config{}, 100)
	if err := restored.Restore(worlds[0].State()); err != nil {
		t.Fatal(err)
	}
	var want RegionMeasure
	if err := worlds[0].MeasureRegion(r, &want); err != nil || want.Contacts < 25 || want.Sliding == 0 {
		t.Fatalf("%+v, %v", want, err)
	}
	for i, w := range append(worlds[1:], restored) {
		var m RegionMeasure
		if err := w.MeasureRegion(r, &m); err != nil || m != want || w.Unbalanced() != worlds[0].Unbalanced() {
			t.Errorf("world %d: %+v, %v, expected %+v", i, m, err, want)
		}
	}
	w := worlds[0]
	if n := testing.AllocsPerRun(3, func() { _ = w.MeasureRegion(r, &want); _ = w.Unbalanced() }); n != 0 {
		t.Errorf("a measure allocates %g times", n)
	}
}
