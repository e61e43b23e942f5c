package scene

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
)

// small is a scene that runs in milliseconds: nine bodies above a plane. Tests replace single
// lines.
const small = `seed = 3
[time]
dt = 5e-4
steps = 300
[materials.rock]
density = 2600
[materials.steel]
[shapes.ball]
builtin = "ball:0.1"
material = "rock"
[shapes.cube]
builtin = "box:0.14x0.14x0.14"
material = "rock"
density = 2000
[[bodies]]
name = "heap"
generator = "grid"
shapes = ["cube", "ball"]
count = [2, 2, 2]
spacing = 0.26
origin = [0, 0, 0.13]
jitter = 0.005
rotation = "random"
[[bodies]]
name = "one"
shape = "cube"
position = [0, 0, 0.9]
velocity = [0, 0, -1]
[[walls]]
name = "floor"
plane = {point = [0, 0, 0], normal = [0, 0, 1]}
material = "steel"
[contact]
method = "auto"
[law]
stiffness = 2e5
friction = 0.4
restitution = 0.5
[output]
every = 100
history_every = 50
states_every = 150
[[counts]]
name = "low"
below = [[0, 0, 0.5], [0, 0, 1]]
`

// write writes a scene and other files into a folder and returns the path of the scene.
func write(t *testing.T, text string, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "scene.toml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func load(t *testing.T, text string) *Scene {
	t.Helper()
	s, err := Load(write(t, text, nil))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// replaced returns the scene small with old, which must occur once, replaced by new.
func replaced(t *testing.T, old, new string) string {
	t.Helper()
	if strings.Count(small, old) != 1 {
		t.Fatalf("%q is %d times in the scene, expected once", old, strings.Count(small, old))
	}
	return strings.Replace(small, old, new, 1)
}

const (
	tetraOBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
	// dentOBJ is a square pyramid with a dented base.
	dentOBJ = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.5 1\nv 0.5 0.5 0.3\n" +
		"f 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\nf 2 1 6\nf 3 2 6\nf 4 3 6\nf 1 4 6\n"
	openOBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n"
	brokOBJ = "v 0 0 0\nv 1 0 zero\n"
)

func TestLoadErrors(t *testing.T) {
	files := map[string]string{"tetra.obj": tetraOBJ, "dent.obj": dentOBJ, "open.obj": openOBJ, "broken.obj": brokOBJ}
	for _, c := range []struct {
		name, old, new string
		want           []string // parts of the message
	}{
		{"syntax", "steps = 300", "steps = = 300", []string{"scene.toml:4:"}},
		{"duplicate key", "steps = 300", "steps = 300\nsteps = 2", []string{"scene.toml:5:", "steps"}},
		{"unknown key", "steps = 300", "stesp = 300", []string{"scene.toml:4:", `unknown key "stesp"`, `"steps"`}},
		{"unknown table", "[contact]", "[contcat]", []string{"scene.toml:33:", `unknown key "contcat"`, `"contact"`}},
		{"unknown key inline", "{point =", "{pont =", []string{"scene.toml:31: walls[0].plane.pont", `"point"`}},
		{"periodic", "[contact]", "[periodic]\nx = 1\n[contact]", []string{"scene.toml:33:", `expected [domain]`}},
		{"servo without an axis", `name = "floor"`, "name = \"floor\"\nservo = {force = 1, max_speed = 1}", []string{"scene.toml:31: walls[0].servo.axis: is missing"}},
		{"axis", `name = "floor"`, "name = \"floor\"\nservo = {force = 1, max_speed = 1, axis = [0, 0, 2]}", []string{"walls[0].servo.axis: found [0 0 2], expected a unit vector"}},
		{"gain", `name = "floor"`, "name = \"floor\"\nservo = {force = 1, max_speed = 1, axis = [0, 0, 1], gain = 1}", []string{"walls[0].servo.gain: found 1, expected"}},
		{"stress on a plane", `name = "floor"`, "name = \"floor\"\nservo = {stress = 1, max_speed = 1, axis = [0, 0, 1]}", []string{"walls[0].servo: has a stress on a plane"}},
		{"unknown wall", `name = "floor"`, "name = \"floor\"\nservo = {stress = 1, max_speed = 1, axis = [0, 0, 1], between = ['a', 'b', 'c', 'd']}", []string{`walls[0].servo.between: found "a", expected one of the walls floor`}},
		{"servo and load", `name = "floor"`, "name = \"floor\"\nservo = {force = 1, max_speed = 1, axis = [0, 0, 1]}\nload = {axis = [0, 0, 1], mass = 1}", []string{"walls[0].load: is given beside servo"}},
		{"times that fall", `name = "floor"`, "name = \"floor\"\nmotion = {velocity = [[0, [0, 0, 0]], [0, [1, 0, 0]]]}", []string{"walls[0].motion.velocity[1]: found 0, expected a time after 0 s"}},
		{"table of a point", `name = "floor"`, "name = \"floor\"\nmotion = {velocity = [[0, 1]]}", []string{"walls[0].motion.velocity[0]: found [0 1], expected a time and a value"}},
		{"table without a period", `name = "floor"`, "name = \"floor\"\nmotion = {velocity = {table = [[0, [1, 0, 0]]]}}", []string{"walls[0].motion.velocity: found a table without table or without period"}},
		{"time beyond the period", `name = "floor"`, "name = \"floor\"\nmotion = {velocity = {table = [[0, [1, 0, 0]], [3, [0, 0, 0]]], period = 2}}", []string{"walls[0].motion.velocity[1]: found 3, expected a time from 0 s to the period, 2 s"}},
		{"table of a free velocity", `velocity = [0, 0, -1]`, "velocity = [[0, [0, 0, -1]], [1, [0, 0, 0]]]", []string{"bodies[1].velocity: varies in time, expected one value"}},
		{"fixed", `velocity = [0, 0, -1]`, "fixed = ['up']", []string{`bodies[1].fixed`, "expected x, y, z, rx, ry or rz"}},
		{"damping without its ratio", `velocity = [0, 0, -1]`, "damping = 'local'", []string{"bodies[1].damping: is given without damping_ratio"}},
		{"report", "every = 100\n", "every = 100\nreport = true\n", []string{`"report" is not available in this release`}},
		{"rain", `generator = "grid"`, `generator = "rain"`, []string{"scene.toml:17: bodies[0].generator", `"pour" brings bodies in the course of the run`}},
		{"2D", "seed = 3", "dim = 2", []string{"shapes.ball.builtin", "disc:R"}},
		{"4D", "seed = 3", "dim = 4", []string{"scene.toml:1: dim", "found 4"}},
		{"unknown method", `"auto"`, `"gkj"`, []string{"scene.toml:34: contact.method", `found "gkj", expected auto, gjk-epa, sat, ds`}},
		{"location", `method = "auto"`, `location = "potential"`, []string{"contact.location", `"potential" is not available`}},
		{"broad method", "[contact]", "[broad]\nmethod = \"tree\"\n[contact]", []string{"scene.toml:34: broad.method", `found "tree", expected auto, cells`}},
		{"text for a number", "dt = 5e-4", `dt = "fast"`, []string{"scene.toml:3: time.dt", `found "fast", expected a time > 0 s or "auto"`}},
		{"fraction for a whole number", "steps = 300", "steps = 2.5", []string{"scene.toml:4: time.steps", "2.5", "expected 1 to 9007199254740992 steps"}},
		{"number for a text", `material = "steel"`, "material = 3", []string{"scene.toml:32: walls[0].material", "a text in quotes"}},
		{"table for a list", "[[walls]]", "[walls]", []string{"scene.toml:29:", "expected [[walls]], one for each"}},
		{"list for a table", "[law]", "[[law]]", []string{"scene.toml:35:", "a single table [law]"}},
		{"nan", "dt = 5e-4", "dt = nan", []string{"scene.toml:3: time.dt", "found", "nan", "a finite number"}},
		{"infinite in a list", "[0, 0, 0.9]", "[0, -inf, 0.9]", []string{"scene.toml:27: bodies[1].position[1]", "-inf", "a finite number"}},
		{"too large", "dt = 5e-4", "dt = 1e999", []string{"scene.toml:3: time.dt", "1e999", "a finite number"}},
		{"dt missing", "dt = 5e-4\n", "", []string{"scene.toml:2: time.dt", "is missing"}},
		{"steps zero", "steps = 300", "steps = 0", []string{"scene.toml:4: time.steps", "found 0, expected 1 to 9007199254740992 steps"}},
		{"steps and end", "steps = 300", "steps = 300\nend = 1", []string{"scene.toml:5: time.end", "expected one of steps and end"}},
		{"no length", "steps = 300\n", "", []string{"scene.toml:2: time.steps", "is missing"}},
		{"end too far", "steps = 300", "end = 1e40", []string{"scene.toml:4: time.end", "1e+40"}},
		{"no density", "material = \"rock\"\n[shapes.cube]", "material = \"steel\"\n[shapes.cube]",
			[]string{"shapes.ball.density", "is missing", "materials.steel"}},
		{"round of a ball", `builtin = "box:0.14x0.14x0.14"`, "builtin = \"ball:1\"\nround = 0.1", []string{"scene.toml:13: shapes.cube.round", "none for a ball"}},
		{"unknown material", "density = 2000", "material2 = 1", []string{`unknown key "material2"`, `"material"`}},
		{"material not there", `material = "steel"`, `material = "stell"`,
			[]string{"scene.toml:32: walls[0].material", `found "stell", expected one of the materials rock, steel`}},
		{"bad builtin", `"box:0.14x0.14x0.14"`, `"box:0.14x0.14"`, []string{"scene.toml:12: shapes.cube.builtin", "box:0.14x0.14", "box:AxBxC"}},
		{"unknown builtin", `"box:0.14x0.14x0.14"`, `"bx:1"`, []string{"scene.toml:12: shapes.cube.builtin", `"bx:1"`, "rock:SEED,NVERTS,RADIUS"}},
		{"builtin and file", `builtin = "box:0.14x0.14x0.14"`, "builtin = \"ball:1\"\nfile = \"tetra.obj\"",
			[]string{"scene.toml:13: shapes.cube.file", "expected one of builtin, file, pieces and files"}},
		{"neither builtin nor file", "builtin = \"box:0.14x0.14x0.14\"\n", "", []string{"scene.toml:11: shapes.cube", "neither"}},
		{"missing mesh", `builtin = "box:0.14x0.14x0.14"`, `file = "gone.obj"`, []string{"scene.toml:12: shapes.cube.file", "gone.obj", "does not exist"}},
		{"unknown mesh format", `builtin = "box:0.14x0.14x0.14"`, `file = "gone.doc"`, []string{"scene.toml:12: shapes.cube.file", "gone.doc", ".stl"}},
		{"broken mesh", `builtin = "box:0.14x0.14x0.14"`, `file = "broken.obj"`, []string{"scene.toml:12:", "broken.obj, line 2", `"zero"`}},
		{"mesh not convex", `builtin = "box:0.14x0.14x0.14"`, `file = "dent.obj"`, []string{"scene.toml:12:", "dent.obj", "convex"}},
		{"mesh not closed", `builtin = "box:0.14x0.14x0.14"`, `file = "open.obj"`, []string{"scene.toml:12:", "open.obj", "not closed"}},
		{"unknown shape", `["cube", "ball"]`, `["cube", "bal"]`, []string{"scene.toml:18: bodies[0].shapes", `found "bal", expected one of the shapes ball, cube`}},
		{"no shapes", `["cube", "ball"]`, `[]`, []string{"scene.toml:18: bodies[0].shapes", "one shape at least"}},
		{"key of another generator", "jitter = 0.005", "box = [[0, 0, 0], [1, 1, 1]]",
			[]string{"scene.toml:22: bodies[0].box", `does not belong to generator "grid"`}},
		{"key of a generator for one body", "velocity = [0, 0, -1]", "count = 3", []string{"scene.toml:28: bodies[1].count", "does not belong to one body"}},
		{"generator unknown", `generator = "grid"`, `generator = "gird"`, []string{"scene.toml:17: bodies[0].generator", `found "gird"`}},
		{"count missing", "count = [2, 2, 2]\n", "", []string{"scene.toml:15: bodies[0].count", "is missing"}},
		{"count of a grid", "count = [2, 2, 2]", "count = 8", []string{"scene.toml:19: bodies[0].count", "found 8", "three whole numbers"}},
		{"count too large", "count = [2, 2, 2]", "count = [2000000000, 2, 2]", []string{"scene.toml:19: bodies[0].count", "at most"}},
		{"spacing", "spacing = 0.26", "spacing = [1, 2]", []string{"scene.toml:20: bodies[0].spacing", "[1 2]"}},
		{"weights", "jitter = 0.005", "weights = [1]", []string{"scene.toml:22: bodies[0].weights", "each of the 2 shapes"}},
		{"weights zero", "jitter = 0.005", "weights = [0, 0]", []string{"scene.toml:22: bodies[0].weights", "> 0"}},
		{"position", "position = [0, 0, 0.9]", "position = [0, 0]", []string{"scene.toml:27: bodies[1].position", "three numbers"}},
		{"quaternion", "velocity = [0, 0, -1]", "rotation = [1, 1, 0, 0]", []string{"scene.toml:28: bodies[1].rotation", "norm 1"}},
		{"random single", "velocity = [0, 0, -1]", `rotation = "random"`, []string{"scene.toml:28: bodies[1].rotation", `found "random"`}},
		{"no bodies", small[strings.Index(small, "[[bodies]]"):strings.Index(small, "[[walls]]")], "", []string{"bodies", "is missing"}},
		{"no materials", small[strings.Index(small, "[materials"):strings.Index(small, "[shapes.ball]")], "", []string{"materials", "is missing"}},
		{"normal zero", "normal = [0, 0, 1]", "normal = [0, 0, 0]", []string{"scene.toml:31: walls[0].plane.normal", "a direction"}},
		{"normal missing", ", normal = [0, 0, 1]", "", []string{"scene.toml:31: walls[0].plane.normal", "is missing"}},
		{"wall twice", "[contact]", "[[walls]]\nname = \"floor\"\nfile = \"open.obj\"\nmaterial = \"steel\"\n[contact]",
			[]string{"scene.toml:34: walls[1].name", `found "floor"`, "walls[0]"}},
		{"wall without a shape", "plane = {point = [0, 0, 0], normal = [0, 0, 1]}\n", "", []string{"scene.toml:29: walls[0].plane: is missing, expected a table { point, normal }, or file"}},
		{"motion", "[contact]", "motion = {velocity = [1, 0, 0], from = 2, to = 1}\n[contact]",
			[]string{"scene.toml:33: walls[0].motion.to", "found 1"}},
		{"stiffness missing", "stiffness = 2e5\n", "", []string{"scene.toml:35: law.stiffness", "is missing"}},
		{"restitution and damping", "restitution = 0.5", "restitution = 0.5\ndamping = 1", []string{"scene.toml:39: law.damping: is given beside restitution, expected one of restitution and damping"}},
		{"friction without spring", "restitution = 0.5", "tangential_stiffness = 0", []string{"scene.toml:38: law.tangential_stiffness", "friction"}},
		{"pair of one", "[output]", "[[law.pair]]\nmaterials = [\"rock\"]\n[output]", []string{"scene.toml:40: law.pair[0].materials", "two materials"}},
		{"pair twice", "[output]", "[[law.pair]]\nmaterials = [\"rock\", \"steel\"]\n[[law.pair]]\nmaterials = [\"steel\", \"rock\"]\n[output]",
			[]string{"scene.toml:42: law.pair[1].materials", "law.pair[0]"}},
		{"an interval below the step", "every = 100\n", "interval = 1e-9\n", []string{"scene.toml:40: output.interval: found 1e-09, expected at least time.dt, 0.0005 s"}},
		{"a material without a name", "[materials.steel]\n", "[materials.steel]\n[materials.\"\"]\n", []string{`scene.toml:8: materials: found "", expected a name`}},
		{"a shape without a name", "[shapes.cube]\n", "[shapes.\"\"]\n", []string{`scene.toml:11: shapes: found "", expected a name`}},
		{"no name within braces", "[materials.steel]\n", "[materials]\n\"\" = {}\n", []string{`scene.toml:8: materials: found "", expected a name`}},
		{"output interval", "every = 100\n", "every = 100\ninterval = 1\n", []string{"scene.toml:41: output.interval", "expected one of every and interval"}},
		{"output field", "states_every = 150", `fields = ["spped"]`, []string{"scene.toml:42: output.fields", `found "spped"`, "speed"}},
		{"count without a region", "below = [[0, 0, 0.5], [0, 0, 1]]\n", "", []string{"scene.toml:43: counts[0].below: is missing, expected a point and a normal [[x, y, z], [x, y, z]], box, or mesh"}},
		{"count's box", "below = [[0, 0, 0.5], [0, 0, 1]]", "box = [[1, 0, 0], [0, 1, 1]]", []string{"scene.toml:45: counts[0].box", "least corner"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Load(write(t, replaced(t, c.old, c.new), files))
			if err == nil {
				t.Fatalf("loaded %v, expected an error", s.Name)
			}
			if !errors.Is(err, ErrInput) {
				t.Errorf("error %q is no ErrInput", err)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q has several lines", err)
			}
			saysNoKind(t, err)
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q does not say %q", err, part)
				}
			}
		})
	}
}

// saysNoKind checks that the text of an error does not contain the text of an error kind, which
// means nothing to users.
func saysNoKind(t *testing.T, err error) {
	t.Helper()
	for _, kind := range []error{ErrInput, geometry.ErrValue, geometry.ErrEmpty, geometry.ErrFlat, geometry.ErrNotClosed, geometry.ErrNotConvex,
		geometry.ErrNotPlanar, geometry.ErrTooLarge, geometry.ErrSelfIntersecting, geometry.ErrNotManifold, geometry.ErrNotOriented,
		force.ErrLaw, engine.ErrConfig, engine.ErrBody, engine.ErrState, engine.ErrFault} {
		if err != nil && strings.Contains(err.Error(), kind.Error()) {
			t.Errorf("error %q has the text %q", err, kind)
		}
	}
}

func TestLoadMissingFile(t *testing.T) {
	_, err := Load(filepath.Join(t.TempDir(), "none.toml"))
	if !errors.Is(err, ErrInput) || !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "none.toml") {
		t.Errorf("error %v, expected an ErrInput that names none.toml", err)
	}
}

// TestCauses checks that errors.Is recognises the causes of the messages.
func TestCauses(t *testing.T) {
	_, err := Load(write(t, replaced(t, `builtin = "box:0.14x0.14x0.14"`, `file = "dent.obj"`), map[string]string{"dent.obj": dentOBJ}))
	if !errors.Is(err, geometry.ErrNotConvex) {
		t.Errorf("error %v, expected a geometry.ErrNotConvex", err)
	}
	_, err = Load(write(t, replaced(t, "restitution = 0.5", "reference_gap = 1\n[[law.pair]]\nmaterials=[\"rock\",\"rock\"]\nrestitution=2"), nil))
	if !errors.Is(err, ErrInput) {
		t.Errorf("error %v, expected an ErrInput", err)
	}
}

func TestLaw(t *testing.T) {
	s := load(t, replaced(t, "[output]", `normal = "linear"
[[law.pair]]
materials = ["steel", "rock"]
stiffness = 4e5
damping = 3
tangential_damping = 0.5
reference_gap = 0.01
tension = true
[output]`))
	base := s.law.At(0, 0).(*force.Linear)
	if base.Kn != 2e5 || base.Kt != 2e5*0.8 || base.Mu != 0.4 || !base.ByRestitution || base.Restitution != 0.5 {
		t.Errorf("law of rock and rock is %+v", base)
	}
	pair := *s.law.At(1, 0).(*force.Linear)
	want := force.Linear{Kn: 4e5, Kt: 4e5 * 0.8, Mu: 0.4, Dn: 3, Dt: 0.5, ReferenceGap: 0.01, Interaction: 0.01, Tension: true}
	if pair.Kn != want.Kn || pair.Kt != want.Kt || pair.Mu != want.Mu || pair.ByRestitution || pair.Dn != want.Dn ||
		pair.Dt != want.Dt || pair.ReferenceGap != want.ReferenceGap || pair.Interaction != want.Interaction || !pair.Tension {
		t.Errorf("law of rock and steel is %+v, expected %+v", pair, want)
	}
	if *s.law.At(soa.Material(0), soa.Material(1)).(*force.Linear) != pair {
		t.Error("the law depends on the order of the pair")
	}
}

func TestEnd(t *testing.T) {
	for _, c := range []struct {
		end  string
		want int64
	}{{"0.15", 300}, {"0.3", 600}, {"5e-4", 1}, {"7.5e-4", 2}, {"1e-9", 1}} {
		s := load(t, replaced(t, "steps = 300", "end = "+c.end))
		if s.Steps != c.want {
			t.Errorf("end = %s gives %d steps, expected %d", c.end, s.Steps, c.want)
		}
	}
}

// FuzzLoad compares the result of parse with that of the TOML library's decoder, also for duplicate
// keys.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("a.b = 1\n[a]\nb = 2"))
	f.Add([]byte("bodies = [{shape = 'x'}, {}]\n[[bodies]]"))
	f.Add([]byte("[law]\npair = [{materials = ['a', 'b']}]\n[[law.pair]]\n[law.pair.x]"))
	f.Add([]byte("walls = 3\n[materials.a.b.c]\nx = {y = {z = [1, 'a', {}]}}"))
	f.Add([]byte("materials.a.density = 0x1F\nmaterials.b.density = 1_0e-0_1\n[materials.c]\n[materials]\n[law]\nfriction = 1"))
	f.Add([]byte("[[law.pair]]\nmaterials=['''a\n[''',\"\"\"\\\"b\"\"\"\"\"]#[\n[[law.pair]]\nmaterials=['''''''','']"))
	f.Add([]byte("[law.pair]\n[[law.pair]]"))
	f.Add([]byte("[[law.pair]]\n[law]\nfriction = 1 # [\n[time]\ndt=1\n[law]"))
	f.Add([]byte("[shapes.x]\nround=0\n[shapes]\nx.scale=1"))
	f.Add([]byte("[shapes]\nx.scale=1\n[shapes.x]\n"))
	f.Add([]byte("shapes.x = {scale=1, scale=2}\n"))
	f.Add([]byte("[[bodies]]\ncount=[1,[2,'x']]\nspacing=-0.0\nbox=[[1],[]]\nrotation = 1979-05-27\n"))
	f.Add([]byte("dim = 9223372036854775808\nseed=-9223372036854775808"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var d document
		_, err := parse("fuzz.toml", text, &d)
		if err != nil {
			if !errors.Is(err, ErrInput) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q is no ErrInput of one line", err)
			}
			return
		}
		isTheLibrarys(t, text, &d)
	})
}

// TestThicknessOnAWallFromAFile builds and runs a scene with the thickness law and a mesh wall.
func TestThicknessOnAWallFromAFile(t *testing.T) {
	text := "[time]\ndt = 1e-4\nend = 0.01\n[gravity]\nvector = [0, 0, -10]\n[materials.s]\ndensity = 1000\n" +
		"[shapes.a]\nbuiltin = \"box:0.2x0.2x0.2\"\nmaterial = \"s\"\n[[bodies]]\nshape = \"a\"\nposition = [0.3, 0.3, 0.3]\n" +
		"[[walls]]\nmaterial = \"s\"\nfile = \"tetra.obj\"\n[law]\nstiffness = 1e5\n"
	s, err := Load(write(t, text, map[string]string{"tetra.obj": tetraOBJ}))
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build(1)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.World.Step(1e-4); err != nil {
		t.Error(err)
	}
}

// TestThicknessLaw reads scenes with the thickness law: valid and invalid keys, and a pair with the
// linear law.
func TestThicknessLaw(t *testing.T) {
	s := load(t, replaced(t, "restitution = 0.5", "restitution = 0.5\n[[law.pair]]\nmaterials = [\"rock\", \"steel\"]\nnormal = \"linear\"\ntension = true"))
	if _, ok := s.law.At(0, 1).(*force.Linear); !ok {
		t.Errorf("the pair has %T", s.law.At(0, 1))
	}
	if _, ok := s.law.At(0, 0).(*force.Linear); ok {
		t.Errorf("the base has %T", s.law.At(0, 0))
	}
	if s := load(t, replaced(t, "restitution = 0.5", "normal = \"thickness\"\ndamping = 0\ntangential_damping = 0\ntension = false")); s.law.At(0, 0) == nil {
		t.Error("keys that are 0 are refused")
	}
	for _, c := range []struct {
		law  string
		told int
	}{{"", 1}, {"\nnormal = \"linear\"", 0}, {"\nnormal = \"thickness\"", 1}, {"\n[[law.pair]]\nmaterials = [\"rock\", \"steel\"]\nnormal = \"linear\"", 0}} {
		text := strings.Replace(replaced(t, "restitution = 0.5", "restitution = 0.5"+c.law), `method = "auto"`, "method = \"auto\"\nlocation = \"none\"", 1)
		s := load(t, text)
		if len(s.warnings) != c.told || c.told == 1 && !strings.Contains(s.warnings[0], ": contact.location: has no effect") {
			t.Errorf("law %q: warnings %q, expected %d of the location", c.law, s.warnings, c.told)
		}
	}
	for _, c := range []struct{ keys, want string }{
		{"damping = 1", `law.damping: found 1, expected normal = "linear" beside it`},
		{"tangential_damping = 2", `law.tangential_damping: found 2, expected normal = "linear" beside it`},
		{"reference_gap = 0.1", "law.reference_gap"}, {"tension = true", `law.tension: found true, expected normal = "linear" beside it`}, {"normal = \"thicknes\"", "thickness"},
	} {
		text := "normal = \"thickness\"\n" + c.keys
		if strings.HasPrefix(c.keys, "normal") {
			text = c.keys
		}
		_, err := Load(write(t, replaced(t, "restitution = 0.5", text), nil))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected a word of %s", c.keys, err, c.want)
		}
	}
}

// TestRoundedShapesAreBevelled: under a law that acts by overlaps, a rounded block becomes a
// bevelled block at the same place.
func TestRoundedShapesAreBevelled(t *testing.T) {
	rounded := replaced(t, "density = 2000", "density = 2000\nround = 0.01")
	if s := load(t, strings.Replace(rounded, "restitution = 0.5", "restitution = 0.5\nnormal = \"linear\"", 1)); s.shapes[1].template.Round != 0.01 || len(s.shapes[1].template.Verts) != 8 {
		t.Errorf("with the linear law: radius %g, %d vertices", s.shapes[1].template.Round, len(s.shapes[1].template.Verts))
	}
	s := load(t, rounded)
	h := s.shapes[1]
	if h.template.Round != 0 || len(h.template.Verts) != 48 || math.Abs(h.box.Size().Z-0.16) > 1e-12 || h.template.Name != h.name {
		t.Errorf("with the thickness law: radius %g, %d vertices, box %v, name %q", h.template.Round, len(h.template.Verts), h.box, h.template.Name)
	}
	if _, err := Run(context.Background(), s, Options{Dir: t.TempDir(), Steps: 3, Workers: 1}); err != nil {
		t.Error(err)
	}
}

// TestModulus reads moduli of the base law and of pairs, and checks that meaningless ones are
// rejected.
func TestModulus(t *testing.T) {
	const base = "restitution = 0.5\nnormal = \"thickness\"\n"
	stiff := load(t, replaced(t, "restitution = 0.5", base+"[[law.pair]]\nmaterials = [\"rock\", \"steel\"]\nmodulus = 2e5\narea_exponent = 0.5"))
	if got := stiff.law.At(0, 0).Needs().Growth; got != 0 {
		t.Errorf("the base has an area exponent of %g", got)
	}
	if n := stiff.law.At(0, 1); n.Needs().Growth != 0.5 || n.Springs(1, 0).Normal != 2e5 {
		t.Errorf("the pair has an area exponent of %g and %+v", n.Needs().Growth, n.Springs(1, 0))
	}
	soft := load(t, strings.Replace(replaced(t, "restitution = 0.5", base+"area_exponent = 1\n[[law.pair]]\nmaterials = [\"rock\", \"steel\"]\nstiffness = 7\n"+
		"[[law.pair]]\nmaterials = [\"steel\", \"steel\"]\nmodulus = 3"), "stiffness = 2e5", "modulus = 1e5", 1))
	for _, c := range []struct {
		a, b           soa.Material
		growth, normal float64
	}{{0, 0, 1, 1e5}, {0, 1, 0, 7}, {1, 1, 1, 3}} {
		if l := soft.law.At(c.a, c.b); l.Needs().Growth != c.growth || l.Springs(1, 0).Normal != c.normal {
			t.Errorf("materials %d and %d: area exponent %g, %+v", c.a, c.b, l.Needs().Growth, l.Springs(1, 0))
		}
	}
	for _, c := range []struct{ keys, want string }{
		{base + "modulus = 1e5\narea_exponent = 0.5", "law.modulus: is given beside stiffness"},
		{base + "area_exponent = 0.5", "law.area_exponent: is given without modulus"},
		{base + "[[law.pair]]\nmaterials = [\"rock\", \"steel\"]\nmodulus = 1e5", "law.pair[0].area_exponent: is missing"},
		{base + "[[law.pair]]\nmaterials = [\"rock\", \"steel\"]\nmodulus = 1e5\narea_exponent = 0.25", "0.25, expected 0.5"},
		{base + "[[law.pair]]\nmaterials = [\"rock\", \"steel\"]\nmodulus = 0\narea_exponent = 1", "law.pair[0].modulus: found 0"},
		{"restitution = 0.5\nnormal = \"linear\"\n[[law.pair]]\nmaterials = [\"rock\", \"steel\"]\nmodulus = 1e5\narea_exponent = 1", `law.pair[0].modulus: found 100000, expected normal = "thickness" beside it`},
	} {
		_, err := Load(write(t, replaced(t, "restitution = 0.5", c.keys), nil))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %s", c.keys, err, c.want)
		}
	}
	linear := strings.Replace(replaced(t, "restitution = 0.5", base+"area_exponent = 1\n[[law.pair]]\nmaterials = [\"rock\", \"steel\"]\nnormal = \"linear\""),
		"stiffness = 2e5", "modulus = 1e5", 1)
	if _, err := Load(write(t, linear, nil)); err == nil || !strings.Contains(err.Error(), "law.pair[0].stiffness: is missing") {
		t.Errorf("a linear pair without a stiffness: %v", err)
	}
}
