package geometry

import (
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestWeldGrid compares the lowest vertex within the tolerance with a search through all vertices.
func TestWeldGrid(t *testing.T) {
	const tol, n = 0.01, 3000
	r := rand.New(rand.NewPCG(6, 28))
	g := newWeldGrid(vec.Vec3{}, tol, n)
	var verts []vec.Vec3
	welded := 0
	for range n {
		p := vec.V(r.Float64(), r.Float64(), 0.1*r.Float64())
		if len(verts) > 0 && r.IntN(3) == 0 {
			p = verts[r.IntN(len(verts))].Add(vec.V(1.5*tol*r.Float64(), 0, 0))
		}
		want := -1
		for k, v := range verts {
			if p.Sub(v).Norm() <= tol {
				want = k
				break
			}
		}
		if got := g.lowest(verts, p); got != want {
			t.Fatalf("point %v: vertex %d, expected %d", p, got, want)
		}
		if want >= 0 {
			welded++
			continue
		}
		verts = append(verts, p)
		g.insert(p)
	}
	if welded < n/10 || len(verts) < n/10 {
		t.Errorf("%d points welded, %d not: the test shows nothing", welded, len(verts))
	}
}
