//go:build unix

package fileio

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestEndlessFiles: devices and pipes are rejected before they are opened, under any name.
func TestEndlessFiles(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.ply")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	zero := filepath.Join(dir, "zero.stl")
	if err := os.Symlink("/dev/zero", zero); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, want string }{{pipe, `"a pipe"`}, {zero, `"a device"`}} {
		if _, err := ReadMesh(c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("ReadMesh: error %v, expected one of %s", err, c.want)
		}
		if _, err := ReadSettled(c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("ReadSettled: error %v, expected one of %s", err, c.want)
		}
	}
}
