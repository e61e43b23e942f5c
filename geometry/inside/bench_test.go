package inside

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/vec"
)

// gridOf returns n³ points evenly spaced over the cube from (-1,-1,-1) to (1,1,1).
func gridOf(n int) []vec.Vec3 {
	points := make([]vec.Vec3, 0, n*n*n)
	at := func(i int) float64 { return 2*float64(i)/float64(n-1) - 1 }
	for i := range n {
		for j := range n {
			for k := range n {
				points = append(points, vec.V(at(i), at(j), at(k)))
			}
		}
	}
	return points
}

// BenchmarkAuto locates 80³ points in the study's largest meshes, on one worker.
func BenchmarkAuto(b *testing.B) {
	for _, spec := range []string{"sphere:1,7", "foam:1,56"} {
		m, err := surfaces.Parse(spec)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("setup/mesh="+spec, func(b *testing.B) {
			check := 0.0
			for b.Loop() {
				s, err := New(m, Options{Workers: 1})
				if err != nil {
					b.Fatal(err)
				}
				check += s.Report.CheckSeconds
			}
			b.ReportMetric(check/float64(b.N)*1e3, "check-ms")
		})
		s, err := New(m, Options{Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		grid := gridOf(80)
		shuffled := slices.Clone(grid)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		places := make([]Place, len(grid))
		values := make([]float64, len(grid))
		for _, order := range []struct {
			name   string
			points []vec.Vec3
		}{{"grid", grid}, {"shuffled", shuffled}} {
			b.Run(fmt.Sprintf("order=%s/mesh=%s", order.name, spec), func(b *testing.B) {
				for b.Loop() {
					if err := s.Locate(order.points, places, values); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(grid)), "ns/point")
				b.ReportMetric(float64(s.Report.Bytes)/float64(s.Report.Triangles), "B/face")
			})
		}
	}
}
