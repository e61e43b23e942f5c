package halfedge

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestByEdge compares the half-edges of each edge with a look at all pairs, for random half-edges
// between few and many vertices.
func TestByEdge(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, c := range []struct{ n, verts int }{{0, 0}, {1, 2}, {300, 4}, {300, 40}, {2000, 3}} {
		ends := make([][2]int32, c.n)
		for h := range ends {
			if ends[h] = [2]int32{int32(r.IntN(c.verts)), int32(r.IntN(c.verts))}; r.IntN(10) == 0 {
				ends[h][0] = -1
			}
		}
		around, of := ByEdge(c.n, c.verts, func(h int32) (a, b int32) { return ends[h][0], ends[h][1] })
		for h, e := range ends {
			var want []int32
			for g, o := range ends {
				if e[0] >= 0 && o[0] >= 0 && min(e[0], e[1]) == min(o[0], o[1]) && max(e[0], e[1]) == max(o[0], o[1]) {
					want = append(want, int32(g))
				}
			}
			if got := around[of[h].From:of[h].To]; !slices.Equal(got, want) {
				t.Fatalf("%d half-edges, %d vertices: half-edge %d shares its edge with %v, expected %v", c.n, c.verts, h, got, want)
			}
		}
	}
}
