package scene

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
)

// discs is a two-dimensional scene: discs of two sizes fall and spread in a box.
const discs = `dim = 2
seed = 4
[time]
dt = 1e-4
steps = 400
integrator = "position-verlet"
[materials.steel]
density = 7000
[shapes.small]
builtin = "disc:0.03"
material = "steel"
[shapes.large]
builtin = "disc:0.05"
material = "steel"
scale = 1.2
[[bodies]]
name = "lattice"
generator = "grid"
shapes = ["small", "large"]
count = [4, 3, 1]
spacing = 0.14
origin = [0.1, 0.1, 0]
jitter = 0.005
velocity = [0.5, -1, 0]
[[bodies]]
generator = "random"
shapes = ["small"]
count = 8
box = [[0, 0.5, 0], [0.6, 1, 0]]
[[walls]]
name = "floor"
plane = {point = [0, 0, 0], normal = [0.1, 1, 0]}
material = "steel"
[[walls]]
name = "left"
plane = {point = [0, 0, 0], normal = [1, 0, 0]}
material = "steel"
[[walls]]
name = "right"
plane = {point = [0.6, 0, 0], normal = [-1, 0, 0]}
material = "steel"
motion = {velocity = [-0.1, 0, 0]}
[law]
normal = "linear"
stiffness = 1e6
damping = 0
[output]
every = 0
`

// TestDiscs: discs have the mass of a thickness of one metre and stay in the plane. The bits are
// the same with any neighbour search and after a restart.
func TestDiscs(t *testing.T) {
	s := load(t, discs)
	if want := 7000 * 3.141592653589793 * 0.06 * 0.06; s.shapes[0].template.Volume*7000/want < 1-1e-15 || s.shapes[0].template.Volume*7000/want > 1+1e-15 {
		t.Errorf("a disc has %g kg, expected %g", s.shapes[0].template.Volume*7000, want)
	}
	want := run(t, s, Options{Dir: t.TempDir()}).StateHash
	for _, broad := range engine.Searches() {
		text := discs + fmt.Sprintf("[broad]\nmethod = %q\n", broad)
		if broad == "vl" {
			text += "radius = 0.6\nrebuild_every = 2\n"
		}
		other := load(t, text)
		if got := run(t, other, Options{Dir: t.TempDir(), Workers: 2}).StateHash; got != want {
			t.Errorf("%s: state hash %s, expected %s", broad, got, want)
		}
	}
	dir := t.TempDir()
	until(t, s, Options{Dir: dir, Workers: 1}, 170, 0)
	if got := run(t, s, Options{Dir: dir, Restart: checkpointAt(dir, 170)}).StateHash; got != want {
		t.Errorf("restarted: state hash %s, expected %s", got, want)
	}
	b, err := s.Build(1)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for range 400 {
		if err := b.World.Step(s.Dt); err != nil {
			t.Fatal(err)
		}
	}
	m := b.World.Measure()
	if m.Active == 0 || m.Kinetic() == 0 {
		t.Errorf("%d active contacts, %g J of motion, expected some", m.Active, m.Kinetic())
	}
	for i := range b.moving() {
		if z := b.World.Bodies().Pos.Z[i]; z != 0 {
			t.Errorf("disc %d is at z %g m", i, z)
		}
	}
	// The other integrator yields the same positions up to rounding, but other bits and another
	// digest.
	speeds := load(t, strings.Replace(discs, `"position-verlet"`, `"verlet"`, 1))
	if got := run(t, speeds, Options{Dir: t.TempDir()}).StateHash; got == want {
		t.Error("both integrators have the same state hash")
	}
	one, _ := s.digest(nil)
	if other, _ := speeds.digest(nil); one == other {
		t.Error("both integrators have the same digest")
	}
}

// TestDiscsTurn: with velocity Verlet, discs have friction and a spin about z.
func TestDiscsTurn(t *testing.T) {
	text := strings.NewReplacer("integrator = \"position-verlet\"\n", "", "damping = 0\n", "friction = 0.5\nrestitution = 0.8\n",
		"velocity = [0.5, -1, 0]", "velocity = [0.5, -1, 0]\nspin = [0, 0, 3]").Replace(discs)
	b, err := load(t, text).Build(1)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for range 300 {
		if err := b.World.Step(1e-4); err != nil {
			t.Fatal(err)
		}
	}
	changed := false
	for i := range b.moving() {
		spin := b.World.Bodies().Spin.At(i)
		changed = changed || spin.Z != 0 && spin.Z != 3
		if spin.X != 0 || spin.Y != 0 {
			t.Errorf("disc %d turns by %v rad/s", i, spin)
		}
	}
	if !changed {
		t.Error("friction turns no disc")
	}
}

func TestPlanarRefuses(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"no dim", "dim = 2\n", "", `shapes.large.builtin: found "disc:0.05", expected dim = 2`},
		{"four", "dim = 2", "dim = 4", "dim: found 4, expected 2 or 3"},
		{"ball", "disc:0.03", "ball:0.03", `shapes.small.builtin: found "ball:0.03", expected disc:R`},
		{"mesh", `builtin = "disc:0.03"`, `file = "x.obj"`, `shapes.small.file: found "x.obj", expected disc:R`},
		{"gravity", "[[walls]]\nname = \"floor\"", "[gravity]\nvector = [0, 0, -9.81]\n[[walls]]\nname = \"floor\"", "gravity.vector: found [0 0 -9.81], expected 0 for z"},
		{"layers", "count = [4, 3, 1]", "count = [4, 3, 2]", "bodies[0].count: found [4 3 2], expected 1 for z"},
		{"origin", "origin = [0.1, 0.1, 0]", "origin = [0.1, 0.1, 1]", "bodies[0].origin"},
		{"velocity", "velocity = [0.5, -1, 0]", "velocity = [0.5, -1, 2]", "bodies[0].velocity"},
		{"rotation", "jitter = 0.005", "jitter = 0.005\nrotation = \"random\"", "bodies[0].rotation: is given with dim = 2"},
		{"cylinder", "box = [[0, 0.5, 0], [0.6, 1, 0]]", "cylinder = { from = [0, 0.5, 0], to = [0.6, 0.5, 0], radius = 0.1 }", "bodies[1].cylinder: is given with dim = 2, expected box"},
		{"box", "[[0, 0.5, 0], [0.6, 1, 0]]", "[[0, 0.5, 0], [0.6, 1, 1]]", "bodies[1].box"},
		{"normal", "normal = [1, 0, 0]}", "normal = [2, 0, 2]}", "walls[1].plane.normal: found [2 0 2], expected 0 for z with dim = 2"},
		{"point", "plane = {point = [0, 0, 0], normal = [1, 0, 0]}", "plane = {point = [0, 0, 0.5], normal = [1, 0, 0]}", "walls[1].plane.point: found [0 0 0.5], expected 0 for z with dim = 2"},
		{"normal", "normal = [0.1, 1, 0]", "normal = [0.1, 1, 0.1]", "walls[0].plane.normal"},
		{"wall of a mesh", "plane = {point = [0, 0, 0], normal = [1, 0, 0]}", `file = "x.obj"`, `walls[1].file: found "x.obj", expected a plane with dim = 2`},
		{"motion", "{velocity = [-0.1, 0, 0]}", "{velocity = [-0.1, 0, 1]}", "walls[2].motion.velocity"},
		{"modulus", "normal = \"linear\"\nstiffness = 1e6\ndamping = 0", "modulus = 1e6\narea_exponent = 0.5", "law.modulus: is given with dim = 2"},
		{"pyramid", "generator = \"grid\"\nshapes = [\"small\", \"large\"]\ncount = [4, 3, 1]\nspacing = 0.14\norigin = [0.1, 0.1, 0]\njitter = 0.005",
			"generator = \"wall\"\nshapes = [\"small\"]\ncount = 3", "bodies[0].generator"},
		{"friction", "damping = 0", "damping = 0\nfriction = 0.3", `law.friction: is above 0, expected 0 with time.integrator = "position-verlet"`},
		{"friction of a pair", "[output]", "[[law.pair]]\nmaterials = [\"steel\", \"steel\"]\nfriction = 0.3\n[output]", "law.pair[0].friction: is above 0"},
		{"spin", "velocity = [0.5, -1, 0]", "spin = [0, 0, 2]", "bodies[0].spin: found [0 0 2], expected none with time.integrator"},
		{"integrator", "position-verlet", "leapfrog", `time.integrator: found "leapfrog", expected verlet or position-verlet`},
		{"method", "[output]", "[broad]\nmethod = \"tree\"\n[output]", `broad.method: found "tree", expected auto, cells, multilevel`},
		{"radius", "[output]", "[broad]\nradius = 1\n[output]", `broad.radius: is given without method = "vl"`},
		{"every", "[output]", "[broad]\nmethod = \"lll\"\nrebuild_every = 10\n[output]", `broad.rebuild_every: is given without method = "vl"`},
		{"no radius", "[output]", "[broad]\nmethod = \"vl\"\nradius = 0\n[output]", "broad.radius: found 0, expected a length > 0 m"},
		{"never", "[output]", "[broad]\nmethod = \"vl\"\nrebuild_every = 0\n[output]", "broad.rebuild_every: found 0, expected 1 to"},
	} {
		if strings.Count(discs, c.old) != 1 && c.name != "friction" {
			t.Fatalf("%s: %q is %d times in the scene", c.name, c.old, strings.Count(discs, c.old))
		}
		_, err := Load(write(t, strings.Replace(discs, c.old, c.new, 1), nil))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, expected %q in it", c.name, err, c.want)
		}
	}
	_, err := Load(write(t, replaced(t, "steps = 300", "steps = 300\nintegrator = \"position-verlet\""), nil))
	if want := `shapes.cube: is a block, expected a ball or a disc with time.integrator = "position-verlet"`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("blocks: error %v, expected %q in it", err, want)
	}
}
