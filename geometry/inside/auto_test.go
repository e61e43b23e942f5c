package inside

import (
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/vec"
)

// TestAutoIsRay: the exact methods agree on surfaces of each kind, at points of grids and at random
// ones, and at vertices and middles of edges.
func TestAutoIsRay(t *testing.T) {
	for _, spec := range []string{"sphere:1,3", "torus:1,0.4,24,16", "foam:1,8", "dyadic-foam:1,8"} {
		m, err := surfaces.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		points := gridOf(9)
		rng := rand.New(rand.NewPCG(1, 2))
		for range 500 {
			points = append(points, vec.V(rng.Float64()*2-1, rng.Float64()*2-1, rng.Float64()*2-1))
		}
		for k, f := range m.Faces {
			if k%7 == 0 {
				a, b := m.Verts[f[0]], m.Verts[f[1]]
				points = append(points, a, a.Add(b).Scale(0.5))
			}
		}
		agree(t, spec, m, points, Auto, Ray)
	}
}
