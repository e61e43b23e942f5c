package engine

import (
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Builders for the tests of this package.

var down = vec.V(0, 0, -9.81)

func newWorld(t testing.TB, cfg Config, law force.Parameters) *World {
	t.Helper()
	table, err := force.NewTable(1, law)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Law = table
	if cfg.Workers == 0 {
		cfg.Workers = 1
	}
	w, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

func addShape(t testing.TB, w *World, s *soa.Template) soa.Shape {
	t.Helper()
	id, err := w.AddShape(s)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func box(t testing.TB, a, b, c float64) *soa.Template {
	t.Helper()
	p, err := geometry.Box(a, b, c)
	if err != nil {
		t.Fatal(err)
	}
	return p.Template()
}

func rock(t testing.TB, seed uint64, n int, r float64) *soa.Template {
	t.Helper()
	p, err := geometry.Rock(seed, n, r)
	if err != nil {
		t.Fatal(err)
	}
	return p.Template()
}

func ball(t testing.TB, r float64) *soa.Template {
	t.Helper()
	s, err := geometry.BallTemplate(r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func facet(t testing.TB, a, b, c vec.Vec3) *soa.Template {
	t.Helper()
	s, err := geometry.FacetTemplate(a, b, c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func addBody(t testing.TB, w *World, b BodySpec) int {
	t.Helper()
	id, err := w.AddBody(b)
	if err != nil {
		t.Fatal(err)
	}
	return int(id)
}

func addWall(t testing.TB, w *World, v WallSpec) int {
	t.Helper()
	id, err := w.AddWall(v)
	if err != nil {
		t.Fatal(err)
	}
	return int(id)
}

// one returns the parts of a body with a single shape of density rho.
func one(s soa.Shape, rho float64) []Part { return []Part{{Shape: s, Density: rho}} }

func at(x, y, z float64) vec.Pose { return vec.Pose{Pos: vec.V(x, y, z), Rot: vec.Identity} }

// floor adds a wall of two facets in the plane z = 0, a square of side 2·half.
func floor(t testing.TB, w *World, half float64) int {
	t.Helper()
	a, b := vec.V(-half, -half, 0), vec.V(half, -half, 0)
	c, d := vec.V(half, half, 0), vec.V(-half, half, 0)
	return addWall(t, w, WallSpec{Name: "floor", Pose: vec.IdentityPose, Parts: []Part{
		{Shape: addShape(t, w, facet(t, a, b, c))}, {Shape: addShape(t, w, facet(t, a, c, d))},
	}})
}

func steps(t testing.TB, w *World, n int, dt float64) {
	t.Helper()
	for range n {
		if err := w.Step(dt); err != nil {
			t.Fatal(err)
		}
	}
}

// heap drops n rocks and balls above a floor inside a tray of four block walls.
func heap(t testing.TB, cfg Config, n int) *World {
	t.Helper()
	return heapUnder(t, force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.5, ByRestitution: true, Restitution: 0.4}, 0, cfg, n)
}

// heapUnder is heap under a given law, with rocks of a given rounding radius and unchanged size.
func heapUnder(t testing.TB, law force.Parameters, round float64, cfg Config, n int) *World {
	t.Helper()
	cfg.Gravity = down
	w := newWorld(t, cfg, law)
	floor(t, w, 2)
	side := addShape(t, w, box(t, 0.2, 4, 4))
	for i := range 4 {
		turn := vec.FromRotationVector(vec.V(0, 0, float64(i)*pi/2))
		addWall(t, w, WallSpec{Parts: []Part{{Shape: side}}, Pose: vec.Pose{Pos: turn.Rotate(vec.V(0.7, 0, 0)), Rot: turn}})
	}
	var kinds []soa.Shape
	for i := range 6 {
		core := rock(t, uint64(i), 8+4*i, 0.1-round)
		core.Round = round
		kinds = append(kinds, addShape(t, w, core))
	}
	kinds = append(kinds, addShape(t, w, ball(t, 0.1)))
	r := geometry.NewRand(1)
	for i := range n {
		p := vec.V(0.25*float64(i%4)-0.375, 0.25*float64(i/4%4)-0.375, 0.12+0.24*float64(i/16))
		p = p.AddScaled(0.01, r.Unit())
		addBody(t, w, BodySpec{Parts: one(kinds[i%len(kinds)], 2600), Pose: vec.Pose{Pos: p, Rot: r.Rotation()}})
	}
	return w
}

// storedIn returns the energy, J, in the normal springs of a world.
func storedIn(w *World) float64 { return (*accountStage)(&w.ctx).totalSums().elastic.value() }
