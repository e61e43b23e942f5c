package engine

import (
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// BenchmarkPress finds the contacts of a brick that is 1 mm deep in walls of facets.
func BenchmarkPress(b *testing.B) {
	bowl := triangles{}.turned(96, [2]float64{0, -1}, [2]float64{0.25, -0.97}, [2]float64{0.5, -0.87}, [2]float64{0.7, -0.71}, [2]float64{0.87, -0.5}, [2]float64{1, 0})
	flat, tipped := vec.FromRotationVector(vec.V(0, 0, 0.3)), vec.FromRotationVector(vec.V(0.5, 0.5, 0))
	for _, c := range []struct {
		name string
		wall triangles
		rot  vec.Quat
	}{
		{"facet", triangles{{vec.V(-1, -1, 0), vec.V(1, -1, 0), vec.V(1, 1, 0), vec.V(-1, 1, 0)}}, flat},
		{"two", gridFloor(1, 0, 1), flat},
		{"grid", gridFloor(8, 0, 1), flat},
		{"corner", gridFloor(8, 0, 1), tipped},
		{"rough", roughFloor(8, 0.001, 1), flat},
		{"hole", gridFloor(16, 0, 1).without(-0.125, -0.125, 0.125, 0.125), flat},
		{"bowl", bowl, flat},
	} {
		b.Run("wall="+c.name, func(b *testing.B) {
			w, id := pressWorld(b, c.wall, box(b, 0.5, 0.3, 0.2))
			pose := vec.Pose{Pos: vec.V(0.03, 0.02, 0), Rot: c.rot}
			pose.Pos.Z = w.touchdown(id, pose) - 1e-3
			w.pressAt(id, pose)
			for b.Loop() {
				for i := range w.space.Pairs.Expiry {
					w.space.Pairs.Expiry[i] = soa.Expired
				}
				w.findContacts()
			}
			b.ReportMetric(float64(w.space.Pairs.Len()), "pairs")
		})
	}
}
