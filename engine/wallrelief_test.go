package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
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

// TestAccountOfReliefOnFacets drives a cube with relief through a sheet of facets. Past the middle the
// cube is felt on the other side, by a contact without relief that stores as much at once. The ledger
// must account for what passes from one contact to the other.
func TestAccountOfReliefOnFacets(t *testing.T) {
	w := newWorld(t, Config{Relief: Relief{Time: 0.1}}, force.Thickness{Stiffness: 1e4, Restitution: 1})
	gridFloor(4, 0.02, 4).wall(t, w, vec.IdentityPose, Motion{})
	id := addMoving(t, w, addShape(t, w, box(t, 0.2, 0.2, 0.2)), at(0.05, 0.1, 0.01), vec.V(0, 0, -1), vec.Vec3{})
	const dt = 4e-5
	relieved := func() (all int) {
		for c := range w.ActiveContacts() {
			if w.forces.Relief[c.Row] != 0 {
				all++
			}
		}
		return all
	}
	before := relieved()
	for w.Bodies().Pos.Z[id] > -0.02 {
		steps(t, w, 1, dt)
	}
	m := w.Measure()
	if before == 0 || relieved() != 0 || m.Active == 0 {
		t.Fatalf("%d contacts had relief, %d of %d have it, expected some, then none of some", before, relieved(), m.Active)
	}
	if normal := w.NormalLeftOver(m, dt); !(math.Abs(m.LeftOver) < normal) {
		t.Errorf("left over %g J, expected at most %g J beside %g J that relief has put in", m.LeftOver, normal, m.Ledger.LawExcess)
	}
}
