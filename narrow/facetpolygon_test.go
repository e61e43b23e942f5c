package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// TestRandomPolygonFacets is TestRandomFacets for facets of 4 to 11 corners. It also tests the
// proof of the answer by its feature.
func TestRandomPolygonFacets(t *testing.T) {
	_, shapes := menagerie(t)
	r := rand.New(rand.NewPCG(143, 44))
	s := NewSearch()
	lost, proven, n := 0, 0, 600
	for range n {
		a := shapes[r.IntN(len(shapes))]
		corners, k := 4+r.IntN(8), []float64{1, 1e-2, 5}[r.IntN(3)]
		var p []vec.Vec3
		for i := range corners {
			sn, c := vec.Sincos(2 * math.Pi * (float64(i) + 0.5*r.Float64()) / float64(corners))
			p = append(p, vec.V(c, k*sn, 0))
		}
		tpl, err := geometry.FacetPolygonTemplate(p)
		if err != nil {
			t.Fatal(err)
		}
		f := addTemplate(t, tpl)
		pa, pb := placed(r, a, f, []float64{0, 1e-9, -1e-9, -1e-3, 0.1, -0.1}[r.IntN(6)])
		if checkPair(t, s, a, pa, f, pb) {
			lost++
		}
		var out, warm Answer
		s.Resolve(a, pa, f, pb, 0.2, &out)
		if out.Gap < 0 && s.Feature(a, pa, f, pb, 0, out.Facet, &warm) {
			proven++
			if math.Abs(warm.Gap-out.Gap) > 1e-12*max(a.Radius, f.Radius, 1) {
				t.Errorf("gap %g by search, %g proven", out.Gap, warm.Gap)
			}
		}
	}
	if lost > n/100 {
		t.Errorf("%d of %d did not converge", lost, n)
	}
	if proven < 20 {
		t.Errorf("%d proven", proven)
	}
}
