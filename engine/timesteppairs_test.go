package engine

import (
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestTimeStepOfManyMaterials compares the time step of more than squareMaterials materials with
// that of all pairs. A stiff pair, a soft law of the lightest pair, and the base law each decide
// some of the limits.
func TestTimeStepOfManyMaterials(t *testing.T) {
	const n = squareMaterials + 40
	table, err := force.NewTable(n, force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.3, ByRestitution: true, Restitution: 0.4})
	if err != nil {
		t.Fatal(err)
	}
	soft := force.Linear{Kn: 1e2, Kt: 1e2, ByRestitution: true, Restitution: 1}
	for k := range n { // all pairs of the lightest material, and of some others
		for _, a := range []int{0, 17} {
			if err := table.Set(soa.Material(a), soa.Material(k), soft); err != nil {
				t.Fatal(err)
			}
		}
	}
	w, err := New(Config{Law: table})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	box, err := geometry.Box(1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	shape, err := w.AddShape(box.Template())
	if err != nil {
		t.Fatal(err)
	}
	for k := range n {
		part := Part{Shape: shape, Material: soa.Material(k), Density: float64(1 + (k*7919)%n)}
		if _, err := w.AddBody(BodySpec{Parts: []Part{part}, Pose: vec.Pose{Pos: vec.V(float64(2*k), 0, 0), Rot: vec.Identity}}); err != nil {
			t.Fatal(err)
		}
	}
	want := noLimit()
	of := stepBounds{w}.lightestOf(0, 0)
	for a := range n {
		for b := a; b < n; b++ {
			law := table.At(soa.Material(a), soa.Material(b))
			of[a].with(&of[b], func(x, y inverseMass) {
				want.impact(law, 1/(of[a].lightest+of[b].lightest), 0)
				want.add(law, x, y, 0)
			})
		}
	}
	if got := w.TimeStep(); got != want {
		t.Errorf("time step %+v, expected %+v", got, want)
	}
}
