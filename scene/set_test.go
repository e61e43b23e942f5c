package scene

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// setScene has each form of a table and of a list.
const setScene = `seed = 3 # of all
law.stiffness = 1e5
gravity = { vector = [
  0, 0, -9.81,
] }
broad = {}
[time]
dt = 1e-4
steps = 10

[materials.stone]
density = 2600
[materials."red clay"]
density = 1800
[shapes]
cube = { builtin = "box:0.1x0.1x0.1", material = "stone" }
[[bodies]]
name = "pile"
generator = "grid"
shapes = ["cube"]
count = [2, 2, 2]
spacing = 0.2
origin = [0, 0, 0.1]
[[walls]]
name = "floor"
material = "stone"
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[[walls]]
material = "stone"
[walls.plane]
point = [0, 0, -1]
normal = [0, 0, 1]
[[law.pair]]
materials = ["stone", "red clay"]
friction = 0.2
[output]
every = 0`

// TestSetChangesTheText: the text as set has one line more, or another value, and reads as a scene with this value.
func TestSetChangesTheText(t *testing.T) {
	for _, c := range []struct{ set, was, is string }{
		{"seed=9", "seed = 3 #", "seed = 9 #"},
		{"dim=3", "seed = 3", "dim = 3\nseed = 3"},
		{"law.stiffness = 2e5", "law.stiffness = 1e5", "law.stiffness = 2e5"},
		{"law.friction=0.3", "seed = 3", "law.friction = 0.3\nseed = 3"},
		{"gravity.vector=[0,0,-1.6]", "[\n  0, 0, -9.81,\n]", "[0,0,-1.6]"},
		{"broad.method=cells", "{}", `{method = "cells"}`},
		{"time.dt=auto", "dt = 1e-4", `dt = "auto"`},
		{`materials."red clay".density=1900`, "1800", "1900"},
		{"shapes.cube.builtin=rock:1,12,0.05", `"box:0.1x0.1x0.1"`, `"rock:1,12,0.05"`},
		{"shapes.cube.density=10", "{ builtin", "{density = 10,  builtin"},
		{"bodies.pile.count=[1, 1, 2]", "[2, 2, 2]", "[1, 1, 2]"},
		{"bodies.1.spacing=0.3", "0.2\norigin", "0.3\norigin"},
		{"bodies.pile.velocity=[0,0,1]", "[[bodies]]\n", "[[bodies]]\nvelocity = [0,0,1]\n"},
		{"walls.floor.plane.normal=[0,0,2]", "normal = [0, 0, 1] }", "normal = [0,0,2] }"},
		{"walls.floor.motion.velocity=[0,0,1]", "[[walls]]\nname", "[[walls]]\nmotion.velocity = [0,0,1]\nname"},
		{"walls.2.plane.point=[0,0,-2]", "point = [0, 0, -1]", "point = [0,0,-2]"},
		{"walls.2.motion={velocity=[0,0,1]}", "[[walls]]\nmaterial", "[[walls]]\nmotion = {velocity=[0,0,1]}\nmaterial"},
		{"law.pair.1.friction=0.4", "friction = 0.2", "friction = 0.4"},
		{"law.pair.1.restitution=0.4", "[[law.pair]]\n", "[[law.pair]]\nrestitution = 0.4\n"},
		{"output.every=5", "every = 0", "every = 5"},
		{"output.history_every=5", "[output]\n", "[output]\nhistory_every = 5\n"},
	} {
		s, err := Decode(strings.NewReader(setScene), "s.toml", ".", c.set)
		if err != nil {
			t.Error(err)
			continue
		}
		want := strings.Replace(setScene, c.was, c.is, 1)
		if got := string(s.text); got != Head+want || want == setScene {
			t.Errorf("%s: the scene is\n%s", c.set, got)
		}
		if _, err := Decode(strings.NewReader(want), "s.toml", "."); err != nil {
			t.Errorf("%s: the text as set: %v", c.set, err)
		}
	}
}

// TestSetsInOrder: later values replace earlier ones, and find the tables that these made.
func TestSetsInOrder(t *testing.T) {
	s, err := Decode(strings.NewReader(setScene), "s.toml", ".", "order={}", "order.bodies=none", "seed=4", "seed=5", "walls.2.name=low", "walls.low.motion.to=1")
	if err != nil {
		t.Fatal(err)
	}
	if s.order != "none" || s.Seed != 5 || s.walls[1].name != "low" || s.walls[1].course.motion.To != 1 {
		t.Errorf("order %q, seed %d, wall %+v", s.order, s.Seed, s.walls[1])
	}
	// Entries of a list in one line have their places too.
	list := "walls = [{ material = 'stone', plane = { point = [0, 0, 0], normal = [0, 0, 1] } }, { name = 'low', material = 'stone', plane = { point = [0, 0, -1], normal = [0, 0, 1] } }]\n"
	head, rest, _ := strings.Cut(setScene, "[[walls]]")
	_, rest, _ = strings.Cut(rest, "[[law.pair]]")
	s, err = Decode(strings.NewReader(list+head+"[[law.pair]]"+rest), "s.toml", ".", "walls.low.motion.to=1", "walls.1.plane.point=[0,0,-2]")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(strings.Replace(list, "{ name", "{motion.to = 1,  name", 1), "[0, 0, 0]", "[0,0,-2]", 1)
	if !strings.Contains(string(s.text), want) {
		t.Errorf("the scene is\n%s", s.text)
	}
}

// TestSetFaults: a message about a set value names the setting; others keep the lines of the file.
func TestSetFaults(t *testing.T) {
	for _, c := range []struct {
		sets []string
		want string
	}{
		{[]string{"law.frction=0.3"}, `--set law.frction=0.3: unknown key "frction", the nearest known one is "friction"`},
		{[]string{"friction=0.3"}, `--set friction=0.3: unknown key "friction", expected`},
		{[]string{"law.friction=high"}, `--set law.friction=high: found "high", expected a number ≥ 0`},
		{[]string{"law.friction=-1"}, `--set law.friction=-1: found -1, expected a number ≥ 0`},
		{[]string{"seed=1.5"}, `--set seed=1.5: found 1.5, expected a whole number ≥ 0`},
		{[]string{"law.friction"}, "--set law.friction: is no KEY=VALUE"},
		{[]string{"law.friction="}, "--set law.friction=: found \"\", expected a TOML value"},
		{[]string{"law.friction=0.1,0.2"}, `found "0.1,0.2", expected a TOML value`},
		{[]string{"law.friction=0.1 # low"}, "expected a TOML value"},
		{[]string{"law.friction=0.1\nseed = 3"}, "expected a TOML value"},
		{[]string{"broad.skin=0}"}, "expected a TOML value"},
		{[]string{"law..friction=1"}, `found "law..friction", expected a key as`},
		{[]string{"[law]=1"}, `found "[law]", expected a key as`},
		{[]string{"walls.top.motion.to=1"}, `--set walls.top.motion.to=1: walls: found "top", expected one of floor, a number from 1 to 2`},
		{[]string{"walls.3.motion.to=1"}, `walls: found "3", expected one of floor, a number from 1 to 2`},
		{[]string{"walls.0.motion.to=1"}, `walls: found "0"`},
		{[]string{"materials.ston.density=1"}, `materials: found "ston", expected one of red clay, stone`},
		{[]string{"seed.first=1"}, "--set seed.first=1: seed: found a table, expected a whole number ≥ 0"},
		{[]string{"gravity.vector.x.y=1"}, "gravity.vector: found a table, expected three numbers"},
		{[]string{"walls.2.motion.speed=1"}, `walls.2.motion.speed=1: walls[1].motion.speed: unknown key "speed"`},
		{[]string{"walls.2.plane={normal=[0,0,1]}"}, "is a table of the file, expected a key of this table"},
		{[]string{"walls.2.motion={velocity=[0,1]}"}, "--set walls.2.motion={velocity=[0,1]}: walls[1].motion.velocity: found [0 1], expected three numbers"},
		{[]string{"walls.floor.plane={}"}, "--set walls.floor.plane={}: walls[0].plane.normal: is missing"},
		{[]string{"bodies.1.shape=cube"}, `--set bodies.1.shape=cube: does not belong to generator "grid"`},
		{[]string{"bodies.1.shapes=[\"cub\"]"}, `--set bodies.1.shapes=["cub"]: found "cub", expected one of the shapes cube`},
		{[]string{"law.friction=0.3", "gravity.vector=[0,0,-1.6]", "time.steps=1", "shapes.cube.material=clay"}, `--set shapes.cube.material=clay: found "clay"`},
	} {
		_, err := Decode(strings.NewReader(setScene), "s.toml", ".", c.sets...)
		if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, expected %q", c.sets, err, c.want)
		}
	}
	// Line 16 of the file names a material that is not there, whatever lines the sets add and remove before it.
	bad := strings.Replace(setScene, `material = "stone" }`, `material = "ston" }`, 1)
	for _, sets := range [][]string{nil, {"dim=3"}, {"gravity.vector=[0,0,-1.6]"}, {"dim=3", "gravity.vector=[0,0,-1.6]", "law.friction=1", "time.integrator=verlet", "output.every=1"}} {
		_, err := Decode(strings.NewReader(bad), "s.toml", ".", sets...)
		if err == nil || !strings.HasPrefix(err.Error(), "s.toml:16: shapes.cube.material: found \"ston\"") {
			t.Errorf("%q: error %v, expected one of line 16", sets, err)
		}
	}
}

// TestSetKeepsFiles: the text as set names mesh files by their absolute names, so that it runs from any folder.
func TestSetKeepsFiles(t *testing.T) {
	dir := t.TempDir()
	mesh := "OFF\n4 4 0\n1 1 1\n1 -1 -1\n-1 1 -1\n-1 -1 1\n3 0 1 2\n3 0 3 1\n3 0 2 3\n3 1 3 2\n"
	for _, name := range []string{"a.off", "b c.off"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(mesh), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text := "[time]\ndt = 1e-4\nsteps = 1\n[materials.m]\ndensity = 1\n[law]\nstiffness = 1\n[shapes.a]\nfile = 'a.off' # near\nmaterial = 'm'\n" +
		"[[bodies]]\nshape = 'a'\n[[walls]]\nmaterial = 'm'\nfile = \"b c.off\"\nposition = [0, 0, -9]\n[[counts]]\nname = 'in'\nmesh = 'a.off'\n"
	s, err := Decode(strings.NewReader("\ufeff"+text), "s.toml", dir, "seed=2")
	if err != nil {
		t.Fatal(err)
	}
	want := "seed = 2\n" + text
	for was, is := range map[string]string{`'a.off'`: "a.off", `"b c.off"`: "b c.off"} {
		want = strings.ReplaceAll(want, was, quoted(filepath.Join(dir, is)))
	}
	if string(s.text) != Head+want {
		t.Errorf("the scene as set is\n%s", s.text)
	}
	if _, err := Decode(strings.NewReader(string(s.text)), "s.toml", t.TempDir()); err != nil {
		t.Errorf("the scene does not run from another folder: %v", err)
	}
}

// TestSetInStages sets what a stage changes at a wall and at bodies that it did not name.
func TestSetInStages(t *testing.T) {
	path := write(t, experiment, nil)
	s, err := Load(path, "stage.4.walls.left.motion={velocity=[1,0,0]}", "stage.1.bodies.block.force=[0,0,1]", "stage.4.walls.floor.add=true")
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, k := range []int{0, 3} {
		for i := range s.stages[k].settings {
			keys = append(keys, s.stages[k].settings[i].key)
		}
	}
	if got, want := strings.Join(keys, " "), "local_damping bodies.block.force law walls.floor.add walls.left.motion walls.top.servo bodies.block.fixed"; got != want {
		t.Errorf("settings %s, expected %s", got, want)
	}
	if _, err := Load(path, "stage.4.walls.lef.motion={velocity=[1,0,0]}"); err == nil || !strings.Contains(err.Error(), `stage[3].walls.lef: found "lef", expected one of the walls`) {
		t.Errorf("error %v for a wall that is not there", err)
	}
}
