package soa

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// distinctPyramid returns a pyramid about its centroid with the given inner radius.
func distinctPyramid(h, inner float64) *Template {
	t := pyramid(h)
	t.Inner = inner
	return t
}

// TestDistinct checks that a body is distinct unless it is thin or two of its planes nearly
// coincide.
func TestDistinct(t *testing.T) {
	for _, c := range []struct {
		name string
		body *Template
		want bool
	}{
		{"pyramid", distinctPyramid(2, 0.5), true},
		{"nothing known of its inside", distinctPyramid(2, 0), false},
		{"its sides nearly in one plane", distinctPyramid(0x1p-16, 0.5), false},
		{"its sides 20° apart", distinctPyramid(0.25, 0.1), true},
		{"facet", &Template{
			Kind: Facet, Radius: 1, Inner: 1, Verts: []vec.Vec3{{X: 1}, {Y: 1}, {X: -1}}, Normals: []vec.Vec3{{Z: 1}, {Z: -1}}, Offsets: []float64{0, 0},
			LoopFirst: []HalfEdge{0, 3, 6}, Tail: []Vertex{0, 1, 2, 0, 2, 1}, Twin: []HalfEdge{5, 4, 3, 2, 1, 0},
		}, false},
	} {
		var s Shapes
		if got := s.View(add(t, &s, c.body)).Distinct; got != c.want {
			t.Errorf("%s: distinct %v, expected %v", c.name, got, c.want)
		}
	}
	// For two parallel faces of opposite normals, only their distance matters.
	wedge := distinctPyramid(2, math.Inf(1))
	wedge.Normals[1], wedge.Offsets[1] = wedge.Normals[0].Neg(), 0x1p-11
	if wedge.isDistinct() {
		t.Error("a plate is distinct")
	}
}
