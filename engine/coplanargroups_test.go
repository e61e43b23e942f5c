package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestCoplanarFacetsAreFound checks that facets of one plane and material are one group, whatever
// their orientation and even if they are not connected. Facets off the plane, of another material,
// or alone in their plane must not be in the group.
func TestCoplanarFacetsAreFound(t *testing.T) {
	law, err := force.NewTable(2, force.Linear{Kn: 1})
	if err != nil {
		t.Fatal(err)
	}
	w, err := New(Config{Law: law})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	turn := vec.FromRotationVector(vec.V(0.4, 0.2, -0.7))
	p := func(x, y, z float64) vec.Vec3 { return turn.Rotate(vec.V(x, y, z)).Add(vec.V(5, 6, 7)) }
	var parts []Part
	for _, f := range []struct {
		a, b, c  vec.Vec3
		material soa.Material
	}{
		{p(0, 0, 0), p(1, 0, 0), p(0, 1, 0), 0},
		{p(1, 0, 0), p(0, 1, 0), p(1, 1, 0), 0},             // opposite orientation
		{p(7, 7, 0), p(8, 7, 0), p(7, 8, 0), 0},             // far away
		{p(0, 0, 1), p(1, 0, 1), p(0, 1, 1), 0},             // parallel
		{p(0, 0, 0), p(1, 0, 0), p(0, 0, 1), 0},             // upright
		{p(2, 0, 0), p(3, 0, 0), p(2, 1, 0), 1},             // of another material
		{p(4, 0, 0), p(5, 0, 0), p(4, 1, 1e-6), 0},          // off the plane
		{p(0, 0, 2), p(1, 0, 2), p(0, 1, 2), 0},             // two more in another plane
		{p(0.5, 0.5, 2), p(2, 0.5, 2), p(0.5, 2.1, 2), 0},   //
		{p(9, 0, 0), p(9.001, 0, 0), p(9, 0.001, 1e-15), 0}, // small
	} {
		parts = append(parts, Part{Shape: addShape(t, w, facet(t, f.a, f.b, f.c)), Material: f.material})
	}
	addWall(t, w, WallSpec{Parts: parts, Pose: at(1, 2, 3)})
	addWall(t, w, WallSpec{Parts: parts[:1], Pose: at(1, 2, 3)})
	want := []uint32{1, 1, 1, 0, 0, 0, 0, 2, 2, 1}
	for i, s := range want {
		// The order of groups depends on their largest facets.
		if got := w.space.Groups.Of(soa.Piece(i)); (got == 0) != (s == 0) || s != 0 && (got == w.space.Groups.Of(0)) != (s == 1) {
			t.Errorf("facet %d is in group %d, the first in %d", i, got, w.space.Groups.Of(0))
		}
	}
	if n := groupsIn(w); n != 2 || w.space.Groups.IsFacetWall(1) || !w.space.Groups.IsFacetWall(0) {
		t.Errorf("%d groups; of several facets: %v, %v", n, w.space.Groups.IsFacetWall(0), w.space.Groups.IsFacetWall(1))
	}
}

// groupsIn returns the number of groups of coplanar facets in a world.
func groupsIn(w *World) (n uint32) {
	for p := range w.space.Pieces.Len() {
		n = max(n, w.space.Groups.Of(soa.Piece(p)))
	}
	return n
}

// TestCoplanarFacetsLedger checks that a group has the same ledger as a plane: histories that move
// from facet to facet lose no energy.
func TestCoplanarFacetsLedger(t *testing.T) {
	run := func(f triangles) Measure {
		w := newWorld(t, Config{Gravity: down}, force.Linear{Kn: 1e6, Kt: 8e5, Mu: 0.3, ByRestitution: true, Restitution: 0.5})
		if f == nil {
			planeWall(t, w, vec.IdentityPose, Motion{})
		} else {
			f.wall(t, w, vec.IdentityPose, Motion{})
		}
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.4, 0.3, 0.1)), 1000), Pose: at(-0.31, 0.17, 0.06), Vel: vec.V(1.4, 0.4, 0)})
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, 0.1)), 1000), Pose: at(-0.31, -0.57, 0.11), Vel: vec.V(1.9, 0.4, 0)})
		steps(t, w, 3000, 1e-4)
		return w.Measure()
	}
	want := run(nil)
	for _, f := range []triangles{gridFloor(15, 0, 1), gridFloor(15, 0.4, 2), brickFloor(11)} {
		got := run(f)
		for i, d := range []float64{got.Ledger.Elastic - want.Ledger.Elastic, got.Ledger.Shear - want.Ledger.Shear,
			got.Ledger.Damping - want.Ledger.Damping, got.Ledger.Friction - want.Ledger.Friction, got.LeftOver - want.LeftOver,
			got.Ledger.LawExcess - want.Ledger.LawExcess} {
			if !(math.Abs(d) < 1e-9*want.Ledger.Friction) {
				t.Errorf("%d facets: entry %d of the account is %g J off", len(f), i, d)
			}
		}
	}
	if want.Ledger.Friction < 0.1 {
		t.Errorf("friction took %g J, expected bodies that slide", want.Ledger.Friction)
	}
}
