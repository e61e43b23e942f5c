package scene

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/results"
)

// experiment is a scene with all that stages may do, in about 700 steps.
const experiment = `seed = 3
[time]
dt = 2e-4
[materials.rock]
density = 2000
[materials.steel]
[shapes.rock]
builtin = "rock:1,12,0.1"
material = "rock"
[shapes.cube]
builtin = "box:0.12x0.12x0.12"
material = "rock"
[[bodies]]
name = "heap"
generator = "grid"
shapes = ["rock", "cube"]
count = [2, 2, 2]
spacing = 0.21
origin = [-0.1, -0.1, 0.1]
velocity = [0.3, 0, -0.5]
[[bodies]]
name = "block"
shape = "cube"
position = [0, 0, 0.62]
[[walls]]
name = "floor"
material = "steel"
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[[walls]]
name = "left"
material = "steel"
plane = { point = [-0.25, 0, 0], normal = [1, 0, 0] }
[[walls]]
name = "right"
material = "steel"
plane = { point = [0.25, 0, 0], normal = [-1, 0, 0] }
[[walls]]
name = "front"
material = "steel"
plane = { point = [0, -0.25, 0], normal = [0, 1, 0] }
[[walls]]
name = "back"
material = "steel"
plane = { point = [0, 0.25, 0], normal = [0, -1, 0] }
[[walls]]
name = "top"
material = "steel"
plane = { point = [0, 0, 0.7], normal = [0, 0, -1] }
present = false
[law]
stiffness = 1e5
friction = 0.5
restitution = 0.3
[[law.pair]]
materials = ["rock", "steel"]
friction = 0.3
[[measure]]
name = "cell"
between = ["left", "right", "front", "back", "floor", "top"]
[output]
bodies = ["block"]
every = 50
history_every = 10
states_every = 100
checkpoint_every = 60
[[stage]]
until = "rest"
speed = 0.5
at_most = 0.05
local_damping = 0.3
[[stage]]
for = 0.02
local_damping = 0
gravity.vector = [[0, [0, 0, -9.81]], [0.02, [2, 0, -9]]]
walls.top = { add = true, servo = { axis = [0, 0, -1], stress = 2000, between = ["left", "right", "front", "back"], max_speed = 1 } }
bodies.block = { fixed = ["x", "rz"], velocity = [[0, [0, 0, 0]], [0.02, [0.1, 0, 0]]] }
[[stage]]
for = 0.02
dt = 1e-4
walls.top.motion = { velocity = [0.1, 0, 0] }
walls.floor.remove = true
bodies.heap.force = [0, 1, 0]
[stage.law]
stiffness = 1e5
friction = 0.1
restitution = 0.3
[[stage.law.pair]]
materials = ["rock", "steel"]
friction = 0
[[stage]]
for = 0.03
walls.top.servo = false
bodies.block = { fixed = [], velocity = [0, 0, -0.1] }
[stage.law]
normal = "linear"
stiffness = 1e5
friction = 0.2
restitution = 0.3
`

// TestStagesRestart runs an experiment of stages whole, and in parts that are interrupted at many steps. The folders
// must be equal.
func TestStagesRestart(t *testing.T) {
	s := load(t, experiment)
	whole := results.Folder(t)
	sum, err := Run(t.Context(), s, Options{Dir: whole, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	starts := sum.StageStarts
	if len(sum.StageStarts) != 4 || sum.StageStarts[2].Step-sum.StageStarts[1].Step != 100 || sum.StageStarts[3].Step-sum.StageStarts[2].Step != 200 || !(sum.Time > starts[3].Time+0.03-1e-9 && sum.Time < starts[3].Time+0.0302) {
		t.Errorf("stages %+v to %g s", sum.StageStarts, sum.Time)
	}
	if e := &sum.Energies; !(e.LeftOver < 3e-2*(e.Damping+e.Friction) && e.LeftOver > -3e-2*(e.Damping+e.Friction)) {
		t.Errorf("left over %g J of %g J", e.LeftOver, e.Damping+e.Friction)
	}
	want := results.Read(t, whole)
	steps := []int64{1, 99, starts[1].Step - 1, starts[1].Step, starts[1].Step + 1, starts[2].Step, starts[2].Step + 37, starts[3].Step, starts[3].Step + 5}
	for workers := range 2 {
		dir, at := results.Folder(t), int64(0)
		for _, step := range append(steps, 0) {
			o := Options{Dir: dir, Workers: 1 + workers}
			if at > 0 {
				o.Restart = checkpointAt(dir, at)
			}
			first := at
			if at = step; step > 0 {
				until(t, s, o, step, first)
			} else if err := quietly(t, s, o); err != nil {
				t.Fatal(err)
			}
		}
		results.Same(t, fmt.Sprintf("%d workers", 1+workers), results.Read(t, dir), want)
	}
}

// TestUntilStage ends after a stage, with a checkpoint from which the run goes on with the same bits.
func TestUntilStage(t *testing.T) {
	s := load(t, experiment)
	whole, dir := results.Folder(t), results.Folder(t)
	want, err := Run(t.Context(), s, Options{Dir: whole, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	part, err := Run(t.Context(), s, Options{Dir: dir, Workers: 1, UntilStage: 2})
	if err != nil || part.Steps != want.StageStarts[2].Step {
		t.Fatalf("%v after %d steps, expected %d", err, part.Steps, want.StageStarts[2].Step)
	}
	if _, err := Run(t.Context(), s, Options{Dir: dir, Workers: 1, Restart: checkpointAt(dir, part.Steps), UntilStage: 1}); err == nil || !strings.Contains(err.Error(), "is of stage 2, expected one of stage 1") {
		t.Errorf("error %v for a checkpoint beyond the last stage", err)
	}
	got, err := Run(t.Context(), s, Options{Dir: dir, Workers: 1, Restart: checkpointAt(dir, part.Steps)})
	if err != nil || got.StateHash != want.StateHash {
		t.Errorf("%v, hash %s, expected %s", err, got.StateHash, want.StateHash)
	}
}

// TestChangedScene goes on from a checkpoint of one scene in another one: with other frictions and walls that move
// otherwise it starts from the same places, and what may not change is refused by name.
func TestChangedScene(t *testing.T) {
	settled := experiment[:strings.Index(experiment, "[[stage]]\nfor = 0.02\nlocal_damping = 0\n")]
	s, dir := load(t, settled), results.Folder(t)
	sum, err := Run(t.Context(), s, Options{Dir: dir, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	from := checkpointAt(dir, sum.Steps)
	hashes := map[string]string{}
	for _, change := range [][2]string{
		{"", ""}, {"friction = 0.5\nrestitution = 0.3", "friction = 0.5\nrestitution = 0.9"}, {"stiffness = 1e5\nfriction = 0.5", "normal = 'linear'\nstiffness = 1e5\nfriction = 0.5"},
		{"dt = 2e-4", "dt = 1e-4"}, {"[materials.rock]", "[gravity]\nvector = [0, 0, -4]\n[materials.rock]"}, {`name = "block"`, "name = \"block\"\ndamping = \"local\"\ndamping_ratio = 0.2"},
		{`name = "left"`, "name = \"left\"\nservo = { axis = [1, 0, 0], force = 10, max_speed = 1 }"},
		{`name = "block"`, "name = \"block\"\nforce = [0, 0, 5]"},
	} {
		text := strings.Replace(experiment, change[0], change[1], 1)
		if strings.HasPrefix(change[1], "[gravity]") {
			text = strings.Replace(text, "\ngravity.vector = [[0", "\n# [[0", 1)
		}
		sum, err := Run(t.Context(), load(t, text), Options{Dir: results.Folder(t), Workers: 1, Restart: from, Changed: true})
		switch {
		case err != nil:
			t.Errorf("%q: %v", change, err)
		case math.Abs(sum.Energies.LeftOver) > 3e-2*(sum.Energies.Damping+sum.Energies.Friction):
			t.Errorf("%q: left over %g J of %g J", change, sum.Energies.LeftOver, sum.Energies.Damping+sum.Energies.Friction)
		case len(sum.StageStarts) != 4 || hashes[sum.StateHash] != "":
			t.Errorf("%q: stages %+v, and the hash of %q", change, sum.StageStarts, hashes[sum.StateHash])
		default:
			hashes[sum.StateHash] = "the change to " + change[1]
		}
	}
	same, err := Run(t.Context(), load(t, experiment), Options{Dir: results.Folder(t), Workers: 1})
	if err != nil || hashes[same.StateHash] == "" {
		t.Errorf("%v: a scene that goes on from its own first stage has other bits than one run", err)
	}
	for _, c := range []struct{ from, to, want string }{
		{"0.12x0.12x0.12", "0.12x0.12x0.1", "differs in its shapes"}, {"spacing = 0.21", "spacing = 0.22", "differs in its bodies"}, {"[law]\n", "[contact]\ninteraction = 0.001\n[law]\n", "differs in its interaction"},
		{"floor", "ground", `has a wall "floor", expected one of the scene`},
		{"point = [-0.25, 0, 0]", "point = [-0.3, 0, 0]", `a wall "left" of another shape, place or material`},
		{experiment[len(settled):], "", "goes on in stage 2, expected a scene with as many stages: this one has 1"},
	} {
		_, err := Run(t.Context(), load(t, strings.ReplaceAll(experiment, c.from, c.to)), Options{Dir: filepath.Join(t.TempDir(), "x"), Workers: 1, Restart: from, Changed: true})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, expected one with %q", c.to, err, c.want)
		}
	}
	if _, err := os.Stat(from); err != nil {
		t.Error(err)
	}
}

// TestChangedBeforeStages goes on from a run without stages, with the first stage of another scene. What that scene no
// longer gives has ended: the body is neither loaded nor held any more.
func TestChangedBeforeStages(t *testing.T) {
	held := strings.Replace(heldStages, "fixed = [", "force = [0, 1, 0]\nfixed = [", 1)
	plain, dir := strings.Replace(held[:strings.Index(held, "[[stage]]")], "dt = 1e-3", "dt = 1e-3\nend = 0.1", 1), results.Folder(t)
	if _, err := Run(t.Context(), load(t, plain), Options{Dir: dir, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	from, free := Options{Dir: results.Folder(t), Workers: 1, Restart: checkpointAt(dir, 100), Changed: true}, held
	for _, line := range []string{"force = [0, 1, 0]\n", `fixed = ["x", "rz"]` + "\n", "velocity = [[0, [0, 0, 0]], [0.4, [0.4, 0, 0]]]\n", "spin = [[0, [0, 0, 0]], [0.4, [0, 0, 0.2]]]\n"} {
		free = strings.Replace(free, line, "", 1)
	}
	sum, err := Run(t.Context(), load(t, free[:strings.Index(free, "[[stage]]")]+"[[stage]]\nfor = 0.2\n"), from)
	if err != nil || sum.Steps != 300 || len(sum.StageStarts) != 1 || sum.StageStarts[0].Step != 100 {
		t.Fatalf("%v, ended after %d steps with stages %+v, expected 300 and one from step 100", err, sum.Steps, sum.StageStarts)
	}
	rows := readTable(t, filepath.Join(from.Dir, statesName))
	first, last := rows[0], rows[len(rows)-1]
	if first["vx"] != last["vx"] || first["vy"] != last["vy"] || first["wz"] != last["wz"] || first["vy"] == "0" {
		t.Errorf("a body that nothing holds or loads any more went from %v to %v", first, last)
	}
}

// TestChangedBelowAStage changes what a stage has set anew since: the run goes on as before.
func TestChangedBelowAStage(t *testing.T) {
	s, dir := load(t, heldStages), results.Folder(t)
	want, err := Run(t.Context(), s, Options{Dir: dir, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	part := results.Folder(t)
	if _, err := Run(t.Context(), s, Options{Dir: part, Workers: 1, UntilStage: 2}); err != nil {
		t.Fatal(err)
	}
	changed := load(t, strings.Replace(heldStages, "fixed = [", "force = [0, 0, 7]\nfixed = [", 1))
	got, err := Run(t.Context(), changed, Options{Dir: results.Folder(t), Workers: 1, Restart: checkpointAt(part, 200), Changed: true})
	if err != nil || got.StateHash != want.StateHash {
		t.Errorf("%v, hash %s, expected %s", err, got.StateHash, want.StateHash)
	}
}

// TestStageRemovesAtOnce: a wall that the first stage removes belongs to the states that other laws take over.
func TestStageRemovesAtOnce(t *testing.T) {
	text := heldStages + "[stage.law]\nstiffness = 2e5\n[[walls]]\nname = \"floor\"\nmaterial = \"rock\"\nplane = { point = [0, 0, -1], normal = [0, 0, 1] }\n"
	text = strings.Replace(text, "[[stage]]\nfor = 0.1\n", "[[stage]]\nfor = 0.1\nwalls.floor.remove = true\n", 1)
	if sum, err := Run(t.Context(), load(t, text), Options{Dir: results.Folder(t), Workers: 1}); err != nil || sum.Steps != 400 {
		t.Errorf("%v after %d steps, expected 400", err, sum.Steps)
	}
}

// TestFramesWithoutWalls: frames of stages have a file of walls only while there is a wall, and a restart keeps them.
func TestFramesWithoutWalls(t *testing.T) {
	bare := strings.Replace(heldStages, "[output]\n", "[output]\nevery = 50\n", 1)
	floor := strings.Replace(bare, "bodies.block.force", "walls.floor.remove = true\nbodies.block.force", 1) +
		"\n[[walls]]\nname = \"floor\"\nmaterial = \"rock\"\nplane = { point = [0, 0, -1], normal = [0, 0, 1] }\n"
	for text, last := range map[string]int64{bare: -1, floor: 100} {
		s, whole := load(t, text), results.Folder(t)
		if err := quietly(t, s, Options{Dir: whole, Workers: 1}); err != nil {
			t.Fatal(err)
		}
		want := results.Read(t, whole)
		for step := int64(0); step <= 400; step += 50 {
			name := frameName(wallsPart, step)
			if has := step <= last; (want[name] != "") != has || strings.Contains(want["series.pvd"], name) != has || want[frameName(bodiesPart, step)] == "" {
				t.Errorf("%s: there is %v, expected %v, in the folder and in\n%s", name, !has, has, want["series.pvd"])
			}
		}
		for _, step := range []int64{49, 50, 101, 300} {
			dir := results.Folder(t)
			until(t, s, Options{Dir: dir, Workers: 1}, step, 0)
			if err := quietly(t, s, Options{Dir: dir, Workers: 1, Restart: checkpointAt(dir, step)}); err != nil {
				t.Fatal(err)
			}
			results.Same(t, fmt.Sprintf("restart at step %d", step), results.Read(t, dir), want)
			if at := frameName(wallsPart, 50); step > 50 && last > 0 {
				if err := os.Remove(filepath.Join(dir, at)); err != nil {
					t.Fatal(err)
				}
				if err := quietly(t, s, Options{Dir: dir, Workers: 1, Restart: checkpointAt(dir, 400)}); err == nil || !strings.Contains(err.Error(), at) {
					t.Errorf("error %v after %s was removed", err, at)
				}
			}
		}
	}
}

// TestStageErrors checks messages about stages.
func TestStageErrors(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"at_most = 0.05", "", "stage[0].until: found \"rest\", expected at_most beside it"},
		{"speed = 0.5\nat_most", "at_most", "stage[0].until: found \"rest\", expected speed or ratio"},
		{"until = \"rest\"", "for = 1", "stage[0].at_most: is given without until = \"rest\""},
		{"until = \"rest\"\nspeed = 0.5\nat_most = 0.05", "for = 1\n[[stage]]\nuntil = 1", "stage[1].until: found 1, expected a time after 1 s"},
		{"[[stage]]\nfor = 0.02\nlocal", "[[stage]]\nuntil = 0.02\nlocal", "stage[1].until: found 0.02, expected for: the time at which"},
		{"walls.floor.remove", "walls.roof.remove", "stage[2].walls.roof: found \"roof\", expected one of the walls"},
		{"bodies.heap.force", "bodies.pile.force", "stage[2].bodies.pile: found \"pile\", expected the name of an entry"},
		{"max_speed = 1 }", "max_speed = 1e4 }", "stage[1].walls.top.servo: body"},
		{"dt = 1e-4", "dt = 1", "stage[2].dt: time step 1 s, expected at most"},
		{"walls.top.servo = false", "walls.top = { servo = { axis = [0, 0, -1], force = 1, max_speed = 1 }, load = { axis = [0, 0, -1], mass = 9 } }", "stage[3].walls.top.load: is given beside servo"},
		{"present = false", "", "stage[1].walls.top.add: adds a wall that is there already"},
		{"walls.top.servo = false", "walls.floor.servo = false", "stage[3].walls.floor.servo: is of a wall that is not there"},
		{"velocity = [0, 0, -0.1] }", "velocity = [0, 0, -1e4] }", "stage[3].bodies.block.velocity: found 10000, expected at most"},
		{"velocity = [0, 0, -0.1] }", "spin = [0, 0, 1e6] }", "stage[3].bodies.block.spin: found 1e+06, expected at most"},
		{"[2, 0, -9]", "[2, 0, -9e9]", "stage[1].gravity.vector: found 9e+09, expected at most"},
		{"for = 0.02\ndt", "for = 0.02\noutput.fields = []\ndt", "stage[2].output.fields: is given in a stage"},
		{"walls.floor.remove = true", "walls.floor = { add = true, remove = true }", "is given beside add"},
		{"[stage.law]\nnormal = \"linear\"\nstiffness = 1e5", "[stage.law]\nnormal = \"linear\"", "stage[3].law.stiffness: is missing"},
		{"for = 0.02\ndt", "dt", "stage[2].for: is missing"},
	} {
		text := strings.Replace(experiment, c.from, c.to, 1)
		if _, err := Decode(strings.NewReader(text), "scene.toml", "."); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, expected one with %q", c.to, err, c.want)
		}
	}
}

// heldStages is a body that follows a table of velocity, in stages that set something else of it.
const heldStages = `[time]
dt = 1e-3
[gravity]
vector = [0, 0, 0]
[materials.rock]
density = 2000
[shapes.cube]
builtin = "box:0.1x0.1x0.1"
material = "rock"
[[bodies]]
name = "block"
shape = "cube"
position = [0, 0, 0]
fixed = ["x", "rz"]
velocity = [[0, [0, 0, 0]], [0.4, [0.4, 0, 0]]]
spin = [[0, [0, 0, 0]], [0.4, [0, 0, 0.2]]]
[law]
stiffness = 1e5
[output]
bodies = ["block"]
history_every = 100
states_every = 100
[[stage]]
for = 0.1
[[stage]]
for = 0.1
bodies.block.force = [0, 2, 0]
[[stage]]
for = 0.1
bodies.block.fixed = ["x"]
[[stage]]
for = 0.1
bodies.block.spin = [0, 0, 3]
`

// TestHeldBodyInStages: a table of velocity goes on when a stage sets the force, the spin or the fixed components.
func TestHeldBodyInStages(t *testing.T) {
	s, dir := load(t, heldStages), results.Folder(t)
	if _, err := Run(t.Context(), s, Options{Dir: dir, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	for _, row := range readTable(t, filepath.Join(dir, statesName)) {
		number := func(name string) float64 { x, _ := strconv.ParseFloat(row[name], 64); return x }
		at, turn := number("time"), 0.0
		switch {
		case at < 0.25:
			turn = at / 2
		case at < 0.35:
			turn = 0.1 // free, it keeps what it had at 0.2 s
		default:
			turn = 3
		}
		if vx, vy, wz := number("vx"), number("vy"), number("wz"); !(math.Abs(vx-at) < 1e-3 && math.Abs(vy-max(at-0.1, 0)) < 1e-9) || at != 0.3 && !(math.Abs(wz-turn) < 1e-3) {
			t.Errorf("at %g s the body moves at %g and %g m/s and turns at %g rad/s, expected %g, %g, %g", at, vx, vy, wz, at, max(at-0.1, 0), turn)
		}
	}
	part, rest := results.Folder(t), results.Folder(t)
	if _, err := Run(t.Context(), s, Options{Dir: part, Workers: 1, Steps: 150}); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), s, Options{Dir: rest, Workers: 1, Restart: checkpointAt(part, 150)}); err != nil {
		t.Fatal(err)
	}
	if row := readTable(t, filepath.Join(rest, historyName))[0]; row["step"] != "150" || !strings.HasPrefix(row["body_block_x"], "0.0112") {
		t.Errorf("the first row of a restart is of step %s with the body at %s m, expected 150 and 0.01125 m", row["step"], row["body_block_x"])
	}
	_, err := Decode(strings.NewReader(strings.Replace(heldStages, `fixed = ["x"]`, "fixed = []", 1)+"bodies.block.velocity = [[0, [0, 0, 0]], [1, [1, 0, 0]]]\n"), "scene.toml", ".")
	if want := "stage[3].bodies.block.velocity: varies in time, expected one value"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, expected %q", err, want)
	}
}

// TestWallsThatMiss warns of a plate that follows a load past all bodies.
func TestWallsThatMiss(t *testing.T) {
	for x, want := range map[string]bool{"0": false, "3": true} {
		text := strings.Replace(experiment, "[law]\n", "[[walls]]\nname = \"plate\"\nmaterial = \"steel\"\nfile = \"plate.obj\"\nposition = ["+x+", 0, 1]\nrotation = [0, 1, 0, 0]\n"+
			"servo = { axis = [0, 0, -1], force = 1, max_speed = 1 }\n[law]\n", 1)
		s, err := Load(write(t, text, map[string]string{"plate.obj": square}))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Check(t.Context(), s, Options{Workers: 1})
		if err != nil || strings.Contains(strings.Join(r.Warnings, " "), "no body is on its way") != want {
			t.Errorf("a plate at x = %s: %v, warnings %q", x, err, r.Warnings)
		}
	}
}

// TestStageWarnings checks what is allowed, and may not be meant.
func TestStageWarnings(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"walls.top.motion = { velocity = [0.1, 0, 0] }", "walls.top.motion = { velocity = [0.1, 0, -0.1] }", "stage[2].walls.top.motion: moves the wall along"},
		{"dt = 2e-4", "dt = 2e-4\nend = 1", "time.end: found 1 s, and the stages end at 0.12 s at the latest"},
		{"[law]\n", "[contact]\nlocation = \"full\"\n[law]\n", ""},
		{"", "", ""},
	} {
		s := load(t, strings.Replace(experiment, c.from, c.to, 1))
		if got := strings.Join(s.warnings, "\n"); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%q: warnings %q, expected %q", c.to, got, c.want)
		}
	}
	// A wall that ends its fast motion when the step gets longer.
	load(t, strings.Replace(strings.Replace(experiment, "walls.top.motion =", "walls.back.motion = { velocity = [0, 300, 0] }\nwalls.top.motion =", 1),
		"for = 0.03\n", "for = 0.03\ndt = 2.2e-4\nwalls.back.motion = false\n", 1))
	s := load(t, strings.Replace(experiment, "dt = 2e-4", "dt = 2e-4\nend = 0.08", 1))
	sum, err := Run(t.Context(), s, Options{Dir: results.Folder(t), Workers: 1})
	if err != nil || math.Abs(sum.Time-0.08) > 1e-4 { // 50 ms, 20 ms, and 10 ms with half the step
		t.Errorf("%v, ended at %g s, expected 0.08", err, sum.Time)
	}
}

// TestStageOrder: in one stage walls come before a servo names them, and go after it has ended, whatever their names.
func TestStageOrder(t *testing.T) {
	const base = `[time]
dt = 1e-3
[gravity]
vector = [0, 0, 0]
[materials.rock]
density = 2000
[shapes.cube]
builtin = "box:0.1x0.1x0.1"
material = "rock"
[[bodies]]
shape = "cube"
[law]
stiffness = 1e4
`
	text, first, second := base, "[[stage]]\nfor = 0.01\n", "[[stage]]\nfor = 0.01\n"
	for i, name := range []string{"b", "c", "d", "e"} {
		normal := []string{"[1, 0, 0]", "[-1, 0, 0]", "[0, 1, 0]", "[0, -1, 0]"}[i]
		point := []string{"[-1, 0, 0]", "[1, 0, 0]", "[0, -1, 0]", "[0, 1, 0]"}[i]
		text += fmt.Sprintf("[[walls]]\nname = %q\nmaterial = \"rock\"\npresent = false\nplane = { point = %s, normal = %s }\n", name, point, normal)
		first += fmt.Sprintf("walls.%s.add = true\n", name)
		second += fmt.Sprintf("walls.%s.remove = true\n", name)
	}
	for _, servo := range []string{"a", "f"} {
		wall := fmt.Sprintf("[[walls]]\nname = %q\nmaterial = \"rock\"\nplane = { point = [0, 0, 1], normal = [0, 0, -1] }\n", servo)
		stages := first + fmt.Sprintf("walls.%s.servo = { axis = [0, 0, -1], stress = 10, between = [\"b\", \"c\", \"d\", \"e\"], max_speed = 0.1 }\n", servo) +
			second + fmt.Sprintf("walls.%s.servo = false\n", servo)
		if sum, err := Run(t.Context(), load(t, text+wall+"[[stage]]\nfor = 0.01\n"+stages), Options{Dir: results.Folder(t), Workers: 1}); err != nil || sum.Walls != 1 {
			t.Errorf("servo %s: %v", servo, err)
		}
	}
}
