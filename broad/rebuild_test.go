package broad

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// grid tells which grids a scene must use.
type grid int

const (
	mixed  grid = iota // whichever the density requires
	dense              // tables only
	hashed             // at least one hashed space
)

// scenes are worlds that together exercise every feature of a list. Each test builds its own.
var scenes = []struct {
	name   string
	grid   grid
	levels int // least number of spaces
	build  func(w *world)
}{
	{"empty", mixed, 0, func(*world) {}},
	{"one", mixed, 1, func(w *world) { w.one(vec.V(1, 2, 3), vec.Identity, w.ball(1)) }},
	{"random balls", dense, 1, func(w *world) { balls(w, 900, 1, 0.6) }},
	{"random boxes", dense, 1, func(w *world) {
		r, h := random(2), w.box(1, 1, 1)
		for range 700 {
			w.one(within(r, 20), rotation(r), h)
		}
	}},
	{"several chunks", dense, 1, func(w *world) { balls(w, 2600, 1, 0.5) }},
	{"clustered", hashed, 1, func(w *world) {
		r, h := random(3), w.ball(0.5)
		for range 12 {
			at := within(r, 4000)
			for range 60 {
				w.one(at.Add(within(r, 4)), vec.Identity, h)
			}
		}
	}},
	{"sizes 1 to 1000", hashed, 8, func(w *world) {
		r := random(4)
		for range 800 {
			size := math.Exp2(-10 * r.Float64())
			w.one(within(r, 3), vec.Identity, w.ball(size*0.5))
		}
	}},
	{"sizes 1 to 20, boxes", mixed, 4, func(w *world) {
		r := random(5)
		for range 600 {
			size := 1 + 19*r.Float64()*r.Float64()*r.Float64()
			w.one(within(r, 80), rotation(r), w.box(size/2, size/3, size/4))
		}
	}},
	{"all in one cell", dense, 1, func(w *world) {
		r, h := random(6), w.ball(1)
		for range 150 {
			w.one(within(r, 0.1), vec.Identity, h)
		}
	}},
	{"all coincident", dense, 1, func(w *world) {
		h := w.ball(1)
		for range 120 {
			w.one(vec.V(5, 6, 7), vec.Identity, h)
		}
	}},
	{"coincident points", dense, 1, func(w *world) {
		h := w.ball(0)
		for range 40 {
			w.one(vec.Vec3{}, vec.Identity, h)
		}
	}},
	{"points on a line", hashed, 1, func(w *world) {
		h := w.ball(0)
		for i := range 300 {
			w.one(vec.V(float64(i/2), 0, 0), vec.Identity, h)
		}
	}},
	{"lattice", dense, 1, func(w *world) { lattice3(w, 9, vec.Vec3{}, 1) }},
	{"lattice, 1e6 from the origin", dense, 1, func(w *world) { lattice3(w, 7, vec.V(1e6, -1e6, 1e6), 1) }},
	{"lattice, size 1e-6", dense, 1, func(w *world) { lattice3(w, 7, vec.Vec3{}, 1e-6) }},
	{"lattice, size 1e6", dense, 1, func(w *world) { lattice3(w, 7, vec.V(-3e6, 0, 0), 1e6) }},
	{"plane layer", dense, 1, func(w *world) {
		r, h := random(8), w.ball(0.5)
		for range 700 {
			at := within(r, 25)
			at.Z = 0
			w.one(at, vec.Identity, h)
		}
	}},
	{"far outlier", hashed, 1, func(w *world) {
		balls(w, 500, 1, 0.6)
		w.one(vec.V(1e9, 1e9, -1e9), vec.Identity, w.ball(1))
	}},
	{"outliers beyond every cell", hashed, 1, func(w *world) {
		balls(w, 300, 0.01, 0.6)
		h := w.ball(0.01)
		for i := range 20 {
			w.one(vec.V(1e9+float64(i)*1e7, -1e9, 1e9), vec.Identity, h)
			w.one(vec.V(1e9+float64(i)*1e7, -1e9, 1e9+0.01), vec.Identity, h)
		}
	}},
	{"corners of the number range", mixed, 1, func(w *world) {
		h := w.ball(1)
		for _, x := range []float64{-1.7e308, -1e200, 0, 0.5, 1e200, 1.7e308} {
			w.one(vec.V(x, -x, x), vec.Identity, h)
			w.one(vec.V(x, -x, x), vec.Identity, h)
		}
	}},
	{"floor of two facets", dense, 2, func(w *world) {
		r, h := random(9), w.box(0.01, 0.01, 0.01)
		for range 600 {
			at := within(r, 0.3)
			at.Z *= 0.2
			w.one(at, rotation(r), h)
		}
		w.wall(vec.Vec3{}, w.facet(vec.V(-50, -50, 0), vec.V(50, -50, 0), vec.V(50, 50, 0)))
		w.wall(vec.Vec3{}, w.facet(vec.V(-50, -50, 0), vec.V(50, 50, 0), vec.V(-50, 50, 0)))
	}},
	{"every kind", mixed, 5, func(w *world) { everyKind(w, 500) }},
	{"clumps and walls", mixed, 1, func(w *world) { clumps(w, 120) }},
	{"not finite", mixed, 1, func(w *world) {
		balls(w, 200, 1, 0.6)
		h, b := w.ball(1), w.box(1, 1, 1)
		for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			w.one(vec.V(x, 0, 0), vec.Identity, h)
			w.one(vec.V(0, 0, x), vec.Identity, b)
			w.one(vec.Vec3{}, vec.Quat{W: x}, b)
		}
		w.one(vec.Vec3{}, vec.Identity, w.ball(1e200))
	}},
}

func balls(w *world, n int, radius, fraction float64) {
	r, h := random(uint64(n)), w.ball(radius)
	for range n {
		w.one(within(r, packedSide(n, radius, fraction)), vec.Identity, h)
	}
}

// lattice3 adds m³ cubes that touch exactly.
func lattice3(w *world, m int, origin vec.Vec3, size float64) {
	h := w.box(size/2, size/2, size/2)
	for i := range m * m * m {
		at := vec.V(float64(i%m), float64(i/m%m), float64(i/m/m)).Scale(size)
		w.one(origin.Add(at), vec.Identity, h)
	}
}

// everyKind adds balls, blocks and facets of several sizes. Some of the facets move.
func everyKind(w *world, n int) {
	r := random(uint64(n) + 10)
	shapes := []soa.Shape{
		w.ball(0.5), w.ball(2), w.box(0.5, 0.4, 0.3), w.box(3, 0.2, 1),
		w.facet(vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(0, 1, 0)),
		w.facet(vec.V(-8, -8, 0), vec.V(8, 0, 0), vec.V(0, 8, 1)),
	}
	for i := range n {
		pose := vec.Pose{Pos: within(r, 24), Rot: rotation(r)}
		w.body(pose, float64(i%7), part{shapes[r.IntN(len(shapes))], vec.IdentityPose})
	}
}

// clumps adds bodies of up to five pieces of all kinds, at different places in the body. Some
// bodies are prescribed.
func clumps(w *world, n int) {
	r := random(uint64(n) + 20)
	shapes := []soa.Shape{w.ball(0.6), w.box(0.5, 0.5, 0.5), w.facet(vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(0, 1, 0))}
	for i := range n {
		var parts []part
		for range 1 + r.IntN(5) {
			parts = append(parts, part{shapes[r.IntN(3)], vec.Pose{Pos: within(r, 1.5), Rot: rotation(r)}})
		}
		w.body(vec.Pose{Pos: within(r, 11), Rot: rotation(r)}, float64(i%4), parts...)
	}
}

func TestListIsBruteForce(t *testing.T) {
	configs := []struct {
		name string
		Config
	}{
		{"zero", Config{}},
		{"reach", Config{Reach: 0.2, Skin: 1e-9}},
		{"skin and horizon", Config{Reach: 0.01, Skin: 0.05, Horizon: 0.1}},
	}
	for _, s := range scenes {
		for _, cfg := range configs {
			t.Run(s.name+"/"+cfg.name, func(t *testing.T) {
				w := newWorld(cfg.Config)
				s.build(w)
				r := random(99)
				for i := range w.bodies.Len() {
					w.bodies.Vel.Set(i, unit(r))
					w.bodies.Spin.Set(i, unit(r))
				}
				w.rebuild(nil)
				w.check(t)
				got := w.cells.Stats()
				if got.Spaces < s.levels && cfg.name == "zero" {
					t.Fatalf("%d spaces, expected %d or more", got.Spaces, s.levels)
				}
				if cfg.name == "zero" && s.grid != mixed && (got.Hashed > 0) != (s.grid == hashed) {
					t.Fatalf("%d of %d spaces hashed", got.Hashed, got.Spaces)
				}
				// Prescribed bodies have not moved since the last rebuild, so they are in the tree
				// now.
				w.rebuild(nil)
				w.check(t)
				// The columns now contain data of the first list, which must not matter.
				w.cells.Forget()
				w.rebuild(nil)
				w.check(t)
			})
		}
	}
}

// The list, including its order, and the contents of the cells are the same for any number of
// workers.
func TestWorkers(t *testing.T) {
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			serial := newWorld(Config{Reach: 0.01})
			s.build(serial)
			for range 2 {
				serial.rebuild(nil)
			}
			for _, workers := range []int{1, 2, 7} {
				pool := sched.New(workers)
				w := newWorld(Config{Reach: 0.01})
				s.build(w)
				for range 2 {
					w.rebuild(pool)
				}
				pool.Close()
				if !slices.Equal(w.pairs.A, serial.pairs.A) || !slices.Equal(w.pairs.B, serial.pairs.B) {
					t.Fatalf("%d workers: another list", workers)
				}
				if n := len(w.cells.piece); !slices.Equal(w.cells.grids.Row[:n], serial.cells.grids.Row[:n]) {
					t.Fatalf("%d workers: another order", workers)
				}
				got, want := w.cells.Stats(), serial.cells.Stats()
				if got != want {
					t.Fatalf("%d workers: stats %+v, want %+v", workers, got, want)
				}
			}
		})
	}
}

// The neighbours in the lattice can be counted by hand: each cube touches 26 others, fewer at the
// boundary.
func TestLatticeCount(t *testing.T) {
	w := newWorld(Config{})
	const m = 9
	lattice3(w, m, vec.Vec3{}, 1)
	w.rebuild(nil)
	if got := w.cells.Stats(); 8*got.Cells < got.Pieces || got.Cells > 8*got.Pieces+64 {
		t.Fatalf("%d cubes in %d cells", got.Pieces, got.Cells)
	}
	// Ordered pairs with offsets in {-1, 0, 1}: (3m-2)³, minus the m³ pairs of a cube with itself.
	want := ((3*m-2)*(3*m-2)*(3*m-2) - m*m*m) / 2
	if w.pairs.Len() != want {
		t.Fatalf("%d pairs, want %d", w.pairs.Len(), want)
	}
}

// One cell has more entries than a worker gathers at a time, in a dense and in a hashed space.
func TestCrowdedCell(t *testing.T) {
	const n = maxHits/2 + 150
	for _, outlier := range []bool{false, true} {
		w := newWorld(Config{})
		h := w.ball(1)
		for range n {
			w.one(vec.V(1, 2, 3), vec.Identity, h)
		}
		if outlier {
			w.one(vec.V(1e12, 0, 0), vec.Identity, h)
		}
		w.rebuild(nil)
		if got := w.cells.Stats().Hashed; (got == 1) != outlier {
			t.Fatalf("outlier %v: %d spaces hashed", outlier, got)
		}
		if w.pairs.Len() != n*(n-1)/2 {
			t.Fatalf("outlier %v: %d pairs, want %d", outlier, w.pairs.Len(), n*(n-1)/2)
		}
		k := 0
		for a := range soa.Piece(n) {
			for b := a + 1; b < n; b++ {
				if w.pairs.A[k] != a || w.pairs.B[k] != b {
					t.Fatalf("outlier %v: pair %d is (%d, %d), want (%d, %d)", outlier, k, w.pairs.A[k], w.pairs.B[k], a, b)
				}
				k++
			}
		}
	}
}

// If the bodies are renumbered, the list is the same apart from the numbers.
func TestReorder(t *testing.T) {
	const n = 400
	build := func(perm []int) *world {
		w := newWorld(Config{Skin: 0.02})
		r := random(7)
		h := []soa.Shape{w.ball(0.7), w.box(0.6, 0.6, 0.2)}
		at := make([]vec.Pose, n)
		for i := range at {
			at[i] = vec.Pose{Pos: within(r, 12), Rot: rotation(r)}
		}
		for _, k := range perm {
			w.body(at[k], 1, part{h[k%2], vec.IdentityPose})
		}
		w.rebuild(nil)
		return w
	}
	same := make([]int, n)
	for i := range same {
		same[i] = i
	}
	perm := random(8).Perm(n)
	a, b := build(same), build(perm)
	seen := map[[2]int]bool{}
	for k := range a.pairs.A {
		i, j := int(a.pairs.A[k]), int(a.pairs.B[k])
		seen[[2]int{min(i, j), max(i, j)}] = true
	}
	if a.pairs.Len() != b.pairs.Len() || a.pairs.Len() == 0 {
		t.Fatalf("%d pairs, then %d", a.pairs.Len(), b.pairs.Len())
	}
	for k := range b.pairs.A {
		i, j := perm[b.pairs.A[k]], perm[b.pairs.B[k]]
		if !seen[[2]int{min(i, j), max(i, j)}] {
			t.Fatalf("pair of bodies %d and %d is new", i, j)
		}
	}
}

// TestWarmRebuildAllocatesNothing counts the allocations of the whole process, because
// testing.AllocsPerRun would use only one processor. The runtime sometimes allocates when
// goroutines wait, so only one of several tries must be free of allocations.
func TestWarmRebuildAllocatesNothing(t *testing.T) {
	for _, workers := range []int{0, 2} {
		w := newWorld(Config{Reach: 0.01})
		everyKind(w, 3000)
		var pool *sched.Pool
		if workers > 0 {
			pool = sched.New(workers)
			defer pool.Close()
		}
		for range 3 {
			w.rebuild(pool)
		}
		for _, c := range []struct {
			name string
			call func()
		}{{"rebuild", func() { w.rebuild(pool) }}, {"Stale", func() { w.cells.Stale(&w.bodies) }}} {
			if n := leastAllocations(c.call); n != 0 {
				t.Errorf("%d workers: %s: at least %d allocations in 5 calls", workers, c.name, n)
			}
		}
	}
}

// leastAllocations returns the smallest number of allocations of the process in five calls, over
// several tries.
func leastAllocations(call func()) uint64 {
	least := ^uint64(0)
	for range 20 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 5 {
			call()
		}
		runtime.ReadMemStats(&after)
		if least = min(least, after.Mallocs-before.Mallocs); least == 0 {
			break
		}
	}
	return least
}

// An outlier, or a floor as wide as a city, must not cost memory.
func TestTableIsBounded(t *testing.T) {
	for _, s := range scenes {
		w := newWorld(Config{})
		s.build(w)
		w.rebuild(nil)
		got := w.cells.Stats()
		if limit := (densePerPiece+sharedPerPiece)*got.Pieces + 64*got.Spaces; got.Cells > limit {
			t.Errorf("%s: %d cells for %d pieces in %d spaces", s.name, got.Cells, got.Pieces, got.Spaces)
		}
	}
}

// If nothing moves, no piece is entered in a cell, and there are no pairs.
func TestNothingMoves(t *testing.T) {
	w := newWorld(Config{})
	w.rebuild(nil)
	w.check(t)
	for range 3 {
		w.wall(vec.Vec3{}, w.ball(1))
	}
	for range 2 {
		w.rebuild(nil)
		w.check(t)
		if s := w.cells.Stats(); s.Pairs != 0 || s.Resting != 3 || s.Spaces != 0 {
			t.Errorf("%+v, expected three pieces at rest", s)
		}
	}
}
