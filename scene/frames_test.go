package scene

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"testing"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/vec"
)

// TestFields: frames have exactly the requested fields.
func TestFields(t *testing.T) {
	dir := t.TempDir()
	run(t, load(t, replaced(t, "states_every = 150", `fields = ["speed", "gap"]`)), Options{Dir: dir, Steps: 1})
	for file, want := range map[string][]string{
		"bodies-000001.vtp":   {"TimeValue", "speed", "Points", "connectivity", "offsets", "connectivity", "offsets"},
		"contacts-000001.vtp": {"TimeValue", "gap", "Points", "connectivity", "offsets", "connectivity", "offsets"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, m := range regexp.MustCompile(`<DataArray[^>]* Name="([^"]*)"`).FindAllSubmatch(text, -1) {
			names = append(names, string(m[1]))
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s holds %v, expected %v", file, names, want)
		}
	}
}

// TestBodyFrame: the polygons of a frame enclose the volume of its bodies. They are therefore at
// the right place and face outwards. Balls are drawn as inscribed polyhedra.
func TestBodyFrame(t *testing.T) {
	s := load(t, small)
	b, err := s.Build(1)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	f := &folder{r: &runner{s: s, b: b, w: b.World}}
	d := f.bodyFrame(t.Context(), b.rows(false), true)
	volumes := make([]float64, b.moving())
	centres := make([]vec.Vec3, b.moving())
	ids := fieldOf(t, d, "id")
	first := int64(0)
	point := func(i int64) vec.Vec3 {
		return vec.V(d.Points[3*i], d.Points[3*i+1], d.Points[3*i+2])
	}
	for c, end := range d.Polys.Offsets {
		corners := d.Polys.Connectivity[first:end]
		for j := 2; j < len(corners); j++ {
			p, q, r := point(corners[0]), point(corners[j-1]), point(corners[j])
			v := p.Dot(q.Cross(r)) / 6
			volumes[ids[c]] += v
			centres[ids[c]] = centres[ids[c]].AddScaled(v/4, p.Add(q).Add(r))
		}
		first = end
	}
	for i, v := range volumes {
		want := 0.14 * 0.14 * 0.14
		low := 1 - 1e-12
		id := b.ID(i)
		if ids := b.World.Pieces().Shape[id]; s.shapes[ids].name == "ball" {
			want, low = 4*math.Pi/3*1e-3, 0.85
		}
		if v < low*want || v > want*(1+1e-12) {
			t.Errorf("body %d is drawn with the volume %g, expected %g", i, v, want)
		}
		if d := centres[i].Scale(1 / v).Sub(b.World.Bodies().Pos.At(int(id))).MaxAbs(); d > 1e-12 {
			t.Errorf("body %d is drawn %g m from where it is", i, d)
		}
	}
}

// TestFramesAreSmall: a frame of balls needs memory only once for data that differs between faces.
// Columns do not double while they grow, and fields are stored per ball.
func TestFramesAreSmall(t *testing.T) {
	const balls = 1000
	s := load(t, fmt.Sprintf(`
[time]
dt = 1e-4
steps = 1
[materials.s]
density = 2600
[shapes.b]
builtin = "ball:0.1"
material = "s"
[[bodies]]
generator = "grid"
shapes = ["b"]
count = [%d, 1, 1]
spacing = 0.3
[law]
stiffness = 1e4
`, balls))
	b, err := s.Build(1)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	f := &folder{r: &runner{s: s, b: b, w: b.World}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d := f.bodyFrame(t.Context(), b.rows(false), true)
	runtime.ReadMemStats(&after)
	if len(d.Polys.Offsets) != balls*len(ballFaces) || len(d.CellData) < 5 {
		t.Fatalf("%d faces and %d fields", len(d.Polys.Offsets), len(d.CellData))
	}
	const most = 4400 // 42 points of 24 bytes; 80 faces of 3·8, 8 and 4 bytes; fields
	if each := (after.TotalAlloc - before.TotalAlloc) / balls; each > most {
		t.Errorf("%d bytes a ball, expected at most %d", each, most)
	}
}

func fieldOf(t *testing.T, d *fileio.PolyData, name string) []int64 {
	t.Helper()
	for _, f := range d.CellData {
		if f.Name == name {
			var ids []int64
			for _, row := range f.Rows {
				ids = append(ids, f.Ints[row])
			}
			return ids
		}
	}
	t.Fatalf("no field %q", name)
	return nil
}
