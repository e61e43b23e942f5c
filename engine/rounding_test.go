package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestRoundedHeap simulates a heap of rounded rocks and checks for the same bits on any number of
// workers, with any tile size, after a restart and with any candidate list. With -tags invariants
// every certificate is checked. The cores of touching bodies are usually apart.
func TestRoundedHeap(t *testing.T) {
	law := force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.5, ByRestitution: true, Restitution: 0.4}
	const round = 0.02
	whole := heapUnder(t, law, round, Config{}, 48)
	steps(t, whole, 3500, heapStep)
	state := whole.State()
	steps(t, whole, 500, heapStep)
	for _, cfg := range []Config{{Workers: 2, TilePairs: 17}, {Skin: 0.03}} {
		again := heapUnder(t, law, round, cfg, 48)
		if err := again.Restore(state); err != nil {
			t.Fatal(err)
		}
		steps(t, again, 500, heapStep)
		if whole.Hash() != again.Hash() {
			t.Errorf("%+v: hash after a restart %016x, expected %016x", cfg, again.Hash(), whole.Hash())
		}
	}
	apart, deep := 0, 0
	for i := range whole.space.ActiveRows {
		a, b := whole.space.PiecesOf(i)
		core := whole.space.Contacts.Gap[i] + whole.space.Shapes.Round[whole.space.Pieces.Shape[a]] + whole.space.Shapes.Round[whole.space.Pieces.Shape[b]]
		if core > 0 {
			apart++
		} else {
			deep++
		}
		var out narrow.Answer
		narrow.NewSearch().Exhaustive(whole.space.Shapes.View(whole.space.Pieces.Shape[a]), whole.space.Pieces.Pose(&whole.bodies, a),
			whole.space.Shapes.View(whole.space.Pieces.Shape[b]), whole.space.Pieces.Pose(&whole.bodies, b), 0, &out)
		if math.Abs(out.Gap-whole.space.Contacts.Gap[i]) > 1e-12 {
			t.Errorf("contact %d has gap %g, the exhaustive search finds %g", i, whole.space.Contacts.Gap[i], out.Gap)
		}
	}
	if apart < 30 {
		t.Errorf("%d contacts of cores apart, %d of others: expected a heap on its roundings", apart, deep)
	}
	t.Logf("%d contacts of cores apart, %d of others; levels %v", apart, deep, whole.AnsweredBy().By)
}

// TestRoundedBlockRests checks that a rounded block rests higher by its rounding radius, on a
// facet, a plane and another rounded block, and sinks by its weight divided by the stiffness.
func TestRoundedBlockRests(t *testing.T) {
	const k, round = 1e4, 0.05
	rests := func(name string, top float64, ground func(w *World)) {
		w := newWorld(t, Config{Gravity: down}, force.Linear{Kn: k, Dn: 300})
		ground(w)
		core := box(t, 0.2, 0.2, 0.2)
		core.Round = round
		id := addBody(t, w, BodySpec{Parts: one(addShape(t, w, core), 500), Pose: at(0, 0, top+0.16)})
		steps(t, w, 20_000, 2e-4)
		weight := 9.81 * w.bodies.Mass[id]
		if math.Abs(w.bodies.Mass[id]-4) > 1e-12 {
			t.Errorf("%s: mass %g, expected the core's", name, w.bodies.Mass[id])
		}
		want := top + 0.1 + round - weight/k
		if z := w.bodies.Pos.Z[id]; math.Abs(z-want) > 1e-9 {
			t.Errorf("%s: the block lies at %.12f, expected %.12f", name, z, want)
		}
		if at := w.space.Contacts.Location.At(0); math.Abs(at.Z-(top-0.5*weight/k)) > 1e-8 || math.Abs(at.X)+math.Abs(at.Y) > 1e-8 {
			t.Errorf("%s: the contact acts at %v", name, at)
		}
		if m := w.Measure(); math.Abs(m.Penetration-weight/k) > 1e-9 {
			t.Errorf("%s: penetration %g, expected %g", name, m.Penetration, weight/k)
		}
	}
	rests("facet", 0, func(w *World) {
		addWall(t, w, WallSpec{Pose: vec.IdentityPose, Parts: []Part{{Shape: addShape(t, w, facet(t, vec.V(-2, -2, 0), vec.V(2, -2, 0), vec.V(0, 3, 0)))}}})
	})
	rests("plane", 0, func(w *World) {
		addWall(t, w, WallSpec{Pose: vec.IdentityPose, Parts: []Part{{Shape: addShape(t, w, PlaneTemplate())}}})
	})
	rests("rounded block", 0.35, func(w *World) {
		core := box(t, 1, 1, 0.5)
		core.Round = 0.1
		addWall(t, w, WallSpec{Pose: vec.IdentityPose, Parts: []Part{{Shape: addShape(t, w, core)}}})
	})
}

// TestRoundedRefused checks that invalid rounding radii and planes with one are rejected.
func TestRoundedRefused(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1})
	for _, r := range []float64{-1, math.NaN(), math.Inf(1)} {
		s := box(t, 1, 1, 1)
		if s.Round = r; !refused(w, s) {
			t.Errorf("a block with rounding radius %g is taken", r)
		}
	}
	if !refused(w, &soa.Template{Kind: soa.Plane, Round: 1}) {
		t.Error("a plane with a rounding radius is taken")
	}
}

func refused(w *World, s *soa.Template) bool {
	_, err := w.AddShape(s)
	return err != nil
}
