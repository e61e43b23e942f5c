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
		"bodies-000001.vtp":   {"TimeValue", "pose", "number", "polygons", "form", "speed", "round", "Points", "connectivity", "offsets", "connectivity", "offsets"},
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

// TestInstances: frames say where each body is, which polygons are its own, and which bodies have one geometry in the frame
// of the body.
func TestInstances(t *testing.T) {
	s := load(t, small)
	b, err := s.Build(1)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for range 40 {
		b.World.Step(s.Dt)
	}
	d := (&folder{r: &runner{s: s, b: b, w: b.World}}).bodyFrame(t.Context(), b.rows(false), true)
	field := func(name string) fileio.Field {
		i := slices.IndexFunc(d.FieldData, func(f fileio.Field) bool { return f.Name == name })
		return d.FieldData[i]
	}
	pose, number, polygons, form := field("pose").Floats, field("number").Ints, field("polygons").Ints, field("form").Ints
	ids := fieldOf(t, d, "id")
	geometry := map[int64][]vec.Vec3{}
	first, corner := int64(0), int64(0)
	for i, n := range polygons {
		p := pose[7*i:]
		at := vec.Pose{Pos: vec.V(p[0], p[1], p[2]), Rot: vec.Quat{W: p[3], X: p[4], Y: p[5], Z: p[6]}}
		var local []vec.Vec3
		for _, end := range d.Polys.Offsets[first : first+n] {
			for _, k := range d.Polys.Connectivity[corner:end] {
				local = append(local, at.PointInv(vec.V(d.Points[3*k], d.Points[3*k+1], d.Points[3*k+2])))
			}
			corner = end
		}
		if ids[first] != number[i] || ids[first+n-1] != number[i] {
			t.Errorf("polygons of body %d are those of %d", number[i], ids[first])
		}
		first += n
		if known, ok := geometry[form[i]]; !ok {
			geometry[form[i]] = local
		} else if len(known) != len(local) {
			t.Errorf("body %d has %d corners, others of its form %d", number[i], len(local), len(known))
		} else {
			for k := range local {
				if e := local[k].Sub(known[k]).Norm(); e > 1e-12 {
					t.Fatalf("corner %d of body %d is %g m from that of another body of its form", k, number[i], e)
				}
			}
		}
	}
	if len(geometry) != 2 || int(first) != len(d.Polys.Offsets) {
		t.Errorf("%d forms and %d polygons, expected 2 and %d", len(geometry), first, len(d.Polys.Offsets))
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
