package scene

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
)

// everyNumber is a list of scenes that together have every numeric key.
var everyNumber = []string{`dim = 3
seed = 3
[time]
dt = 5e-4
steps = 3
[gravity]
vector = [0.1, 0, -9.81]
[materials.rock]
density = 2600
[materials.steel]
[shapes.ball]
builtin = "ball:0.1"
material = "rock"
density = 2500
[shapes.cube]
builtin = "box:0.14x0.14x0.14"
material = "rock"
scale = 0.9
round = 0.01
[shapes.clump]
mass = 40
centre = [0.1, 0, 0]
inertia = [0.2, 0.3, 0.3, 0.01, 0, 0]
[[shapes.clump.pieces]]
shape = "cube"
[[shapes.clump.pieces]]
shape = "ball"
position = [0.1, 0, 0]
rotation = [1, 0, 0, 0]
[[bodies]]
shape = "clump"
position = [3, 0, 0.3]
[[bodies]]
generator = "grid"
shapes = ["cube", "ball"]
weights = [1, 2]
count = [2, 2, 1]
spacing = [0.26, 0.27, 0.28]
origin = [0, 0, 0.12]
jitter = 0.005
seed = 3
[[bodies]]
shape = "cube"
position = [0, 0, 0.9]
rotation = [1, 0, 0, 0]
velocity = [0, 0, -1]
spin = [1, 0, 0]
[[walls]]
plane = {point = [0, 0, 0.01], normal = [0, 0, 1]}
material = "steel"
motion = {velocity = [0, 0, 0.1], amplitude = [0, 0, 0.01], frequency = 10, ramp = 0.05, from = 0.0001, to = 0.1}
[contact]
interaction = 0.001
relief = {cap = 0.001, time = 0.01}
[law]
normal = "linear"
stiffness = 2e5
tangential_stiffness = 1e5
friction = 0.4
restitution = 0.5
tangential_damping = 0.1
reference_gap = 0.0005
[[law.pair]]
materials = ["rock", "steel"]
damping = 1
stiffness = 1e5
tangential_stiffness = 1e5
friction = 0.3
tangential_damping = 0.1
reference_gap = 0.0001
[broad]
method = "vl"
skin = 0.01
horizon = 0.01
radius = 2
rebuild_every = 3
[output]
every = 1
history_every = 1
states_every = 1
contacts_every = 1
checkpoint_every = 1
[[measure]]
name = "ball"
ball = { centre = [0, 0, 0.1], radius = 0.2 }
[[counts]]
name = "low"
below = [[0, 0, 0.5], [0, 0, 1]]
[[counts]]
name = "box"
box = [[0, 0, 0.5], [0, 0, 1]]
`, `[time]
dt = 5e-4
end = 1.5e-3
[materials.rock]
density = 2600
[shapes.cube]
builtin = "box:0.14x0.14x0.14"
material = "rock"
[[bodies]]
generator = "random"
shapes = ["cube"]
count = 3
box = [[-0.5, -0.5, 0.2], [0.5, 0.5, 1.5]]
[[bodies]]
generator = "random"
shapes = ["cube"]
count = 2
cylinder = {from = [3, 0, 0.5], to = [3, 0.2, 1.5], radius = 0.5}
[[bodies]]
generator = "wall"
shapes = ["cube"]
count = 2
joint = 0.001
origin = [0, 0, 2]
[[walls]]
file = "square.obj"
scale = 1.5
position = [0, 0, 0.01]
rotation = [1, 0, 0, 0]
material = "rock"
motion = {spin = [0, 0, 0.1], centre = [1, 0, 0]}
[law]
normal = "linear"
stiffness = 2e5
damping = 100
[[law.pair]]
materials = ["rock", "rock"]
restitution = 0.5
[output]
interval = 1e-3
`, `[time]
dt = 1e-4
steps = 3
[materials.rock]
density = 2600
[shapes.cube]
builtin = "box:0.14x0.14x0.14"
material = "rock"
[[bodies]]
shape = "cube"
position = [0, 0, 0.069]
[[walls]]
plane = {point = [0, 0, 0], normal = [0, 0, 1]}
material = "rock"
[law]
normal = "thickness"
modulus = 2e6
area_exponent = 0.5
friction = 0.4
[[law.pair]]
materials = ["rock", "rock"]
modulus = 1e6
area_exponent = 1
`, `[time]
dt = 1e-4
steps = 3
local_damping = 0.2
[gravity]
vector = [[0, [0, 0, -9.81]], [1, [1, 0, -9]]]
[materials.rock]
density = 2600
[shapes.cube]
builtin = "box:0.14x0.14x0.14"
material = "rock"
[[bodies]]
shape = "cube"
position = [0, 0, 0.0695]
velocity = {table = [[0, [0, 0, 0]], [1, [0.1, 0, 0]]], period = 2}
fixed = ["x"]
force = [0, 0, 1]
torque = [[0, [0, 0, 0]], [1, [0, 0, 0.1]]]
damping = "local"
damping_ratio = 0.4
[[walls]]
name = "floor"
plane = {point = [0, 0, 0], normal = [0, 0, 1]}
material = "rock"
servo = {axis = [0, 0, 1], stress = 100, area = 1, gain = 0.3, max_speed = 0.1, from = 1e-4, to = 1}
[[walls]]
plane = {point = [0, 0, 0.139], normal = [0, 0, -1]}
material = "rock"
motion = {velocity = [[0, [0, 0, 0]], [1, [0.1, 0, 0]]]}
load = {axis = [0, 0, -1], mass = 5, force = 10, damping = 3}
[[walls]]
plane = {point = [-0.5, 0, 0], normal = [1, 0, 0]}
material = "rock"
servo = {axis = [1, 0, 0], force = [[0, 10], [1, 20]], max_speed = 0.1}
[law]
stiffness = 1e5
[[stage]]
until = 1e-4
[[stage]]
for = 1e-4
local_damping = 0.1
[[stage]]
until = "rest"
speed = 1e-3
ratio = 1e-3
at_most = 1e-4
`, `[time]
dt = 5e-4
[materials.rock]
density = 2000
[shapes.ball]
builtin = "ball:0.1"
material = "rock"
[[bodies]]
shape = "ball"
position = [0.05, 0.3, 0.3]
[[bodies]]
shape = "ball"
position = [0.55, 0.3, 0.3]
[law]
stiffness = 1e5
[domain]
box = [[0, 0, 0], [0.6, 0.6, 0.6]]
x = "periodic"
y = "periodic"
z = "periodic"
rate = {yy = [[0, 0.1], [1, 0.2]], zz = -0.1}
servo = {stress = [100, "free", "free"], gain = 0.3, max_rate = 0.1}
[[stage]]
for = 1e-3
[[stage]]
for = 1e-3
domain.rate = {xx = 0.1, zz = 0.1}
domain.servo = {stress = ["free", 100, "free"], max_rate = 0.2}
`, `[time]
dt = 5e-4
steps = 3
[materials.rock]
density = 2600
[shapes.cube]
builtin = "box:0.14x0.14x0.14"
material = "rock"
[[bodies]]
generator = "pour"
shapes = ["cube"]
rate = 1000
count = 3
from = 0.0005
every = 1
velocity = [0, 0, -1]
box = [[-0.5, -0.5, 0.2], [0.5, 0.5, 1.5]]
[[bodies]]
generator = "pour"
shapes = ["cube"]
mass_rate = 5e3
count = 4
to = 0.1
every = 1
cylinder = {from = [3, 0, 0.5], to = [3, 0.2, 1.5], radius = 0.5}
[[walls]]
plane = {point = [0, 0, 0], normal = [0, 0, 1]}
material = "rock"
[law]
stiffness = 2e5
`, `[time]
dt = 5e-4
steps = 3
[materials.rock]
density = 2600
[shapes.cube]
builtin = "box:0.14x0.14x0.14"
material = "rock"
[gravity]
vector = [0, 0, 0]
[[bodies]]
generator = "random"
shapes = ["cube"]
count = 2
box = [[-1, -1, -1], [1, 1, 1]]
[[remove]]
outside = [[-9, -9, -1], [9, 9, 9]]
every = 2
[law]
stiffness = 2e5
`}

// square is a mesh with one flat polygon.
const square = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n"

var (
	number  = regexp.MustCompile(`[-+]?\b\d[-+.e\d]*`)
	keyed   = regexp.MustCompile(`([a-z_]+) = `)
	heading = regexp.MustCompile(`^\[+([a-z_.]+)`)
)

// TestEveryNumberOfAScene replaces every number of a scene by absurd values. Either a message with
// the key rejects the value, or the scene runs and its state stays finite.
func TestEveryNumberOfAScene(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "square.obj"), []byte(square), 0o644); err != nil {
		t.Fatal(err)
	}
	tried, refused, ran := map[string]bool{}, 0, 0
	for _, text := range everyNumber {
		if what, err := attempt(text, dir); err != nil {
			t.Fatalf("the scene itself: %v: %v", what, err)
		}
		lines, table := strings.Split(text, "\n"), ""
		for k, line := range lines {
			if m := heading.FindStringSubmatch(line); m != nil {
				table = m[1] + "."
				continue
			}
			_, values, _ := strings.Cut(line, " = ")
			if strings.ContainsAny(values, `"`) && !strings.Contains(values, "{") {
				continue
			}
			keyOf := func(at int) string {
				keys := keyed.FindAllStringSubmatch(line[:at], -1)
				return keys[len(keys)-1][1]
			}
			places := number.FindAllStringIndex(line, -1)
			for i, at := range places {
				key := keyOf(at[0])
				if tried[key] = true; i > 0 && i+1 < len(places) && keyOf(places[i-1][0]) == key && keyOf(places[i+1][0]) == key {
					continue // Of a list, only the first and the last entry.
				}
				for _, bad := range []string{"nan", "inf", "-inf", "-1", "0", "-1e50", "1e50", "1e-50", "1e308", "1e-308", "1e160", "1e16"} {
					lines[k] = line[:at[0]] + bad + line[at[1]:]
					what, err := attempt(strings.Join(lines, "\n"), dir)
					switch {
					case err == nil:
						ran++
					case !names(err, table, key):
						t.Errorf("%s%s as %s: %s: %v", table, key, lines[k], what, err)
					default:
						refused++
					}
					if err != nil && regexp.MustCompile(`\d{30}|strconv|[[:cntrl:]]`).MatchString(err.Error()) {
						t.Errorf("%s%s as %s: %q is not to be read", table, key, bad, err)
					}
				}
				lines[k] = line
			}
		}
	}
	if t.Logf("%d scenes refused, %d ran", refused, ran); refused < 400 || ran < 100 {
		t.Errorf("%d scenes refused, %d ran", refused, ran)
	}
	for _, key := range numericKeys() {
		if !tried[key] {
			t.Errorf("key %s is in none of the scenes", key)
		}
	}
}

// attempt builds a scene and makes three steps.
func attempt(text, dir string) (what string, err error) {
	s, err := Decode(strings.NewReader(text), "scene.toml", dir)
	if err != nil {
		return "load", err
	}
	b, err := s.Build(1)
	if err != nil {
		return "build", err
	}
	defer b.Close()
	if _, err := s.checkStep(b, s.Dt); err != nil {
		return "step", err
	}
	if s.comesOrGoes() {
		if _, err := Run(context.Background(), s, Options{Dir: filepath.Join(dir, "results"), Workers: 1}); err != nil {
			return "run", err
		}
	}
	for range 3 {
		if err := b.World.Step(s.Dt); err != nil {
			return "run", err
		}
	}
	m := b.World.Measure()
	if err := checkFinite(&m); err != nil {
		return "measure", err
	}
	for _, c := range b.World.State() {
		for _, x := range c.F64 {
			if x-x != 0 {
				return "state", fmt.Errorf("%s is %g", c.Name, x)
			}
		}
	}
	if u := b.World.Bodies().Rot.At(0).Norm(); math.Abs(u-1) > 1e-9 {
		return "state", fmt.Errorf("orientation of norm %g", u)
	}
	return "", nil
}

// names reports whether an error names a key of a table, or the table. Two other errors also count:
// the stable limit of the time step, if the stiffness or the mass is wrong, and a body that is
// ejected from another because of its absurd size.
func names(err error, table, key string) bool {
	top, _, _ := strings.Cut(table, ".")
	if f := (*fault)(nil); errors.As(err, &f) && (f.key == key || strings.HasPrefix(f.key, top+".") || strings.HasPrefix(f.key, top+"[")) {
		return true
	}
	heavy := []string{"stiffness", "modulus", "tangential_stiffness", "damping", "tangential_damping", "density", "restitution", "scale", "round", "mass"}
	return slices.Contains(heavy, key) && errors.Is(err, engine.ErrTimeStep) && strings.Contains(err.Error(), "the stable limit") ||
		slices.Contains([]string{"force", "torque", "scale"}, key) && errors.Is(err, engine.ErrFault) && regexp.MustCompile(`: (wall )?body `).MatchString(err.Error()) ||
		key == "dt" && (strings.Contains(err.Error(), "gravity.vector: ") || strings.Contains(err.Error(), ": stage[") || strings.Contains(err.Error(), "time steps of") || strings.Contains(err.Error(), "in a time step of") || strings.Contains(err.Error(), "output.interval: ") && strings.Contains(err.Error(), "time.dt"))
}

// numericKeys returns the keys of all tables that accept numbers.
func numericKeys() (names []string) {
	for _, table := range KeyTables() {
		for _, row := range table.Rows {
			if row.Unit != "" || strings.ContainsAny(row.Accepts, "≥>") {
				names = append(names, row.Key)
			}
		}
	}
	return names
}
