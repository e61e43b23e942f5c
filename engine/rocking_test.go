package engine

import (
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
)

// TestRockingOnAFace drops rocks of four vertices on a block, where they rock. Each contact must
// equal that of an exhaustive search to the bit while the vertex changes.
func TestRockingOnAFace(t *testing.T) {
	w := newWorld(t, Config{Gravity: down}, force.Linear{Kn: 1e6, Kt: 1e6, Mu: 0.5, ByRestitution: true, Restitution: 0.3})
	slab(t, w)
	for i := range 12 {
		shape := addShape(t, w, rock(t, uint64(i), 4, 0.2))
		addBody(t, w, BodySpec{Parts: one(shape, 1000), Pose: at(0.6*float64(i%4)-0.9, 0.6*float64(i/4)-0.6, 0.25)})
	}
	s := narrow.NewSearch()
	seen, changed := 0, 0
	for range 6000 {
		was := append([]soa.FacetID(nil), w.space.Contacts.Facet...)
		steps(t, w, 1, 2e-4)
		for i, active := range w.space.Contacts.Active {
			if !active || i >= len(was) {
				continue
			}
			seen++
			if w.space.Contacts.Facet[i] != was[i] {
				changed++
			}
			a, b := w.space.PiecesOf(i)
			var want narrow.Answer
			s.Exhaustive(w.space.Shapes.View(w.space.Pieces.Shape[a]), w.space.Pieces.Pose(&w.bodies, a),
				w.space.Shapes.View(w.space.Pieces.Shape[b]), w.space.Pieces.Pose(&w.bodies, b), 0, &want)
			if w.space.Contacts.Gap[i] != want.Gap || w.space.Contacts.Normal.At(i) != want.Normal || w.space.Contacts.Facet[i] != want.Facet {
				t.Fatalf("pieces %d and %d: %v at %v along %v, the exhaustive search says %v at %v along %v", a, b,
					w.space.Contacts.Facet[i], w.space.Contacts.Gap[i], w.space.Contacts.Normal.At(i), want.Facet, want.Gap, want.Normal)
			}
		}
	}
	if seen < 10000 || changed < 200 {
		t.Errorf("%d contacts, and %d changed to another vertex: too few to prove anything", seen, changed)
	}
}
