package broad

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// rubble adds n blocks in a slab over the square of the given side about a point. Their sizes go
// down to 1/ratio of the largest.
func (w *world) rubble(n int, ratio, side float64, about vec.Vec3) {
	r := random(uint64(n) + 40)
	for k := range n {
		size := 0.5 * math.Pow(ratio, -float64(k)/float64(n))
		at := within(r, side)
		at.Z *= 0.2
		w.one(about.Add(at), rotation(r), w.box(size, 0.8*size, 0.6*size))
	}
}

// anew makes the list without any stored data and compares the lists and the extents.
func (w *world) anew(t *testing.T) {
	t.Helper()
	cfg := w.cells.cfg
	cfg.RebuildAll, cfg.Skin = true, w.cells.skin
	cells, pairs := New(cfg), soa.Pairs{}
	pieces := w.pieces
	pieces.Extent = soa.Boxes{}
	cells.Rebuild(&w.bodies, &pieces, &w.shapes, nil, &pairs)
	if !slices.Equal(pairs.A, w.pairs.A) || !slices.Equal(pairs.B, w.pairs.B) {
		t.Fatalf("%d pairs, %d where all is entered anew", w.pairs.Len(), pairs.Len())
	}
	for p := range soa.Piece(w.pieces.Len()) {
		got, want := w.pieces.Extent.At(int(p)), pieces.Extent.At(int(p))
		if (got != want || w.cells.CellExtent(p) != cells.CellExtent(p)) && want.Min.Finite() && want.Max.Finite() {
			t.Fatalf("piece %d has extents %v and %v, anew %v and %v", p, got, w.cells.CellExtent(p), want, cells.CellExtent(p))
		}
	}
	if got := cells.Stats(); got.Resting != 0 || got.Entered != w.cells.Stats().Pieces {
		t.Fatalf("%+v: something was kept", got)
	}
}

// Resting pieces are entered once, for any number of rebuilds. The list equals that of a rebuild
// without stored data.
func TestRestingIsEnteredOnce(t *testing.T) {
	const m, blocks, rebuilds = 16, 60, 8
	for name := range backends.Each(t) {
		for _, workers := range []int{1, 2, 7} {
			pool := sched.New(workers)
			w := newWorld(Config{Reach: 0.01, Skin: 0.02})
			wall := w.bumpyWall(m, 0.4)
			w.rubble(blocks, 20, 0.4*m, vec.Vec3{})
			facets := int(w.bodies.FirstPiece[wall+1] - w.bodies.FirstPiece[wall])
			found := 0
			for k := range rebuilds {
				for i := 1; i < w.bodies.Len(); i++ {
					w.bodies.Vel.Set(i, vec.V(0.3, 0.2, 0.1*float64(k%3)))
					w.move(i, 0.1)
				}
				if !w.cells.Stale(&w.bodies) {
					t.Fatal("nothing moved")
				}
				w.rebuild(pool)
				w.anew(t)
				found += w.pairs.Len()
				if k == 0 {
					w.check(t)
				}
			}
			pool.Close()
			s := w.cells.Stats()
			if s.Resting != facets || s.Entered != facets+rebuilds*blocks || found == 0 {
				t.Errorf("%s, %d workers: %d at rest and %d entered, expected %d and %d + %d·%d; %d pairs",
					name, workers, s.Resting, s.Entered, facets, facets, rebuilds, blocks, found)
			}
		}
	}
}

// Walls rest, move, stop and start again, in any order. Walls become free bodies and walls again,
// bodies are added and removed, a wall has a velocity but does not move, and the horizon changes.
// After each change, the list must equal brute force and a rebuild without stored data.
func TestRestAndMotion(t *testing.T) {
	scenes := []struct {
		name  string
		cfg   Config
		build func(w *world)
	}{
		{"every kind", Config{Reach: 0.05}, func(w *world) { everyKind(w, 150) }},
		{"clumps", Config{Skin: 0.1}, func(w *world) { clumps(w, 60) }},
		{"mesh", Config{Horizon: 0.2}, func(w *world) { w.bumpyWall(8, 0.5); w.rubble(40, 20, 4, vec.Vec3{}); w.bumpyWall(5, 3) }},
		{"sizes 1 to 1000", Config{}, func(w *world) {
			w.bumpyWall(7, 0.002)
			w.rubble(80, 1000, 2, vec.Vec3{})
			w.bumpyWall(3, 2)
		}},
		{"far from the origin", Config{Reach: 1e-3}, func(w *world) {
			far := vec.V(1e7, -1e7, 1e6)
			w.bodies.Pos.Set(int(w.bumpyWall(8, 0.5)), far)
			w.rubble(60, 10, 4, far)
		}},
		{"not finite", Config{}, func(w *world) {
			everyKind(w, 60)
			w.wall(vec.V(math.NaN(), 0, 0), 0)
			w.wall(vec.V(0, math.Inf(1), 0), 0)
			w.wall(vec.V(1.7e308, -1.7e308, 0), 0)
			w.wall(vec.V(-1.7e308, 1.7e308, 0), 0)
		}},
	}
	acts := []struct {
		name string
		act  func(w *world, i int, r *rand.Rand)
	}{
		{"nothing", func(*world, int, *rand.Rand) {}},
		{"moves", func(w *world, i int, r *rand.Rand) { w.bodies.Vel.Set(i, unit(r)); w.move(i, 0.3) }},
		{"stops", func(w *world, i int, _ *rand.Rand) {
			w.bodies.Vel.Set(i, vec.Vec3{})
			w.bodies.Spin.Set(i, vec.Vec3{})
		}},
		{"turns", func(w *world, i int, r *rand.Rand) { w.bodies.Spin.Set(i, unit(r)); w.move(i, 0.3) }},
		{"is about to move", func(w *world, i int, r *rand.Rand) { w.bodies.Vel.Set(i, unit(r)) }},
		{"is put elsewhere", func(w *world, i int, r *rand.Rand) { w.bodies.Pos.Set(i, w.bodies.Pos.At(i).Add(unit(r))) }},
		{"has only gone a way", func(w *world, i int, _ *rand.Rand) { w.bodies.Odometer[i]++ }},
		{"is let go or held", func(w *world, i int, _ *rand.Rand) { w.bodies.InvMass[i] = 1 - min(w.bodies.InvMass[i], 1) }},
		{"another body", func(w *world, i int, _ *rand.Rand) { w.wall(w.bodies.Pos.At(i), 0) }},
		{"a body less", func(w *world, _ int, _ *rand.Rand) {
			last := w.bodies.Len() - 1
			if w.bodies.FirstPiece[last+1]-w.bodies.FirstPiece[last] == 1 && last > 20 {
				w.bodies.Resize(last)
				p, n := &w.pieces, w.pieces.Len()-1
				p.Body, p.Kind, p.Shape, p.Material = p.Body[:n], p.Kind[:n], p.Shape[:n], p.Material[:n]
				p.Offset, p.Local = p.Offset[:n], p.Local[:n]
			}
		}},
		{"forgotten", func(w *world, _ int, _ *rand.Rand) { w.cells.Forget() }},
		{"another horizon", func(w *world, _ int, r *rand.Rand) { w.cells.SetHorizon(r.Float64()) }},
	}
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			w := newWorld(s.cfg)
			s.build(w)
			r := random(17)
			pool := sched.New(3)
			defer pool.Close()
			kept, changes := 0, 0
			for k := range 120 {
				before := w.cells.Stats()
				act := acts[k%len(acts)]
				if r.IntN(3) == 0 {
					act = acts[r.IntN(len(acts))]
				}
				act.act(w, r.IntN(w.bodies.Len()), r)
				w.rebuild([]*sched.Pool{nil, pool}[k%2])
				if t.Run(fmt.Sprintf("%d %s", k, act.name), func(t *testing.T) { w.check(t); w.anew(t) }); t.Failed() {
					return
				}
				after := w.cells.Stats()
				if after.Entered-before.Entered == after.Pieces-after.Resting && after.Resting > 0 {
					kept++
				} else {
					changes++
				}
			}
			if kept < 30 || changes < 20 {
				t.Errorf("%d rebuilds kept what rests and %d did not, expected many of both", kept, changes)
			}
		})
	}
}
