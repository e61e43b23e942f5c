package soa

import (
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestRows checks that VertRows and PlaneRows equal the columns.
func TestRows(t *testing.T) {
	s := &Shapes{}
	for range 2 {
		if _, err := s.Add(pyramid(1)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Add(&Template{Kind: Ball, Radius: 1, Inner: 1}); err != nil {
			t.Fatal(err)
		}
	}
	for h := range s.Len() {
		v := s.View(Shape(h))
		if v.Arena != s {
			t.Errorf("shape %d has another arena", h)
		}
		if v.Kind != Block {
			continue
		}
		for k := range v.NVerts {
			row := s.VertRows[int(v.VertRow)+FeatureSize*k:][:FeatureSize]
			if want := v.Vert(Vertex(k)); row[0] != want.X || row[1] != want.Y || row[2] != want.Z {
				t.Errorf("shape %d, vertex %d: row %v, want %v", h, k, row, want)
			}
		}
		for f := range v.NFaces {
			row := s.PlaneRows[int(v.PlaneRow)+FeatureSize*f:][:FeatureSize]
			if n := v.Normal(Face(f)); row[0] != n.X || row[1] != n.Y || row[2] != n.Z || row[3] != v.D[f] {
				t.Errorf("shape %d, face %d: row %v, want %v, %g", h, f, row, n, v.D[f])
			}
		}
	}
	for f, at := range []int{NoPlane, WallPlane} {
		row, n := s.PlaneRows[FeatureSize*f:], s.Planes.N.At(at)
		if row[0] != n.X || row[1] != n.Y || row[2] != n.Z || row[3] != s.Planes.D[at] {
			t.Errorf("plane %d has the row %v", at, row[:FeatureSize])
		}
	}
	b := &Bodies{}
	b.Resize(3)
	for i := range 3 {
		b.Pos.Set(i, vec.V(float64(i), 2, 3))
		b.Rot.Set(i, vec.Quat{W: float64(10 + i), X: 1, Y: 2, Z: 3})
	}
	rows := b.PoseRows()
	for i := range 3 {
		if got, want := [7]float64(rows[PoseSize*i:]), [7]float64{float64(i), 2, 3, float64(10 + i), 1, 2, 3}; got != want {
			t.Errorf("body %d: row %v, want %v", i, got, want)
		}
	}
}
