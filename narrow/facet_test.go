package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestBlockOnFacet tests a cube against a large triangle in the plane z = 0: both sides, edges and
// corners.
func TestBlockOnFacet(t *testing.T) {
	f := facetOf(t, vec.V(-9, -9, 0), vec.V(18, -9, 0), vec.V(-9, 18, 0))
	sliver := facetOf(t, vec.V(-9, -0.005, 0), vec.V(9, -0.005, 0), vec.V(0, 0.01, 0))
	small := facetOf(t, vec.V(-0.1, -0.1, 0), vec.V(0.2, -0.1, 0), vec.V(-0.1, 0.2, 0))
	cube := box(t, 2, 2, 2)
	turn := func(x, y, z float64) vec.Quat { return vec.FromRotationVector(vec.V(x, y, z)) }
	h := math.Sqrt(0.5)
	for _, c := range []struct {
		name string
		f    *soa.View
		pa   vec.Pose
		gap  float64
		n    vec.Vec3
	}{
		{"face above", f, at(0, 0, 1.5), 0.5, vec.V(0, 0, -1)},
		{"face on it", f, at(0, 0, 1), 0, vec.V(0, 0, -1)},
		{"face through it", f, at(0, 0, 0.75), -0.25, vec.V(0, 0, -1)},
		{"face through it from below", f, at(0, 0, -0.75), -0.25, vec.V(0, 0, 1)},
		{"edge through it", f, posed(0, 0, math.Sqrt2-0.1, turn(math.Pi/4, 0, 0)), -0.1, vec.V(0, 0, -1)},
		{"beside an edge", f, at(0, -11, 0), 1, vec.V(0, 1, 0)},
		{"edge of the triangle into a face", f, at(0, -9.75, 0), -0.25, vec.V(0, 1, 0)},
		{"corner of the triangle to the cube's edge", f, posed(18+math.Sqrt2+0.5, -9, 0, turn(0, math.Pi/4, 0)), 0.5, vec.V(-1, 0, 0)},
		{"edge over the triangle's edge", f, posed(0, -9-h, 1+h, turn(0, 0, 0)), math.NaN(), vec.Vec3{}},
		{"triangle inside the cube", small, at(0.25, 0, 0), -0.95, vec.V(-1, 0, 0)},
		{"sliver through the cube", sliver, at(0, 0, 0.9), -0.1, vec.V(0, 0, -1)},
		{"sliver deep in the cube", sliver, posed(0.3, 0.2, 0.1, turn(0.1, 0.2, 0.3)), math.NaN(), vec.Vec3{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := answered(t, cube, c.pa, c.f, at(0, 0, 0))
			if !math.IsNaN(c.gap) && math.Abs(out.Gap-c.gap) > 1e-14 {
				t.Errorf("gap %.17g, expected %g", out.Gap, c.gap)
			}
			if c.n != (vec.Vec3{}) && out.Normal.Sub(c.n).Norm() > 1e-14 {
				t.Errorf("normal %v, expected %v", out.Normal, c.n)
			}
		})
	}
}

// TestWallFacets tests triangles of a wall, whose common frame may have its origin far from them. A
// block's face on such a wall must have the same answer as on a wall that is a block.
func TestWallFacets(t *testing.T) {
	tpl, err := geometry.FacetTemplate(vec.V(90, 90, 0), vec.V(110, 90, 0), vec.V(90, 110, 0))
	if err != nil {
		t.Fatal(err)
	}
	var shapes soa.Shapes
	id, err := shapes.Add(tpl)
	if err != nil {
		t.Fatal(err)
	}
	wall, slab := shapes.View(id), box(t, 20, 20, 2)
	r := rand.New(rand.NewPCG(41, 42))
	s := NewSearch()
	for i := range 200 {
		rock := rock(t, uint64(i%5), 12)
		pa := vec.Pose{Pos: vec.V(95+r.Float64(), 95+r.Float64(), 0.3+r.Float64()*0.5), Rot: randomRot(r)}
		var x, y Answer
		s.Resolve(rock, pa, wall, at(0, 0, 0), 1, &x)
		s.Resolve(rock, pa, slab, at(95, 95, -1), 1, &y)
		if math.Abs(x.Gap-y.Gap) > 1e-12 || x.Normal.Sub(y.Normal).Norm() > 1e-9 {
			t.Fatalf("facet %g %v, block %g %v", x.Gap, x.Normal, y.Gap, y.Normal)
		}
	}
}

// TestRandomFacets compares with brute force, for facets of every shape at every depth.
func TestRandomFacets(t *testing.T) {
	_, shapes := menagerie(t)
	r := rand.New(rand.NewPCG(43, 44))
	s := NewSearch()
	lost, n := 0, 1500
	for range n {
		a := shapes[r.IntN(len(shapes))]
		k := []float64{1, 1e-3, 5}[r.IntN(3)]
		f := facetOf(t, vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(r.Float64(), k, 0))
		pa, pb := placed(r, a, f, []float64{0, 1e-9, -1e-9, -1e-3, 0.1, -0.1}[r.IntN(6)])
		if checkPair(t, s, a, pa, f, pb) {
			lost++
		}
	}
	if lost > n/100 {
		t.Errorf("%d of %d did not converge", lost, n)
	}
}
