package overlap

import (
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// BenchmarkReduced measures one location on warm shapes; checksum is the sum of all coordinates.
func BenchmarkReduced(b *testing.B) {
	r := rand.New(rand.NewPCG(51, 52))
	box := view(b, boxBody(1, 1, 1))
	round := view(b, prismBody(32))
	for _, k := range []struct {
		name string
		p    pair
	}{
		{"shape=box/contact=face", pair{a: box, b: box, pa: at(0, 0, 0), pb: turned(about(vec.V(0, 0, 1), 10), 0.3, 0.2, 0.99),
			normal: vec.V(0, 0, 1), gap: -0.01, armA: vec.V(0.15, 0.1, 0.5), armB: vec.V(-0.15, -0.1, -0.5)}},
		{"shape=rock10/contact=any", randomPair(b, r, 1e-3)},
		{"shape=prism32/contact=face", pair{a: round, b: round, pa: at(0, 0, 0), pb: at(0.3, 0.2, 0.99),
			normal: vec.V(0, 0, 1), gap: -0.01, armA: vec.V(0.15, 0.1, 0.5), armB: vec.V(-0.15, -0.1, -0.5)}},
		{"shape=box/contact=facet", facetPair(b)},
	} {
		b.Run(k.name, func(b *testing.B) {
			c := NewCutter()
			sum := vec.Vec3{}
			n := 0
			for b.Loop() {
				loc, _, _ := k.p.reduced(c)
				sum = sum.Add(loc)
				n++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/contact")
			b.ReportMetric((sum.X+sum.Y+sum.Z)/float64(n), "checksum")
		})
	}
}
