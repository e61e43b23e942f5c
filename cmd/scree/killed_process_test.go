//go:build unix

package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestKilled kills runs at once and goes on, from the last checkpoint and from one before. Then the folder is that of
// a run that was never stopped.
func TestKilled(t *testing.T) {
	text := strings.Replace(small("", "history_every = 30", "states_every = 70", "checkpoint_every = 110"), "steps = 100", "steps = 900", 1)
	path, whole := write(t, "fall.toml", text), quick(t)
	call("run", path, "-o", whole, "--quiet").wants(t, 0)
	want := results(t, whole)
	dir := quick(t)
	args := []string{"run", path, "-o", dir, "--quiet"}
	killed := 0
	for i := range 4 {
		cmd, _, errs := start(t, append(args, "--workers", fmt.Sprint(1+i%2))...)
		// Until a checkpoint is there that was not, or the run has ended.
		known, exit := saved(t, dir), make(chan error, 1)
		go func() { exit <- cmd.Wait() }()
		for end := time.After(10 * time.Second); len(saved(t, dir)) <= len(known); {
			select {
			case err := <-exit:
				t.Fatalf("the run ended before it saved a checkpoint: %v, %s", err, errs)
			case <-end:
				t.Fatal("no checkpoint after 10 s")
			case <-time.After(time.Millisecond):
			}
		}
		_ = cmd.Process.Kill()
		if err := <-exit; err != nil {
			killed++
		}
		all := saved(t, dir)
		args = append(args[:5:5], "--restart", all[max(len(all)-1-i%2, 0)])
	}
	call(args...).wants(t, 0)
	if killed == 0 {
		t.Error("no run was killed in time")
	}
	got := results(t, dir)
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s differs: %d bytes, expected %d", name, len(got[name]), len(text))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is there", name)
		}
	}
}

// quick returns a folder in memory, where there is such a place: a run waits for its disk many times.
func quick(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "scree-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// saved returns the checkpoints of a folder before step 900, the first step first.
func saved(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "checkpoint-00000[0-8]*.scree"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// results returns the files of a folder without timings and counts of the process.
func results(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		text := read(t, dir, e.Name())
		switch e.Name() {
		case "summary.json":
			text = decode[summaryJSON](t, text).StateHash
		case "history.csv":
			rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			text = ""
			for _, r := range rows {
				for i, name := range rows[0] {
					if name != "contacts" && name != "rebuilds" && name != "fallbacks" && !strings.HasPrefix(name, "stage.") && !strings.HasPrefix(name, "level.") {
						text += r[i] + ","
					}
				}
				text += "\n"
			}
		}
		files[e.Name()] = text
	}
	return files
}

// TestSecondRun starts a run in the folder of another: the second is refused, the first goes on; and once that
// is killed its lock is gone.
func TestSecondRun(t *testing.T) {
	path := write(t, "long.toml", strings.Replace(small("", "history_every = 10"), "steps = 100", "steps = 100000000", 1))
	dir := t.TempDir()
	cmd, _, _ := start(t, "run", path, "-o", dir)
	waitFor(t, filepath.Join(dir, "history.csv"), 3)
	call("run", path, "-o", dir, "--steps", "10", "--quiet").wantsOneLine(t, 2, dir, "another run is writing")
	lines := strings.Count(read(t, dir, "history.csv"), "\n")
	waitFor(t, filepath.Join(dir, "history.csv"), lines+3)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	call("run", path, "-o", dir, "--steps", "10", "--quiet").wants(t, 0)
	if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
}
