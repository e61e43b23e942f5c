package tri

import (
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestPolygonBorder checks for any polygon that its triangles have three corners and its border,
// and that the number of comparisons is bounded.
func TestPolygonBorder(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		n, side := 4+rng.IntN(12), 2+rng.IntN(6)
		verts := make([]vec.Vec3, side*side)
		for k := range verts {
			verts[k] = vec.V(float64(k%side), float64(k/side), float64(rng.IntN(2)))
		}
		var loop []uint32
		for len(loop) < n || loop[0] == loop[len(loop)-1] {
			if k := uint32(rng.IntN(len(verts))); len(loop) == 0 || loop[len(loop)-1] != k {
				loop = append(loop, k)
			}
		}
		c := &cutter{}
		c.add(verts, loop)
		net := map[[2]uint32]int{}
		pass := func(i, j uint32, by int) {
			if i > j {
				i, j, by = j, i, -by
			}
			net[[2]uint32{i, j}] += by
		}
		for k, i := range loop {
			pass(i, loop[(k+1)%len(loop)], -1)
		}
		for _, k := range c.out {
			if k[0] == k[1] || k[1] == k[2] || k[2] == k[0] {
				t.Fatalf("loop %v: triangle %v", loop, k)
			}
			pass(k[0], k[1], 1)
			pass(k[1], k[2], 1)
			pass(k[2], k[0], 1)
		}
		for edge, sum := range net {
			if sum != 0 {
				t.Fatalf("loop %v, triangles %v: edge %v is passed %d times too often", loop, c.out, edge, sum)
			}
		}
		if n := len(loop); c.ears.Compared > 9*n*n {
			t.Errorf("loop %v: %d looks", loop, c.ears.Compared)
		}
	}
}
