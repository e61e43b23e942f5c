package scene

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/results"
)

// TestRemovedUnderTheRun: a run whose tables, list of frames or record are removed, replaced, cut or
// written to by others, in the middle or after the last row, fails and names the file.
func TestRemovedUnderTheRun(t *testing.T) {
	s := loadTumbling(t)
	change := map[string]func(path string) error{
		"removed":  os.Remove,
		"replaced": func(path string) error { return errors.Join(os.Remove(path), os.WriteFile(path, []byte("x\n"), 0o600)) },
		"cut":      func(path string) error { return os.Truncate(path, 10) },
		"grown": func(path string) error {
			file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = file.WriteString("x\n")
			return errors.Join(err, file.Close())
		},
	}
	for _, name := range []string{historyName, statesName, recordName, "series.pvd"} {
		for how, by := range change {
			if how != "removed" && !strings.HasSuffix(name, ".csv") {
				continue
			}
			for _, when := range []string{"checkpoint-00000007", "checkpoint-00000016"} {
				dir := results.Folder(t)
				path := filepath.Join(dir, name)
				disk.Before = func(op disk.Op, at string, n int) (int, error) {
					if op == disk.OpCreate && strings.Contains(at, when) {
						if err := by(path); err != nil {
							t.Error(err)
						}
					}
					return n, nil
				}
				sum, err := Run(t.Context(), s, Options{Dir: dir, Workers: 1})
				if disk.Before = nil; err == nil || errors.Is(err, ErrInput) || !strings.Contains(err.Error(), path) {
					t.Errorf("%s %s at %s: error %v, expected one that names the file", name, how, when, err)
				} else if sum == nil || sum.Error == "" {
					t.Errorf("%s %s at %s: the summary has no error", name, how, when)
				}
			}
		}
	}
}

// TestFinishedFromItsLastCheckpoint: a run that was killed between the checkpoint of its last step and
// its summary is finished by a restart from that checkpoint, with the files of a run that was not
// killed. So is one whose rows of that step are lost as well.
func TestFinishedFromItsLastCheckpoint(t *testing.T) {
	for name, s := range map[string]*Scene{
		"off the intervals": loadTumbling(t),
		"on the intervals": loadTumbling(t, "checkpoint_every = 7", "checkpoint_every = 8", "history_every = 5", "history_every = 4",
			"states_every = 8", "states_every = 2"),
		"without states": loadTumbling(t, "states_every = 8", "states_every = 0"),
	} {
		whole := results.Folder(t)
		if err := quietly(t, s, Options{Dir: whole, Workers: 1}); err != nil {
			t.Fatal(err)
		}
		want := results.Read(t, whole)
		for _, lost := range []string{"summary.json", "history.csv states.csv summary.json bodies-000016.vtp series.pvd"} {
			dir := results.Folder(t)
			disk.Before = func(op disk.Op, path string, n int) (int, error) {
				if filepath.Base(path) == "run.json" || !strings.Contains(path, "summary.json") {
					return n, nil
				}
				return 0, errors.New("killed")
			}
			_, err := Run(t.Context(), s, Options{Dir: dir, Workers: 1})
			if disk.Before = nil; err == nil {
				t.Fatal("the summary was written")
			}
			if strings.Contains(lost, "bodies") {
				cutLastRows(t, dir)
			}
			for range 2 { // A second restart changes nothing.
				if err := quietly(t, s, Options{Dir: dir, Restart: checkpointAt(dir, 16), Workers: 2}); err != nil {
					t.Fatalf("%s, without %s: %v", name, lost, err)
				}
				results.Same(t, name+", without "+lost, results.Read(t, dir), want)
			}
		}
		dir := results.Folder(t)
		if err := quietly(t, s, Options{Dir: dir, Restart: checkpointAt(whole, 16), Workers: 1}); err != nil {
			t.Fatalf("%s, into another folder: %v", name, err)
		}
		got := results.Read(t, dir)
		for _, file := range []string{"summary.json", "checkpoint-00000016.scree", "bodies-000016.vtp"} {
			if got[file] != want[file] {
				t.Errorf("%s, into another folder: %s is %.200q, expected %.200q", name, file, got[file], want[file])
			}
		}
	}
}

// cutLastRows removes the ends of the tables and of the list of frames, as a kill may leave them.
func cutLastRows(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{historyName, statesName, "series.pvd"} {
		path := filepath.Join(dir, name)
		stat, err := os.Stat(path)
		if err == nil {
			err = os.Truncate(path, stat.Size()-40)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
