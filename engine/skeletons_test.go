package engine

import (
	"testing"

	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// rubble is a world with the thickness law: soft rocks and cubes that fall onto each other in a shaft.
func rubble(t testing.TB, cfg Config) *World {
	t.Helper()
	cfg.Gravity = vec.V(0, 0, -9.81)
	w := newWorld(t, cfg, force.Thickness{Stiffness: 2e4, Tangential: 1e4, Friction: 0.5, Restitution: 0.3})
	addFloor(t, w)
	cube := addShape(t, w, box(t, 0.5, 0.5, 0.5))
	for k := range 40 {
		shape, x := cube, float64(k%3)
		if k%2 == 0 {
			shape = addShape(t, w, rock(t, uint64(k), 16, 0.3))
		}
		pose := vec.Pose{Pos: vec.V(0.45*x, 0.4*float64(k/3%3), 0.35+0.45*float64(k/9)), Rot: vec.FromRotationVector(vec.V(float64(k), x, 1))}
		addMoving(t, w, shape, pose, vec.Vec3{}, vec.Vec3{})
	}
	return w
}

// TestSkeletonsChangeNoBit: most overlaps of rocks are of no formula, and most of these are known by the skeleton of the step
// before. A world that forgets them all after each step has the same bits. So has one that finds its pairs anew often.
func TestSkeletonsChangeNoBit(t *testing.T) {
	const n, dt = 400, 2e-4
	w, forgets, narrow := rubble(t, Config{Workers: 1}), rubble(t, Config{Workers: 2, TilePairs: 5}), rubble(t, Config{Workers: 2, Skin: 0.002})
	active, remembered := 0, 0
	for range n {
		steps(t, w, 1, dt)
		steps(t, narrow, 1, dt)
		clear(forgets.skeletons.place)
		steps(t, forgets, 1, dt)
		for i, touches := range w.contacts.Active {
			if touches {
				active++
				if w.skeletons.at(i) != nil {
					remembered++
				}
			}
		}
	}
	t.Logf("%d contacts, %d remember a skeleton", active, remembered)
	if w.Hash() != forgets.Hash() || w.Hash() != narrow.Hash() {
		t.Errorf("hash %016x, %016x of one that forgets, %016x of one with many rebuilds", w.Hash(), forgets.Hash(), narrow.Hash())
	}
	if active < 10*n || 2*remembered < active {
		t.Errorf("%d contacts, %d remember a skeleton", active, remembered)
	}

	// A rebuild takes over what active pairs remember.
	type pair struct{ a, b soa.Piece }
	had := map[pair]overlap.Skeleton{}
	for i, touches := range w.contacts.Active {
		if k := w.skeletons.at(i); touches && k != nil {
			had[pair{w.pairs.A[i], w.pairs.B[i]}] = *k
		}
	}
	w.rebuild()
	kept := 0
	for i := range w.pairs.A {
		if k := w.skeletons.at(i); k != nil {
			kept++
			if *k != had[pair{w.pairs.A[i], w.pairs.B[i]}] {
				t.Fatalf("pair %d has another skeleton after a rebuild", i)
			}
		}
	}
	if kept != len(had) || kept < 5 {
		t.Errorf("%d pairs remember a skeleton after a rebuild, expected %d", kept, len(had))
	}
}
