//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestSweepInterrupted interrupts a sweep. The same command goes on from the checkpoint, to the state of a sweep that was
// never stopped.
func TestSweepInterrupted(t *testing.T) {
	path, dir, whole := write(t, "cubes.toml", small("", "history_every = 100")), t.TempDir(), t.TempDir()
	args := []string{"sweep", path, "--set", "time.steps=30000", "--set", "seed=1,2", "-q", "-o"}
	cmd, out, errs := start(t, append(args, dir)...)
	folder := filepath.Join(dir, "time.steps=30000,seed=1")
	waitFor(t, filepath.Join(folder, "history.csv"), 20)
	interrupted(t, cmd, out, errs).wants(t, statusInterrupted, "interrupted: the same command goes on")
	rows := sweepRows(t, dir)
	if len(rows) != 1 || rows[0]["status"] != "130" || rows[0]["steps"] == "30000" {
		t.Fatalf("rows %v", rows)
	}
	dry := call(append(args, dir, "--dry")...)
	if want := "to go on                    time.steps=30000,seed=1\nto run                      time.steps=30000,seed=2\n"; dry.out != want {
		t.Errorf("--dry prints\n%s, expected\n%s", dry.out, want)
	}
	began := time.Now()
	call(append(args, dir, "--jobs", "2")...).wants(t, statusDone)
	call(append(args, whole, "--jobs", "2")...).wants(t, statusDone)
	t.Log(time.Since(began))
	is, want := sweepRows(t, dir), sweepRows(t, whole)
	for i := range want {
		if is[i]["state_hash"] != want[i]["state_hash"] || is[i]["steps"] != "30000" {
			t.Errorf("row %d: %v", i, is[i])
		}
	}
	if is[0]["first_step"] == "0" {
		t.Error("the run began anew")
	}
	if a, err := os.ReadFile(filepath.Join(folder, "states.csv")); err != nil || string(a) != read(t, whole, "time.steps=30000,seed=1", "states.csv") {
		t.Errorf("states.csv differs: %v", err)
	}
}
