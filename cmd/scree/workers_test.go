package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/bench"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/scene"
)

// TestWorkload: a run reports what its workers did. One worker alone shares no loops.
func TestWorkload(t *testing.T) {
	path := write(t, "small.toml", small(""))
	for workers := 1; workers <= 3; workers++ {
		r := call("run", path, "--json", "-o", filepath.Join(t.TempDir(), "out"), "--workers", fmt.Sprint(workers))
		r.wants(t, 0)
		w := decode[scene.Summary](t, r.out).Workload
		if w.CPUs == nil || len(w.CPUs) != 0 {
			t.Errorf("%d workers: processors %v, want an empty list", workers, w.CPUs)
		}
		if workers == 1 {
			if w.Inline < 200 || w.Loops != 0 || w.Seconds != 0 || w.Idle != 0 || w.Imbalance != 0 || w.Steals != 0 {
				t.Errorf("one worker: %+v", w)
			}
			continue
		}
		// Eight bodies are shared in at least two loops per step: kick and drift, and gather and
		// kick.
		if w.Loops < 200 || w.Chunks < 2*w.Loops || !(w.Seconds > 0) || w.Idle > float64(workers)*w.Seconds {
			t.Errorf("%d workers: %+v", workers, w)
		}
	}
	r := call("run", path, "-o", filepath.Join(t.TempDir(), "out"), "--workers", "2")
	r.wants(t, 0)
	if !strings.Contains(r.out, "workers        idle for ") {
		t.Errorf("no line on the workers:\n%s", r.out)
	}
}

// TestPin runs with pinned workers. Their processors differ, and the bits do not.
func TestPin(t *testing.T) {
	path := write(t, "small.toml", small(""))
	r := call("run", path, "-o", filepath.Join(t.TempDir(), "out"), "--workers", "1000", "--pin")
	r.wantsOneLine(t, 2, "--pin", "cannot be")
	cpus, err := cpu.Allowed()
	if err != nil {
		t.Skip(err)
	}
	workers := fmt.Sprint(min(len(cpus), 2))
	run := func(options ...string) scene.Summary {
		r := call(append([]string{"run", path, "--json", "--quiet", "-o", filepath.Join(t.TempDir(), "out"), "--workers", workers}, options...)...)
		r.wants(t, 0)
		return decode[scene.Summary](t, r.out)
	}
	free, pinned := run(), run("--pin")
	if n := len(slices.Compact(slices.Sorted(slices.Values(pinned.Workload.CPUs)))); n != pinned.Workers {
		t.Errorf("%d workers on %v", pinned.Workers, pinned.Workload.CPUs)
	}
	if free.StateHash != pinned.StateHash {
		t.Errorf("hash %s, pinned %s", free.StateHash, pinned.StateHash)
	}
	row := func(options ...string) bench.StepRow {
		r := call(append([]string{"bench", "step", "--settled", pile, "--steps", "10", "--json", "--quiet", "--workers", workers}, options...)...)
		r.wants(t, 0)
		return decode[reportOf[bench.StepRow]](t, r.out).Rows[0]
	}
	a, b := row(), row("--pin")
	if a.Pinned != "no" || b.Pinned != "yes" || a.Checksum != b.Checksum {
		t.Errorf("pinned %s and %s, checksums %s and %s", a.Pinned, b.Pinned, a.Checksum, b.Checksum)
	}
	call("bench", "settle", "--shape", "cube", "--bodies", "3", "--speed", "0.1", "-q", "--pin", "--workers", workers,
		"-o", filepath.Join(t.TempDir(), "pile.txt")).wants(t, 0)
}
