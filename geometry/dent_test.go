package geometry

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/vec"
)

// TestThinHullsHaveNoDents draws sheets 1e-12 to 1e-4 of their size thick, with vertices 1e-13 to
// 1e-9 of it from each other. No loop may have a dent deeper than the rounding level. A dent would
// hide the body from its vertex: no edge of the vertex leads into the face.
func TestThinHullsHaveNoDents(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 7))
	small := func(from, decades float64) float64 { return math.Pow(10, from+float64(decades*r.Float64())) }
	noise := func(size float64) vec.Vec3 {
		return vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(size)
	}
	hulls, deepest := 0, 0.0
	for hulls < 5000 {
		var points []vec.Vec3
		thin, off := small(-12, 8), small(-13, 4)
		for range 4 + r.IntN(5) {
			sin, cos := math.Sincos(math.Pi / 3 * float64(r.IntN(6)))
			points = append(points, vec.V(cos, sin, 0.5+float64(thin*r.NormFloat64())).Add(noise(off*float64(r.IntN(2)))))
		}
		points = append(points, points[r.IntN(len(points))].Add(noise(small(-13, 4))))
		p, err := FromPoints("sheet", points)
		if err != nil {
			continue // too thin
		}
		hulls++
		for f, n := range p.Normals {
			loop := p.Loop(f)
			for i, k := range loop {
				u, v, w := p.Verts[loop[(i+len(loop)-1)%len(loop)]], p.Verts[k], p.Verts[loop[(i+1)%len(loop)]]
				deepest = max(deepest, -n.Dot(v.Sub(u).Cross(w.Sub(v)))/w.Sub(u).Norm()/hull.RoundingLevel)
			}
		}
		if deepest > 2 {
			t.Fatalf("hull %d of %v: a dent of %g rounding levels", hulls, points, deepest)
		}
	}
	t.Logf("%d hulls, deepest dent %.2f rounding levels", hulls, deepest)
}
