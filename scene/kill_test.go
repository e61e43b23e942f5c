package scene

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/internal/results"
)

// tumbling is a scene of four cubes that fall on a plate and slide, in 16 steps. All output
// intervals differ.
const tumbling = `seed = 3
[time]
dt = 5e-4
steps = 16
[materials.stone]
density = 2600
[shapes.cube]
builtin = "box:0.1x0.1x0.1"
material = "stone"
[[bodies]]
name = "a, \"b\""
generator = "grid"
shapes = ["cube"]
count = [2, 2, 1]
spacing = 0.11
origin = [0, 0, 0.0502]
velocity = [1, 0.3, -1]
[[walls]]
name = "plate"
file = "plate.obj"
material = "stone"
[law]
stiffness = 1e6
friction = 0.5
restitution = 0.5
[output]
every = 6
history_every = 5
states_every = 8
contacts_every = 4
checkpoint_every = 7
[[measure]]
name = "low half"
box = [[-1, -1, -1], [1, 1, 0.05]]
[[measure]]
name = "core"
ball = { centre = [0, 0, 0.05], radius = 0.12 }
mean = false
[[counts]]
name = "low"
below = [[0, 0, 0.0501], [0, 0, 1]]
`

const plateOBJ = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n"

// failing makes disk operations fail from a given one on.
type failing struct {
	lock sync.Mutex
	made int // number of operations so far
	from int // first operation that fails, from 1; 0 for none
	mode string
}

// The ways in which operations fail.
const (
	killed = "killed" // nothing reaches the disk any more, except some bytes of a write
	full   = "full"   // new files and new bytes fail; operations that need no space succeed
	once   = "once"   // one operation fails
)

func (f *failing) before(op disk.Op, _ string, n int) (int, error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.made++
	switch {
	case f.from == 0 || f.made < f.from:
		return n, nil
	case f.mode == killed && f.made == f.from:
		return n / 2, syscall.EIO
	case f.mode == killed:
		return 0, syscall.EIO
	case f.mode == full && (op == disk.OpCreate || op == disk.OpWrite):
		return n / 2, syscall.ENOSPC
	case f.mode == once && f.made == f.from:
		return n / 2, syscall.EIO
	}
	return n, nil
}

// runUntil runs the scene with operations that fail from the given one on. It reports whether any
// failed.
func runUntil(t *testing.T, s *Scene, o Options, mode string, from int) bool {
	t.Helper()
	f := &failing{from: from, mode: mode}
	disk.Before = f.before
	defer func() { disk.Before = nil }()
	_, err := Run(t.Context(), s, o)
	// The last operation removes the lock file, which may remain.
	if err == nil && f.made > from && mode == killed {
		t.Fatalf("killed at operation %d of %d, and the run says it was done", from, f.made)
	}
	return f.made >= from
}

// checkpoints returns the checkpoints in a folder from which a run of 16 steps can continue, by
// increasing step.
func checkpoints(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "checkpoint-*.scree"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(paths, func(p string) bool { return strings.Contains(p, "00000016") })
}

func loadTumbling(t *testing.T, change ...string) *Scene {
	t.Helper()
	s, err := Load(write(t, strings.NewReplacer(change...).Replace(tumbling), map[string]string{"plate.obj": plateOBJ}))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// quietly runs a scene without failures and without syncs.
func quietly(t *testing.T, s *Scene, o Options) error {
	t.Helper()
	disk.Before = (&failing{}).before
	defer func() { disk.Before = nil }()
	_, err := Run(t.Context(), s, o)
	return err
}

// TestKilledAnywhere kills a run at every disk operation, and every other restart at a later
// operation. The last restart, from the last or the first checkpoint, must leave the results of an
// uninterrupted run.
func TestKilledAnywhere(t *testing.T) {
	s := loadTumbling(t)
	whole := results.Folder(t)
	if err := quietly(t, s, Options{Dir: whole, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	want := results.Read(t, whole)
	for _, name := range []string{"walls-000000.vtp", "contacts-000016.vtp", "checkpoint-00000014.scree", "checkpoint-00000016.scree"} {
		if want[name] == "" {
			t.Fatalf("the run left no %s", name)
		}
	}
	for _, c := range []struct {
		mode  string
		every int
	}{{killed, 1}, {full, 4}, {once, 4}} {
		t.Run(c.mode, func(t *testing.T) {
			root := results.Folder(t)
			if require.Quick() {
				c.every = 11
			}
			n, resumed := 1, 0
			for ; ; n += c.every {
				o := Options{Dir: filepath.Join(root, fmt.Sprint(n)), Workers: 1}
				if !runUntil(t, s, o, c.mode, n) {
					break
				}
				if all := checkpoints(t, o.Dir); len(all) > 0 {
					o.Restart = all[len(all)-1]
				}
				again := 1 + 13*n%80
				if n%2 == 0 || c.every > 1 {
					runUntil(t, s, o, c.mode, again)
				}
				if all := checkpoints(t, o.Dir); len(all) > 0 {
					o.Restart = all[(len(all)-1)*(n/2%2)]
					resumed++
				}
				o.Workers = 1 + n%2
				if err := quietly(t, s, o); err != nil {
					t.Fatalf("%s at operation %d, the restart at %d: %v", c.mode, n, again, err)
				}
				results.Same(t, fmt.Sprintf("%s at operation %d, the restart at %d", c.mode, n, again), results.Read(t, o.Dir), want)
				if t.Failed() {
					t.FailNow()
				}
			}
			if t.Logf("%d operations, %d restarts", n-1, resumed); n < 90 || resumed == 0 {
				t.Errorf("%d operations and %d restarts, expected all of a run", n-1, resumed)
			}
		})
	}
}

// TestKilledWhileReplacing kills a run at each operation while it replaces the folder of another
// run. A restart of the other run from there must be rejected, or leave the results of the other
// run. A restart of the new run, and a new run, must leave the same results as in an empty folder.
func TestKilledWhileReplacing(t *testing.T) {
	s, other := loadTumbling(t), loadTumbling(t, "velocity = [1, 0.3, -1]", "velocity = [1, 0.4, -1]", "history_every = 5", "history_every = 3")
	whole, otherWhole := results.Folder(t), results.Folder(t)
	for dir, s := range map[string]*Scene{whole: s, otherWhole: other} {
		if err := quietly(t, s, Options{Dir: dir, Workers: 1}); err != nil {
			t.Fatal(err)
		}
	}
	want, otherWant := results.Read(t, whole), results.Read(t, otherWhole)
	goneOn, refusals, emptied := 0, 0, 0
	n := 1
	for ; refusals < 16; n++ {
		if n < 24 {
			n += 3 // The first frame is being written.
		}
		dir := results.Folder(t)
		if err := errors.Join(os.Remove(dir), os.CopyFS(dir, os.DirFS(otherWhole))); err != nil {
			t.Fatal(err)
		}
		runUntil(t, s, Options{Dir: dir, Workers: 1}, killed, n)
		if left := list(t, dir); !strings.Contains(left, ".vtp ") && !strings.Contains(left, historyName+" ") {
			emptied++ // The restart of the other run starts new tables.
			continue
		}
		copied := filepath.Join(results.Folder(t), "dir")
		if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		err := quietly(t, other, Options{Dir: copied, Restart: checkpointAt(copied, 7), Workers: 1})
		switch {
		case err == nil:
			goneOn++
			results.Same(t, fmt.Sprintf("killed at operation %d, then the other", n), results.Read(t, copied), otherWant)
		case errors.Is(err, ErrInput):
			refusals++
		default:
			t.Fatal(err)
		}
		if err := quietly(t, s, Options{Dir: dir, Workers: 1}); err != nil {
			t.Fatal(err)
		}
		results.Same(t, fmt.Sprintf("killed at operation %d", n), results.Read(t, dir), want)
		if t.Failed() {
			t.FailNow()
		}
	}
	if t.Logf("%d operations, the other went on after %d", n-1, goneOn); goneOn < 10 || emptied > 3 {
		t.Errorf("the other run went on after %d kills, expected all those before the folder is taken; %d folders without results", goneOn, emptied)
	}
}

// TestKilledElsewhere restarts into a folder without results. It kills the restart at each
// operation at its start, and restarts again from the same checkpoint.
func TestKilledElsewhere(t *testing.T) {
	s := loadTumbling(t)
	source, whole := results.Folder(t), results.Folder(t)
	for _, o := range []Options{{Dir: source, Workers: 1}, {Dir: whole, Restart: checkpointAt(source, 7), Workers: 1}} {
		if err := quietly(t, s, o); err != nil {
			t.Fatal(err)
		}
	}
	want := results.Read(t, whole)
	n := 1
	for ; n < 50; n++ { // By then the folder belongs to the run.
		dir := results.Folder(t)
		o := Options{Dir: dir, Restart: checkpointAt(source, 7), Workers: 1}
		if n < 24 {
			n += 3 // The first frame is being written.
		}
		runUntil(t, s, o, killed, n)
		if err := quietly(t, s, o); err != nil {
			t.Fatalf("killed at operation %d: %v", n, err)
		}
		results.Same(t, fmt.Sprintf("killed at operation %d", n), results.Read(t, dir), want)
		if t.Failed() {
			t.FailNow()
		}
	}
}
