package scene

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheck compares the report of Check with a run of the scene, and checks that the folder is
// unchanged.
func TestCheck(t *testing.T) {
	s := load(t, small)
	dir := filepath.Join(t.TempDir(), "out")
	o := Options{Dir: dir, Workers: 1}
	r, err := Check(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("Check made the folder")
	}
	summary, err := Run(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	frames, _ := filepath.Glob(filepath.Join(dir, "bodies-*.vtp"))
	rows := len(readTable(t, filepath.Join(dir, "history.csv"))) + len(readTable(t, filepath.Join(dir, "states.csv")))
	saved, _ := filepath.Glob(filepath.Join(dir, "checkpoint-*.scree"))
	if r.Bodies != summary.Bodies || r.Walls != summary.Walls || r.Pieces != summary.Pieces || r.Steps != summary.Steps || r.Dt != summary.Dt ||
		r.DtAdvise != summary.DtAdvised || int(r.Frames) != len(frames) || int(r.Rows) != rows || int(r.Checkpoints) != len(saved) {
		t.Errorf("%+v, but a run had %d bodies, %d frames, %d rows, %d checkpoints, steps of %g s advised", r, summary.Bodies, len(frames), rows, len(saved), summary.DtAdvised)
	}
	size := sizeOf(t, dir)
	if r.DiskMost < size/2 || r.Memory == 0 || r.HeapMemory < r.Memory {
		t.Errorf("%d bytes on the disk at most, a run wrote %d; memory %d, heap %d", r.DiskMost, size, r.Memory, r.HeapMemory)
	}
}

// sizeOf returns the bytes of the files in a folder.
func sizeOf(t *testing.T, dir string) (size uint64) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		size += uint64(info.Size())
	}
	return size
}

// TestCheckCountsCheckpoints: as many as a run then saves, on the interval and at the end, which may be one. Without an
// interval there are none.
func TestCheckCountsCheckpoints(t *testing.T) {
	for every, want := range map[int64]int{0: 0, 10: 6, 25: 3, 30: 2, 60: 1, 1000: 1} {
		s := load(t, replaced(t, "every = 100\n", fmt.Sprintf("every = 0\ncheckpoint_every = %d\n", every)))
		o := Options{Dir: t.TempDir(), Workers: 1, Steps: 60}
		r, err := Check(t.Context(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), s, o); err != nil {
			t.Fatal(err)
		}
		saved, _ := filepath.Glob(filepath.Join(o.Dir, "checkpoint-*.scree"))
		if len(saved) != want || int(r.Checkpoints) != want {
			t.Errorf("every %d: %d checkpoints, and Check expects %d; want %d", every, len(saved), r.Checkpoints, want)
		}
	}
}

// TestCheckCountsWalls: the room on the disk is no less than what a run takes whose walls move and are in each frame, or that
// has many walls, each with columns of its own.
func TestCheckCountsWalls(t *testing.T) {
	const n = 30
	bumps := ""
	for i := range n * n {
		bumps += fmt.Sprintf("v %d %d %g\n", i%n, i/n, 0.3*math.Sin(float64(i*i)))
	}
	for i := range n * (n - 1) {
		if i%n < n-1 {
			bumps += fmt.Sprintf("f %d %d %d\nf %d %d %d\n", i+1, i+2, i+1+n, i+2, i+2+n, i+1+n)
		}
	}
	mesh := `[[walls]]
file = "bumps.obj"
position = [-10, -10, -20]
material = "steel"
motion = {velocity = [0, 0, 0.1]}
[[counts]]`
	planes := strings.Repeat("[[walls]]\nplane = {normal = [0, 0, 1], point = [0, 0, -1]}\nmaterial = \"steel\"\n", 30) + "[[counts]]"
	for name, scene := range map[string]string{
		"mesh":   strings.Replace(replaced(t, "[[counts]]", mesh), "\nevery = 100", "\nevery = 1", 1),
		"planes": strings.Replace(replaced(t, "[[counts]]", planes), "history_every = 50", "history_every = 1", 1),
	} {
		s, err := Load(write(t, scene, map[string]string{"bumps.obj": bumps}))
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Dir: t.TempDir(), Workers: 1, Steps: 40}
		r, err := Check(t.Context(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), s, o); err != nil {
			t.Fatal(err)
		}
		if size := sizeOf(t, o.Dir); r.DiskMost < size {
			t.Errorf("%s: %d bytes on the disk at most, a run wrote %d", name, r.DiskMost, size)
		}
	}
}

// TestCheckLongestRun: the rows and bytes of the longest run are more than whole numbers count, and
// the report has the largest number instead of a negative one.
func TestCheckLongestRun(t *testing.T) {
	s := load(t, replaced(t, "states_every = 150", "states_every = 1\ncheckpoint_every = 1"))
	r, err := Check(t.Context(), s, Options{Workers: 1, Steps: maxSteps})
	if err != nil {
		t.Fatal(err)
	}
	if r.Rows < maxSteps*int64(r.Bodies) || r.DiskMost != mostCounted {
		t.Errorf("%d rows, %d bytes", r.Rows, r.DiskMost)
	}
}

// TestCheckRefuses: Check returns the errors that a run returns before its first step, and ends
// when the context is cancelled.
func TestCheckRefuses(t *testing.T) {
	s := load(t, replaced(t, "dt = 5e-4", "dt = 0.02"))
	if _, err := Check(t.Context(), s, Options{}); !errors.Is(err, ErrInput) {
		t.Errorf("a step far too long: %v", err)
	}
	for _, steps := range []int64{-1, maxSteps + 1} {
		if _, err := Check(t.Context(), load(t, small), Options{Steps: steps}); !errors.Is(err, ErrInput) {
			t.Errorf("%d steps: %v", steps, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Check(ctx, load(t, small), Options{}); !errors.Is(err, ErrInterrupted) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestCheckWarns: Check warns of settings that would end a run later or have no effect.
func TestCheckWarns(t *testing.T) {
	const lists = "\n[broad]\nmethod = \"vl\"\nrebuild_every = 1000\n"
	ramp := func(seconds string) string {
		return "\n[[walls]]\nmaterial = \"steel\"\nplane = { point = [0, 0, -9], normal = [0, 0, 1] }\nmotion = { amplitude = [0, 0, 0.01], frequency = 5, from = 0.001, to = 0.002, ramp = " + seconds + " }\n"
	}
	for _, c := range []struct{ add, want string }{
		{"", ""},
		{lists, "broad.rebuild_every: Verlet lists of radius"},
		{strings.Replace(lists, "1000", "1", 1), ""},
		{ramp("0.001"), ""},
		{ramp("0.9"), "motion.ramp: found 0.9 s, longer than the motion, 0.001 s: the amplitude is never reached"},
		{strings.Replace(ramp("0"), "amplitude = [0, 0, 0.01], frequency = 5, ", "", 1), "motion: has no velocity, spin or amplitude: the wall rests"},
	} {
		r, err := Check(t.Context(), load(t, small+c.add), Options{Workers: 1})
		if err != nil {
			t.Fatalf("%s: %v", c.add, err)
		}
		all := strings.Join(r.Warnings, "\n")
		for _, name := range []string{"rebuild_every", "ramp"} {
			if strings.Contains(all, name) != strings.Contains(c.want, name) {
				t.Errorf("%s: warnings %q, expected %q", c.add, all, c.want)
			}
		}
		if !strings.Contains(all, c.want) {
			t.Errorf("%s: warnings %q, expected %q", c.add, all, c.want)
		}
	}
}
