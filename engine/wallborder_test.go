package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// overBorder returns a world of a ball on a floor of two facets. The ball moves from a facet under
// one law to a facet under another law.
func overBorder(t *testing.T, from, to force.Parameters) *World {
	t.Helper()
	table, err := force.NewTable(3, from)
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Set(0, 2, to); err != nil {
		t.Fatal(err)
	}
	w, err := New(Config{Law: table, Workers: 1, Gravity: vec.V(0, 0, -10)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	parts := triangles{
		{vec.V(-4, -4, 0), vec.V(0, -4, 0), vec.V(0, 4, 0), vec.V(-4, 4, 0)},
		{vec.V(0, -4, 0), vec.V(4, -4, 0), vec.V(4, 4, 0), vec.V(0, 4, 0)},
	}.parts(t, w)
	parts[0].Material, parts[1].Material = 1, 2
	addWall(t, w, WallSpec{Parts: parts})
	addMoving(t, w, addShape(t, w, ball(t, 0.5)), at(-0.01, 0.3, 0.49995), vec.V(4, 0, 0), vec.V(0, 0, 3))
	return w
}

// TestSpringsPassToAnotherLaw moves a ball with a stretched friction spring to a facet with another
// tangential stiffness. The ledger must account for the change of the spring's energy.
func TestSpringsPassToAnotherLaw(t *testing.T) {
	soft := force.Thickness{Stiffness: 1e5, Tangential: 1e4, Friction: 0.5, Restitution: 1}
	stiff := soft
	stiff.Tangential = 1e5
	softLinear, stiffLinear := force.Linear{Kn: 1e5, Kt: 1e4, Mu: 0.5}, force.Linear{Kn: 1e5, Kt: 1e5, Mu: 0.5}
	for name, laws := range map[string][2]force.Parameters{
		"to a stiffer law": {soft, stiff}, "to a softer law": {stiff, soft},
		"to a stiffer linear law": {softLinear, stiffLinear}, "to a softer linear law": {stiffLinear, softLinear},
		"from thickness to linear": {soft, stiffLinear}, "from linear to thickness": {stiffLinear, soft},
	} {
		w := overBorder(t, laws[0], laws[1])
		before := w.Measure().LeftOver
		for w.Bodies().Pos.X[1] < 0.005 {
			steps(t, w, 1, 1e-4)
			m := w.Measure()
			if jump := math.Abs(m.LeftOver - before); !(jump < 1e-6) {
				t.Errorf("%s: left over jumps by %g J at x = %g m", name, jump, w.Bodies().Pos.X[1])
			}
			before = m.LeftOver
		}
		// A history that the law of its row cannot have stored would be refused here.
		if err := overBorder(t, laws[0], laws[1]).Restore(w.State()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
