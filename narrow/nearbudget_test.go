package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/narrow/internal/proof"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestNearBudgetHolds moves two bodies apart, whose nearest features are proven, in many small
// steps or one large one, up to the budget of the proof. Wherever the gap is clear of zero and of
// the reach, a new search must return the same features, and the answer the same bits.
func TestNearBudgetHolds(t *testing.T) {
	names, shapes := capped(t)
	r := rand.New(rand.NewPCG(5, 3))
	s := NewSearch()
	pairs := require.Rounds(30, 36, 120)
	proofs, budgets, steps := 0, 0, 0
	var kinds [soa.EdgeVertex + 1]int
	for i, a := range shapes[:len(shapes)-1] {
		for j, b := range shapes {
			for n := range pairs {
				pa, pb := placed(r, a, b, 0)
				if n%4 == 1 {
					pa, pb = faceOnFace(r, a, b)
				}
				gap := math.Pow(10, -5+5*r.Float64())
				var was, warm, cold Answer
				s.Resolve(a, pa, b, pb, 0, &was)
				away := was.Normal
				if n%2 == 0 {
					gap, away = math.Pow(10, -3+4*r.Float64()), away.Add(randomUnit(r)).Unit()
				}
				pb.Pos = pb.Pos.AddScaled(gap-was.Gap, away)
				s.Resolve(a, pa, b, pb, math.Inf(1), &was)
				gap = was.Gap
				reach := 4 * gap
				if was.Status != Separated || !was.Exact || !s.Feature(a, pa, b, pb, reach, was.Facet, &warm) {
					continue
				}
				proofs++
				turn := 1 / min(a.Radius, b.Radius)
				allowed := s.Budget(turn)
				if allowed.Motion == 0 {
					continue
				}
				if !allowed.Apart {
					t.Fatalf("%s near %s: %+v", names[i], names[j], allowed)
				}
				budgets++
				kinds[warm.Facet.Kind]++
				for left := allowed.Motion; left > 0; {
					m := left * r.Float64()
					if m < 0.05*allowed.Motion || r.IntN(3) == 0 {
						m = left
					}
					left -= m
					share := r.Float64()
					if n%3 == 0 {
						// One body relative to the other, along the gap or across it.
						along := [3]vec.Vec3{was.Normal, was.Normal.Neg(), was.Normal.Cross(randomUnit(r)).Unit()}[n/3%3]
						pb.Pos = pb.Pos.AddScaled(m*(1-1e-9), along)
					} else {
						pa = moved(r, pa, m*share, a.Radius)
						pb = moved(r, pb, m*(1-share), b.Radius)
					}
					s.Resolve(a, pa, b, pb, reach, &cold)
					steps++
					warm = ofFacet(s, a, pa, b, pb, warm.Facet, allowed.Flip)
					if !proof.ClearApart(warm.Gap, reach, a, b, pb.Pos.Sub(pa.Pos)) {
						t.Fatalf("%s near %s, budget %g: not clear at gap %g of %g", names[i], names[j], allowed.Motion, warm.Gap, gap)
					}
					if warm.AnsweredBy = cold.AnsweredBy; warm != cold {
						t.Fatalf("%s near %s, gap %g, budget %g: the proven features give\n%+v, the search\n%+v",
							names[i], names[j], gap, allowed.Motion, warm, cold)
					}
				}
			}
		}
	}
	t.Logf("%d proofs, %d with a budget, of kinds %v, %d steps", proofs, budgets, kinds[1:], steps)
	if proofs < 5*pairs || float64(budgets) < 0.8*float64(proofs) || steps < budgets {
		t.Errorf("%d proofs, %d with a budget, %d steps", proofs, budgets, steps)
	}
	for kind := soa.FaceVertex; kind <= soa.EdgeVertex; kind++ {
		if kinds[kind] < pairs/10 {
			t.Errorf("%d budgets of kind %d, expected more", kinds[kind], kind)
		}
	}
}
