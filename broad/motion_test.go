package broad

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// move drifts body i by its velocities over dt and advances its odometer.
func (w *world) move(i int, dt float64) {
	b := &w.bodies
	kernels.Move(b, soa.Body(i), vec.Pose{
		Pos: b.Pos.At(i).AddScaled(dt, b.Vel.At(i)),
		Rot: vec.FromRotationVector(b.Spin.At(i).Scale(dt)).Mul(b.Rot.At(i)).Normalized(),
	})
}

// missed returns a pair of pieces whose boxes are now within reach of each other but which is not
// in the list.
func (w *world) missed(reach float64) (a, b soa.Piece, found bool) {
	listed := map[[2]soa.Piece]bool{}
	for k := range w.pairs.A {
		listed[[2]soa.Piece{w.pairs.A[k], w.pairs.B[k]}] = true
	}
	n := soa.Piece(w.pieces.Len())
	now := make([]vec.Box, n)
	for p := range n {
		kernels.WorldBox(w.shapes.View(w.pieces.Shape[p]), w.pieces.Pose(&w.bodies, p), &now[p])
	}
	kind := w.pieces.Kind
	for p := range n {
		for q := range n {
			if kind[p] > kind[q] || kind[p] == kind[q] && p >= q || !w.mayPair(p, q) {
				continue
			}
			if now[p].Enlarged(0.5*reach).Overlaps(now[q].Enlarged(0.5*reach)) && !listed[[2]soa.Piece{p, q}] {
				return p, q, true
			}
		}
	}
	return 0, 0, false
}

// As long as a list is not stale, it contains every pair whose boxes overlap.
func TestNothingIsMissed(t *testing.T) {
	cases := []struct {
		name  string
		cfg   Config
		speed func(r *rand.Rand) float64 // m/s
		build func(w *world)
	}{
		{"balls", Config{Reach: 0.01, Skin: 0.1}, uniform, func(w *world) { balls(w, 150, 1, 0.6) }},
		{"chosen skin", Config{}, uniform, func(w *world) { balls(w, 150, 1, 0.6) }},
		{"a few fast", Config{Horizon: 0.05}, heavyTailed, func(w *world) { everyKind(w, 150) }},
		{"every kind", Config{Reach: 0.05, Skin: 0.2, Horizon: 0.02}, uniform, func(w *world) { everyKind(w, 150) }},
		{"clumps", Config{Skin: 0.3}, heavyTailed, func(w *world) { clumps(w, 60) }},
		{"far from the origin", Config{Skin: 0.05}, uniform, func(w *world) { lattice3(w, 5, vec.V(1e7, 1e7, -1e7), 1) }},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(test.cfg)
			test.build(w)
			r := random(31)
			fresh, rebuilds := 0, 0
			for range 60 {
				for i := range w.bodies.Len() {
					if r.IntN(4) == 0 {
						w.bodies.Vel.Set(i, unit(r).Scale(test.speed(r)))
						w.bodies.Spin.Set(i, unit(r).Scale(test.speed(r)))
					}
					w.move(i, 4e-3)
				}
				if w.cells.Stale(&w.bodies) {
					w.rebuild(nil)
					rebuilds++
				} else {
					fresh++
				}
				if a, b, found := w.missed(test.cfg.Reach); found {
					t.Fatalf("pieces %d and %d overlap and are no candidates", a, b)
				}
			}
			if fresh == 0 || rebuilds < 2 {
				t.Fatalf("%d rebuilds, %d steps without: the test moved nothing", rebuilds, fresh)
			}
		})
	}
}

func uniform(r *rand.Rand) float64 { return r.Float64() }

func heavyTailed(r *rand.Rand) float64 { return 0.2 / (0.01 + r.Float64()) }

func TestStale(t *testing.T) {
	build := func(cfg Config) *world {
		w := newWorld(cfg)
		h := w.ball(1)
		w.one(vec.V(0, 0, 0), vec.Identity, h)
		w.one(vec.V(5, 0, 0), vec.Identity, h)
		w.wall(vec.V(0, 9, 0), h)
		w.bodies.Vel.Set(1, vec.V(3, 0, 4))
		w.bodies.Spin.Set(1, vec.V(0, 2, 0))
		for i := range w.bodies.Len() {
			w.bodies.Odometer[i] = float64(i)
		}
		w.rebuild(nil)
		return w
	}
	skin := Config{Skin: 0.25}
	horizon := Config{Skin: 0.25, Horizon: 0.5} // the fast one: 0.5·(5 + 1·2) = 3.5
	cases := []struct {
		name string
		cfg  Config
		then func(w *world)
		want bool
	}{
		{"nothing moved", skin, func(*world) {}, false},
		{"budget used up", skin, func(w *world) { w.bodies.Odometer[0] += 0.25 }, false},
		{"one bit more", skin, func(w *world) { w.bodies.Odometer[0] = math.Nextafter(0.25, 1) }, true},
		{"last body", skin, func(w *world) { w.bodies.Odometer[1] += 0.26 }, true},
		{"fast body within its horizon", horizon, func(w *world) { w.bodies.Odometer[1] += 3.5 }, false},
		{"fast body beyond it", horizon, func(w *world) { w.bodies.Odometer[1] += 3.51 }, true},
		{"slow body has the skin", horizon, func(w *world) { w.bodies.Odometer[0] += 0.26 }, true},
		{"wall at rest has no budget", skin, func(w *world) { w.bodies.Odometer[2] += 1e-6 }, true},
		{"odometer lost", skin, func(w *world) { w.bodies.Odometer[0] = math.NaN() }, true},
		{"body added", skin, func(w *world) { w.one(vec.Vec3{}, vec.Identity, 0) }, true},
		{"body removed", skin, func(w *world) { w.bodies.Resize(2) }, true},
		{"forgotten", skin, func(w *world) { w.cells.Forget() }, true},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			w := build(test.cfg)
			test.then(w)
			if got := w.cells.Stale(&w.bodies); got != test.want {
				t.Fatalf("stale: %v, want %v", got, test.want)
			}
		})
	}
	if !New(Config{}).Stale(&soa.Bodies{}) {
		t.Fatal("cells that were never built are not stale")
	}
}

// The chosen skin follows the sizes of the bodies, and the extents follow the skin.
func TestChosenSkin(t *testing.T) {
	w := newWorld(Config{Reach: 0.5})
	w.one(vec.Vec3{}, vec.Identity, w.ball(1))
	w.one(vec.V(100, 0, 0), vec.Identity, w.ball(3))
	w.wall(vec.V(0, 100, 0), w.ball(50))
	w.rebuild(nil)
	if got := w.cells.Stats().Skin; got != skinFraction*2 {
		t.Fatalf("skin %g, want %g of the mean radius 2", got, skinFraction)
	}
	for p, radius := range []float64{1 + 0.1 + 0.25, 3 + 0.1 + 0.25, 50 + 0.25} {
		half := w.cells.CellExtent(soa.Piece(p)).Size().Scale(0.5)
		for _, x := range []float64{half.X, half.Y, half.Z} {
			if x < radius || x > radius*(1+1e-12) {
				t.Fatalf("piece %d: half side %g, want %g", p, x, radius)
			}
		}
	}
}

// The extents of a wall that has not moved are kept. They are recomputed if the wall has moved, and
// after Forget.
func TestWallExtents(t *testing.T) {
	w := newWorld(Config{Skin: 0.1})
	h := w.ball(1)
	wall := w.wall(vec.V(5, 0, 0), h)
	w.one(vec.V(0, 0, 0), vec.Identity, h)
	w.rebuild(nil)
	mark := vec.Box{Min: vec.V(-9, -9, -9), Max: vec.V(9, 9, 9)}
	tight := w.pieces.Extent.At(0)
	cases := []struct {
		name string
		then func()
		kept bool
	}{
		{"not moved", func() {}, true},
		{"moved", func() { w.bodies.Pos.X[wall] += 1; w.bodies.Odometer[wall]++ }, false},
		{"moved without its odometer", func() { w.bodies.Pos.X[wall]++ }, false},
		{"turned", func() { w.bodies.Rot.Set(int(wall), vec.Quat{X: 1}) }, false},
		{"let go", func() { w.bodies.InvMass[wall] = 1 }, false},
		{"held again", func() { w.bodies.InvMass[wall] = 0 }, false},
		{"still held", func() {}, true},
		{"forgotten", func() { w.cells.Forget() }, false},
		{"another piece", func() { w.one(vec.V(0, 7, 0), vec.Identity, h) }, false},
	}
	for _, test := range cases {
		test.then()
		w.pieces.Extent.Set(0, mark)
		w.rebuild(nil)
		got := w.pieces.Extent.At(0)
		if (got == mark) != test.kept {
			t.Fatalf("%s: extent %v", test.name, got)
		}
		if !test.kept && got.Size() != tight.Size() {
			t.Fatalf("%s: extent %v is not tight", test.name, got)
		}
	}
}

func TestConfig(t *testing.T) {
	for _, cfg := range []Config{
		{Reach: -1}, {Skin: math.NaN()}, {Horizon: math.Inf(1)},
	} {
		if err := cfg.Validate(); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), " ") {
			t.Errorf("%+v: %v", cfg, err)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("New(%+v) did not panic", cfg)
				}
			}()
			New(cfg)
		}()
	}
	if err := (Config{Reach: 1, Skin: 2, Horizon: 3}).Validate(); err != nil {
		t.Error(err)
	}
}
