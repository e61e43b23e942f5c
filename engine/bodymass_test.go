package engine

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// TestGivenMass adds a body of two boxes that overlap with the mass of their union. The world must hold that mass, and
// the body fly about its centre, with the work of gravity on that mass.
func TestGivenMass(t *testing.T) {
	cube := box(t, 1, 1, 1)
	union, err := geometry.UnionMass([]geometry.MassPiece{{Shape: cube, Density: 1000}, {Shape: cube, Pose: at(0.5, 0, 0), Density: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: 1e6, Restitution: 0.5})
	h := addShape(t, w, cube)
	id := addBody(t, w, BodySpec{Parts: []Part{{Shape: h}, {Shape: h, Local: at(0.5, 0, 0)}}, Pose: at(0, 0, 3), Mass: &union})
	if m := w.bodies.Mass[id]; math.Abs(m-1500) > 1e-9 || w.bodies.Pos.At(id) != vec.V(0.25, 0, 3) {
		t.Errorf("the body has %.12g kg and its centre at %v, expected 1500 and (0.25, 0, 3)", m, w.bodies.Pos.At(id))
	}
	if got, want := w.bodies.Inertia[id].YY, 1500*(1.5*1.5+1)/12; math.Abs(got-want) > 1e-9 {
		t.Errorf("the moment about y is %.12g, expected %.12g", got, want)
	}
	steps(t, w, 1000, 1e-4)
	if v := w.bodies.Vel.Z[id]; math.Abs(v+0.981) > 1e-9 || w.bodies.Spin.At(id).Norm() > 1e-12 {
		t.Errorf("after 0.1 s it falls at %g m/s with spin %v", v, w.bodies.Spin.At(id))
	}
	for _, c := range []struct {
		change func(m *geometry.BodyMass)
		says   string
	}{
		{func(m *geometry.BodyMass) { m.Mass = 0 }, "mass 0"},
		{func(m *geometry.BodyMass) { m.Centre.X = math.NaN() }, "centre"},
		{func(m *geometry.BodyMass) { m.Inertia.XX = -1 }, "expected all above 0"},
		{func(m *geometry.BodyMass) { m.Inertia.XX = 1e4 }, "no body has such"},
		{func(m *geometry.BodyMass) { m.Inertia.XY = 1e3 }, "expected all above 0"},
	} {
		bad := union
		c.change(&bad)
		if _, err := w.AddBody(BodySpec{Parts: one(h, 1000), Pose: at(5, 0, 3), Mass: &bad}); !errors.Is(err, ErrBody) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, expected ErrBody saying %q", bad, err, c.says)
		}
	}
}
