package fileio

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/scree-dem/scree/internal/disk"
)

// onFullDisk limits the disk to room bytes until the test ends.
func onFullDisk(t *testing.T, room int, failSync bool) {
	t.Helper()
	t.Cleanup(func() { disk.Before = nil })
	disk.Before = func(op disk.Op, _ string, n int) (int, error) {
		switch {
		case op == disk.OpSync && failSync:
			return 0, syscall.EIO
		case op == disk.OpWrite && n > room:
			n, room = room, 0
			return n, syscall.ENOSPC
		case op == disk.OpWrite:
			room -= n
		}
		return n, nil
	}
}

// onlyFile checks that the folder has only the file with this content, and no temporary file.
func onlyFile(t *testing.T, path, content string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v, the folder holds %v", err, entries)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != content {
		t.Fatalf("%v, content %q, want %q", err, got, content)
	}
}

func writeText(path, text string) error {
	return writeAtomic(path, func(a *atomicFile) error {
		_, err := a.WriteString(text)
		return err
	})
}

func TestAtomicReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for _, text := range []string{"first", "", strings.Repeat("long ", atomicBuffer)} {
		if err := writeText(path, text); err != nil {
			t.Fatal(err)
		}
		onlyFile(t, path, text)
	}
	stat, err := os.Stat(path)
	if err != nil || stat.Mode().Perm()&0o400 == 0 {
		t.Fatalf("%v, mode %v", err, stat.Mode())
	}
}

func TestAtomicFailureKeepsTheOldFile(t *testing.T) {
	failure := errors.New("encoder failed")
	long := strings.Repeat("x", 3*atomicBuffer)
	cases := []struct {
		name     string
		room     int
		failSync bool
		encode   func(a *atomicFile) error
		want     error
	}{
		{"the encoder fails", 1 << 30, false, func(*atomicFile) error { return failure }, failure},
		{"full before the first buffer", 10, false, func(a *atomicFile) error { _, err := a.WriteString("more than ten bytes"); return err }, syscall.ENOSPC},
		{"full later", 2 * atomicBuffer, false, func(a *atomicFile) error { _, err := a.WriteString(long); return err }, syscall.ENOSPC},
		{"sync fails", 1 << 30, true, func(*atomicFile) error { return nil }, syscall.EIO},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "f")
			if err := writeText(path, "old"); err != nil {
				t.Fatal(err)
			}
			onFullDisk(t, c.room, c.failSync)
			err := writeAtomic(path, c.encode)
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "untouched") ||
				strings.Contains(err.Error(), ".tmp") {
				t.Fatalf("got %v", err)
			}
			onlyFile(t, path, "old")
		})
	}
}

func TestAtomicTemporaryNameTaken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	taken := fmt.Sprintf("%s.%d-0.tmp", path, os.Getpid())
	if err := os.WriteFile(taken, []byte("of another"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := writeText(path, "mine"); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(taken); string(got) != "of another" {
		t.Fatalf("the file of another is now %q", got)
	}
	if got, _ := os.ReadFile(path); string(got) != "mine" {
		t.Fatalf("got %q", got)
	}
}

func TestAtomicSpecialPlaces(t *testing.T) {
	dir := t.TempDir()
	if err := writeText(dir, "x"); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Fatalf("a folder: %v", err)
	}
	if err := writeText(filepath.Join(dir, "none", "f"), "x"); !errors.Is(err, os.ErrNotExist) || strings.Contains(err.Error(), ".tmp") {
		t.Fatalf("a missing folder: %v", err)
	}
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if err := writeText(link, "through"); err != nil {
		t.Fatal(err)
	}
	stat, err := os.Lstat(link)
	if got, _ := os.ReadFile(target); err != nil || stat.Mode()&os.ModeSymlink == 0 || string(got) != "through" {
		t.Fatalf("%v, link %v, target %q", err, stat.Mode(), got)
	}
	// A device is written to and stays a device.
	if err := writeText(os.DevNull, "x"); err != nil {
		t.Fatal(err)
	}
	if stat, err := os.Stat(os.DevNull); err != nil || stat.Mode()&os.ModeDevice == 0 {
		t.Fatalf("%v, the null device is now %v", err, stat.Mode())
	}
}
