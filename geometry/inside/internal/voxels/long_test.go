package voxels

import (
	"testing"

	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/vec"
)

// addBox adds the box between two corners to a surface, oriented outwards.
func addBox(s *tri.Surface, lo, hi vec.Vec3) {
	base := uint32(len(s.Verts))
	for k := range 8 {
		v := lo
		if k&1 != 0 {
			v.X = hi.X
		}
		if k&2 != 0 {
			v.Y = hi.Y
		}
		if k&4 != 0 {
			v.Z = hi.Z
		}
		s.Verts = append(s.Verts, v)
	}
	for _, f := range [][4]uint32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		s.Tris = append(s.Tris, [3]uint32{base + f[0], base + f[1], base + f[2]}, [3]uint32{base + f[0], base + f[2], base + f[3]})
	}
}

// TestOnInLongLists checks that a point on a triangle of a long list is on the surface, even though
// the segment crosses other triangles of the same run. The list is that of a stack of plates, next
// to a box so large that one cell contains the stack.
func TestOnInLongLists(t *testing.T) {
	s := &tri.Surface{}
	addBox(s, vec.V(64, 64, 64), vec.V(128, 128, 128))
	var points []vec.Vec3
	const plates, step = 32, 0x1p-9
	for k := range plates {
		z := float64(2*k) * step
		addBox(s, vec.V(0, 0, z), vec.V(0.125, 0.125, z+step))
		points = append(points, vec.V(0x1p-5, 0x1p-6, z), vec.V(0x1p-6, 0x1p-5, z+step), vec.V(0, 0x1p-6, z+step/2), vec.V(0x1p-4, 0x1p-4, z))
	}
	c, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.long) == 0 {
		t.Fatal("no list is long")
	}
	places, values := make([]tri.Place, len(points)), make([]float64, len(points))
	c.Range(points, places, values)
	wrong := 0
	for i, p := range points {
		if places[i] != tri.On || values[i] != 0.5 {
			if wrong++; wrong == 1 {
				t.Errorf("%v is %d, value %g, expected %d, 0.5", p, places[i], values[i], tri.On)
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d points on the surface are wrong", wrong, len(points))
	}
}
