package surface

import (
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestCutEdgesCloses cuts a polygon with two corners in the cutting plane that rounding puts on
// different sides of it. Each edge must start where the one before ends, and none may be beyond the
// plane.
func TestCutEdgesCloses(t *testing.T) {
	a, b := vec.V(-0.75, -0.25, -0.075813138293098617), vec.V(-0.61002117445141246, -0.11002117445141243, -0.065614831832257067)
	c, d := vec.V(-0.75, 0, 0.079761185205203242), vec.V(-0.75, 0, 0.079761185205203228)
	polygon := []facetEdge{{a: a, b: b}, {a: b, b: c}, {a: c, b: d}, {a: d, b: a}}
	outward := vec.V(-0.6904361927459172, -0.6904361927459172, 0.21586043521925313)
	n := vec.V(0.4227547292749778, -0.4788121282727075, 0.7694266597243694)
	out := cutEdges(polygon, d, outward, n)
	for k, e := range out {
		if next := out[(k+1)%len(out)].a; e.b != next || !(outward.Dot(e.a.Sub(d)) < 1e-15) {
			t.Errorf("edge %d of %d leads from %v to %v, the next begins at %v", k, len(out), e.a, e.b, next)
		}
	}
	if len(out) < 3 {
		t.Errorf("%d edges are left", len(out))
	}
}
