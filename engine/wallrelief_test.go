package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/vec"
)

// TestReliefOnFacets starts a cube on its edge, and a ball in a valley, deep in walls of facets. The
// force must grow linearly with time from zero, as on a plane.
func TestReliefOnFacets(t *testing.T) {
	onEdge := vec.Pose{Pos: vec.V(0.1, 0.05, math.Sqrt(0.5)-0.01), Rot: vec.FromRotationVector(vec.V(math.Pi/4, 0, 0))}
	valley := triangles{
		{vec.V(0, -2, 0), vec.V(0, 2, 0), vec.V(-2, 2, 2), vec.V(-2, -2, 2)},
		{vec.V(0, -2, 0), vec.V(2, -2, 1), vec.V(2, 2, 1), vec.V(0, 2, 0)},
	}
	for name, build := range map[string]func(w *World){
		"cube": func(w *World) {
			gridFloor(8, 0, 1).wall(t, w, vec.IdentityPose, Motion{})
			addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), onEdge, vec.Vec3{}, vec.Vec3{})
		},
		"ball": func(w *World) {
			valley.wall(t, w, vec.IdentityPose, Motion{})
			addMoving(t, w, addShape(t, w, ball(t, 0.5)), at(0.095, 0.1, 0.584), vec.Vec3{}, vec.Vec3{})
		},
	} {
		w := newWorld(t, Config{Relief: Relief{Time: 1}}, force.Thickness{Stiffness: 1e5, Restitution: 1})
		build(w)
		w.Measure()
		forceAt := func(time float64) float64 {
			w.time, w.changed = time, true
			w.begin()
			return w.Bodies().Force.Z[1]
		}
		half, full := forceAt(0.5), forceAt(1)
		if !(full > 0) || !(math.Abs(half-0.5*full) < 1e-9*full) {
			t.Errorf("%s: the force is %g N after half of the time and %g N at its end", name, half, full)
		}
	}
}
