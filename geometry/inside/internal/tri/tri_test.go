package tri

import (
	"testing"

	"github.com/scree-dem/scree/vec"
)

func TestBoxHoldsTheTrianglesOnly(t *testing.T) {
	s := &Surface{
		Verts: []vec.Vec3{{X: 9, Y: 9, Z: 9}, {X: 1}, {Y: -2}, {Z: 3}},
		Tris:  [][3]uint32{{1, 2, 3}},
	}
	if got, want := s.Box(), (vec.Box{Min: vec.Vec3{Y: -2}, Max: vec.Vec3{X: 1, Z: 3}}); got != want {
		t.Errorf("box %v, want %v", got, want)
	}
	if a, b, c := s.Corners(0); a != s.Verts[1] || b != s.Verts[2] || c != s.Verts[3] {
		t.Errorf("corners %v %v %v", a, b, c)
	}
}
