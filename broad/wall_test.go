package broad

import (
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// bumpyWall adds one wall of 2·m² facets over a square of side m·cell about the origin.
func (w *world) bumpyWall(m int, cell float64) soa.Body {
	at := func(i, j int) vec.Vec3 {
		x, y := float64(i)-0.5*float64(m), float64(j)-0.5*float64(m)
		return vec.V(x, y, 0.5*(math.Sin(1.7*x)+math.Cos(0.9*y))).Scale(cell)
	}
	var parts []part
	for i := range m {
		for j := range m {
			a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
			parts = append(parts, part{w.facet(a, b, c), vec.IdentityPose}, part{w.facet(a, c, d), vec.IdentityPose})
		}
	}
	return w.body(vec.IdentityPose, 0, parts...)
}

// BenchmarkWall rebuilds for blocks that move over a wall of 80 000 facets at rest. The diameters
// are 1/ratio to 1; the blocks fill a slab of the given height.
func BenchmarkWall(b *testing.B) {
	for _, v := range []struct {
		facet         float64
		blocks        int
		ratio, height float64
	}{
		{0.3, 2000, 1, 4},
		{1, 2000, 1, 4},
		{4, 2000, 1, 4},
		{0.3, 2000, 1, 400},
		{0.3, 2000, 20, 4},
		{0.3, 2000, 20, 400},
		{0.02, 2000, 20, 4},
		{0.3, 1 << 16, 1, 60},
	} {
		b.Run(fmt.Sprintf("facet=%g/blocks=%d/ratio=%g/height=%g", v.facet, v.blocks, v.ratio, v.height), func(b *testing.B) {
			w := newWorld(Config{Skin: 0.05})
			const m = 200
			w.bumpyWall(m, v.facet)
			shapes := make([]soa.Shape, 50)
			for k := range shapes {
				s := 0.5 * math.Pow(v.ratio, -float64(k)/49)
				shapes[k] = w.box(s, 0.8*s, 0.6*s)
			}
			r, side := random(1), min(m*v.facet, 60)
			for i := range v.blocks {
				at := within(r, side)
				at.Z *= v.height / side
				w.one(at, rotation(r), shapes[i%len(shapes)])
			}
			w.rebuild(nil)
			pairs, entered := 0, w.cells.Stats().Entered
			for b.Loop() {
				for i := range v.blocks {
					w.bodies.Pos.X[i+1] += 0.01
				}
				w.rebuild(nil)
				pairs += w.pairs.Len()
			}
			b.ReportMetric(float64(pairs)/float64(b.N), "pairs")
			b.ReportMetric(float64(w.cells.Stats().Entered-entered)/float64(b.N), "entered")
		})
	}
}
