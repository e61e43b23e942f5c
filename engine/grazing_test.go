package engine

import (
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
)

// grazingWall returns a wall of bricks in running bond without joints on a slab; all bricks touch
// to within rounding.
func grazingWall(t *testing.T, gravity bool) *World {
	cfg := Config{}
	if gravity {
		cfg.Gravity = down
	}
	w := newWorld(t, cfg, force.Linear{Kn: 1e6, Kt: 1e6, Mu: 0.5, ByRestitution: true, Restitution: 0.3})
	shape := addShape(t, w, box(t, 0.3, 0.1, 0.1))
	slab(t, w)
	for row := range 8 {
		for k := range 12 {
			addBody(t, w, BodySpec{Parts: one(shape, 1000), Pose: at(0.3*float64(k)-1.5+0.15*float64(row%2), 0, 0.05+0.1*float64(row))})
		}
	}
	return w
}

// TestWallThatGrazes simulates a wall of bricks that touch to within rounding, with and without
// weight. After the first steps almost none of its bed joints and head joints may need a search,
// whether or not rounding separates the bricks. The run must continue from any step with the same
// bits, whatever certificates it has. With -tags invariants, all proofs are compared with searches.
func TestWallThatGrazes(t *testing.T) {
	for _, gravity := range []bool{false, true} {
		w := grazingWall(t, gravity)
		steps(t, w, 2, 1e-4)
		before := w.AnsweredBy()
		for range 8 {
			steps(t, w, 100, 1e-4)
			again := grazingWall(t, gravity)
			if err := again.Restore(w.State()); err != nil {
				t.Fatal(err)
			}
			steps(t, again, 3, 1e-4)
			steps(t, w, 3, 1e-4)
			if w.Hash() != again.Hash() {
				t.Errorf("weight %v: step %d gives other bits after a restart", gravity, w.step)
			}
		}
		l := w.AnsweredBy()
		for i := range l.By {
			l.By[i] -= before.By[i]
		}
		t.Logf("weight %v: by level %v, %d active", gravity, l.By, l.Active-before.Active)
		if n := l.By[narrow.BySearch]; float64(n) > 0.01*float64(l.By[narrow.ByFeature]) {
			t.Errorf("weight %v: %d searches, %d proven", gravity, n, l.By[narrow.ByFeature])
		}
	}
}
