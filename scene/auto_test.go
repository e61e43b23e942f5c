package scene

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAuto: dt = "auto" is the step that the built world advises, rounded down, and a run with this
// number has the same bits and the same digest.
func TestAuto(t *testing.T) {
	s := load(t, replaced(t, "dt = 5e-4", `dt = "auto"`))
	sum := run(t, s, Options{Dir: t.TempDir(), Workers: 1, Steps: 20})
	if !sum.DtAuto || sum.Dt != s.Dt || !(sum.Dt <= sum.DtAdvised && sum.Dt > 0.99*sum.DtAdvised) || len(sum.Warnings) > 0 {
		t.Errorf("steps of %g s, advised %g s; %v", sum.Dt, sum.DtAdvised, sum.Warnings)
	}
	given := load(t, replaced(t, "dt = 5e-4", fmt.Sprintf("dt = %g", s.Dt)))
	if again := run(t, given, Options{Dir: t.TempDir(), Workers: 1, Steps: 20}); again.StateHash != sum.StateHash || again.DtAuto {
		t.Errorf("hash %s with the number, %s with auto", again.StateHash, sum.StateHash)
	}
	moved := alone("auto") + "[[walls]]\nmaterial = \"m\"\nplane = {normal = [0, 0, 1], point = [0, 0, -1]}\nmotion = {amplitude = [0, 0, 0.01], frequency = 5, ramp = 0.1, to = 0.5}\n"
	s, err := Load(write(t, strings.Replace(moved, "steps = 3", "end = 1", 1), nil))
	if err != nil || len(s.warnings) > 0 || s.Steps < 100 {
		t.Errorf("a wall that moves: %v", err)
	}
	_, err = Load(write(t, alone("auto"), nil))
	if err == nil || !strings.Contains(err.Error(), "time.dt: found \"auto\", expected a time step > 0 s: no two bodies can meet") {
		t.Errorf("one body alone: %v", err)
	}
}

// alone is a scene of a cube, without the tables of other bodies and walls.
func alone(dt string) string {
	if dt == "auto" {
		dt = `"auto"`
	}
	return `[time]
dt = ` + dt + `
steps = 3
[materials.m]
density = 1000
[shapes.cube]
builtin = "box:1x1x1"
material = "m"
[law]
stiffness = 1e6
[[bodies]]
shape = "cube"
`
}

// TestNeverMeets: a warning says so if no two pieces can ever meet, and only then.
func TestNeverMeets(t *testing.T) {
	second := "[[bodies]]\nshape = \"cube\"\nposition = [3, 0, 0]\n"
	floor := "[[walls]]\nmaterial = \"m\"\nplane = {point = [0, 0, -1], normal = [0, 0, 1]}\n"
	mesh := "[[walls]]\nmaterial = \"m\"\nfile = \"square.obj\"\nposition = [0, 0, -2]\n"
	up := "[gravity]\nvector = [0, 0, 9.81]\n"
	for name, c := range map[string]struct {
		text  string
		never bool
	}{
		"alone":                      {"", true},
		"two that fall":              {second, true},
		"two, one moves":             {second + "velocity = [0, 0, 1]\n", false},
		"two, one turns":             {second + "spin = [0, 0, 1]\n", false},
		"over a floor":               {floor, false},
		"a floor, gravity up":        {floor + up, true},
		"a floor, up, thrown down":   {"velocity = [0, 0, -1]\n" + floor + up, false},
		"over a mesh":                {mesh, false},
		"a mesh, gravity up":         {mesh + up, true},
		"a mesh aside":               {strings.Replace(mesh, "[0, 0, -2]", "[9, 0, -2]", 1), true},
		"a mesh aside that moves":    {strings.Replace(mesh, "[0, 0, -2]", "[9, 0, -2]\nmotion = {velocity = [-1, 0, 0]}", 1), false},
		"a mesh aside, thrown at it": {"velocity = [1, 0, 0]\n" + strings.Replace(mesh, "[0, 0, -2]", "[9, 0, -2]", 1), false},
	} {
		s, err := Load(write(t, alone("1e-4")+c.text, map[string]string{"square.obj": "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n"}))
		if err != nil {
			t.Fatal(name, err)
		}
		r, err := Check(t.Context(), s, Options{Workers: 1})
		if err != nil {
			t.Fatal(name, err)
		}
		if got := strings.Contains(strings.Join(r.Warnings, "\n"), "no two pieces can ever meet"); got != c.never {
			t.Errorf("%s: warnings %q, expected that no two pieces meet: %v", name, r.Warnings, c.never)
		}
	}
}

// TestGoOn: a run without [output] ends with a checkpoint, from which a longer run goes on in the
// same folder, with frames at the same steps. A much longer one would write too many, and says so.
func TestGoOn(t *testing.T) {
	s := load(t, replaced(t, "every = 100\nhistory_every = 50\nstates_every = 150\n", ""))
	dir := t.TempDir()
	run(t, s, Options{Dir: dir, Workers: 1, Steps: 40})
	if frames, _ := filepath.Glob(filepath.Join(dir, "bodies-*.vtp")); len(frames) < 10 || len(frames) > defaultFrames {
		t.Errorf("%d frames, expected at most %d", len(frames), defaultFrames)
	}
	o := Options{Dir: dir, Workers: 1, Steps: 90, Restart: checkpointAt(dir, 40)}
	run(t, s, o)
	for _, name := range []string{"bodies-000039.vtp", "bodies-000042.vtp", "checkpoint-00000090.scree"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	o.Steps, o.Restart = 2000, checkpointAt(dir, 90)
	refused(t, s, o, "output.every: these are results every 3 steps, which are many for a run of 2000 steps; give output.every = 3 to go on here, or choose another folder with -o")
}

// TestFramesByDefault: a run without an interval writes at most 20 frames, fewer where they are
// large, and always the first and the last one.
func TestFramesByDefault(t *testing.T) {
	s := load(t, replaced(t, "every = 100\nhistory_every = 50\nstates_every = 150\n", ""))
	for bodies, want := range map[int64]int64{9: 20, 2000: 20, 7000: 9, 1_000_000: 2} {
		s.groups[0].count, s.moving = [3]int64{bodies, 1, 1}, bodies
		for _, steps := range []int64{1, 19, 20, 21, 1000, maxSteps} {
			r := &runner{s: s, steps: steps}
			every, _ := r.intervals()
			frame, walls := s.frameBytes(uint64(heapContacts * s.moving))
			frames := r.rowsOf(every)
			if frames > 2 && (frames > defaultFrames || uint64(frames)*frame+walls > frameBudget) || steps == 1000 && frames != want {
				t.Errorf("%d bodies, %d steps: %d frames of %d bytes, expected %d of 1000 steps", bodies, steps, frames, frame, want)
			}
		}
	}
}
