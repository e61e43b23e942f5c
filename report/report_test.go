package report

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/scene"
	"github.com/scree-dem/scree/vec"
)

// everything is a scene with each kind of body that a page draws.
const everything = `seed = 3
[time]
dt = 1e-4
steps = 60
[materials.stone]
density = 2600
[shapes.cube]
builtin = "box:0.1x0.1x0.1"
material = "stone"
[shapes.rounded]
builtin = "box:0.1x0.08x0.06"
round = 0.02
material = "stone"
[shapes.ball]
builtin = "ball:0.05"
material = "stone"
[shapes.pair]
pieces = [{ shape = "ball", position = [0.03, 0, 0] }, { shape = "cube", position = [-0.03, 0, 0] }]
mass = "union"
[[bodies]]
name = "grid"
generator = "grid"
shapes = ["cube", "rounded", "ball", "pair"]
count = [4, 3, 1]
spacing = 0.2
origin = [0.3, 0.3, 0.1]
rotation = "random"
velocity = [0.1, 0, -9]
[[walls]]
name = "floor"
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
material = "stone"
[law]
stiffness = 1e6
friction = 0.5
restitution = 0.5
[output]
every = 20
history_every = 5
states_every = 20
[[measure]]
name = "core"
box = [[0, 0, 0], [1, 1, 1]]
`

// runOf makes a run of a scene and returns its folder. Pairs of texts replace parts of the scene.
func runOf(t *testing.T, replace ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	s, err := scene.Decode(strings.NewReader(strings.NewReplacer(replace...).Replace(everything)), "everything.toml", ".")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := scene.Run(t.Context(), s, scene.Options{Dir: dir, Workers: 1, Version: "test"}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// read is a chunk as a page reads it, written from the description of the form alone.
type read struct {
	meta    map[string]any
	columns map[string]readColumn
}

type readColumn struct {
	column
	values []float64
}

func readChunk(t *testing.T, data []byte) read {
	t.Helper()
	plain, err := io.ReadAll(flate.NewReader(bytes.NewReader(data)))
	if err != nil {
		t.Fatal(err)
	}
	n := binary.LittleEndian.Uint32(plain)
	var h struct {
		Meta    map[string]any
		Columns []column
	}
	if err := json.Unmarshal(plain[4:4+n], &h); err != nil {
		t.Fatal(err)
	}
	if (4+n)%8 != 0 {
		t.Errorf("the columns begin at %d", 4+n)
	}
	r := read{h.Meta, map[string]readColumn{}}
	for _, c := range h.Columns {
		size := map[string]int{"u8": 1, "i8": 1, "u16": 2, "i16": 2, "u32": 4, "f32": 4, "f64": 8}[c.Type]
		all := c.Rows * c.Components
		at := plain[4+int(n)+c.Offset:]
		values := make([]float64, all)
		for i := range values {
			var bits uint64
			for b := range size {
				bits |= uint64(at[b*all+i]) << (8 * b)
			}
			switch c.Type {
			case "i8":
				values[i] = float64(int8(bits))
			case "i16":
				values[i] = float64(int16(bits))
			case "f32":
				values[i] = float64(math.Float32frombits(uint32(bits)))
			case "f64":
				values[i] = math.Float64frombits(bits)
			default:
				values[i] = float64(bits)
			}
			if c.Scale != 0 {
				values[i] *= c.Scale
			}
			if c.Min != nil {
				low, high := c.Min[i%c.Components], c.Max[i%c.Components]
				values[i] = low + (high-low)*values[i]/65535
			}
		}
		r.columns[c.Name] = readColumn{c, values}
	}
	return r
}

// elements returns the data of a report by name.
func elements(t *testing.T, path string) (*head, map[string]read) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var h head
	chunks := map[string]read{}
	for _, m := range regexp.MustCompile(`(?s)<script type="(application/json|text/plain)" id="scree-([a-z0-9-]+)">(.*?)</script>`).FindAllSubmatch(text, -1) {
		if string(m[2]) == headID {
			if err := json.Unmarshal(m[3], &h); err != nil {
				t.Fatal(err)
			}
			continue
		}
		data, err := base64.StdEncoding.DecodeString(string(m[3]))
		if err != nil {
			t.Fatal(err)
		}
		chunks[string(m[2])] = readChunk(t, data)
	}
	if h.Format != 1 {
		t.Fatalf("the head is %+v", h)
	}
	return &h, chunks
}

func written(t *testing.T, dir string, o Options) (*head, map[string]read) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	if _, err := Write(t.Context(), path, dir, o); err != nil {
		t.Fatal(err)
	}
	return elements(t, path)
}

// TestWrite: a report has the poses of states.csv, the fields and contacts of the frames, and the numbers of history.csv.
func TestWrite(t *testing.T) {
	dir := runOf(t)
	h, chunks := written(t, dir, Options{})
	if len(h.Frames) != 4 || h.Frames[3].Step != 60 || len(h.Missing) != 0 || !h.Done || h.Live || h.Hash == "" || !strings.Contains(h.Scene, "[shapes.pair]") {
		t.Fatalf("the head is %+v", h)
	}
	if len(h.Measures) != 1 || len(h.Measures[0].Box) != 6 || h.Measures[0].Name != "core" {
		t.Errorf("measures %v", h.Measures)
	}
	// The last poses, in the frame of the world.
	want := map[float64]vec.Vec3{}
	columns := []string{"step", "id", "cx", "cy", "cz"}
	err := fileio.EachRow(filepath.Join(dir, "states.csv"), columns, func(row []float64) {
		if row[0] == 60 {
			want[row[1]] = vec.V(row[2], row[3], row[4])
		}
	})
	if err != nil || len(want) != 12 {
		t.Fatal(len(want), err)
	}
	frame := chunks["frame-3"]
	numbers, places := frame.columns["bodies.number"].values, frame.columns["bodies.position"].values
	for i, number := range numbers {
		if at := vec.V(places[3*i], places[3*i+1], places[3*i+2]); at.Sub(want[number]).Norm() > 1.0/65535 {
			t.Errorf("body %g is at %v, expected %v", number, at, want[number])
		}
	}
	speed := frame.columns["bodies.field.speed"]
	velocity := frame.columns["bodies.field.velocity"].values
	for i, v := range speed.values {
		if x := vec.V(velocity[3*i], velocity[3*i+1], velocity[3*i+2]).Norm(); math.Abs(x-v) > 1e-3 {
			t.Errorf("speed %g of the velocity %g", v, x)
		}
	}
	if n := frame.columns["contacts.location"].Rows; n == 0 || float64(n) != frame.meta["contacts"] || frame.columns["contacts.a"].Rows != n {
		t.Errorf("%d contacts of %v", n, frame.meta["contacts"])
	}
	box := frame.meta["box"].([]any)
	if low, high := box[2].(float64), box[5].(float64); low < -0.03 || low > 0 || high < 0.08 || high > 0.25 {
		t.Errorf("the bodies reach from %g to %g m", low, high)
	}
	rose := frame.meta["rose"].(map[string]any)["zx"].([]any) // from z to x: the floor's normals are those of bin 0 and 18
	if rose[0].(float64)+rose[35].(float64) == 0 || rose[9].(float64) != 0 {
		t.Errorf("the rose is %v", rose)
	}
	history := chunks["history-0"].columns
	if history["time"].Rows != 13 || math.Abs(history["time"].values[12]-6e-3) > 1e-15 || history["kinetic"].values[0] < 1 {
		t.Errorf("the history has %d rows", history["time"].Rows)
	}
}

// TestForms: each kind of body has its geometry, closed and turned outward.
func TestForms(t *testing.T) {
	_, chunks := written(t, runOf(t, "[law]\n", "[law]\nnormal = \"linear\"\n"), Options{})
	r := chunks["forms"]
	list := r.meta["forms"].([]any)
	if len(list) != 5 {
		t.Fatalf("%d forms, expected 4 of bodies and a plane", len(list))
	}
	frame := chunks["frame-0"]
	hull := func(a, b, c, round float64) float64 { // volume of a rounded block
		return a*b*c + 2*round*(a*b+b*c+c*a) + math.Pi*round*round*(a+b+c) + 4*math.Pi/3*round*round*round
	}
	want := []struct {
		sharp, smooth float64
		name          string
	}{{1e-3, 0, "cube"}, {0, hull(0.1, 0.08, 0.06, 0.02), "rounded"}, {0, 4 * math.Pi / 3 * 1.25e-4, "ball"}, {1e-3, 4 * math.Pi / 3 * 1.25e-4, "pair"}}
	for i, w := range want {
		m := list[i].(map[string]any)
		if m["hash"] != frame.meta["forms"].([]any)[i] {
			t.Errorf("%s is %v", w.name, m["hash"])
		}
		span := func(key string) (first, count int) {
			s := m[key].([]any)
			return int(s[0].(float64)), int(s[1].(float64))
		}
		point := func(column string, k int) vec.Vec3 {
			v := r.columns[column].values[3*k:]
			return vec.V(v[0], v[1], v[2])
		}
		sharp, smooth := 0.0, 0.0
		first, count := span("polygons")
		corner, _ := span("corners")
		vertices, _ := span("vertices")
		for _, n := range r.columns["polygon"].values[first : first+count] {
			at := func(k int) vec.Vec3 { return point("vertex", vertices+int(r.columns["corner"].values[corner+k])) }
			for k := 2; k < int(n); k++ {
				sharp += at(0).Dot(at(k-1).Cross(at(k))) / 6
			}
			corner += int(n)
		}
		first, count = span("triangles")
		base, _ := span("smooth")
		for k := first; k < first+count; k++ {
			var p, normal [3]vec.Vec3
			for j := range 3 {
				v := base + int(r.columns["triangle"].values[3*k+j])
				p[j], normal[j] = point("smooth_vertex", v), point("smooth_normal", v)
			}
			smooth += p[0].Dot(p[1].Cross(p[2])) / 6
			if out := p[1].Sub(p[0]).Cross(p[2].Sub(p[0])); out.Dot(normal[0].Add(normal[1]).Add(normal[2])) < -1e-12 {
				t.Fatalf("a triangle of the %s is turned inward", w.name)
			}
		}
		if math.Abs(sharp-w.sharp) > 1e-6*1e-3 || smooth > w.smooth*1.0001 || smooth < 0.96*w.smooth {
			t.Errorf("%s has volumes %g and %g, expected %g and a little below %g", w.name, sharp, smooth, w.sharp, w.smooth)
		}
		if m["open"] != nil {
			t.Errorf("the %s is open", w.name)
		}
	}
	if m := list[4].(map[string]any); m["open"] != true {
		t.Errorf("the plane is %v", m)
	}
}

// TestMissing: what a folder lacks is named, and the rest is shown.
func TestMissing(t *testing.T) {
	dir := runOf(t)
	cut := filepath.Join(dir, "bodies-000040.vtp")
	if err := errors.Join(os.Truncate(cut, 2000), os.Remove(filepath.Join(dir, "contacts-000020.vtp")), os.Remove(filepath.Join(dir, "summary.json")),
		os.Remove(filepath.Join(dir, "scene.toml"))); err != nil {
		t.Fatal(err)
	}
	h, chunks := written(t, dir, Options{})
	if len(h.Missing) != 4 || h.State != "killed" || !h.Frames[1].Broken || !h.Frames[2].Broken || h.Frames[3].Broken || !strings.Contains(strings.Join(h.Missing, " "), "was killed") {
		t.Errorf("missing %q", h.Missing)
	}
	for k, want := range []string{"", "the contacts: ", "the bodies: ", ""} {
		frame := chunks[map[int]string{0: "frame-0", 1: "frame-1", 2: "frame-2", 3: "frame-3"}[k]]
		got, _ := frame.meta["missing"].(string)
		if !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("frame %d: missing %q, expected %q", k, got, want)
		}
		if _, there := frame.columns["bodies.position"]; there != (k != 2) {
			t.Errorf("frame %d has bodies: %v", k, there)
		}
	}
	history := filepath.Join(dir, "history.csv")
	stat, err := os.Stat(history)
	if err := errors.Join(err, os.Truncate(history, stat.Size()-40)); err != nil { // within the last row
		t.Fatal(err)
	}
	if h, chunks := written(t, dir, Options{}); len(h.Missing) != 5 || chunks["history-0"].columns["time"].Rows != 12 {
		t.Errorf("missing %q, %d rows", h.Missing, chunks["history-0"].columns["time"].Rows)
	}
	if err := os.Truncate(history, 5); err != nil {
		t.Fatal(err)
	}
	if h, _ := written(t, dir, Options{}); len(h.Missing) != 5 || len(h.Columns) != 0 {
		t.Errorf("missing %q, columns %v", h.Missing, h.Columns)
	}
}

// TestOldFrames: frames without poses are left out, and the page says so.
func TestOldFrames(t *testing.T) {
	dir := runOf(t)
	for _, name := range []string{"bodies-000000.vtp", "bodies-000020.vtp", "bodies-000040.vtp", "bodies-000060.vtp"} {
		if err := fileio.WriteVTP(t.Context(), filepath.Join(dir, name), &fileio.PolyData{}); err != nil {
			t.Fatal(err)
		}
	}
	h, chunks := written(t, dir, Options{})
	if len(h.Frames) != 0 || len(h.Missing) != 1 || !strings.Contains(h.Missing[0], "an earlier version") || chunks["history-0"].columns["time"].Rows != 13 {
		t.Errorf("%d frames, missing %q", len(h.Frames), h.Missing)
	}
}

// TestRefused: folders that are none of a run, and too many bodies, are errors that say what was expected.
func TestRefused(t *testing.T) {
	dir := runOf(t)
	zeros := make([]int64, mostBodies+1)
	numbers := slices.Clone(zeros)
	for i := range numbers {
		numbers[i] = int64(i)
	}
	many := &fileio.PolyData{FieldData: []fileio.Field{{Name: "pose", Components: 7, Floats: make([]float64, 7*len(zeros))}, {Name: "number", Ints: numbers},
		{Name: "polygons", Ints: zeros}, {Name: "form", Ints: zeros}}}
	for _, step := range []string{"0", "6"} {
		if err := fileio.WriteVTP(t.Context(), filepath.Join(dir, "bodies-0000"+step+"0.vtp"), many); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "report.html")
	for _, c := range []struct {
		dir   string
		every int64
		want  string
	}{
		{filepath.Join(dir, "absent"), 1, "the folder of a run"},
		{t.TempDir(), 1, "the folder of a run"},
		{filepath.Join(dir, "history.csv"), 1, "the folder of a run"},
		{dir, 1, "200001 bodies in the frame of step 0, expected at most 200000: --every-body 2"},
	} {
		_, err := Write(t.Context(), path, c.dir, Options{EveryBody: c.every})
		var input *fileio.InputError
		if !errors.As(err, &input) || !strings.Contains(strings.ReplaceAll(err.Error(), `"`, ""), c.want) {
			t.Errorf("%s: error %v, expected %q", c.dir, err, c.want)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a report was written")
	}
	if _, err := Write(t.Context(), path, dir, Options{EveryBody: 2}); err != nil {
		t.Error(err)
	}
}

// TestEveryBody: every third body is shown.
func TestEveryBody(t *testing.T) {
	_, chunks := written(t, runOf(t), Options{EveryBody: 3, Frames: 1})
	numbers := chunks["frame-0"].columns["bodies.number"].values
	if len(chunks) != 3 || len(numbers) != 4 || numbers[1] != 3 || chunks["frame-0"].meta["every_body"] != 3.0 || chunks["frame-0"].meta["step"] != 60.0 {
		t.Errorf("%d chunks, bodies %v of step %v", len(chunks), numbers, chunks["frame-0"].meta["step"])
	}
}

// TestSweepReport: the page of a sweep has the history of each run.
func TestSweepReport(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.CopyFS(filepath.Join(dir, "a"), os.DirFS(runOf(t))), os.CopyFS(filepath.Join(dir, "b"), os.DirFS(runOf(t, "steps = 60", "steps = 40"))),
		os.WriteFile(filepath.Join(dir, sweepName), []byte("folder,time.steps,status\na,60,0\nb,40,0\ngone,1,1\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
	h, chunks := written(t, dir, Options{})
	if h.Kind != "sweep" || len(h.Runs) != 3 || h.Runs[0].Missing != "" || h.Runs[2].Missing == "" || len(h.Columns) == 0 || len(h.Table) != 4 {
		t.Errorf("the head is %+v", h)
	}
	if a, b := chunks["history-0"].columns["time"].Rows, chunks["history-1"].columns["time"].Rows; a != 13 || b != 9 {
		t.Errorf("histories of %d and %d rows", a, b)
	}
}

// TestQuantize: numbers come back within a step.
func TestQuantize(t *testing.T) {
	for _, values := range [][]float64{{0, 1, 0.3, -7}, {0, -3e-9, 1e5}, {0, -1, 1}, {1e300, -1e300, 5}, {2, 2}, {math.NaN(), 1, math.Inf(1), 3}, {}} {
		k := &chunk{}
		k.quantize("x", 1, values)
		data, err := k.write(nil, flate.BestSpeed)
		if err != nil {
			t.Fatal(err)
		}
		c := readChunk(t, data).columns["x"]
		for i, x := range values {
			if x-x == 0 && math.Abs(c.values[i]-x) > (c.Max[0]-c.Min[0])/65535 {
				t.Errorf("%g came back as %g", x, c.values[i])
			}
			if low, high := c.Min[0], c.Max[0]; x == 0 && low < 0 && math.Abs(c.values[i]) > 1e-12*(high-low) {
				t.Errorf("0 came back as %g", c.values[i])
			}
		}
	}
}

// TestOutliers: a body far away leaves the places of the others exact, and is out of the box that the page shows first.
func TestOutliers(t *testing.T) {
	dir := runOf(t, "count = [4, 3, 1]", "count = [4, 6, 1]", "[[walls]]", "[[bodies]]\nshape = \"cube\"\nposition = [0, 0, 2e6]\n[[walls]]")
	_, chunks := written(t, dir, Options{})
	frame := chunks["frame-3"]
	c := frame.columns["bodies.position"]
	box := frame.meta["box"].([]any)
	if c.Type != "f64" || c.Rows != 25 || c.values[3*24+2] < 1e6 || box[5].(float64) > 100 {
		t.Errorf("%d places of type %s, the last at %g m, in the box %v", c.Rows, c.Type, c.values[len(c.values)-1], box)
	}
}
