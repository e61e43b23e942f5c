package report

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/scree-dem/scree/fileio"
)

// FuzzForms makes the geometry of bodies of any polygons: indices stay in range, and finite points give finite vertices.
func FuzzForms(f *testing.F) {
	f.Add([]byte{0, 1, 2, 255, 0, 2, 3, 255, 0, 3, 1, 255, 1, 3, 2}, 0.1)
	f.Add([]byte{0, 1, 2, 255, 3, 4, 5, 6}, 0.0)
	f.Add([]byte{0, 0, 0, 0, 255, 1, 255, 255, 7, 6, 5}, 1.0)
	f.Fuzz(func(t *testing.T, polygons []byte, round float64) {
		d := &fileio.PolyData{}
		for k := range 8 {
			d.Points = append(d.Points, float64(k&1)-0.5, float64(k>>1&1)-0.5, float64(k>>2)-0.5)
		}
		for _, b := range polygons {
			if b < 128 {
				d.Polys.Connectivity = append(d.Polys.Connectivity, int64(b%8))
			} else {
				d.Polys.Offsets = append(d.Polys.Offsets, int64(len(d.Polys.Connectivity)))
			}
		}
		d.Polys.Offsets = append(d.Polys.Offsets, int64(len(d.Polys.Connectivity)))
		n := len(d.Polys.Offsets)
		of := make([]float64, n)
		for i := range of {
			of[i] = round
		}
		d.CellData = []fileio.Field{{Name: "round", Floats: of}}
		d.FieldData = []fileio.Field{{Name: "pose", Components: 7, Floats: []float64{0, 0, 0, 1, 0, 0, 0}}, {Name: "number", Ints: []int64{0}},
			{Name: "polygons", Ints: []int64{int64(n)}}, {Name: "form", Ints: []int64{1}}}
		path := filepath.Join(t.TempDir(), "bodies-000000.vtp")
		if err := fileio.WriteVTP(t.Context(), path, d); err != nil {
			t.Skip(err)
		}
		p, err := readPart(path, 1)
		if err != nil {
			t.Fatal(err)
		}
		shown := forms{fine: 1}
		if err := shown.add(sample{p, 0}); err != nil {
			t.Fatal(err)
		}
		m := shown.list[0]
		sum := 0
		for _, k := range shown.polygons {
			sum += int(k)
		}
		for _, v := range shown.corners {
			if int(v) >= m.Vertices[1] {
				t.Fatalf("corner %d of %d vertices", v, m.Vertices[1])
			}
		}
		for _, v := range shown.triangles {
			if int(v) >= m.Smooth[1] {
				t.Fatalf("corner %d of %d smooth vertices", v, m.Smooth[1])
			}
		}
		if sum != len(shown.corners) || len(shown.normals) != len(shown.smooth) || m.Vertices[1] != len(shown.vertices)/3 {
			t.Fatalf("%d corners, %d of polygons", len(shown.corners), sum)
		}
		for _, x := range append(shown.vertices, shown.smooth...) {
			if x-x != 0 && math.Abs(round) < 1e30 {
				t.Fatalf("a vertex is at %g", x)
			}
		}
	})
}
