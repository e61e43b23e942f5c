package scree_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/scene"
)

// chute is a scene in which small bodies are poured on a slope and removed at its foot, up to 500 at a time. With
// the given numbers it pours 10⁵ in 10⁶ steps.
const chute = `seed = 4
[time]
dt = 1e-4
steps = 1000000
[materials.rock]
density = 2600
[shapes.ball]
builtin = "ball:0.006"
material = "rock"
[shapes.chip]
builtin = "rock:3,8,0.007"
material = "rock"
[[bodies]]
name = "grain"
generator = "pour"
shapes = ["ball", "chip"]
rate = 1020
count = 100000
velocity = [0, 0, -2]
box = [[-0.2, -0.2, 0.1], [0.2, 0.2, 0.3]]
[[walls]]
name = "slope"
plane = {point = [0, 0, -0.2], normal = [1, 0, 1]}
material = "rock"
[[remove]]
below = [[0, 0, -0.7], [0, 0, 1]]
[law]
stiffness = 300
friction = 0.2
restitution = 0.3
[output]
every = 0
history_every = 100000
checkpoint_every = 500000
`

// TestSoakPouring pours and removes 10⁵ bodies in 10⁶ steps; without -soak.physics 400 in 6000. Resident memory does
// not grow beyond what it is at a tenth of the way, and a restart at the middle gives the same hash.
func TestSoakPouring(t *testing.T) {
	steps, bodies := int64(6000), int64(400)
	if *soakPhysics {
		steps, bodies = 1000000, 100000
	} else if require.Quick() {
		t.Skip("long runs of a scene")
	}
	text := strings.NewReplacer("steps = 1000000", fmt.Sprint("steps = ", steps), "count = 100000", fmt.Sprint("count = ", bodies),
		"history_every = 100000", fmt.Sprint("history_every = ", steps/10), "checkpoint_every = 500000", fmt.Sprint("checkpoint_every = ", steps/2)).Replace(chute)
	s, err := scene.Decode(strings.NewReader(text), "chute.toml", ".")
	if err != nil {
		t.Fatal(err)
	}
	var early, late uint64
	most := 0
	dir := t.TempDir()
	o := scene.Options{Dir: dir, Workers: 1, Each: func(w *engine.World, step int64) error {
		most = max(most, w.Bodies().Count()-1)
		if step == steps/10 || step == steps-1 {
			debug.FreeOSMemory()
			if late = resident(); step == steps/10 {
				early = late
			}
		}
		return nil
	}}
	whole, err := scene.Run(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	poured, removed := whole.Poured[0], whole.Removed[0]
	if poured.Bodies != bodies || removed.Bodies < bodies/10 || int64(whole.Bodies) != bodies-removed.Bodies || most > 500 {
		t.Errorf("%d bodies were poured, %d removed, %d are there, and %d were there at most", poured.Bodies, removed.Bodies, whole.Bodies, most)
	}
	if e := &whole.Energies; e.LeftOver > e.LeftOverNormal || e.LeftOver < -e.LeftOverNormal {
		t.Logf("the account misses %.3g J, normal is %.3g J", e.LeftOver, e.LeftOverNormal)
	}
	t.Logf("%d poured, %d removed, at most %d at a time; resident memory %.1f MB at a tenth, %.1f MB at the end", poured.Bodies, removed.Bodies, most,
		float64(early)*1e-6, float64(late)*1e-6)
	if *soakPhysics && float64(late) > 1.05*float64(early) {
		t.Errorf("resident memory is %.1f MB at a tenth of the way and %.1f MB at the end", float64(early)*1e-6, float64(late)*1e-6)
	}
	o.Each, o.Workers = func(*engine.World, int64) error { return nil }, 2
	o.Restart, o.Dir = filepath.Join(dir, scene.CheckpointName(steps/2)), t.TempDir()
	half, err := scene.Run(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	if half.StateHash != whole.StateHash {
		t.Errorf("hash %s after a restart at the middle, expected %s", half.StateHash, whole.StateHash)
	}
}

// resident returns the resident memory of this process, bytes, or 0 where it is not known.
func resident() uint64 {
	var size, pages uint64
	text, _ := os.ReadFile("/proc/self/statm")
	_, _ = fmt.Sscan(string(text), &size, &pages)
	return pages * uint64(os.Getpagesize())
}
