package main

import (
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/scree-dem/scree/bench"
	"github.com/scree-dem/scree/internal/disk"
)

// TestFullDiskKeepsStudy: where a study cannot be written, the tables of an earlier one stay as they were, and the rows are
// shown all the same.
func TestFullDiskKeepsStudy(t *testing.T) {
	dir := t.TempDir()
	args := []string{"bench", "narrow", "--location", "--shape", "tetra", "--pairs", "16", "--repeat", "1", "--time", "0.0001", "-q", "-o", dir}
	call(args...).wants(t, 0)
	files := []string{"location.csv", "location.json"}
	var was []string
	for _, name := range files {
		was = append(was, read(t, dir, name))
	}
	disk.Before = func(op disk.Op, path string, n int) (int, error) {
		if op == disk.OpWrite {
			return n / 2, syscall.ENOSPC
		}
		return 0, nil
	}
	defer func() { disk.Before = nil }()
	r := call(args...)
	r.wants(t, 1, "location.csv", "no space left")
	if !strings.Contains(r.out, "ns_pair") {
		t.Errorf("the rows are not shown: %q", r.out)
	}
	for i, name := range files {
		if read(t, dir, name) != was[i] {
			t.Errorf("%s is not as it was", name)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// TestStudiesOnAllProcessors: --workers 0 is one worker for each processor. They are counted in the rows, and timed by the clock of
// the wall: that of one thread runs while others work, or not at all.
func TestStudiesOnAllProcessors(t *testing.T) {
	all := runtime.GOMAXPROCS(0)
	r := call("bench", "inside", "--mesh", "sphere:1,2", "--side", "5", "--method", "auto", "--repeat", "1", "--workers", "0", "--json")
	r.wants(t, 0)
	for _, row := range decode[reportOf[bench.InsideRow]](t, r.out).Rows {
		if row.Workers != all || !(row.NsPoint > 0) || !(row.Setup > 0) {
			t.Errorf("%d workers, %g ns, setup %g ms; expected %d workers and times above 0", row.Workers, row.NsPoint, row.Setup, all)
		}
	}
	r = call("bench", "broad", "--bodies", "50", "--ratio", "1", "--method", "multilevel", "--repeat", "1", "--workers", "0", "--json")
	r.wants(t, 0)
	for _, row := range decode[reportOf[bench.BroadRow]](t, r.out).Rows {
		if row.Workers != all || all > 1 && row.Gain == 0 {
			t.Errorf("%d workers, gain %g; expected %d workers", row.Workers, row.Gain, all)
		}
	}
}
