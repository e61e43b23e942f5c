package engine

import (
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestMixedWallActsAsTwo compares a wall of facets, a block, a ball and a plane with a wall of the
// facets and another one of the other pieces. A body, added before or after the walls, must feel the
// same forces.
func TestMixedWallActsAsTwo(t *testing.T) {
	for name, law := range setLaws {
		for k, shape := range []*soa.Template{ball(t, 0.5), rock(t, 3, 16, 0.5)} {
			for seed := range uint64(15) {
				r := geometry.NewRand(seed)
				pose := vec.Pose{Pos: vec.V(r.Range(-0.8, 1.2), r.Range(-0.8, 0.8), r.Range(0.3, 0.8)), Rot: r.Rotation()}
				forceOn := func(mixed, last bool) vec.Vec3 {
					w := newWorld(t, Config{}, law)
					var id soa.ID
					body := func() { id = addMoving(t, w, addShape(t, w, shape), pose, vec.V(1, 0, 0), vec.Vec3{}) }
					if !last {
						body()
					}
					facets := triangles{{vec.V(-2, -2, 0), vec.V(2, -2, 0), vec.V(2, 2, 0)}, {vec.V(-2, -2, 0), vec.V(2, 2, 0), vec.V(-2, 2, 0)}}.parts(t, w)
					others := []Part{
						{Shape: addShape(t, w, box(t, 1, 1, 1)), Local: at(1.1, 0, 0.2)}, {Shape: addShape(t, w, ball(t, 0.3)), Local: at(-1, 0, 0.2)},
						{Shape: addShape(t, w, PlaneTemplate()), Local: PlanePose(vec.V(0, -0.9, 0), vec.V(0, 1, 0))},
					}
					if mixed {
						addWall(t, w, WallSpec{Parts: []Part{facets[0], others[0], others[1], others[2], facets[1]}})
					} else {
						addWall(t, w, WallSpec{Parts: facets})
						addWall(t, w, WallSpec{Parts: others})
					}
					if last {
						body()
					}
					steps(t, w, 2, 1e-4)
					return w.Bodies().Force.At(int(id))
				}
				for _, last := range []bool{false, true} {
					if got, want := forceOn(true, last), forceOn(false, last); !(got.Sub(want).Norm() <= 1e-9*(1+want.Norm())) {
						t.Errorf("%s, shape %d, seed %d, body last: %v: force %v, expected %v", name, k, seed, last, got, want)
					}
				}
			}
		}
	}
}
