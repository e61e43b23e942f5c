package engine

import (
	"math"
	"testing"
	"time"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// TestManyFacetsAboutOneVertex steps a block on the tip of a cone of many facets. The step takes a
// second if each pair of contacts is compared once, and minutes if each facet is compared with all
// facets of all contacts.
func TestManyFacetsAboutOneVertex(t *testing.T) {
	const n = 2000
	w := newWorld(t, Config{}, force.Linear{Kn: 1e4})
	addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.5, 0.5, 0.5)), 1000), Pose: at(0, 0, 0.2499)})
	about := func(k int) vec.Vec3 {
		s, c := vec.Sincos(2 * math.Pi * float64(k) / float64(n))
		return vec.V(c, s, -0.1)
	}
	var cone triangles
	for k := range n {
		cone = append(cone, []vec.Vec3{{}, about(k), about(k + 1)})
	}
	cone.wall(t, w, vec.IdentityPose, Motion{})
	begun := time.Now()
	if err := w.Step(1e-6); err != nil {
		t.Fatal(err)
	}
	if c := w.AnsweredBy(); c.By[narrow.ByFeature]+c.By[narrow.ByWalk]+c.By[narrow.BySearch] < 2*int64(n) {
		t.Fatalf("pairs are answered by %v in two evaluations, expected %d facets to be touched", c.By, n)
	}
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("a step with %d facets took %v", n, took)
	}
}
