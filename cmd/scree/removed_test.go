package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/disk"
)

// TestHistoryRemoved: a run whose history.csv is removed while it goes ends with status 1 and names
// the file.
func TestHistoryRemoved(t *testing.T) {
	path, dir, rows := write(t, "scene.toml", small("", "history_every = 10")), t.TempDir(), 0
	history := filepath.Join(dir, "history.csv")
	disk.Before = func(op disk.Op, at string, n int) (int, error) {
		if op == disk.OpWrite && at == history {
			if rows++; rows == 5 {
				return n, os.Remove(history)
			}
		}
		return n, nil
	}
	defer func() { disk.Before = nil }()
	r := call("run", path, "-o", dir, "-q")
	if r.wants(t, 1, history, "was removed"); !strings.Contains(r.out, "failed") {
		t.Errorf("standard output %q", r.out)
	}
}
