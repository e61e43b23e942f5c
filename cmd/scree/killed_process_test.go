//go:build unix

package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scree-dem/scree/internal/results"
)

// TestKilled kills runs, and restarts them from the last checkpoint or an earlier one. The folder
// must then equal that of an uninterrupted run.
func TestKilled(t *testing.T) {
	text := strings.Replace(small("", "history_every = 30", "states_every = 70", "checkpoint_every = 110"), "steps = 100", "steps = 900", 1)
	path, whole := write(t, "fall.toml", text), results.Folder(t)
	call("run", path, "-o", whole, "--quiet").wants(t, 0)
	want := results.Read(t, whole)
	dir := results.Folder(t)
	args := []string{"run", path, "-o", dir, "--quiet"}
	killed := 0
	for i := range 4 {
		cmd, _, errs := start(t, append(args, "--workers", fmt.Sprint(1+i%2))...)
		// Wait until a new checkpoint exists or the run has ended.
		known, exit := saved(t, dir), make(chan error, 1)
		go func() { exit <- cmd.Wait() }()
		for end := time.After(10 * time.Second); len(saved(t, dir)) <= len(known); {
			select {
			case err := <-exit:
				if exit <- err; len(saved(t, dir)) <= len(known) {
					t.Fatalf("the run ended before it saved a checkpoint: %v, %s", err, errs)
				}
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
	results.Same(t, "killed", results.Read(t, dir), want)
}

// saved returns the checkpoints in a folder before step 900, by increasing step.
func saved(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "checkpoint-00000[0-8]*.scree"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSecondRun starts a second run in the folder of a running one. The second run is rejected, and
// the first continues. After the first run is killed, its lock is released.
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
