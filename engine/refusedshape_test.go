package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestShapesRefused checks that AddShape refuses templates that are nil, empty or of no kind, and
// numbers that no shape has.
func TestShapesRefused(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1})
	cube := func(change func(*soa.Template)) *soa.Template {
		p, err := geometry.Box(1, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		made := p.Template()
		change(made)
		return made
	}
	for what, c := range map[string]struct {
		shape *soa.Template
		words string
	}{
		"nil":            {nil, "the shape is nil"},
		"zero":           {&soa.Template{}, "radius 0"},
		"a zero block":   {&soa.Template{Kind: soa.Block}, "radius 0"},
		"an empty block": {&soa.Template{Kind: soa.Block, Radius: 1}, "0 vertices"},
		"an empty facet": {&soa.Template{Kind: soa.Facet, Radius: 1}, "0 vertices"},
		"of no kind":     {&soa.Template{Kind: soa.NKinds, Radius: 1}, "kind 4, expected one of [ball block facet plane]"},
		"zero normals":   {cube(func(s *soa.Template) { clear(s.Normals) }), "expected a unit vector"},
		"a NaN corner":   {cube(func(s *soa.Template) { s.Verts[3].Y = math.NaN() }), "NaN"},
		"a NaN offset":   {cube(func(s *soa.Template) { s.Offsets[0] = math.NaN() }), "the offset NaN"},
		"inner radius":   {cube(func(s *soa.Template) { s.Inner = math.Inf(1) }), "inner radius +Inf"},
		"NaN radius":     {cube(func(s *soa.Template) { s.Radius = math.NaN() }), "radius NaN"},
	} {
		_, err := w.AddShape(c.shape)
		wantError(t, what, err, ErrBody, c.words)
	}
	if n := w.Shapes().Len(); n != 0 {
		t.Errorf("%d shapes are in the world, expected none", n)
	}
	plane := []Part{{Shape: addShape(t, w, PlaneTemplate())}}
	_, err := w.AddWall(WallSpec{Parts: plane, Pose: vec.IdentityPose, Motion: Motion{Amplitude: vec.V(0, 0, 1), Frequency: -2}})
	wantError(t, "a negative frequency", err, ErrBody, "Frequency ≥ 0")
}
