package scene

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/results"
)

// warned is a scene of a block in the middle of a sheet of facets, one across a plate, and one that
// rests on a plane under a law that is too stiff for the step.
const warned = `
[time]
dt = 1e-4
steps = 40
[materials.m]
density = 2600
[shapes.s]
builtin = "box:0.1x0.1x0.1"
material = "m"
[shapes.flat]
builtin = "box:0.4x0.4x0.01"
material = "m"
[[bodies]]
shape = "s"
position = [0, 0, 0]
[[bodies]]
shape = "s"
position = [0, 0, 3]
[[bodies]]
shape = "flat"
position = [0, 0, 3.02]
[[walls]]
material = "m"
file = "sheet.obj"
[contact]
relief = {cap = 1, time = 1} # accepts the start, and forgives nothing
[law]
stiffness = 1e5
[output]
every = 10
history_every = 10
checkpoint_every = 10
`

// TestWarnedOnce restarts a run whose warnings, each given once per run, come before its first
// checkpoint. A restart must not give them again: the folder must equal that of a whole run.
func TestWarnedOnce(t *testing.T) {
	s, err := Load(write(t, warned, map[string]string{"sheet.obj": "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n"}))
	if err != nil {
		t.Fatal(err)
	}
	whole, dir := results.Folder(t), results.Folder(t)
	if err := quietly(t, s, Options{Dir: whole, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	want := results.Read(t, whole)
	for _, text := range []string{"deeper in a wall of facets", "feel almost no force"} {
		if n := strings.Count(want["summary.json"], text); n != 1 {
			t.Errorf("%q is %d times in the summary, expected once", text, n)
		}
	}
	if err := quietly(t, s, Options{Dir: dir, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []int64{10, 30, 20} {
		if err := quietly(t, s, Options{Dir: dir, Restart: checkpointAt(dir, step), Workers: 2}); err != nil {
			t.Fatal(err)
		}
		results.Same(t, fmt.Sprintf("from step %d", step), results.Read(t, dir), want)
	}
}
