package engine

import (
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestPiecesWithAPlaceOfTheirOwn drops bodies of several pieces onto one another. Batches assume
// that a piece has the pose of its body, so none of these pairs may be proven in a batch. With the
// tag invariants, every certificate's answer is compared with a search.
func TestPiecesWithAPlaceOfTheirOwn(t *testing.T) {
	w := newWorld(t, Config{Gravity: vec.V(0, 0, -9.81)},
		force.Linear{Kn: 1e6, Kt: 8e5, Mu: 0.5, ByRestitution: true, Restitution: 0.3})
	cube := addShape(t, w, box(t, 0.2, 0.2, 0.2))
	tooth := addShape(t, w, rock(t, 3, 12, 0.12))
	floor(t, w, 3)
	for i := range 6 {
		parts := []Part{
			{Shape: cube, Density: 2000, Local: vec.Pose{Pos: vec.V(-0.1, 0, 0), Rot: vec.Identity}},
			{Shape: cube, Density: 2000, Local: vec.Pose{Pos: vec.V(0.1, 0.03, 0), Rot: vec.FromRotationVector(vec.V(0, 0, 0.3))}},
			{Shape: tooth, Density: 2000, Local: vec.Pose{Pos: vec.V(0, 0.05, 0.12), Rot: vec.FromRotationVector(vec.V(0.4, 0.2, 0))}},
		}
		addBody(t, w, BodySpec{Parts: parts, Pose: vec.Pose{
			Pos: vec.V(0.03*float64(i%2), 0.02*float64(i%3), 0.14+0.3*float64(i)),
			Rot: vec.FromRotationVector(vec.V(0.1*float64(i), 0.05, 0.2*float64(i))),
		}})
	}
	touched := 0
	for range 50 {
		steps(t, w, 50, 1e-4)
		c := &w.space.Contacts
		for i := range w.space.ActiveRows {
			a, b := w.space.PiecesOf(i)
			if w.space.Pieces.Kind[a] != soa.Block || !w.space.Pieces.Offset[a] && !w.space.Pieces.Offset[b] {
				continue
			}
			touched++
			if c.Proven[i] > 0 {
				t.Fatalf("pieces %d and %d: proven to %g", a, b, c.Proven[i])
			}
		}
	}
	if touched < 100 {
		t.Errorf("%d contacts of such pieces seen, expected more", touched)
	}
}
