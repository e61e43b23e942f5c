package scene

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/results"
)

// until runs a scene and interrupts it at a step.
func until(t *testing.T, s *Scene, o Options, step, first int64) {
	t.Helper()
	disk.Before = (&failing{}).before // skips syncs, for speed
	defer func() { disk.Before = nil }()
	// The context is queried before the folder is opened, before the first step, and once a step.
	_, err := Run(&countdown{t.Context(), int(step - first)}, s, o)
	if !errors.Is(err, ErrInterrupted) || !strings.Contains(err.Error(), fmt.Sprintf("at step %d of", step)) {
		t.Fatalf("error %v, expected an interruption at step %d", err, step)
	}
}

func checkpointAt(dir string, step int64) string {
	return filepath.Join(dir, fmt.Sprintf("checkpoint-%08d.scree", step))
}

// TestChains interrupts and restarts runs several times, from the checkpoint of the interruption or
// an earlier one, with different numbers of workers. The folder must equal that of an uninterrupted
// run.
func TestChains(t *testing.T) {
	s := loadTumbling(t)
	none := loadTumbling(t, "checkpoint_every = 7", "checkpoint_every = 0")
	for _, c := range []struct {
		name  string
		scene *Scene
		steps []int64 // alternately the step of a checkpoint and of an interruption
	}{
		{"off the intervals", s, []int64{0, 4, 4}},
		{"on that of frames", s, []int64{0, 6, 6}},
		{"on that of the history", s, []int64{0, 5, 5}},
		{"on that of checkpoints", s, []int64{0, 7, 7}},
		{"from an earlier one", s, []int64{0, 10, 7}},
		{"twice from the same", s, []int64{0, 9, 7, 8, 7}},
		{"every other step", s, []int64{0, 1, 1, 2, 2, 3, 3, 5, 5, 6, 6, 8, 8, 12, 12, 13, 13, 15, 15}},
		{"again from the middle of a whole run", s, []int64{0, 16, 7}},
		{"from a later one than the last interruption", s, []int64{0, 16, 7, 13, 14}},
		{"no checkpoints but of interruptions", none, []int64{0, 4, 4, 13, 13}},
	} {
		t.Run(c.name, func(t *testing.T) {
			whole, dir := results.Folder(t), results.Folder(t)
			if err := quietly(t, c.scene, Options{Dir: whole, Workers: 1}); err != nil {
				t.Fatal(err)
			}
			for i := 0; i < len(c.steps); i += 2 {
				o := Options{Dir: dir, Workers: 1 + i/2%2}
				if c.steps[i] > 0 {
					o.Restart = checkpointAt(dir, c.steps[i])
				}
				if i+1 < len(c.steps) && c.steps[i+1] < 16 {
					until(t, c.scene, o, c.steps[i+1], c.steps[i])
				} else if err := quietly(t, c.scene, o); err != nil {
					t.Fatal(err)
				}
			}
			results.Same(t, c.name, results.Read(t, dir), results.Read(t, whole))
		})
	}
}

// TestLongerRun: a completed run can be continued like an interrupted one.
func TestLongerRun(t *testing.T) {
	s := loadTumbling(t)
	whole := results.Folder(t)
	if err := quietly(t, s, Options{Dir: whole, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	for _, from := range []int64{9, 7} {
		dir := results.Folder(t)
		for _, o := range []Options{{Dir: dir, Steps: 9, Workers: 1}, {Dir: dir, Restart: checkpointAt(dir, from), Workers: 2}} {
			if err := quietly(t, s, o); err != nil {
				t.Fatal(err)
			}
		}
		results.Same(t, fmt.Sprintf("from step %d", from), results.Read(t, dir), results.Read(t, whole))
	}
}

// TestWarningsOfTheStart: the summary of a restarted run contains the warnings from its start.
func TestWarningsOfTheStart(t *testing.T) {
	s := loadTumbling(t, "spacing = 0.11", "spacing = 0.09")
	dir := results.Folder(t)
	until(t, s, Options{Dir: dir, Workers: 1}, 4, 0)
	disk.Before = (&failing{}).before
	sum, err := Run(t.Context(), s, Options{Dir: dir, Restart: checkpointAt(dir, 4), Workers: 1})
	if disk.Before = nil; err != nil || !strings.Contains(strings.Join(sum.Warnings, "\n"), "inside each other") {
		t.Errorf("%v, warnings %v, expected those of cubes that overlap", err, sum.Warnings)
	}
}

// TestNewFolder: a restart into another folder starts with the results of the checkpoint's step.
func TestNewFolder(t *testing.T) {
	s := loadTumbling(t, "checkpoint_every = 7", "checkpoint_every = 6", "history_every = 5", "history_every = 6", "states_every = 8", "states_every = 6", "contacts_every = 4", "contacts_every = 6")
	whole, dir := results.Folder(t), results.Folder(t)
	if err := quietly(t, s, Options{Dir: whole, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	o := Options{Dir: dir, Restart: checkpointAt(whole, 6), Workers: 1}
	// The rest is done in one run or in several.
	until(t, s, o, 8, 6)
	o.Restart = checkpointAt(whole, 6)
	until(t, s, o, 13, 6)
	o.Restart = checkpointAt(dir, 13)
	if err := quietly(t, s, o); err != nil {
		t.Fatal(err)
	}
	got, want := results.Read(t, dir), results.Read(t, whole)
	if n, _ := strconv.Atoi(readTable(t, filepath.Join(dir, historyName))[0]["active"]); n < 4 {
		t.Errorf("%d active contacts at the checkpoint's step, expected those of four cubes on a plate", n)
	}
	for _, name := range tableNames {
		head, rest, _ := strings.Cut(want[name], "\n")
		from := regexp.MustCompile(`(?m)^(?:\d+,a,[^,]*,)?6,`).FindStringIndex(rest)
		if name == statesName {
			from = regexp.MustCompile(`(?m)^0,"a, ""b""-0",6,`).FindStringIndex(rest)
		}
		if from == nil {
			t.Fatalf("%s has no step 6:\n%s", name, want[name])
		}
		want[name] = head + "\n" + rest[from[0]:]
	}
	for _, part := range []string{"bodies", "contacts", "walls"} {
		delete(want, frameName(part, 0))
	}
	// The file of the walls has the number of the folder's first step.
	want["walls-000006.vtp"] = results.Read(t, whole)["walls-000000.vtp"]
	want[recordName] = strings.Replace(want[recordName], "\"first_step\": 0,", "\"first_step\": 6,", 1)
	for _, name := range []string{fileio.SeriesName, filepath.Base(checkpointAt("", 6))} {
		delete(want, name)
		delete(got, name)
	}
	results.Same(t, "new folder", got, want)
}

// TestCheckpointComesLast: a checkpoint gets its name only when all frames and rows up to its step
// are on disk, however slowly frames are written.
func TestCheckpointComesLast(t *testing.T) {
	type done struct {
		op   disk.Op
		name string
	}
	var lock sync.Mutex
	var log []done
	s := loadTumbling(t, "every = 6", "every = 1", "checkpoint_every = 7", "checkpoint_every = 3")
	disk.Before = func(op disk.Op, path string, n int) (int, error) {
		if op == disk.OpCreate && strings.Contains(path, "contacts-") {
			time.Sleep(time.Millisecond)
		}
		lock.Lock()
		defer lock.Unlock()
		log = append(log, done{op, filepath.Base(path)})
		return n, nil
	}
	_, err := Run(t.Context(), s, Options{Dir: results.Folder(t), Workers: 1})
	if disk.Before = nil; err != nil {
		t.Fatal(err)
	}
	last := func(before int, op disk.Op, name string) int {
		for i := before - 1; i >= 0; i-- {
			if log[i].op == op && log[i].name == name {
				return i
			}
		}
		return -1
	}
	found := 0
	for i, d := range log {
		m := saved.FindStringSubmatch(d.name)
		if d.op != disk.OpRename || m == nil {
			continue
		}
		found++
		step, _ := strconv.ParseInt(m[1], 10, 64)
		for k := range step + 1 {
			frame := last(i, disk.OpRename, frameName("contacts", k))
			write, list := last(i, disk.OpWrite, fileio.SeriesName), last(i, disk.OpSync, fileio.SeriesName)
			if frame < 0 || write < frame || list < write {
				t.Errorf("checkpoint of step %d: the frame of step %d is not there or not listed", step, k)
			}
		}
		for _, name := range []string{historyName, statesName} {
			if w, s := last(i, disk.OpWrite, name), last(i, disk.OpSync, name); s < w || s < 0 {
				t.Errorf("checkpoint of step %d: the rows of %s are not on the disk", step, name)
			}
		}
	}
	if found != 6 {
		t.Errorf("%d checkpoints, expected 6", found)
	}
}

// TestHoleIsRefused: a checkpoint that is ahead of the results in its folder is rejected there, and
// the folder stays unchanged.
func TestHoleIsRefused(t *testing.T) {
	s := loadTumbling(t)
	for _, c := range []struct{ name, restart string }{{"a restart from an earlier one", "7"}, {"a new run", ""}} {
		t.Run(c.name, func(t *testing.T) {
			dir := results.Folder(t)
			if err := quietly(t, s, Options{Dir: dir, Workers: 1}); err != nil {
				t.Fatal(err)
			}
			o, first := Options{Dir: dir, Workers: 1}, int64(0)
			if c.restart != "" {
				o.Restart, first = checkpointAt(dir, 7), 7
			}
			until(t, s, o, 9, first)
			was := results.Read(t, dir)
			o.Restart = checkpointAt(dir, 14)
			if err := quietly(t, s, o); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "where the rows of step 10 belong") {
				t.Errorf("error %v, expected that rows are missing", err)
			}
			results.Same(t, "refused", results.Read(t, dir), was)
			// In another folder the checkpoint is still valid.
			if err := quietly(t, s, Options{Dir: results.Folder(t), Restart: o.Restart, Workers: 1}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestRestartOfOtherColumns: a restart with another count or a renamed wall is rejected with its
// name.
func TestRestartOfOtherColumns(t *testing.T) {
	dir := results.Folder(t)
	until(t, loadTumbling(t), Options{Dir: dir, Workers: 1}, 9, 0)
	was := results.Read(t, dir)
	for _, c := range []struct{ from, to, want string }{
		{`name = "low"`, `name = "deep"`, `"deep below `},
		{"[[counts]]", "[[counts]]\nname = \"more\"\nbox = [[0, 0, 0], [1, 1, 1]]\n[[counts]]", `"more box `},
		{`name = "plate"`, `name = "floor"`, `"floor"`},
		{"[[counts]]\nname = \"low\"\nbelow = [[0, 0, 0.0501], [0, 0, 1]]", "", `"low below `},
	} {
		err := quietly(t, loadTumbling(t, c.from, c.to), Options{Dir: dir, Restart: checkpointAt(dir, 9), Workers: 1})
		if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), recordName) {
			t.Errorf("%s: error %v, expected one of %s", c.to, err, c.want)
		}
	}
	results.Same(t, "refused", results.Read(t, dir), was)
}

// TestTwoRunsInOneFolder: the second run is rejected with the name of the folder, and changes
// nothing.
func TestTwoRunsInOneFolder(t *testing.T) {
	s, dir := loadTumbling(t), results.Folder(t)
	l := &second{t: t, s: s, dir: dir}
	if err := quietly(t, s, Options{Dir: dir, Workers: 1, Report: l}); err != nil {
		t.Fatal(err)
	}
	if !l.asked {
		t.Error("no second run was tried")
	}
	whole := results.Folder(t)
	if err := quietly(t, s, Options{Dir: whole, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	results.Same(t, "after a second run", results.Read(t, dir), results.Read(t, whole))
}

// second is a reporter that starts another run in the same folder.
type second struct {
	listener
	t     *testing.T
	s     *Scene
	dir   string
	asked bool
}

func (l *second) Start(int64) {
	for _, restart := range []string{"", l.restart()} {
		l.asked = true
		_, err := Run(context.Background(), l.s, Options{Dir: l.dir, Workers: 1, Restart: restart})
		if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), l.dir) || !strings.Contains(err.Error(), "another run is writing") {
			l.t.Errorf("error %v, expected that the folder is taken", err)
		}
	}
}

// restart returns a checkpoint from another folder.
func (l *second) restart() string {
	dir := results.Folder(l.t)
	if _, err := Run(&countdown{context.Background(), 2}, l.s, Options{Dir: dir, Workers: 1}); !errors.Is(err, ErrInterrupted) {
		l.t.Fatal(err)
	}
	return checkpointAt(dir, 2)
}
