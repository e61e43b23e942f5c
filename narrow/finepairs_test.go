package narrow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// finePair draws two bodies at a gap of about the given number of sizes: rotated at random, feature
// on feature, with the same orientation, or with their origins together.
func finePair(r *rand.Rand, s *Search, a, b *soa.View) *agreePair {
	p := &agreePair{a: agreeBody{view: a}, b: agreeBody{view: b}, size: max(a.Radius, b.Radius), pa: vec.Pose{Rot: randomRot(r)}}
	gap := min(a.Radius, b.Radius) * []float64{0.3, 0.01, 1e-6, 1e-9, 1e-12, 0, -1e-15, -1e-12, -1e-9, -1e-8, -1e-7, -1e-6, -1e-3, -0.1, -0.3}[r.IntN(15)]
	switch p.place = agreePlace(r.IntN(int(nPlacements))); p.place {
	case placeRandom:
		placeAtRandom(r, s, p, gap)
	case placeFeatures:
		placeOnFeatures(r, p, gap)
	case placeInside:
		p.pb = vec.Pose{Rot: alike(r, p.pa.Rot), Pos: randomUnit(r).Scale(p.size * []float64{0, 1e-12, 1e-9, 0.1}[r.IntN(4)])}
	default:
		placeAlike(r, p, gap)
	}
	return p
}

// TestFineShapesConverge tests bodies with many faces at tiny angles to each other. The answers
// must be those of the exhaustive search, without calling it: it takes a hundred times as long.
func TestFineShapesConverge(t *testing.T) {
	others := []*soa.View{box(t, 1, 1, 1), rock(t, 3, 20)}
	for _, c := range []struct {
		name   string
		points []vec.Vec3
		pairs  int
	}{
		{"coin, level", coinPoints(24, 1, 1e-13), 400}, {"coin 1e-12", coinPoints(24, 1, 1e-12), 1500}, {"coin 1e-11", coinPoints(24, 3, 1e-11), 600},
		{"coin 1e-9", coinPoints(24, 1, 1e-9), 1500}, {"coin 1e-6", coinPoints(24, 3, 1e-6), 600},
		{"crowned 1e-7", crownedPoints(5, 1e-7), 600}, {"filleted", filletedPoints(), 600}, {"needle", capsulePoints(24, 8, 0.01), 300},
		{"ellipsoid of 1000", smoothPoints(1000, 1, 0.8, 0.6), 60}, {"capsule of 1000", capsulePoints(40, 12, 0.5), 60},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := exactView(t, c.name, c.points)
			r := rand.New(rand.NewPCG(31, uint64(len(c.points))))
			s, place := NewSearch(), NewSearch()
			fallbacks := 0
			for k := range c.pairs {
				a := append(others, v)[k%3]
				p := finePair(r, place, a, v)
				var out Answer
				if s.Pair(a, p.pa, v, p.pb, math.Inf(1), &out); out.Status == NotConverged {
					fallbacks++
					continue
				}
				if k%20 < 3 && len(a.Edge)*len(v.Edge) < 20_000 {
					if err := fineCheck(a, v, p, &out); err != nil {
						t.Fatalf("pair %d, %s: %v", k, placeNames[p.place], err)
					}
				}
			}
			if fallbacks > 0 {
				t.Errorf("%d of %d pairs are not converged, of %d vertices and %d faces", fallbacks, c.pairs, v.NVerts, v.NFaces)
			}
		})
	}
}

// fineCheck compares an answer with that of allFacets.
func fineCheck(a, b *soa.View, p *agreePair, out *Answer) error {
	var truth Answer
	if quick.Exhaustive(a, p.pa, b, p.pb, math.Inf(1), &truth); truth.Status == NotConverged {
		return fmt.Errorf("the exhaustive search has no answer")
	}
	return judge(a, p.pa, b, p.pb, truth.Gap, p.size, out)
}

// TestFineShapesByVertices compares depth and distance with the hull of all differences of
// vertices.
func TestFineShapesByVertices(t *testing.T) {
	shapes := []*soa.View{
		box(t, 1, 1, 1), exactView(t, "tetra", tetraPoints()),
		exactView(t, "coin", coinPoints(12, 1, 1e-12)), exactView(t, "coin", coinPoints(12, 1, 1e-9)), exactView(t, "crowned", crownedPoints(3, 1e-7)),
	}
	r := rand.New(rand.NewPCG(5, 6))
	s, place := NewSearch(), NewSearch()
	for k := range 150 {
		a, b := shapes[k%2], shapes[k%len(shapes)]
		p := finePair(r, place, a, b)
		var out Answer
		s.Resolve(a, p.pa, b, p.pb, math.Inf(1), &out)
		if err := judge(a, p.pa, b, p.pb, vertexGap(t, a, p.pa, b, p.pb), p.size, &out); err != nil {
			t.Fatalf("pair %d: %v", k, err)
		}
	}
}
