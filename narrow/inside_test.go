package narrow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/search"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// insideRegimes holds the distance of two bodies of one shape, in sizes, and the rotation of one
// against the other, rad. More than one radian stands for any orientation.
var insideRegimes = []struct {
	name      string
	off, turn float64
}{{"same", 0, 0}, {"1e-12", 1e-12, 0}, {"1e-12,turned", 1e-12, 1e-12}, {"1e-9", 1e-9, 0}, {"1e-9,turned", 1e-9, 1e-9}, {"1e-3", 1e-3, 1e-3}, {"any", 1e-9, 3}}

// insidePool draws n pairs of one shape, nearly at one place.
func insidePool(t testing.TB, shape string, off, turn float64, n int) (pool []coldPair) {
	shapes, size := coldShapes(t, shape)
	r := rand.New(rand.NewPCG(uint64(len(shape)), 78))
	for range n {
		v := shapes[r.IntN(len(shapes))]
		pa := vec.Pose{Rot: randomRot(r)}
		pb := vec.Pose{Rot: pa.Rot, Pos: randomUnit(r).Scale(off * size)}
		switch {
		case turn > 1:
			pb.Rot = randomRot(r)
		case turn > 0:
			pb.Rot = vec.FromRotationVector(randomUnit(r).Scale(turn)).Mul(pb.Rot).Normalized()
		}
		pool = append(pool, coldPair{v, v, pa, pb})
	}
	return pool
}

// BenchmarkInside reports ns per pair of a search without stored data, for pairs with a depth of a
// fifth and a half of their size, and for two bodies of one shape nearly at one place.
func BenchmarkInside(b *testing.B) {
	for _, shape := range []string{"tetra", "cube", "hex", "rock12", "rock20", "rock32", "rock64", "rock128", "rock200"} {
		run := func(regime string, pool []coldPair) {
			b.Run(fmt.Sprintf("shape=%s/regime=%s", shape, regime), func(b *testing.B) {
				s := NewSearch()
				var out Answer
				i := 0
				for b.Loop() {
					p := &pool[i%len(pool)]
					s.Resolve(p.a, p.pa, p.b, p.pb, math.Inf(1), &out)
					i++
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/pair")
			})
		}
		run("fifth", coldPool(b, shape, -0.2, -0.19, false, 256))
		run("half", coldPool(b, shape, -0.5, -0.49, false, 256))
		for _, rg := range insideRegimes {
			run(rg.name, insidePool(b, shape, rg.off, rg.turn, 256))
		}
	}
}

// TestInsideIsExhaustive tests two bodies of one shape nearly at one place, where every facet of K
// nearly ties with the opposite one. The answer must have the bits of a test of all facets, without
// the exhaustive search.
func TestInsideIsExhaustive(t *testing.T) {
	for _, shape := range []string{"tetra", "cube", "hex", "rock12", "rock20", "rock64"} {
		for _, rg := range insideRegimes {
			named, n := 0, 40
			for k, p := range insidePool(t, shape, rg.off, rg.turn, n) {
				var out, all Answer
				quick.Pair(p.a, p.pa, p.b, p.pb, math.Inf(1), &out)
				quick.Exhaustive(p.a, p.pa, p.b, p.pb, math.Inf(1), &all)
				if out != all {
					if out.Status == NotConverged || math.Abs(out.Gap-all.Gap) > agreeTol*p.a.Radius {
						t.Fatalf("%s, %s, pair %d:\n%+v\nby all facets\n%+v", shape, rg.name, k, out, all)
					}
					named++ // EPA tests only the crossings of edges that it passes
				}
			}
			if named > 0 {
				t.Logf("%s, %s: %d of %d pairs are named by another facet that ties", shape, rg.name, named, n)
			}
		}
	}
}

// TestOnePlaceIsIterate tests bodies at one place, whose polytope starts from an octahedron. For
// all shapes and poses the answer must have the bits of GJK and EPA.
func TestOnePlaceIsIterate(t *testing.T) {
	var shapes []*soa.View
	for _, name := range []string{"rock12", "rock20", "rock64", "rock128"} {
		of, _ := coldShapes(t, name)
		shapes = append(shapes, of[:4]...)
	}
	for _, height := range []float64{0.01, 0.3, 20} {
		for _, corners := range []int{12, 40} {
			p, err := geometry.Prism(corners, 1, height)
			if err != nil {
				t.Fatal(err)
			}
			shapes = append(shapes, addTemplate(t, p.Template()))
		}
	}
	r := rand.New(rand.NewPCG(5, 99))
	pick := func() *soa.View { return shapes[r.IntN(len(shapes))] }
	for k := range 2000 {
		a, b := pick(), pick()
		if k%3 == 0 {
			b = a
		}
		pa, pb := vec.Pose{Rot: randomRot(r)}, vec.Pose{Rot: randomRot(r)}
		if k%2 == 0 {
			pb.Rot = pa.Rot
		}
		if k%10 > 0 {
			pb.Pos = randomUnit(r).Scale(math.Pow(10, -14*r.Float64()-2.2) * min(a.Inner, b.Inner))
		}
		var out, want Answer
		quick.Pair(a, pa, b, pb, math.Inf(1), &out)
		if !quick.in.NearlyConcentric() {
			t.Fatalf("pair %d is not at one place", k)
		}
		if quick.Iterate(a, pa, b, pb, math.Inf(1), &want); out != want {
			t.Fatalf("pair %d:\n%+v\nby GJK and EPA\n%+v", k, out, want)
		}
	}
}

// TestSettleAsksFewFaces checks that for two bodies that overlap by all of their size, the search
// computes supports only for faces next to the shallowest, and that these have the right depths.
func TestSettleAsksFewFaces(t *testing.T) {
	s := NewSearch()
	asked, faces := 0, 0
	for _, rg := range insideRegimes {
		for _, p := range insidePool(t, "rock200", rg.off, rg.turn, 10) {
			if !s.in.Load(p.a, p.pa, p.b, p.pb) || s.in.GJK(0) != search.GJKOverlap {
				t.Fatal("the pair does not overlap")
			}
			high, _, ok := s.in.Expand()
			if !ok {
				t.Fatal("the polytope is broken")
			}
			limit := high + s.in.Tol.Proof
			s.in.FacesWithin(limit)
			few := append([]float64{}, s.in.H...)
			near := s.in.NearTriangles(limit)
			for f := range p.a.NFaces {
				if search.Within(near, 0, p.a.Normal(soa.Face(f))) {
					asked++
				}
			}
			faces += p.a.NFaces
			s.in.FaceAxes(pair.NegInf)
			for k, h := range s.in.H {
				if h <= limit && few[k] != h || h > limit && !math.IsInf(few[k], 1) {
					t.Fatalf("face %d has depth %g, of all faces asked %g, limit %g", k, few[k], h, limit)
				}
			}
		}
	}
	if asked > faces/50 {
		t.Errorf("%d of %d faces are asked", asked, faces)
	}
}
