package engine

import (
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// columns returns columns of bricks on a plane, all with the same rotation.
func columns(t *testing.T, turn vec.Quat) *World {
	w := newWorld(t, Config{Gravity: down}, force.Linear{Kn: 2e5, Kt: 2e5, Mu: 0.5, ByRestitution: true, Restitution: 0.3})
	shape := addShape(t, w, box(t, 0.2, 0.1, 0.08))
	addWall(t, w, WallSpec{Parts: []Part{{Shape: addShape(t, w, PlaneTemplate())}}, Pose: PlanePose(vec.Vec3{}, vec.V(0, 0, 1))})
	for i := range 12 {
		for row := range 8 {
			pose := vec.Pose{Pos: vec.V(0.203*float64(i%4), 0.103*float64(i/4), 0.04+0.08*float64(row)), Rot: turn}
			addBody(t, w, BodySpec{Parts: one(shape, 2000), Pose: pose})
		}
	}
	return w
}

// TestTiltedColumns checks bricks that stand on each other with a tilt of 1e-8, as in a file. They
// must be proven from step to step like exactly parallel ones: almost without walks, and without
// searches.
func TestTiltedColumns(t *testing.T) {
	const n = 400
	var by [2][narrow.NAnsweredBy]int64
	for k, turn := range []vec.Quat{vec.Identity, {W: 1, X: 1e-8, Y: 0.7e-8, Z: 0.4e-8}} {
		w := columns(t, turn.Normalized())
		steps(t, w, 60, 1e-4)
		before := w.AnsweredBy()
		steps(t, w, n, 1e-4)
		l := w.AnsweredBy()
		for i := range l.By {
			by[k][i] = l.By[i] - before.By[i]
		}
		t.Logf("%v: by level %v", turn, by[k])
	}
	tilted := &by[1]
	if proven := tilted[narrow.ByFeature]; proven < 84*n || tilted[narrow.BySearch] > by[0][narrow.BySearch] ||
		tilted[narrow.ByWalk] > proven/1000 {
		t.Errorf("of tilted bricks by level %v, of level ones %v", by[1], by[0])
	}
}
