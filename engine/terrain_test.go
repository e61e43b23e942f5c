package engine

import (
	"runtime"
	"testing"
	"time"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// terrain returns the facets of ground of 2·n² triangles of about 1 m.
func terrain(t testing.TB, n int) *geometry.WallFacets {
	t.Helper()
	mesh, err := surfaces.Terrain(1, n, float64(n))
	if err != nil {
		t.Fatal(err)
	}
	facets, _, err := geometry.MergeFacets(mesh)
	if err != nil {
		t.Fatal(err)
	}
	return facets
}

// over adds a rock that flies over the ground at low height and falls on it.
func over(t testing.TB, w *World, facets *geometry.WallFacets) {
	t.Helper()
	high := -1e9 // m, of the ground near the origin
	for k := range facets.Len() {
		for _, v := range facets.Polygon(k) {
			if v.X*v.X+v.Y*v.Y < 4 {
				high = max(high, v.Z)
			}
		}
	}
	addBody(t, w, BodySpec{Parts: one(addShape(t, w, rock(t, 3, 20, 0.8)), 2600), Pose: at(0, 0, high+0.9), Vel: vec.V(9, 4, -1)})
}

// TestTerrainMakesFacetsWhenNeeded rolls a rock over ground under each law. The bits must be those of a
// wall whose facets are parts, which are all made at once; only facets near the rock may be made.
func TestTerrainMakesFacetsWhenNeeded(t *testing.T) {
	facets := terrain(t, 40)
	for name, law := range map[string]force.Parameters{
		"thickness": force.Thickness{Stiffness: 5e8, Tangential: 4e8, Friction: 0.5, Restitution: 0.4},
		"linear":    force.Linear{Kn: 5e8, Kt: 4e8, Mu: 0.5, ByRestitution: true, Restitution: 0.4},
	} {
		run := func(spec func(w *World) WallSpec) *World {
			w := newWorld(t, Config{Gravity: down}, law)
			over(t, w, facets)
			addWall(t, w, spec(w))
			steps(t, w, 1500, 2e-4)
			return w
		}
		lazy := run(func(*World) WallSpec { return WallSpec{Facets: facets} })
		eager := run(func(w *World) (v WallSpec) {
			for k := range facets.Len() {
				v.Parts = append(v.Parts, Part{Shape: addShape(t, w, facets.Template(k))})
			}
			return v
		})
		if lazy.Hash() != eager.Hash() {
			t.Errorf("%s: hash %x, of facets as parts %x", name, lazy.Hash(), eager.Hash())
		}
		made := 0
		for h := range lazy.Shapes().Len() {
			if lazy.Shapes().IsMade(soa.Shape(h)) {
				made++
			}
		}
		if made > facets.Len()/4 || lazy.Measure().Ledger.Friction == 0 {
			t.Errorf("%s: %d of %d facets are made, and friction took %g J, expected few and some", name, made, facets.Len(), lazy.Measure().Ledger.Friction)
		}
	}
}

// TestTerrainAnyWay rolls rocks over ground that moves and turns, in many ways to run: with facets as
// parts, several workers, a restart, and searches at every step. A larger rock comes, and a second wall
// comes and goes. All must give the same bits.
func TestTerrainAnyWay(t *testing.T) {
	facets := terrain(t, 24)
	few := terrain(t, 6)
	law := force.Thickness{Stiffness: 5e8, Tangential: 4e8, Friction: 0.5, Restitution: 0.4}
	spec := func(w *World, f *geometry.WallFacets, parts bool) (v WallSpec) {
		v = WallSpec{Facets: f, Pose: vec.Pose{Pos: vec.V(0.1, 0.2, 0.3), Rot: vec.FromRotationVector(vec.V(0.05, 0.1, 1))},
			Motion: Motion{Velocity: vec.V(0.2, 0, 0.1), Spin: vec.V(0, 0, 0.4)}}
		if !parts {
			return v
		}
		v.Facets = nil
		for k := range f.Len() {
			v.Parts = append(v.Parts, Part{Shape: addShape(t, w, f.Template(k))})
		}
		return v
	}
	run := func(cfg Config, parts bool, restart int) uint64 {
		build := func() *World {
			cfg.Gravity = down
			w := newWorld(t, cfg, law)
			over(t, w, facets)
			addWall(t, w, spec(w, facets, parts))
			return w
		}
		w := build()
		step := func(n int) { steps(t, w, n, 2e-4) }
		if restart > 0 {
			step(restart)
			other := build()
			if err := other.Restore(w.State()); err != nil {
				t.Fatal(err)
			}
			w = other
		}
		step(600 - restart)
		large := addShape(t, w, rock(t, 5, 24, 1.7))
		place := w.bodies.Pos.At(0).Add(vec.V(-2.6, -1, 2.4))
		if _, err := w.AddBody(BodySpec{Parts: one(large, 2600), Pose: vec.Pose{Pos: place}, Vel: vec.V(4, 0, -3)}); err != nil {
			t.Fatal(err)
		}
		second := spec(w, few, parts)
		second.Pose.Pos.Z += 3
		id, err := w.AddWall(second)
		if err != nil {
			t.Fatal(err)
		}
		step(400)
		if err := w.RemoveBody(id); err != nil {
			t.Fatal(err)
		}
		w.State() // closes the rows of the wall up, between two searches
		step(500)
		if w.Measure().Ledger.Friction == 0 {
			t.Error("nothing slid")
		}
		return w.Hash()
	}
	want := run(Config{}, true, 0)
	for _, c := range []struct {
		name    string
		cfg     Config
		parts   bool
		restart int
	}{
		{"facets", Config{}, false, 0}, {"four workers", Config{Workers: 4}, false, 0}, {"small tiles", Config{TilePairs: 8, Workers: 3}, false, 0},
		{"restart", Config{}, false, 333}, {"another search", Config{Search: "cells"}, false, 0}, {"parts, restart", Config{Workers: 2}, true, 101},
	} {
		if got := run(c.cfg, c.parts, c.restart); got != want {
			t.Errorf("%s: hash %x, expected %x", c.name, got, want)
		}
	}
}

// TestTerrainMemory bounds the memory of a facet, with all that a world holds for it, after a rock has
// crossed part of the ground: 800 bytes.
func TestTerrainMemory(t *testing.T) {
	held := func() int {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before := held()
	facets := terrain(t, 200)
	w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: 5e8, Tangential: 4e8, Friction: 0.5, Restitution: 0.4})
	over(t, w, facets)
	addWall(t, w, WallSpec{Facets: facets})
	steps(t, w, 2000, 2e-4)
	each := (held() - before) / facets.Len()
	t.Logf("%d facets take %d bytes each", facets.Len(), each)
	if each > 800 {
		t.Errorf("%d facets take %d bytes each, expected at most 800", facets.Len(), each)
	}
	if said := int(FacetMemory(facets)) / facets.Len(); each > said*5/4 || each < said*3/4 {
		t.Errorf("facets take %d bytes each, said are %d", each, said)
	}
	runtime.KeepAlive(w)
	runtime.KeepAlive(facets)
}

// TestSoakTerrain lets a rock fall over ground of a million triangles for four seconds. It states the
// processor time until the first step, the bytes of a facet, and the time of a step, and bounds the
// bytes.
func TestSoakTerrain(t *testing.T) {
	if !*soakPhysics {
		t.Skip("only with -soak.physics")
	}
	began := time.Now()
	facets := terrain(t, 708)
	w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: 5e8, Tangential: 4e8, Friction: 0.5, Restitution: 0.4})
	over(t, w, facets)
	addWall(t, w, WallSpec{Facets: facets})
	steps(t, w, 1, 2e-4)
	loaded := time.Since(began)
	began = time.Now()
	const n = 20_000
	steps(t, w, n, 2e-4)
	each := time.Since(began) / n
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	bytes := int(m.HeapAlloc) / facets.Len()
	t.Logf("%d facets: made, welded and searched in %.1f s, %d bytes each, %.1f µs a step; the rock is at %v", facets.Len(), loaded.Seconds(), bytes,
		float64(each.Nanoseconds())/1e3, w.bodies.Pos.At(0))
	if bytes > 800 {
		t.Errorf("a facet takes %d bytes, expected at most 800", bytes)
	}
	runtime.KeepAlive(facets)
}
