package engine

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// spikes returns triangles of a plane around one point, with gaps between them.
func spikes(n int) (floor triangles) {
	at := func(k float64) vec.Vec3 {
		s, c := vec.Sincos(2 * math.Pi * k / float64(n))
		return vec.V(c, s, 0)
	}
	for k := range n {
		floor = append(floor, []vec.Vec3{{}, at(float64(k)), at(float64(k) + 0.5)})
	}
	return floor
}

// TestWallsThatTakeTooMuch checks that a wall is rejected, and the world unchanged, if so many
// facets meet in one point or cross each other that a step or the outline would take too long.
func TestWallsThatTakeTooMuch(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1e5})
	const most = 32 // largest number of open edges that may meet
	wall := func(f triangles) WallSpec {
		return WallSpec{Name: "star", Parts: f.parts(t, w), Pose: vec.IdentityPose}
	}
	bodies, pieces, groups := w.bodies.Len(), w.space.Pieces.Len(), groupsIn(w)
	_, err := w.AddWall(wall(spikes(most + 1)))
	if !errors.Is(err, ErrBody) || !strings.Contains(err.Error(), `wall 0 "star": 33 facets in one plane are too tangled about (0, 0, 0) m of the wall's frame: 33 corners of their outline meet`) {
		t.Errorf("error %v, expected one of too many that meet", err)
	}
	if w.bodies.Len() != bodies || w.space.Pieces.Len() != pieces || groupsIn(w) != groups {
		t.Errorf("%d bodies, %d pieces, %d groups after a wall that was refused", w.bodies.Len(), w.space.Pieces.Len(), groupsIn(w))
	}
	id, err := w.AddWall(wall(spikes(most)))
	if err != nil || int(id) != bodies || groupsIn(w) != groups+1 || w.space.Groups.Of(soa.Piece(pieces)) != groups+1 {
		t.Errorf("wall %d, error %v, %d groups", id, err, groupsIn(w))
	}
}

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
