package broad_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

// cloud writes the boxes of n random balls at volume fraction 0.64 to s. The largest diameter is 1;
// radii are uniform down to 1/ratio of the largest.
func cloud(s *broad.Input, n int, ratio float64, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 64))
	volume := 0.0
	s.Box = s.Box[:0]
	for range n {
		radius := 0.5 * (1 - r.Float64()*(1-1/ratio))
		volume += 4.0 / 3 * math.Pi * radius * radius * radius
		s.Box = append(s.Box, vec.Box{Max: vec.V(radius, radius, radius)})
	}
	side := math.Cbrt(volume / 0.64)
	for i := range s.Box {
		half := s.Box[i].Max
		c := vec.V(r.Float64(), r.Float64(), r.Float64()).Scale(side)
		s.Box[i] = vec.Box{Min: c.Sub(half), Max: c.Add(half)}
	}
}

// BenchmarkFind finds the pairs of new random scenes from the boxes alone.
func BenchmarkFind(b *testing.B) {
	for _, m := range methods {
		for _, ratio := range []float64{1, 20} {
			for _, n := range []int{1 << 10, 1 << 16} {
				for _, workers := range []int{1, 2} {
					if workers == 2 && n < 1<<16 || m.name == "brute" && n > 1<<10 {
						continue
					}
					b.Run(fmt.Sprintf("method=%s/ratio=%g/bodies=%d/workers=%d", m.name, ratio, n, workers), func(b *testing.B) {
						s, found, f := &broad.Input{}, &broad.Found{}, broad.NewFinder(m.make())
						if workers > 1 {
							s.Pool = sched.New(workers)
							defer s.Pool.Close()
						}
						scenes := make([]broad.Input, 8)
						for k := range scenes {
							cloud(&scenes[k], n, ratio, uint64(k))
						}
						pairs, k := 0, 0
						for b.Loop() {
							s.Box = scenes[k&7].Box
							k++
							if err := f.Find(s, found); err != nil {
								b.Fatal(err)
							}
							pairs += len(found.A)
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/body")
						b.ReportMetric(float64(pairs)/float64(b.N*n), "pairs/body")
					})
				}
			}
		}
	}
}
