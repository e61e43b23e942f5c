package engine

import (
	"testing"

	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// TestCrownsAreOnlyAGuess drops rounded cubes twice, once without the crowns that locations left in the step before: rolling, their
// cores pass from facets to edges and corners, which have none, and back.
func TestCrownsAreOnlyAGuess(t *testing.T) {
	for _, seed := range []uint64{12, 30} {
		var worlds [2]*World
		for k := range worlds {
			w := newWorld(t, Config{Gravity: vec.V(0, 0, -9.81)},
				force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.5, ByRestitution: true, Restitution: 0.4})
			floor(t, w, 2)
			r, cube := geometry.NewRand(seed), addShape(t, w, rounded(box(t, 0.2, 0.2, 0.2), 0.01))
			for i := range 4 {
				at := vec.V(0.03*float64(i), 0.02, 0.15+0.25*float64(i))
				addBody(t, w, Body{Parts: one(cube, 2600), Pose: vec.Pose{Pos: at, Rot: r.Rotation()}})
			}
			worlds[k] = w
		}
		with, without := worlds[0], worlds[1]
		left, cleared := 0, 0
		for range 1500 {
			steps(t, with, 1, 1e-4)
			steps(t, without, 1, 1e-4)
			if with.Hash() != without.Hash() {
				t.Fatalf("seed %d: after %d steps the crowns have changed the motion", seed, left)
			}
			left++
			for _, crown := range without.contacts.CrownA {
				if crown != 0 {
					cleared++
				}
			}
			clear(without.contacts.CrownA)
		}
		if cleared < 50 {
			t.Errorf("seed %d: %d crowns seen, too few to prove anything", seed, cleared)
		}
	}
}
