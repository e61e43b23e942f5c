package report

import (
	"compress/flate"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/scree-dem/scree/fileio"
)

// TestSize: a page fits 30 MB with 10⁴ bodies in 60 frames, and with 10⁵ in one, with three fields and 5000 contacts in each
// frame, all with random numbers.
func TestSize(t *testing.T) {
	for _, c := range []struct{ bodies, frames int }{{10_000, 60}, {100_000, 1}} {
		dir, r := t.TempDir(), rand.New(rand.NewPCG(1, 2))
		random := func(n int) []float64 {
			x := make([]float64, n)
			for i := range x {
				x[i] = r.NormFloat64()
			}
			return x
		}
		one := make([]int64, c.bodies)
		number, form, mass := make([]int64, c.bodies), make([]int64, c.bodies), make([]float64, c.bodies)
		d := &fileio.PolyData{Points: random(9 * c.bodies)}
		for i := range one {
			one[i], number[i], form[i], mass[i] = 1, int64(i), r.Int64N(5), float64(1+r.IntN(5))
			d.Polys.Connectivity = append(d.Polys.Connectivity, int64(3*i), int64(3*i+1), int64(3*i+2))
			d.Polys.Offsets = append(d.Polys.Offsets, int64(3*i+3))
		}
		d.FieldData = []fileio.Field{{Name: "pose", Components: 7, Floats: random(7 * c.bodies)}, {Name: "number", Ints: number}, {Name: "polygons", Ints: one}, {Name: "form", Ints: form}}
		d.CellData = []fileio.Field{{Name: "speed", Floats: random(c.bodies)}, {Name: "velocity", Components: 3, Floats: random(3 * c.bodies)}, {Name: "mass", Floats: mass}}
		const n = strongest
		contacts := &fileio.PolyData{Points: random(3 * n)}
		bodies, sliding := make([]int64, 2*n), make([]int64, n)
		for i := range n {
			bodies[2*i], bodies[2*i+1], sliding[i] = int64(i), r.Int64N(int64(c.bodies)), r.Int64N(2)
			contacts.Verts.Connectivity, contacts.Verts.Offsets = append(contacts.Verts.Connectivity, int64(i)), append(contacts.Verts.Offsets, int64(i+1))
		}
		contacts.PointData = []fileio.Field{{Name: "force", Components: 3, Floats: random(3 * n)}, {Name: "normal", Components: 3, Floats: random(3 * n)},
			{Name: "gap", Floats: random(n)}, {Name: "bodies", Components: 2, Ints: bodies}, {Name: "sliding", Ints: sliding}}
		for name, d := range map[string]*fileio.PolyData{"bodies-000000.vtp": d, "contacts-000000.vtp": contacts} {
			if err := fileio.WriteVTP(t.Context(), filepath.Join(dir, name), d); err != nil {
				t.Fatal(err)
			}
		}
		f := &Folder{dir: dir, every: 1, frames: []frameFiles{{bodies: "bodies-000000.vtp", contacts: "contacts-000000.vtp"}}}
		fr, data, err := f.frameChunk(0, flate.DefaultCompression, false)
		if err != nil || fr.Missing != "" || len(fr.bodies.rows) != c.bodies {
			t.Fatal(err, fr)
		}
		bytes := len(page) + c.frames*len(data)*4/3
		if size := fmt.Sprintf("%d bodies × %d frames: %.1f MB", c.bodies, c.frames, float64(bytes)/1e6); bytes > 30e6 {
			t.Error(size)
		} else {
			t.Log(size)
		}
	}
}
