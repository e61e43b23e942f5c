package broad

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// update updates the list by Update if possible, and otherwise by Rebuild. It returns which of them
// it has used.
func (w *world) update() (updated, rebuilt bool) {
	late := w.cells.AppendLate(&w.bodies, 0, w.bodies.Len(), nil)
	if stale := w.cells.Stale(&w.bodies); stale != (len(late) > 0 || !w.cells.known) {
		panic("which bodies are late and whether the list is stale differ")
	}
	if len(late) == 0 && w.cells.known {
		return false, false
	}
	keys, ok := w.cells.Update(&w.bodies, &w.pieces, &w.shapes, nil, late)
	if !ok {
		w.rebuild(nil)
		return false, true
	}
	isLate := map[soa.Body]bool{}
	for _, i := range late {
		isLate[i] = true
	}
	of := w.pieces.Body
	for k, a := range w.pairs.A {
		if !isLate[of[a]] && !isLate[of[w.pairs.B[k]]] {
			keys = append(keys, uint64(a)<<32|uint64(w.pairs.B[k]))
		}
	}
	slices.Sort(keys)
	w.pairs.Resize(len(keys))
	for k, key := range keys {
		w.pairs.A[k], w.pairs.B[k] = soa.Piece(key>>32), soa.Piece(uint32(key))
	}
	return true, false
}

// wander makes steps in which few bodies move, sometimes other ones and sometimes many. It compares
// the list with brute force after each step. It returns how many lists were made by updates and by
// rebuilds.
func (w *world) wander(t *testing.T, r *rand.Rand, n int) (updates, rebuilds int) {
	t.Helper()
	few := w.bodies.Len() / 100
	for step := range n {
		if step%40 == 0 {
			for i := range w.bodies.Len() {
				w.bodies.Vel.Set(i, vec.Vec3{})
				w.bodies.Spin.Set(i, vec.Vec3{})
			}
			moves := few
			if step%160 == 120 {
				moves = w.bodies.Len() / 2
			}
			for range moves {
				i := r.IntN(w.bodies.Len())
				w.bodies.Vel.Set(i, unit(r).Scale(0.3+r.Float64()))
				w.bodies.Spin.Set(i, unit(r).Scale(0.03))
			}
		}
		for i := range w.bodies.Len() {
			if w.bodies.Vel.At(i) != (vec.Vec3{}) {
				w.move(i, 0.04)
			}
		}
		switch updated, rebuilt := w.update(); {
		case updated:
			updates++
		case rebuilt:
			rebuilds++
		default:
			continue
		}
		want := w.bruteForce()
		for k := range min(len(want), w.pairs.Len()) {
			if w.pairs.A[k] != want[k][0] || w.pairs.B[k] != want[k][1] {
				t.Fatalf("step %d: pair %d is (%d, %d), expected %v", step, k, w.pairs.A[k], w.pairs.B[k], want[k])
			}
		}
		if w.pairs.Len() != len(want) {
			t.Fatalf("step %d: %d pairs, expected %d", step, w.pairs.Len(), len(want))
		}
	}
	return updates, rebuilds
}

// TestUpdates compares lists made by updates with brute force, while few bodies move, in turn
// others, and sometimes many. No pair within reach may ever be missing.
func TestUpdates(t *testing.T) {
	for _, c := range []struct {
		name  string
		cfg   Config
		build func(w *world)
	}{
		{"balls", Config{Skin: 0.1}, func(w *world) { balls(w, 500, 1, 0.5) }},
		{"balls, fast ones with larger budgets", Config{Reach: 0.02, Skin: 0.02, Horizon: 0.1}, func(w *world) { balls(w, 500, 1, 0.5) }},
		{"every kind", Config{Reach: 0.05, Skin: 0.1}, func(w *world) { everyKind(w, 500) }},
		{"clumps", Config{Skin: 0.1}, func(w *world) { clumps(w, 300) }},
		{"lattice", Config{Skin: 0.1}, func(w *world) { lattice3(w, 7, vec.V(-3, 1e3, 0), 1) }},
		{"another method", Config{Skin: 0.1, Search: everyPair{}}, func(w *world) { balls(w, 500, 1, 0.5) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(c.cfg)
			c.build(w)
			updates, rebuilds := w.wander(t, random(8), require.Rounds(100, 160, 320))
			t.Logf("%d updates, %d rebuilds", updates, rebuilds)
			if rebuilds < 2 || updates < 10 {
				t.Errorf("%d updates, %d rebuilds", updates, rebuilds)
			}
			if a, b, found := w.missed(c.cfg.Reach); found {
				t.Errorf("pieces %d and %d overlap and are no candidates", a, b)
			}
		})
	}
}

// TestUpdatesAreRefused checks that Update asks for a rebuild if many bodies move, if a wall moves,
// or if a lookup might visit all cells.
func TestUpdatesAreRefused(t *testing.T) {
	move := func(w *world, bodies ...int) {
		for _, i := range bodies {
			w.bodies.Vel.Set(i, vec.V(1, 0, 0))
			w.move(i, 1)
		}
	}
	all := func(w *world) (bodies []int) {
		for i := range w.bodies.Len() {
			bodies = append(bodies, i)
		}
		return bodies
	}
	for _, c := range []struct {
		name string
		cfg  Config
		then func(w *world)
		ok   bool
	}{
		{"one", Config{Skin: 0.1}, func(w *world) { move(w, 3) }, true},
		{"many", Config{Skin: 0.1}, func(w *world) { move(w, all(w)[1:]...) }, false},
		{"one is late, and many have moved", Config{Skin: 0.1}, func(w *world) {
			for _, i := range all(w)[1:] {
				w.bodies.Odometer[i] += 0.09
			}
			move(w, 3)
		}, false},
		{"a wall", Config{Skin: 0.1}, func(w *world) { move(w, 0) }, false},
		{"far away", Config{Skin: 0.1}, func(w *world) { w.bodies.Vel.Set(3, vec.V(1e200, 0, 0)); w.move(3, 1) }, false},
		{"NaN", Config{Skin: 0.1}, func(w *world) { move(w, 3); w.bodies.Pos.X[3] -= w.bodies.Odometer[3] * 1e308 * 1e308 }, false},
		{"what rests is entered anew", Config{Skin: 0.1, RebuildAll: true}, func(w *world) { move(w, 3) }, false},
	} {
		w := newWorld(c.cfg)
		w.wall(vec.V(0, 0, -20), w.box(1, 1, 1))
		balls(w, 300, 1, 0.5)
		w.rebuild(nil)
		c.then(w)
		late := w.cells.AppendLate(&w.bodies, 0, w.bodies.Len(), nil)
		if _, ok := w.cells.Update(&w.bodies, &w.pieces, &w.shapes, nil, late); ok != c.ok || len(late) == 0 {
			t.Errorf("%s: %d late, update %v", c.name, len(late), ok)
		}
	}
}

// FuzzUpdates compares lists made by updates with brute force, for random bodies, skins and
// motions.
func FuzzUpdates(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(seed, uint8(seed*60), uint16(130))
	}
	f.Fuzz(func(t *testing.T, seed uint64, skin uint8, n uint16) {
		w := newWorld(Config{Skin: 1e-3 * float64(1+int(skin)), Reach: 0.01 * float64(skin%4), Horizon: 0.05 * float64(skin%3)})
		if n = n % 400; seed%2 == 0 {
			balls(w, int(n)+1, 1, 0.1+0.1*float64(seed%6))
		} else {
			everyKind(w, int(n)+1)
		}
		w.wander(t, random(seed), 160)
	})
}

// TestUpdateWithMoreWorkers calls Update with a pool of more workers than the last rebuild had.
func TestUpdateWithMoreWorkers(t *testing.T) {
	w := newWorld(Config{Skin: 0.1})
	balls(w, 5000, 1, 0.5)
	w.rebuild(nil)
	pool := sched.New(4)
	defer pool.Close()
	for range 20 {
		w.bodies.Vel.Set(7, vec.V(1, 0, 0))
		w.move(7, 1)
		w.cells.updates.judged = false // judge anew how many bodies have used their skin
		if _, ok := w.cells.Update(&w.bodies, &w.pieces, &w.shapes, pool, []soa.Body{7}); !ok {
			t.Fatal("an update of one body is refused")
		}
	}
}
