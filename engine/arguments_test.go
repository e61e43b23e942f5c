package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// TestArgumentsAreCopied: a world does not follow a later change of its table of laws, from which the
// reach of the neighbour search and the stable time step are derived. It does not change the parts
// that it is given.
func TestArgumentsAreCopied(t *testing.T) {
	for _, n := range []int{2, 300} { // small tables store all pairs, large ones the named pairs
		table, err := force.NewTable(n, force.Linear{Kn: 1e6})
		if err != nil {
			t.Fatal(err)
		}
		set := func(l force.Linear) {
			if err := table.Set(0, 1, l); err != nil {
				t.Fatal(err)
			}
		}
		set(force.Linear{Kn: 1e6})
		w, err := New(Config{Law: table})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		parts := one(addShape(t, w, box(t, 1, 1, 1)), 1000)
		parts[0].Local = vec.Pose{}
		addBody(t, w, BodySpec{Parts: parts})
		addBody(t, w, BodySpec{Parts: []Part{{Shape: parts[0].Shape, Material: 1, Density: 1000}}, Pose: at(0, 0, 1.01)})
		if parts[0].Local != (vec.Pose{}) {
			t.Errorf("the local pose of the caller's part is %v", parts[0].Local)
		}
		stable := w.TimeStep().Stable
		set(force.Linear{Kn: 4e6, ReferenceGap: 0.1, Interaction: 0.1})
		steps(t, w, 1, 1e-4)
		if active := w.Measure().Active; active != 0 || w.TimeStep().Stable != stable || math.IsInf(stable, 0) {
			t.Errorf("%d materials: %d contacts, stable step %g s, expected none and %g s", n, active, w.TimeStep().Stable, stable)
		}
	}
}
