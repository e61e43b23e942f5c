package engine

import (
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/vec"
)

const thicknessStep = 5e-4

// masonry returns a world with the thickness law: two courses of bricks in bond, not quite
// coplanar, and cubes, bricks and rocks that fall on them. Faces lie on faces, edges and corners on
// faces, and edges cross.
func masonry(t testing.TB, cfg Config) *World {
	t.Helper()
	cfg.Gravity = vec.V(0, 0, -9.81)
	w := newWorld(t, cfg, force.Thickness{Stiffness: 1e3, Tangential: 8e2, Friction: 0.5, Restitution: 0.3})
	addFloor(t, w)
	brick, cube := addShape(t, w, box(t, 1, 0.5, 0.5)), addShape(t, w, box(t, 0.4, 0.4, 0.4))
	at := func(x, y, z, turn float64) vec.Pose {
		return vec.Pose{Pos: vec.V(x, y, z), Rot: vec.FromRotationVector(vec.V(0, 0, turn))}
	}
	for k := range 4 {
		x := float64(k)
		addMoving(t, w, brick, at(1.002*x, 0.003*x, 0.25, 1e-3*x), vec.Vec3{}, vec.Vec3{})
		addMoving(t, w, brick, at(1.002*x+0.5, 0.002*x, 0.75, -2e-3*x), vec.Vec3{}, vec.Vec3{})
		addMoving(t, w, cube, at(1.1*x, 0.02, 1.25, 0.3+x), vec.Vec3{}, vec.V(0, 0.5, 0))
		addMoving(t, w, addShape(t, w, rock(t, uint64(k), 12, 0.25)), at(1.1*x+0.3, 0.05, 1.9, x), vec.V(0, 0, -1), vec.V(1, 2, 3))
	}
	return w
}

// TestThicknessKnownOverlaps checks that workers, tiles, the times of rebuilds, backends and
// restarts change no bit of a world with overlaps of all types, although they change what is known
// from the last step.
func TestThicknessKnownOverlaps(t *testing.T) {
	const n = 600
	whole := masonry(t, Config{Workers: 1})
	steps(t, whole, n/2, thicknessStep)
	state := whole.State()
	steps(t, whole, n/2, thicknessStep)
	prisms := 0
	for i, active := range whole.Contacts().Active {
		if active && whole.Contacts().Prism[i].Sides > 0 {
			prisms++
		}
	}
	if active := whole.Measure().Active; active < 16 || prisms < 4 {
		t.Fatalf("%d active contacts, %d of them prisms, expected a wall", active, prisms)
	}
	check := func(name string, w *World) {
		t.Helper()
		if w.Hash() != whole.Hash() {
			t.Errorf("%s: hash %016x, expected %016x", name, w.Hash(), whole.Hash())
		}
	}
	again := masonry(t, Config{Workers: 2})
	if err := again.Restore(state); err != nil {
		t.Fatal(err)
	}
	steps(t, again, n/2, thicknessStep)
	check("after a restart", again)
	for name, cfg := range map[string]Config{
		"seven workers, small tiles": {Workers: 7, TilePairs: 3}, "wide skin": {Workers: 2, Skin: 0.2}, "narrow skin": {Workers: 2, Skin: 0.01},
	} {
		w := masonry(t, cfg)
		steps(t, w, n, thicknessStep)
		check(name, w)
	}
	for name := range backends.Each(t) {
		w := masonry(t, Config{Workers: 2})
		steps(t, w, n, thicknessStep)
		check(name, w)
	}
}

// TestHeldPrismsLeaveTheHash checks that prisms proven anew in every step give the same world as
// held ones, and that most prisms are held.
func TestHeldPrismsLeaveTheHash(t *testing.T) {
	const n = 400
	held, proven := masonry(t, Config{Workers: 2}), masonry(t, Config{Workers: 2})
	of, prisms := 0, 0
	for range n {
		for i, until := range held.space.Contacts.PrismHolds {
			if held.space.Contacts.Active[i] && held.space.Contacts.Prism[i].Sides > 0 {
				if prisms++; held.bodies.Odometer[held.space.Pieces.Body[held.space.Pairs.A[held.space.Contacts.Pair[i]]]]+held.bodies.Odometer[held.space.Pieces.Body[held.space.Pairs.B[held.space.Contacts.Pair[i]]]] < until {
					of++
				}
			}
		}
		steps(t, held, 1, thicknessStep)
		clear(proven.space.Contacts.PrismHolds)
		steps(t, proven, 1, thicknessStep)
	}
	if held.Hash() != proven.Hash() {
		t.Errorf("hash %016x with prisms held, %016x with all proven in each step", held.Hash(), proven.Hash())
	}
	t.Logf("%d of %d prisms are held", of, prisms)
	if of < prisms/4 || prisms < n {
		t.Errorf("%d of %d prisms are held", of, prisms)
	}
}
