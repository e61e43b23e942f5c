package scene

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/results"
	"github.com/scree-dem/scree/vec"
)

// clumpScene is a scene with an L of two boxes, 2 m wide and 2 m high, that falls on a plane.
const clumpScene = `[time]
dt = 2e-5
steps = 200
[materials.rock]
density = 1000
[materials.steel]
density = 8000
[shapes.beam]
builtin = "box:2x1x1"
material = "rock"
[shapes.post]
builtin = "box:1x1x1"
material = "rock"
[shapes.ball]
builtin = "ball:0.5"
material = "steel"
[shapes.clump]
pieces = [{ shape = "beam", position = [1, 0, 0.5] }, { shape = "post", position = [0.5, 0, 1.5] }]
[[bodies]]
name = "L"
shape = "clump"
[[walls]]
name = "floor"
plane = { normal = [0, 0, 1] }
material = "rock"
[law]
stiffness = 1e7
tangential_stiffness = 8e6
friction = 0.5
restitution = 0.1
`

// clumpWith returns the scene with texts replaced, in pairs, each of which must be there.
func clumpWith(t testing.TB, pairs ...string) string {
	t.Helper()
	text := clumpScene
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("%q is not in the scene", pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

// clumpBuilt builds a scene beside which some files lie.
func clumpBuilt(t testing.TB, text string, files map[string]string) *Built {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Decode(strings.NewReader(text), "clump.toml", dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// cubeOBJ returns an object of an OBJ file: a cube with edge 1 whose least corner is at p, after n vertices.
func cubeOBJ(head string, n int, p vec.Vec3) string {
	text := head + "\n"
	for k := range 8 {
		text += fmt.Sprintf("v %g %g %g\n", p.X+float64(k&1), p.Y+float64(k>>1&1), p.Z+float64(k>>2))
	}
	for _, f := range [][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		text += fmt.Sprintf("f %d %d %d\nf %d %d %d\n", n+f[0]+1, n+f[1]+1, n+f[2]+1, n+f[0]+1, n+f[2]+1, n+f[3]+1)
	}
	return text
}

// threeOBJ is what a convex decomposer writes of an L: three cubes.
var threeOBJ = cubeOBJ("# convex parts\no convex_0", 0, vec.Vec3{}) + cubeOBJ("o convex_1", 8, vec.V(1, 0, 0)) + cubeOBJ("o convex_2", 16, vec.V(0, 0, 1))

// lOBJ is the closed mesh of the L itself, which has a dent.
const lOBJ = `v 0 0 0
v 2 0 0
v 2 0 1
v 1 0 1
v 1 0 2
v 0 0 2
v 0 1 0
v 2 1 0
v 2 1 1
v 1 1 1
v 1 1 2
v 0 1 2
f 1 2 3 4 5 6
f 12 11 10 9 8 7
f 1 7 8 2
f 2 8 9 3
f 3 9 10 4
f 4 10 11 5
f 5 11 12 6
f 6 12 7 1
`

// The mass of an L of three cubes of 1000 kg, its centre, and its inertia about it: a cube has 1000/6 kg·m², and its
// centre is off by −1/3 m or 2/3 m along x and z.
const (
	lMass, lX, lZ = 3000.0, 2.5 / 3, 2.5 / 3
	lXX, lYY, lXZ = 500 + 1000*6.0/9, 500 + 1000*12.0/9, 1000 * 3.0 / 9
)

// TestClumpsOfAnL builds the L in all ways: of boxes, of boxes that overlap, of files, of objects and groups of a file,
// with the mass of its mesh and with a given one. Its mass, centre and inertia are the same.
func TestClumpsOfAnL(t *testing.T) {
	files := map[string]string{"three.obj": threeOBJ, "groups.obj": strings.ReplaceAll(threeOBJ, "\no convex", "\ng convex"), "l.obj": lOBJ,
		"a.obj": cubeOBJ("", 0, vec.Vec3{}), "b.obj": cubeOBJ("", 0, vec.V(1, 0, 0)), "c.obj": cubeOBJ("", 0, vec.V(0, 0, 1))}
	const pieces = `pieces = [{ shape = "beam", position = [1, 0, 0.5] }, { shape = "post", position = [0.5, 0, 1.5] }]`
	overlap := `pieces = [{ shape = "beam", position = [1, 0, 0.5] }, { shape = "beam", position = [0.5, 0, 1], rotation = [0.7071067811865476, 0, 0.7071067811865476, 0] }]`
	for _, c := range []struct {
		name, keys string
		pieces     int
	}{
		{"boxes", pieces, 2},
		{"boxes that overlap", overlap, 2},
		{"sum", pieces + "\nmass = \"sum\"", 2},
		{"a mass", overlap + fmt.Sprintf("\nmass = 3000\ncentre = [%v, 0, %v]\ninertia = [%v, %v, %v, 0, %v, 0]", lX, lZ, lXX, lYY, lXX, lXZ), 2},
		{"mass of a mesh", "pieces = [{ shape = \"beam\", position = [1, 0.5, 0.5] }]\nmass_of = \"l.obj\"", 1},
		{"mass of a mesh with a density", "pieces = [{ shape = \"beam\", position = [1, 0.5, 0.5] }, { shape = \"ball\", position = [0.5, 0.5, 1.5]}]\nmass_of = \"l.obj\"\ndensity = 1000", 2},
		{"files", `files = ["a.obj", "b.obj", "c.obj"]` + "\nmaterial = \"rock\"", 3},
		{"objects", "file = \"three.obj\"\nparts = \"objects\"\nmaterial = \"rock\"", 3},
		{"groups", "file = \"groups.obj\"\nparts = \"objects\"\nmaterial = \"rock\"", 3},
	} {
		b := clumpBuilt(t, clumpWith(t, pieces, c.keys), files)
		bodies := b.World.Bodies()
		if n := b.World.Pieces().Len(); n != c.pieces+1 {
			t.Errorf("%s: %d pieces with the floor, expected %d", c.name, n, c.pieces+1)
		}
		if m := bodies.Mass[0]; math.Abs(m-lMass) > 1e-9*lMass {
			t.Errorf("%s: %.12g kg, expected %g", c.name, m, lMass)
		}
		if at := bodies.Pos.At(0); math.Abs(at.X-lX) > 1e-12 || math.Abs(at.Z-lZ) > 1e-12 {
			t.Errorf("%s: centre at %v, expected x and z %g", c.name, at, lX)
		}
		if i := bodies.Inertia[0]; math.Abs(i.XX-lXX)+math.Abs(i.YY-lYY)+math.Abs(i.ZZ-lXX)+math.Abs(i.XZ-lXZ)+math.Abs(i.XY)+math.Abs(i.YZ) > 1e-9*lYY {
			t.Errorf("%s: inertia %v, expected xx and zz %g, yy %g and xz %g", c.name, i, lXX, lYY, lXZ)
		}
		if len(b.Warnings) > 0 {
			t.Errorf("%s: warnings %q, expected none", c.name, b.Warnings)
		}
	}
}

// TestClumpsRestart drops clumps beside other bodies on a plane. A restart has the bits of the whole run on other
// workers, and files number bodies and pieces in the order of the scene.
func TestClumpsRestart(t *testing.T) {
	text := clumpWith(t, "[[bodies]]\nname = \"L\"\nshape = \"clump\"", "[[bodies]]\ngenerator = \"random\"\nshapes = [\"clump\", \"ball\", \"post\"]\ncount = 9\nbox = [[-4, -4, 0], [4, 4, 12]]\nvelocity = [0, 0, -3]", "[time]\ndt = 2e-5\nsteps = 200", "[time]\ndt = 5e-4\nsteps = 2000", "[law]", "[output]\nevery = 500\nstates_every = 500\ncontacts_every = 500\ncheckpoint_every = 700\n[law]")
	s, err := Decode(strings.NewReader(text), "clump.toml", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	one, two := results.Folder(t), results.Folder(t)
	whole := run(t, s, Options{Dir: one, Workers: 1})
	if whole.Bodies != 9 || whole.Pieces != 13 || whole.Active == 0 {
		t.Errorf("%d bodies of %d pieces with %d contacts, expected 9, 13 and some", whole.Bodies, whole.Pieces, whole.Active)
	}
	again := run(t, s, Options{Dir: two, Workers: 3, Restart: checkpointAt(one, 700)})
	if again.StateHash != whole.StateHash {
		t.Errorf("state hash %s after a restart with 3 workers, %s without", again.StateHash, whole.StateHash)
	}
	contacts, err := os.ReadFile(filepath.Join(one, "contacts.csv"))
	if err != nil {
		t.Fatal(err)
	}
	// Bodies 0, 3 and 6 are clumps of pieces 0 1, 4 5 and 8 9; the floor is body 9 with piece 12.
	of := map[string]string{"0": "0", "1": "0", "2": "1", "3": "2", "4": "3", "5": "3", "6": "4", "7": "5", "8": "6", "9": "6", "10": "7", "11": "8", "12": "9"}
	rows := strings.Split(strings.TrimSpace(string(contacts)), "\n")
	for _, row := range rows[1:] {
		f := strings.Split(row, ",")
		if of[f[4]] != f[2] || of[f[5]] != f[3] {
			t.Errorf("row %s: pieces %s and %s are not those of bodies %s and %s", row, f[4], f[5], f[2], f[3])
		}
	}
	if len(rows) < 5 {
		t.Errorf("%d rows of contacts, expected some", len(rows))
	}
	frames, err := filepath.Glob(filepath.Join(one, "bodies-*.vtp"))
	if err != nil || len(frames) == 0 {
		t.Errorf("%d frames: %v", len(frames), err)
	}
	report, err := Check(context.Background(), s, Options{})
	if err != nil || report.Pieces != 13 || report.Bodies != 9 {
		t.Errorf("report %+v: %v, expected 9 bodies of 13 pieces", report, err)
	}
}

// TestClumpsInGenerators puts clumps on a grid and into a pyramid.
func TestClumpsInGenerators(t *testing.T) {
	b := clumpBuilt(t, clumpWith(t, "name = \"L\"\nshape = \"clump\"", "generator = \"grid\"\nshapes = [\"clump\"]\ncount = [2, 1, 1]\nspacing = 5\norigin = [0, 0, 3]\n[[bodies]]\ngenerator = \"wall\"\nshapes = [\"clump\"]\ncount = 2\norigin = [20, 0, 0]\nrotation = [0.7071067811865476, 0.7071067811865476, 0, 0]"), nil)
	at := func(number int) vec.Vec3 { return b.World.Bodies().Pos.At(int(b.ID(number))) }
	if at(0).Sub(vec.V(0, 0, 3)).Norm() > 1e-12 || at(1).Sub(vec.V(5, 0, 3)).Norm() > 1e-12 {
		t.Errorf("centres of a grid at %v and %v", at(0), at(1))
	}
	// On its side, the L is 2 m wide, 2 m deep and 1 m high. In a pyramid, rows are 1 m apart.
	if d := at(4).Sub(at(2)); math.Abs(d.Z-1) > 1e-9 || math.Abs(d.X-1.0005) > 1e-9 {
		t.Errorf("the second row of bricks is off by %v, expected (1.0005, 0, 1)", d)
	}
}

func TestClumpsAreRefused(t *testing.T) {
	files := map[string]string{"l.obj": lOBJ, "three.obj": threeOBJ, "open.obj": strings.Replace(lOBJ, "f 6 12 7 1\n", "", 1), "tetra.stl": "solid\nendsolid\n",
		"dent.obj": cubeOBJ("o first", 0, vec.V(5, 0, 0)) + "o second\n" + strings.NewReplacer("f 1 2 3 4 5 6", "f -12 -11 -10 -9 -8 -7", "f 12 11 10 9 8 7", "f -1 -2 -3 -4 -5 -6",
			"f 1 7 8 2", "f -12 -6 -5 -11", "f 2 8 9 3", "f -11 -5 -4 -10", "f 3 9 10 4", "f -10 -4 -3 -9", "f 4 10 11 5", "f -9 -3 -2 -8", "f 5 11 12 6", "f -8 -2 -1 -7", "f 6 12 7 1", "f -7 -1 -6 -12").Replace(lOBJ)}
	const pieces = `pieces = [{ shape = "beam", position = [1, 0, 0.5] }, { shape = "post", position = [0.5, 0, 1.5] }]`
	for _, c := range []struct{ old, new, want string }{
		{pieces, "pieces = []", "shapes.clump.pieces: found \"no pieces\""},
		{pieces, `pieces = [{ shape = "none" }]`, "shapes.clump.pieces[0].shape: found \"none\", expected one of"},
		{pieces, `pieces = [{ shape = "clump" }]`, "shapes.clump.pieces[0].shape: found \"clump\", expected a shape that is no clump"},
		{pieces, `pieces = [{ position = [0, 0, 1] }]`, "shapes.clump.pieces[0].shape: is missing"},
		{pieces, pieces + "\ndensity = 1000", "shapes.clump.density: is given for a clump of pieces"},
		{pieces, pieces + "\nmaterial = \"rock\"", "shapes.clump.material: is given for a clump of pieces"},
		{pieces, pieces + "\nscale = 2", "shapes.clump.scale: is given for a clump of pieces"},
		{pieces, pieces + "\nmass = 5\nmass_of = \"l.obj\"", "is given beside mass, expected one of mass and mass_of"},
		{pieces, pieces + "\nmass = \"half\"", "shapes.clump.mass: found \"half\", expected"},
		{pieces, pieces + "\nmass = 5", "shapes.clump.centre: is missing"},
		{pieces, pieces + "\nmass = -5\ncentre = [0, 0, 0]\ninertia = [1, 1, 1, 0, 0, 0]", "shapes.clump.mass: found -5"},
		{pieces, pieces + "\nmass = 5\ncentre = [0.5, 0, 0.5]\ninertia = [1, 1, 1]", "shapes.clump.inertia: found [1 1 1], expected six numbers"},
		{pieces, pieces + "\nmass = 5\ncentre = [0.5, 0, 0.5]\ninertia = [1, 1, 3, 0, 0, 0]", "shapes.clump.inertia: inertia with the principal moments 1, 1 and 3"},
		{pieces, pieces + "\nmass = 5\ncentre = [0.5, 0, 0.5]\ninertia = [1, 1, 1, 2, 0, 0]", "expected all above 0"},
		{pieces, pieces + "\nmass = 5\ncentre = [9, 0, 0.5]\ninertia = [1, 1, 1, 0, 0, 0]", "shapes.clump.centre: centre of mass at {9 0 0.5}, expected it in the box"},
		{pieces, pieces + "\ninertia = [1, 1, 1, 0, 0, 0]", "shapes.clump.inertia: is given without mass"},
		{pieces, pieces + "\nmass = \"sum\"\ncentre = [1, 1, 1]", "shapes.clump.centre: is given without a mass in kg"},
		{pieces, pieces + "\nmass_of = \"open.obj\"", "shapes.clump.mass_of: open.obj: "},
		{pieces, "pieces = [{ shape = \"beam\" }, { shape = \"ball\" }]\nmass_of = \"l.obj\"", "shapes.clump.density: is missing, expected a density > 0 kg/m³, or a material"},
		{"density = 1000", "", "shapes.beam.density: is missing"},
		{"builtin = \"ball:0.5\"", "builtin = \"ball:0.5\"\nmass = 3", "shapes.ball.mass: is given for a shape of one piece"},
		{pieces, "file = \"l.obj\"\nmaterial = \"rock\"", "it is not convex, expected a body that is"},
		{pieces, "file = \"l.obj\"\nmaterial = \"rock\"", "parts = \"objects\" makes a piece of each object"},
		{pieces, "file = \"three.obj\"\nmaterial = \"rock\"", "docs/scenes.md, Clumps"},
		{pieces, "file = \"l.obj\"\nparts = \"objects\"", "shapes.clump.material: is missing"},
		{pieces, "file = \"dent.obj\"\nparts = \"objects\"\nmaterial = \"rock\"", "line 22: object \"second\": dent.obj: geometry: mesh \"second\": face 17 passes"},
		{pieces, "file = \"tetra.stl\"\nparts = \"objects\"\nmaterial = \"rock\"", "other formats have no objects"},
		{pieces, "files = [\"l.obj\", \"none.obj\"]\nmaterial = \"rock\"", "shapes.clump.files[0]: l.obj: "},
		{pieces, "files = [\"three.obj\"]\nparts = \"objects\"\nmaterial = \"rock\"", "shapes.clump.parts: is given without file"},
	} {
		dir := t.TempDir()
		for name, content := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Decode(strings.NewReader(clumpWith(t, c.old, c.new)), "clump.toml", dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, expected %s", c.new, err, c.want)
		}
	}
	for _, far := range []struct {
		at   float64
		want int
	}{{1.5, 0}, {1.6, 1}, {30, 1}} {
		b := clumpBuilt(t, clumpWith(t, "position = [0.5, 0, 1.5]", fmt.Sprintf("position = [0.5, 0, %g]", far.at)), nil)
		if len(b.Warnings) != far.want || far.want > 0 && !strings.Contains(b.Warnings[0], "shapes.clump: has pieces too far apart to touch: 2 groups") {
			t.Errorf("a post at %g: warnings %q", far.at, b.Warnings)
		}
	}
}
