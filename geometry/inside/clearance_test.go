package inside

import (
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/vec"
)

// TestClearanceOfACube compares with the distance of a point from a cube's surface, which is known
// inside and outside.
func TestClearanceOfACube(t *testing.T) {
	s := &tri.Surface{}
	const n = 6 // squares along an edge
	for axis := range 3 {
		for side := range 2 {
			for i := range n {
				for j := range n {
					at := func(i, j int) uint32 {
						x := [3]float64{}
						x[axis], x[(axis+1)%3], x[(axis+2)%3] = float64(2*side-1), float64(i)/n*2-1, float64(j)/n*2-1
						s.Verts = append(s.Verts, vec.V(x[0], x[1], x[2]))
						return uint32(len(s.Verts) - 1)
					}
					a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
					s.Tris = append(s.Tris, [3]uint32{a, b, c}, [3]uint32{a, c, d})
				}
			}
		}
	}
	s.Tris = append(s.Tris, [3]uint32{0, 0, 1}, [3]uint32{2, 2, 2}) // a segment and a point
	c := newClearance(s)
	r := geometry.NewRand(7)
	for range 20000 {
		p := vec.V(r.Range(-2, 2), r.Range(-2, 2), r.Range(-2, 2))
		off := vec.V(max(p.X-1, -1-p.X), max(p.Y-1, -1-p.Y), max(p.Z-1, -1-p.Z))
		want := -max(off.X, off.Y, off.Z)
		if want < 0 {
			want = off.Max(vec.Vec3{}).Norm()
		}
		if !c.Within(p, want*(1+1e-12)+1e-300) || c.Within(p, want*(1-1e-12)) {
			t.Fatalf("%v is %g away from the surface, Within disagrees", p, want)
		}
	}
}
