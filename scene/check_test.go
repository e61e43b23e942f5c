package scene

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestCheck compares what Check says with what a run of the scene then is, and finds the folder
// as it was.
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
		r.DtAdvise != summary.DtAdvised || int(r.Frames) != len(frames) || int(r.Rows) != rows || int(r.Checkpoints) < len(saved) {
		t.Errorf("%+v, but a run had %d bodies, %d frames, %d rows, %d checkpoints, steps of %g s advised", r, summary.Bodies, len(frames), rows, len(saved), summary.DtAdvised)
	}
	size := uint64(0)
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
	if r.DiskMost < size/2 || r.Memory == 0 || r.HeapMemory < r.Memory {
		t.Errorf("%d bytes on the disk at most, a run wrote %d; memory %d, heap %d", r.DiskMost, size, r.Memory, r.HeapMemory)
	}
}

// TestCheckRefuses has the errors that a run has before its first step, and ends when it is
// cancelled.
func TestCheckRefuses(t *testing.T) {
	s := load(t, replaced(t, "dt = 5e-4", "dt = 0.02"))
	if _, err := Check(t.Context(), s, Options{}); !errors.Is(err, ErrInput) {
		t.Errorf("a step far too long: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Check(ctx, load(t, small), Options{}); !errors.Is(err, ErrInterrupted) {
		t.Errorf("cancelled: %v", err)
	}
}
