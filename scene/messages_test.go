package scene

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMessages compares complete messages for bad inputs.
func TestMessages(t *testing.T) {
	const (
		cube     = `builtin = "box:0.14x0.14x0.14"`
		gridKeys = "generator = \"grid\"\nshapes = [\"cube\", \"ball\"]\ncount = [2, 2, 2]\nspacing = 0.26\norigin = [0, 0, 0.13]\njitter = 0.005"
	)
	for _, c := range []struct{ name, old, new, want string }{
		{"steps beyond float64", "steps = 300", "steps = 9007199254740993",
			"scene.toml:4: time.steps: found 9007199254740993, expected 1 to 9007199254740992 steps"},
		{"steps beyond int64", "steps = 300", "steps = 9223372036854775808",
			`scene.toml:4: time.steps: found 9223372036854775808, expected a whole number of 64 bits`},
		{"density beyond int64", "density = 2600", "density = 9223372036854775808",
			`scene.toml:6: materials.rock.density: found 9223372036854775808, expected a whole number of 64 bits, or with a point: 9223372036854775808.0`},
		{"count beyond int64", "count = [2, 2, 2]", "count = [2, 2, 99999999999999999999]",
			`scene.toml:19: bodies[0].count[2]: found 99999999999999999999, expected a whole number of 64 bits`},
		{"density out of range", "density = 2600", "density = 1e-60",
			`scene.toml:6: materials.rock.density: found 1e-60, expected a number of at least 1e-50 in size, or 0 where the key may be 0`},
		{"damping out of range", "restitution = 0.5", "damping = 1e160",
			`scene.toml:38: law.damping: found 1e160, expected a number of at most 1e+50 in size`},
		{"damping", "restitution = 0.5", "normal = \"linear\"\ndamping = 1e40",
			"scene.toml:3: time.dt: time step 0.0005 s, expected at most 5.48e-40 s, the stable limit; 9.14e-41 s is advised"},
		{"tangential damping that no friction bounds", "friction = 0.4", "normal = \"linear\"\nfriction = 1e9\ntangential_damping = 1e9",
			"scene.toml:3: time.dt: time step 0.0005 s, expected at most 9.97e-10 s, the stable limit; 3.04e-10 s is advised"},
		{"amplitude without a frequency", "[contact]", "motion = {amplitude = [0, 0, 0.1]}\n[contact]",
			"scene.toml:33: walls[0].motion.amplitude: is given without frequency, expected both or neither"},
		{"frequency without an amplitude", "[contact]", "motion = {frequency = 3, amplitude = [0, 0, 0]}\n[contact]",
			"scene.toml:33: walls[0].motion.amplitude: found [0 0 0], expected three numbers, one of them not 0, beside frequency"},
		{"negative frequency", "[contact]", "motion = {frequency = -3, amplitude = [0, 0, 0.1]}\n[contact]",
			"scene.toml:33: walls[0].motion.frequency: found -3, expected a frequency > 0 1/s"},
		{"frequency beyond the step", "[contact]", "motion = {frequency = 1e4, amplitude = [0, 0, 1e-9]}\n[contact]",
			"scene.toml:33: walls[0].motion.frequency: found 10000, expected at most 1e+03 1/s: two time steps of 0.0005 s a period"},
		{"fast wall", "[contact]", "motion = {velocity = [0, 0, 1e3]}\n[contact]",
			"scene.toml:33: walls[0].motion: body 9 (floor) moves at up to 1e+03 m/s, expected at most 280 m/s: " +
				"in a time step of 0.0005 s it would pass the thinnest body, of 0.14 m"},
		{"fast body", "velocity = [0, 0, -1]", "velocity = [0, 0, -1e3]",
			"scene.toml:28: bodies[1].velocity: found 1000, expected at most 485 m/s: in a time step of 0.0005 s a body of 0.242 m would pass others"},
		{"spin", "velocity = [0, 0, -1]", "spin = [0, 1e4, 0]",
			"scene.toml:28: bodies[1].spin: found 10000, expected at most 6.28e+03 rad/s: half a turn in a time step of 0.0005 s"},
		{"far body", "position = [0, 0, 0.9]", "position = [0, 1e16, 0.9]",
			"scene.toml:27: bodies[1].position: found 1e+16, expected at most 5.21e+08 m from the origin, for a body of 0.242 m"},
		{"far bodies", "spacing = 0.26", "spacing = [0.26, 1e12, 0.26]",
			"scene.toml:20: bodies[0].spacing: found 1e+12, expected at most 4.29e+08 m from the origin, for a body of 0.2 m"},
		{"far jitter", "jitter = 0.005", "jitter = 1e12",
			"scene.toml:22: bodies[0].jitter: found 1e+12, expected at most 4.29e+08 m from the origin, for a body of 0.2 m"},
		{"far box", gridKeys, `generator = "random"` + "\nshapes = [\"cube\"]\ncount = 2\nbox = [[0, 0, 0], [1, 1e12, 1]]",
			"scene.toml:20: bodies[0].box: found 1e+12, expected at most 5.21e+08 m from the origin, for a body of 0.242 m"},
		{"far joint", gridKeys, `generator = "wall"` + "\nshapes = [\"cube\"]\ncount = 3\njoint = 1e12",
			"scene.toml:20: bodies[0].joint: found 1e+12, expected at most 5.21e+08 m from the origin, for a body of 0.242 m"},
		{"spacing in lists", "spacing = 0.26", "spacing = [[[[1]]]]",
			"scene.toml:20: bodies[0].spacing: found [[[[1]]]], expected a length > 0 m, or three of them"},
		{"spacing of one in a list", "spacing = 0.26", "spacing = [0.26]",
			"scene.toml:20: bodies[0].spacing: found [0.26], expected a length > 0 m, or three of them"},
		{"spacing with one in a list", "spacing = 0.26", "spacing = [[0.26], 0.26, 0.26]",
			"scene.toml:20: bodies[0].spacing: found [[0.26] 0.26 0.26], expected a length > 0 m, or three of them"},
		{"count with an exponent", "count = [2, 2, 2]", "count = [1e3, 2, 2]",
			"scene.toml:19: bodies[0].count: found [1000 2 2], expected three whole numbers ≥ 1, without a point or an exponent: 1000"},
		{"steps with an exponent", "steps = 300", "steps = 1e9",
			`scene.toml:4: time.steps: found 1e9, expected 1 to 9007199254740992 steps, without a point or an exponent: 1000000000`},
		{"steps with a fraction", "steps = 300", "steps = 1.5", `scene.toml:4: time.steps: found 1.5, expected 1 to 9007199254740992 steps`},
		{"tiny restitution", "restitution = 0.5", "restitution = 1e-300",
			`scene.toml:38: law.restitution: found 1e-300, expected a number of at least 1e-50 in size, or 0 where the key may be 0`},
		{"bonds", "seed = 3", "seed = 3\n[bonds]", `scene.toml:2: bonds: "bonds" is not available in this release: bodies touch, and no more than touch, today`},
		{"a key like no other", "seed = 3", "seed = 3\n[glue]",
			`scene.toml:2: glue: unknown key "glue", expected one of bodies, broad, contact, counts, dim, domain, gravity, law, materials, measure, order, output, remove, seed, shapes, stage, time, walls`},
		{"a key with a wrong letter", "[contact]", "[contcat]", `scene.toml:33: contcat: unknown key "contcat", the nearest known one is "contact"`},
		{"processes", "seed = 3", "seed = 3\nprocesses = 4", `scene.toml:2: processes: "processes" is not available in this release: scree run SCENE --workers N uses the processors of one machine`},
		{"empty text", `generator = "grid"`, `generator = ""`,
			`scene.toml:17: bodies[0].generator: found "", expected a text, or that the key is left out`},
		{"relief without a time", "[contact]", "[contact.relief]\ncap = 1e-3\n[contact]",
			"scene.toml:34: contact.relief.cap: is given without time, expected both or neither"},
		{"relief without a cap", "[contact]", "[contact.relief]\ntime = 1e-3\n[contact]",
			"scene.toml:34: contact.relief.time: is given without cap, expected both or neither"},
		{"relief in no time", "[contact]", "[contact.relief]\ncap = 1e-3\ntime = 0\n[contact]",
			"scene.toml:35: contact.relief.time: found 0, expected a time > 0 s, or 0 beside a cap of 0"},
		{"a bound just passed", "velocity = [0, 0, -1]", "velocity = [0, 0, 484.98]",
			"scene.toml:28: bodies[1].velocity: found 484.98, expected at most 484.97 m/s: in a time step of 0.0005 s a body of 0.242 m would pass others"},
		{"long name", `name = "heap"`, `name = "` + strings.Repeat("x", 256) + `"`,
			"scene.toml:16: bodies[0].name: found a name of 256 bytes, expected at most 255"},
		{"long builtin", cube, `builtin = "box:` + strings.Repeat("1x", 1000) + `"`,
			`scene.toml:12: shapes.cube.builtin: shape "box:` + strings.Repeat("1x", 58) + `…": expected box:AxBxC`},
		{"a name that turns the line", "seed = 3", "\"se\u202eed\" = 3", `scene.toml:1: se\u202eed: unknown key "se\u202eed", the nearest known one is "seed"`},
		{"far plane", "point = [0, 0, 0]", "point = [0, 1e16, 0]",
			"scene.toml:31: walls[0].plane.point: found 1e+16, expected at most 4.29e+08 m from the origin, for a smallest body of 0.2 m"},
		{"reference gap", "restitution = 0.5", "normal = \"linear\"\nreference_gap = 1",
			"scene.toml:39: law.reference_gap: found 1, expected at most 0.242 m, the size of the largest body"},
		{"negative reference gap", "restitution = 0.5", "normal = \"linear\"\nreference_gap = -1",
			"scene.toml:39: law.reference_gap: found -1, expected at least -0.242 m: bodies farther inside each other than the largest is large"},
		{"control characters in a name of a file", cube, `file = "a\u0000\u001b[2J.obj"`,
			`scene.toml:12: shapes.cube.file: found "a\x00\x1b[2J.obj", expected a mesh file, whose name has no NUL`},
		{"control character in a builtin", cube, `builtin = "octa:0.1\n"`,
			`scene.toml:12: shapes.cube.builtin: shape "octa:0.1\n": byte 8 is a control character, expected none`},
		{"NUL in a builtin", cube, `builtin = "octa:0.1\u0000"`,
			`scene.toml:12: shapes.cube.builtin: shape "octa:0.1\x00": byte 8 is a control character, expected none`},
		{"text without quotes", "steps = 300", "steps = 3OO", `scene.toml:4: time.steps: found "3OO": strings must be quoted`},
		{"key without a value", "steps = 300", "steps =", `scene.toml:4: time.steps: found "": unexpected character U+000A at start of value`},
		{"text without an end", cube, `builtin = "box:1x1x1`,
			`scene.toml:12: shapes.cube.builtin: found "\"box:1x1x1": basic strings cannot have new lines`},
		{"heading without an end", "[time]", "[time", `scene.toml:2: found "[time": expected ']' to close table name`},
		{"control character in a text", `"auto"`, `"a\u0000"`,
			`scene.toml:34: contact.method: found "a\x00", expected auto, gjk-epa, sat, ds, fds, fds-paper, cp, fcp or slm`},
		{"control character in the file", "seed = 3", "seed = 3\x00", `scene.toml:1: seed: found "3\x00": expected newline but got U+0000`},
		{"key of letters that look alike", "seed = 3", "еnd = 3", `scene.toml:1: еnd: found "3": invalid character at start of key: U+0435 'е'`},
		{"control character in a key", "seed = 3", `"se\u0000ed" = 3`, `scene.toml:1: se\x00ed: unknown key "se\x00ed", the nearest known one is "seed"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, replaced(t, c.old, c.new), nil)
			dir := filepath.Dir(path)
			s, err := Load(path)
			if err == nil {
				_, err = Run(context.Background(), s, Options{Dir: filepath.Join(dir, "out"), Steps: 1})
			}
			if err == nil {
				t.Fatal("no error")
			}
			got := strings.ReplaceAll(strings.TrimPrefix(err.Error(), dir+"/"), dir, "DIR")
			if got != c.want || !errors.Is(err, ErrInput) {
				t.Errorf("error\n%s\nexpected\n%s", got, c.want)
			}
			if _, err := os.Stat(filepath.Join(dir, "out")); !os.IsNotExist(err) {
				t.Errorf("the folder of results is there: %v", err)
			}
		})
	}
}

// TestWarningOfTheRun: a warning of the world during the run reaches the reporter and the summary,
// once.
func TestWarningOfTheRun(t *testing.T) {
	l := &listener{}
	sum := run(t, load(t, tenCubes), Options{Dir: t.TempDir(), Report: l})
	var found []string
	for _, w := range l.warnings {
		if strings.Contains(w, "is too long for body ") {
			found = append(found, w)
		}
	}
	if len(found) != 1 || strings.Join(sum.Warnings, "\n") != strings.Join(l.warnings, "\n") {
		t.Errorf("reported %q, summary %q, expected one of a body with too many contacts", l.warnings, sum.Warnings)
	}
	if len(l.warnings) != 2 || !strings.Contains(l.warnings[0], "scene.toml:2: time.dt: time step 0.00044 s is above") ||
		!strings.Contains(l.warnings[0], "held by 6 contacts each") {
		t.Errorf("warnings %q, expected one of the start first", l.warnings)
	}
}

// tenCubes is a scene of ten stacked cubes, with a time step of a twentieth of the contact time.
const tenCubes = `[time]
dt = 4.4e-4
steps = 60
[materials.rock]
density = 650
[shapes.cube]
builtin = "box:1x1x1"
material = "rock"
[[bodies]]
generator = "grid"
shapes = ["cube"]
count = [1, 1, 10]
spacing = 1
origin = [0, 0, 0.5]
[[walls]]
plane = {point = [0, 0, 0], normal = [0, 0, 1]}
material = "rock"
[contact]
location = "none"
[law]
normal = "linear"
stiffness = 4e7
friction = 0.5
restitution = 0.1
[output]
every = 0
`

// TestAbove: the text of a bound is above the number that does not reach it.
func TestAbove(t *testing.T) {
	for _, c := range []struct {
		bound, x float64
		want     string
	}{{0.1, 0.0999, "0.1"}, {0.10000000000000002, 0.1, "0.10000000000000002"}, {2, 1, "2"}, {1.0 / 3, 0.3, "0.333333"}, {1.0 / 3, 0.333333, "0.3333333333333333"}} {
		if got := above(c.bound, c.x); got != c.want {
			t.Errorf("%v above %v is %q, expected %q", c.bound, c.x, got, c.want)
		}
	}
}
