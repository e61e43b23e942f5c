package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestPoseRows checks that old pose rows have no effect on a step, even if a program has moved a
// body, and that they equal the poses afterwards.
func TestPoseRows(t *testing.T) {
	w, twin := masonry(t, Config{Workers: 2}), masonry(t, Config{Workers: 2})
	moved := false
	for k := range 40 {
		for rows, i := w.space.Internals().PoseRows(), 0; i < len(rows); i++ {
			rows[i] = math.NaN()
		}
		if k == 20 {
			id := soa.ID(w.bodies.Len() - 1)
			for _, world := range []*World{w, twin} {
				pose := world.bodies.Pose(soa.Body(id))
				pose.Pos = pose.Pos.Add(vec.V(0, 0, 1e-5))
				if err := world.SetPose(id, pose); err == nil {
					moved = true
				}
			}
		}
		steps(t, w, 5, thicknessStep)
		steps(t, twin, 5, thicknessStep)
		if w.Hash() != twin.Hash() {
			t.Fatalf("step %d: hash %016x where all rows were written over, %016x where none was", 5*(k+1), w.Hash(), twin.Hash())
		}
		rows := w.space.Internals().PoseRows()
		for i, want := range w.bodies.PoseRows() {
			if i%soa.PoseSize < 7 && rows[i] != want {
				t.Fatalf("step %d: number %d of the row of body %d is %g, its pose has %g", 5*(k+1), i%soa.PoseSize, i/soa.PoseSize, rows[i], want)
			}
		}
	}
	if known := w.AnsweredBy().Overlap; known == 0 || !moved {
		t.Errorf("%d overlaps were known in the last step, a body moved: %v", known, moved)
	}
}
