package scene

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/results"
)

// refused runs a scene and checks that it returns an input error that contains all texts in want.
// The folder must stay unchanged.
func refused(t *testing.T, s *Scene, o Options, want ...string) {
	t.Helper()
	was := results.Read(t, o.Dir)
	err := quietly(t, s, o)
	if !errors.Is(err, ErrInput) {
		t.Errorf("error %v, expected one of %q", err, want)
	}
	saysNoKind(t, err)
	for _, part := range want {
		if err != nil && !strings.Contains(err.Error(), part) {
			t.Errorf("error %q, expected one of %q", err, part)
		}
	}
	results.Same(t, "refused", results.Read(t, o.Dir), was)
}

// TestFolderOfAnotherRun: a restart rejects rows and frames of another run, and names the
// difference.
func TestFolderOfAnotherRun(t *testing.T) {
	s := loadTumbling(t)
	for _, c := range []struct{ name, from, to, want string }{
		{"another velocity", "velocity = [1, 0.3, -1]", "velocity = [1, 0.4, -1]", "digest"},
		{"other names of bodies", `name = "a, \"b\""`, `name = "b"`, "names of the bodies"},
		{"another region of a count", "below = [[0, 0, 0.0501]", "below = [[0, 0, 0.0502]", "counts[0]: found \"low below [{0 0 0.0502}"},
		{"another interval of frames", "every = 6\n", "every = 3\n", `output.every: found "3", expected "6"`},
		{"of the history", "history_every = 5", "history_every = 6", `output.history_every: found "6", expected "5"`},
		{"of the states", "states_every = 8", "states_every = 0", `output.states_every: found "0", expected "8"`},
		{"of contacts", "contacts_every = 4", "contacts_every = 3", `output.contacts_every: found "3", expected "4"`},
		{"another region of a measure", "[1, 1, 0.05]]", "[1, 1, 0.06]]", `measure[0]: found "low half box [{-1 -1 -1} {1 1 0.06}]"`},
		{"other means", "mean = false", "mean = true", `measure[1]: found "core ball {{0 0 0.05} 0.12}`},
		{"of checkpoints", "checkpoint_every = 7", "checkpoint_every = 14", `output.checkpoint_every: found "14", expected "7"`},
		{"the interval of a default", "history_every = 5\n", "", "goes by the number of steps"},
		{"other fields", "[output]", "[output]\nfields = [\"id\", \"gap\"]", `output.fields: found "id gap"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, elsewhere := results.Folder(t), results.Folder(t)
			if err := quietly(t, s, Options{Dir: dir, Workers: 1}); err != nil {
				t.Fatal(err)
			}
			// The other run leaves the checkpoints of the first.
			until(t, loadTumbling(t, c.from, c.to), Options{Dir: dir, Workers: 1}, 6, 0)
			refused(t, s, Options{Dir: dir, Restart: checkpointAt(dir, 7), Workers: 1}, c.want, recordName, "-o")
			// A checkpoint from another folder is rejected too.
			moved := checkpointAt(elsewhere, 7)
			if err := os.Rename(checkpointAt(dir, 7), moved); err != nil {
				t.Fatal(err)
			}
			refused(t, s, Options{Dir: dir, Restart: moved, Workers: 1}, c.want, recordName, "-o")
			// A new run replaces the folder.
			if err := quietly(t, s, Options{Dir: dir, Workers: 1}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestWhatMayChange: the length of the run, the name of the scene file, the number of workers and
// the version of the program may change.
func TestWhatMayChange(t *testing.T) {
	dir, whole := results.Folder(t), results.Folder(t)
	if err := quietly(t, loadTumbling(t), Options{Dir: whole, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	until(t, loadTumbling(t, "steps = 16", "steps = 40"), Options{Dir: dir, Workers: 1, Version: "1"}, 9, 0)
	s := loadTumbling(t)
	s.Name = "renamed"
	if err := quietly(t, s, Options{Dir: dir, Restart: checkpointAt(dir, 9), Workers: 3, Version: "2"}); err != nil {
		t.Fatal(err)
	}
	got, want := results.Read(t, dir), results.Read(t, whole)
	for _, name := range []string{summaryName, sceneName, "checkpoint-00000007.scree", "checkpoint-00000014.scree", "checkpoint-00000016.scree"} {
		delete(got, name)
		delete(want, name)
	}
	results.Same(t, "with other names", got, want)
}

// TestDamagedFolder: the error names what is missing before the step of the checkpoint, and nothing
// is changed.
func TestDamagedFolder(t *testing.T) {
	s := loadTumbling(t, "checkpoint_every = 7", "checkpoint_every = 14")
	whole := results.Folder(t)
	if err := quietly(t, s, Options{Dir: whole, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	change := func(name string, change func(text []byte) []byte) func(dir string) error {
		return func(dir string) error {
			path := filepath.Join(dir, name)
			text, err := os.ReadFile(path)
			return errors.Join(err, os.WriteFile(path, change(text), 0o666))
		}
	}
	without := func(part string) func([]byte) []byte {
		return func(text []byte) []byte {
			lines := bytes.SplitAfter(text, []byte("\n"))
			var left []byte
			for _, l := range lines {
				if !bytes.Contains(l, []byte(part)) {
					left = append(left, l...)
				}
			}
			return left
		}
	}
	gone := func(name string) func(string) error {
		return func(dir string) error { return os.Remove(filepath.Join(dir, name)) }
	}
	folder := func(name string) func(string) error {
		return func(dir string) error {
			path := filepath.Join(dir, name)
			_ = os.Remove(path)
			return os.Mkdir(path, 0o777)
		}
	}
	half := func(text []byte) []byte { return text[:len(text)/2] }
	for _, c := range []struct {
		name   string
		damage func(dir string) error
		want   []string
	}{
		{"no history", gone(historyName), []string{historyName, "does not exist"}},
		{"no states", gone(statesName), []string{statesName, "does not exist"}},
		{"no list of frames", gone(fileio.SeriesName), []string{fileio.SeriesName, "the frame of step 0"}},
		{"no frame", gone("contacts-000006.vtp"), []string{"contacts-000006.vtp", "does not exist", "step 6"}},
		{"no walls", gone("walls-000000.vtp"), []string{"walls-000000.vtp", "does not exist"}},
		{"no record", gone(recordName), []string{"no " + recordName}},
		{"a frame that is cut", change("bodies-000006.vtp", half), []string{"bodies-000006.vtp", "was cut", "step 6"}},
		{"a history that is cut", change(historyName, half), []string{historyName, "expected the rows of step"}},
		{"a row of the history less", change(historyName, without("5,0.0025,")), []string{historyName, "where the rows of step 5 belong"}},
		{"a row of the states less", change(statesName, without("-2\",8,")), []string{statesName, "where the rows of step 8 belong"}},
		{"a frame less in the list", change(fileio.SeriesName, without("-000006.vtp")), []string{fileio.SeriesName, "the frame of step 6"}},
		{"a part less in the list", change(fileio.SeriesName, without("contacts-000006.vtp")), []string{fileio.SeriesName, "the frame of step 6"}},
		{"a list that is cut", change(fileio.SeriesName, half), []string{fileio.SeriesName, "the frame of step"}},
		{"a record that is cut", change(recordName, half), []string{recordName + ":", "the JSON object", "damaged"}},
		{"a record that is no JSON", change(recordName, func(b []byte) []byte { return []byte("{\n\n<\n}") }), []string{recordName + ":3: is not the JSON object", "damaged"}},
		{"a record that is a number", change(recordName, func(b []byte) []byte { return []byte("7") }), []string{recordName + ":1: is not the JSON object"}},
		{"a key of capitals", change(recordName, func(b []byte) []byte { return bytes.Replace(b, []byte("digest"), []byte("Digest"), 1) }),
			[]string{recordName + ":4: has ", ` as "Digest", which no run writes`}},
		{"a key twice", change(recordName, func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"every":`), []byte(`"every": 9, "every":`), 1)
		}), []string{recordName + ":", `a key stands in it twice`}},
		{"a key of another type", change(recordName, func(b []byte) []byte {
			return bytes.Replace(b, []byte("first_step\": 0"), []byte("first_step\": {}"), 1)
		}),
			[]string{recordName + ":", `has {} as "first_step", which no run writes`}},
		{"another format of the record", change(recordName, func(b []byte) []byte { return bytes.Replace(b, []byte("run 2"), []byte("run 9"), 1) }),
			[]string{recordName, "scree run 9"}},
		{"a record of a later step", change(recordName, func(b []byte) []byte {
			return bytes.Replace(b, []byte("first_step\": 0"), []byte("first_step\": 15"), 1)
		}), []string{recordName, "begin with step 15"}},
		{"a folder as a frame to come", folder("bodies-000018.vtp"), []string{"bodies-000018.vtp", "a folder"}},
		{"a folder as a frame", folder("bodies-000012.vtp"), []string{"bodies-000012.vtp", "a folder"}},
		{"a folder as a checkpoint", folder("checkpoint-00000016.scree"), []string{"checkpoint-00000016.scree", "a folder"}},
		{"a folder as the record", folder(recordName), []string{recordName, "a folder"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := results.Folder(t)
			if err := errors.Join(os.Remove(dir), os.CopyFS(dir, os.DirFS(whole)), c.damage(dir)); err != nil {
				t.Fatal(err)
			}
			was := list(t, dir)
			err := quietly(t, s, Options{Dir: dir, Restart: checkpointAt(dir, 14), Workers: 1})
			if !errors.Is(err, ErrInput) {
				t.Errorf("error %v", err)
			}
			for _, part := range c.want {
				if err != nil && !strings.Contains(err.Error(), part) {
					t.Errorf("error %q, expected one of %q", err, part)
				}
			}
			if got := list(t, dir); got != was {
				t.Errorf("the folder has %s, expected %s", got, was)
			}
		})
	}
}

// list returns the names and contents of the files in a folder.
func list(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		text, _ := os.ReadFile(filepath.Join(dir, e.Name())) // empty for a folder
		b.WriteString(e.Name() + " " + string(text) + "\n")
	}
	return b.String()
}

// TestFolderThatBeginsLater: a folder that starts at a checkpoint from elsewhere rejects earlier
// checkpoints.
func TestFolderThatBeginsLater(t *testing.T) {
	s := loadTumbling(t)
	whole, dir := results.Folder(t), results.Folder(t)
	if err := quietly(t, s, Options{Dir: whole, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	l := &listener{}
	if err := quietly(t, s, Options{Dir: dir, Restart: checkpointAt(whole, 14), Workers: 1, Report: l}); err != nil {
		t.Fatal(err)
	}
	if len(l.warnings) == 0 || !strings.Contains(l.warnings[0], "begin with step 14") {
		t.Errorf("the reporter heard %q, expected that the folder begins with step 14", l.warnings)
	}
	refused(t, s, Options{Dir: dir, Restart: checkpointAt(whole, 7), Workers: 1}, "begin with step 14", recordName)
	// A new run in the folder produces the whole run again.
	if err := quietly(t, s, Options{Dir: dir, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	results.Same(t, "begun anew", results.Read(t, dir), results.Read(t, whole))
}

// TestInterimOfAnEarlierRun: a new run of the same scene removes the interim checkpoints of the
// interrupted run that it replaces. Those of another scene stay.
func TestInterimOfAnEarlierRun(t *testing.T) {
	s, other := loadTumbling(t), loadTumbling(t, "velocity = [1, 0.3, -1]", "velocity = [1, 0.4, -1]")
	whole, dir := results.Folder(t), results.Folder(t)
	if err := quietly(t, s, Options{Dir: whole, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	until(t, s, Options{Dir: dir, Workers: 1}, 4, 0)
	until(t, other, Options{Dir: dir, Workers: 1}, 3, 0)
	if err := quietly(t, s, Options{Dir: dir, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	got := results.Read(t, dir)
	if got["checkpoint-00000003.scree"] == "" {
		t.Error("the checkpoint of another scene is gone")
	}
	delete(got, "checkpoint-00000003.scree")
	results.Same(t, "replaced", got, results.Read(t, whole))
}
