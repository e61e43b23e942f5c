package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestPlanesScaled scales the scene: by a power of two the answers have the same bits, by other
// factors they agree within the bounds.
func TestPlanesScaled(t *testing.T) {
	shapes := solids(t)
	r := rand.New(rand.NewPCG(73, 74))
	s := NewSearch()
	for range 60 {
		a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
		pa, pb := placed(r, a, b, []float64{0, 1e-9, -1e-6, -0.01, 0.02}[r.IntN(5)])
		for _, k := range []float64{0x1p-20, 0x1p30, 0x1p-300, 0x1p300, 1e-6, 1e6} {
			big, wide := scaled(t, a, k), scaled(t, b, k)
			qa, qb := vec.Pose{Pos: pa.Pos.Scale(k), Rot: pa.Rot}, vec.Pose{Pos: pb.Pos.Scale(k), Rot: pb.Rot}
			power := math.Abs(math.Log2(k)) == math.Round(math.Abs(math.Log2(k)))
			for _, m := range planeMethods {
				var x, y Answer
				var mx, my Memory
				s.By(m, plain(t, a), pa, plain(t, b), pb, 0, Dtol(a, b), &mx, &x)
				s.By(m, big, qa, wide, qb, 0, Dtol(a, b)*k, &my, &y)
				// If lengths are so extreme that there is no link, the shortest link may end at
				// another plane that contains its projection.
				if power && (m != SLM || math.Abs(math.Log2(k)) < 100) && (x.Gap*k != y.Gap || x.Normal != y.Normal || x.Facet != y.Facet || mx.List.Type != my.List.Type) {
					t.Fatalf("%v by %g:\n%+v %v\n%+v %v", m, k, x, mx.List.Type, y, my.List.Type)
				}
				var n tally
				var truth Answer
				if s.Exhaustive(big, qa, wide, qb, math.Inf(1), &truth); power {
					continue
				}
				my = Memory{}
				if err := checkPlanes(m, s, big, qa, wide, qb, truth.Gap, 0, Dtol(a, b)*k, &my, &n); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// plain returns a shape without inscribed ball and caps, as scaled returns it.
func plain(t *testing.T, v *soa.View) *soa.View { return scaled(t, v, 1) }

// TestPlanesMoved moves and rotates both bodies together, which keeps the gap, and swaps A and B,
// which keeps the status.
func TestPlanesMoved(t *testing.T) {
	shapes := solids(t)
	r := rand.New(rand.NewPCG(75, 76))
	s := NewSearch()
	for range 100 {
		a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
		pa, pb := placed(r, a, b, []float64{1e-9, -1e-6, -0.01, 0.02}[r.IntN(4)])
		var truth Answer
		s.Exhaustive(a, pa, b, pb, math.Inf(1), &truth)
		world := vec.Pose{Pos: randomUnit(r).Scale(5), Rot: randomRot(r)}
		qa, qb := world.Mul(pa), world.Mul(pb)
		qa.Rot, qb.Rot = qa.Rot.Normalized(), qb.Rot.Normalized()
		for _, m := range planeMethods {
			for _, c := range []struct {
				a, b   *soa.View
				pa, pb vec.Pose
			}{{a, b, qa, qb}, {b, a, pb, pa}, {b, a, qb, qa}} {
				var mem Memory
				var n tally
				if err := checkPlanes(m, s, c.a, c.pa, c.b, c.pb, truth.Gap, 0, Dtol(a, b), &mem, &n); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// TestPlanesNoAnswer tests pairs without an answer, pairs that are not two polyhedra, and a Memory
// of another pair.
func TestPlanesNoAnswer(t *testing.T) {
	s := NewSearch()
	c, ball := solidBox(t, 1, 1, 1), ballOf(t, 1)
	f := facetOf(t, vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(0, 1, 0))
	big := geometryRock(t, 6, 128)
	for _, m := range planeMethods {
		var mem Memory
		var out Answer
		s.By(m, c, at(0, 0, 0), c, at(0, 0, 0.9), 0, 1e-6, &mem, &out)
		if s.By(m, c, at(math.NaN(), 0, 0), c, at(0, 0, 0.9), 0, 1e-6, &mem, &out); out.Status != Degenerate || mem.List.Type != NoType {
			t.Errorf("%v: %+v %+v", m, out, mem.List)
		}
		if s.By(m, ball, at(0, 0, 0), c, at(0, 0, 1.25), 0, 1e-6, &mem, &out); out.Gap != -0.25 {
			t.Errorf("%v, a ball: %+v", m, out)
		}
		if s.By(m, f, at(0, 0, 0), f, at(0, 0, 0), 0, 1e-6, &mem, &out); out.Status != Degenerate {
			t.Errorf("%v, two facets: %+v", m, out)
		}
		if s.By(m, c, at(0.3, 0.3, -0.45), f, at(0, 0, 0), 0, 1e-6, &mem, &out); math.Abs(out.Gap+0.05) > 1e-15 || out.Normal.Z < 0.9 {
			t.Errorf("%v, on a facet: %+v", m, out)
		}
		s.By(m, big, at(0, 0, 0), big, at(0.5, 0.5, 1), 0, 1e-6, &mem, &out)
		if s.By(m, c, at(0, 0, 0), c, at(0.25, 0, 0.99), 0, 1e-6, &mem, &out); math.Abs(out.Gap+0.01) > 1e-15 || mem.List.Type != TypeFaceFace {
			t.Errorf("%v, after a larger pair: %+v", m, out)
		}
		// Two cubes at the same place.
		if s.By(m, c, at(0, 0, 0), c, at(0, 0, 0), 0, 1e-6, &mem, &out); out.Gap != -1 {
			t.Errorf("%v, one in the other: %+v", m, out)
		}
	}
}
