package engine

import (
	"errors"
	"testing"

	"github.com/scree-dem/scree/force"
)

// TestClumpsOfMaterialsThatMustNotMeet adds clumps whose two blocks have materials under a law that
// is undefined between blocks. One clump does not meet itself. A second body may meet the first.
func TestClumpsOfMaterialsThatMustNotMeet(t *testing.T) {
	law := force.Thickness{Stiffness: 1e5, Restitution: 1}
	table, err := force.NewTable(2, law)
	if err != nil {
		t.Fatal(err)
	}
	law.ReferenceGap, law.Interaction = 0.01, 0.01
	if err := table.Set(0, 1, law); err != nil {
		t.Fatal(err)
	}
	for name, second := range map[string]int{"the same clump": 2, "one block": 1} {
		w, err := New(Config{Law: table, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		shape := addShape(t, w, box(t, 1, 1, 1))
		parts := []Part{{Shape: shape, Density: 1}, {Shape: shape, Density: 1, Material: 1, Local: at(0, 0, 1)}}
		first := addBody(t, w, BodySpec{Parts: parts})
		if _, err := w.AddBody(BodySpec{Parts: parts[:second], Pose: at(5, 0, 0)}); !errors.Is(err, ErrBody) {
			t.Errorf("%s: error %v, expected one that wraps ErrBody", name, err)
		}
		if err := w.RemoveBody(w.Bodies().ID[first]); err != nil {
			t.Fatal(err)
		}
		if _, err := w.AddBody(BodySpec{Parts: parts[:second], Pose: at(5, 0, 0)}); err != nil {
			t.Errorf("%s: %v, expected that it may come once the first has gone", name, err)
		}
	}
}
