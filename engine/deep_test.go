package engine

import (
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine/force"
)

// TestDeepPairsAreNamedOnce: two bodies whose pieces begin deep in each other are one pair, with
// the deepest of its contacts.
func TestDeepPairsAreNamedOnce(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1e4})
	s := addShape(t, w, ball(t, 1))
	var clump []Part
	for i := range 12 {
		clump = append(clump, Part{Shape: s, Density: 1000, Local: at(0, 3*float64(i), 0)})
	}
	addBody(t, w, Body{Name: "a", Parts: clump, Pose: at(0, 0, 0)})
	addBody(t, w, Body{Name: "b", Parts: clump, Pose: at(1.5, 0, 0)})
	addBody(t, w, Body{Name: "c", Parts: one(s, 1000), Pose: at(-1, 0, 0)})
	w.Measure()
	if got := strings.Join(w.Warnings(), "; "); len(w.Warnings()) != 2 ||
		!strings.Contains(got, "body 0 (a) and body 1 (b) start 0.5 m inside each other") ||
		!strings.Contains(got, "body 0 (a) and body 2 (c) start 1 m inside each other") {
		t.Errorf("warnings %q", w.Warnings())
	}
}
