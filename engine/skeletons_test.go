package engine

import (
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// rubble returns a world with the thickness law: soft rocks and cubes that fall onto each other in
// a shaft.
func rubble(t testing.TB, cfg Config) *World {
	t.Helper()
	cfg.Gravity = vec.V(0, 0, -50)
	w := newWorld(t, cfg, force.Thickness{Stiffness: 200, Tangential: 100, Friction: 0.5, Restitution: 0.2})
	addFloor(t, w)
	for _, out := range []vec.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		planeWall(t, w, PlanePose(out.Scale(0.6), out.Neg()), Motion{})
	}
	cube := addShape(t, w, box(t, 0.4, 0.4, 0.4))
	for k := range 24 {
		shape, x := cube, float64(k&1)
		if k%3 > 0 {
			shape = addShape(t, w, rock(t, uint64(k), 16, 0.25))
		}
		pose := vec.Pose{Pos: vec.V(0.56*x-0.28, 0.56*float64(k>>1&1)-0.28, 0.35+0.55*float64(k>>2)), Rot: vec.FromRotationVector(vec.V(float64(k), x, 1))}
		addMoving(t, w, shape, pose, vec.Vec3{}, vec.Vec3{})
	}
	return w
}

// TestSkeletonsChangeNoBit checks that most overlaps of rocks have no formula, and that most of
// these are known from the last step's skeleton. A world that forgets all skeletons after each step
// must have the same bits, and so must one that rebuilds its pairs often.
func TestSkeletonsChangeNoBit(t *testing.T) {
	const n, dt = 500, 8e-4
	w, forgets, narrow := rubble(t, Config{Workers: 1}), rubble(t, Config{Workers: 2, TilePairs: 5}), rubble(t, Config{Workers: 2, Skin: 0.002})
	active, remembered := 0, 0
	for range n {
		steps(t, w, 1, dt)
		steps(t, narrow, 1, dt)
		forgets.space.Internals().ForgetSkeletons()
		steps(t, forgets, 1, dt)
		for i, touches := range w.space.Contacts.Active {
			if touches {
				active++
				if k, _ := w.space.Internals().Skeleton(i); k != nil {
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

	// A rebuild must carry over the skeletons of active pairs.
	type pair struct{ a, b soa.Piece }
	had := map[pair]any{}
	for i, touches := range w.space.Contacts.Active {
		if k, _ := w.space.Internals().Skeleton(i); touches && k != nil {
			had[pair{w.space.Pairs.A[w.space.Contacts.Pair[i]], w.space.Pairs.B[w.space.Contacts.Pair[i]]}] = k
		}
	}
	for _, anew := range []bool{false, true, false} {
		if anew {
			w.space.Internals().LayAnew()
		}
		w.space.Internals().Search()
		w.space.Internals().PackSkeletons()
		kept := 0
		for i, p := range w.space.Contacts.Pair {
			if p == soa.NoRow {
				continue
			}
			if k, _ := w.space.Internals().Skeleton(i); k != nil {
				kept++
				if k != had[pair{w.space.Pairs.A[w.space.Contacts.Pair[i]], w.space.Pairs.B[w.space.Contacts.Pair[i]]}] {
					t.Fatalf("pair %d has another skeleton after a rebuild", i)
				}
			}
		}
		if kept != len(had) || kept < 5 {
			t.Errorf("%d pairs remember a skeleton after a rebuild, expected %d", kept, len(had))
		}
	}
}

// TestHeldSkeletonsLeaveTheHash checks for the same bits if each skeleton is proven anew in every
// step.
func TestHeldSkeletonsLeaveTheHash(t *testing.T) {
	const n, dt = 500, 8e-4
	held, proven := rubble(t, Config{Workers: 2, Skin: 0.01}), rubble(t, Config{Workers: 2})
	of, skeletons := 0, 0
	for range n {
		for i, touches := range held.space.Contacts.Active {
			if k, isHeld := held.space.Internals().Skeleton(i); touches && k != nil {
				if skeletons++; isHeld {
					of++
				}
			}
		}
		steps(t, held, 1, dt)
		proven.space.Internals().UnproveSkeletons()
		steps(t, proven, 1, dt)
	}
	t.Logf("%d of %d skeletons are held", of, skeletons)
	if held.Hash() != proven.Hash() {
		t.Errorf("hash %016x with skeletons held, %016x with all proven in each step", held.Hash(), proven.Hash())
	}
	if 10*of < skeletons || skeletons < 5*n {
		t.Errorf("%d of %d skeletons are held", of, skeletons)
	}
}
