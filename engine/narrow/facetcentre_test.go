package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// degenerateFacetPairs yields blocks and flat facets in the positions in which the origin lies on the border of K, in a
// flat part of it, or K is nearly flat: faces and edges level with the facet, corners on corners, a facet through
// the middle of a block, a facet inside one, slivers.
func degenerateFacetPairs(t testing.TB, yield func(name string, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose)) {
	t.Helper()
	cube, spike := box(t, 2, 2, 2), rock(t, 3, 9)
	facets := map[string]*soa.View{
		"large":  facetOf(t, vec.V(-9, -9, 0), vec.V(18, -9, 0), vec.V(-9, 18, 0)),
		"small":  facetOf(t, vec.V(-0.1, -0.1, 0), vec.V(0.2, -0.1, 0), vec.V(-0.1, 0.2, 0)),
		"equal":  facetOf(t, vec.V(-1, -1, 0), vec.V(1, -1, 0), vec.V(1, 1, 0)),
		"sliver": facetOf(t, vec.V(-9, -5e-7, 0), vec.V(9, -5e-7, 0), vec.V(0, 1e-6, 0)),
	}
	r := rand.New(rand.NewPCG(13, 14))
	turns := []vec.Quat{vec.Identity, vec.FromRotationVector(vec.V(math.Pi/4, 0, 0)), vec.FromRotationVector(vec.V(0, 0, math.Pi/3))}
	for _, name := range []string{"large", "small", "equal", "sliver"} {
		for _, z := range []float64{0, 1e-15, 1e-9, 0.25, 1, math.Sqrt2, 1 - 1e-15, 1 + 1e-12, 1.5} {
			for _, x := range []float64{0, 1, -9, 1.0 / 3} {
				for _, turn := range turns {
					yield(name, cube, posed(x, 0, z, turn), facets[name], at(0, 0, 0))
					yield(name+" edge", cube, posed(x, -9, z, turn), facets[name], at(0, 0, 0))
				}
			}
			yield(name+" rock", spike, posed(r.Float64(), r.Float64(), z, randomRot(r)), facets[name], posed(0, 0, 0, randomRot(r)))
		}
	}
}

// TestFacetCentreChangesNothing: with and without the point that PFC adds at a facet's centre, GJK and EPA converge for
// every degenerate pair, and give the exhaustive answer.
func TestFacetCentreChangesNothing(t *testing.T) {
	plain, centred := NewSearch(), NewSearch()
	centred.in.FacetCentre = true
	pairs, deep, bare := 0, 0, 0
	check := func(name string, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) {
		t.Helper()
		var with, without, all Answer
		centred.Pair(a, pa, b, pb, 50, &with)
		if with.Status == NotConverged {
			t.Errorf("%s at %v: not converged with the centre", name, pa)
			return
		}
		// Without it, by the same way: GJK and EPA on the corners alone.
		if !plain.in.Load(a, pa, b, pb) {
			t.Fatalf("%s at %v: degenerate", name, pa)
		}
		without = Answer{Level: LevelSearch}
		plain.in.SearchLoaded(50, &without)
		if without.Status == NotConverged {
			bare++
			plain.Resolve(a, pa, b, pb, 50, &without)
		}
		plain.Exhaustive(a, pa, b, pb, 50, &all)
		unit := max(a.Radius, b.Radius)
		for _, got := range []Answer{with, without} {
			if math.Abs(got.Gap-all.Gap) > 2*ProofTol*unit || got.Exact != all.Exact {
				t.Errorf("%s at %v: gap %.17g, exhaustively %.17g", name, pa, got.Gap, all.Gap)
			}
		}
		if with.Gap != without.Gap || with.Normal != without.Normal || with.Facet != without.Facet {
			t.Errorf("%s at %v: %+v with the centre, %+v without", name, pa, with, without)
		}
		pairs++
		if with.Gap < 0 {
			deep++
		}
	}
	degenerateFacetPairs(t, check)
	r := rand.New(rand.NewPCG(15, 16))
	for i := range 2000 {
		a := rock(t, uint64(i%7), 4+i%30)
		b := facetOf(t, vec.V(r.Float64()-2, r.Float64()-2, 0), vec.V(2*r.Float64(), r.Float64()-1, 0), vec.V(r.Float64()-1, 2*r.Float64(), 0))
		check("random", a, posed(r.NormFloat64(), r.NormFloat64(), 0.5*r.NormFloat64(), randomRot(r)), b, posed(0, 0, 0, randomRot(r)))
	}
	if deep < 500 || pairs-deep < 200 {
		t.Errorf("%d pairs overlap and %d do not, expected many of both", deep, pairs-deep)
	}
	if bare > 0 {
		t.Errorf("%d of %d pairs do not converge without the centre, expected none: a facet has two faces", bare, pairs)
	}
}

// TestFacetCentreAllocatesNothing once it is warm.
func TestFacetCentreAllocatesNothing(t *testing.T) {
	a, b := rock(t, 3, 30), facetOf(t, vec.V(-2, -2, 0), vec.V(2, -2, 0), vec.V(0, 2, 0))
	s := NewSearch()
	s.in.FacetCentre = true
	var out Answer
	if n := testing.AllocsPerRun(100, func() { s.Pair(a, at(0.1, 0.2, 0.5), b, at(0, 0, 0), 1, &out) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
