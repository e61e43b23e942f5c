package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestBefore: a test can make each operation fail, and a write after some of its bytes.
func TestBefore(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	var failing Op
	t.Cleanup(func() { Before = nil })
	Before = func(op Op, _ string, n int) (int, error) {
		if op == failing {
			return n / 2, syscall.ENOSPC
		}
		return n, nil
	}
	f, err := CreateTemp(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // Only read below.
	for op, do := range map[Op]func() error{
		OpCreate:   func() error { _, err := CreateTemp(path); return err },
		OpWrite:    func() error { _, err := f.WriteString("1234"); return err },
		OpSync:     f.Sync,
		OpTruncate: func() error { return f.Truncate(0) },
		OpRename:   func() error { return Rename(f.Name(), path) },
		OpRemove:   func() error { return Remove(f.Name()) },
	} {
		failing = op
		if err := do(); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: error %v, expected one that names the file", op, err)
		}
	}
	failing = ""
	if text, err := os.ReadFile(f.Name()); err != nil || string(text) != "12" {
		t.Errorf("the file holds %q, expected half of what was written, %v", text, err)
	}
	if err := errors.Join(Rename(f.Name(), path), Remove(path), Remove(path)); err != nil {
		t.Error(err)
	}
}

// TestOpenRefusesLinks: Open does not follow a link, and the error names the kind of any other
// file.
func TestOpenRefusesLinks(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(target, []byte("kept"), 0o666), os.Symlink("target", link)); err != nil {
		t.Skip(err) // On Windows only some users can create links.
	}
	for path, what := range map[string]string{link: "symbolic link", dir: "folder"} {
		if _, err := Open(path); !errors.Is(err, ErrNotRegular) || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, expected that it is a %s", path, err, what)
		}
	}
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v of a file that is not there", err)
	}
	f, err := Open(target)
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
}

// TestLock: only one holder has the lock at a time, whoever removed or created its file. A link in
// its place is not locked.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	for range 3 {
		first, err := NewLock(path)
		if err != nil {
			t.Fatal(err)
		}
		if first.Void {
			t.Skip("the file system has no locks")
		}
		if _, err := NewLock(path); !errors.Is(err, ErrLocked) {
			t.Fatalf("error %v, expected that the file is locked", err)
		}
		first.Release()
	}
	// A killed process leaves its file.
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	last, err := NewLock(path)
	if err != nil {
		t.Fatal(err)
	}
	last.Release()
	if err := os.Symlink("elsewhere", path); err != nil {
		t.Skip(err)
	}
	if _, err := NewLock(path); !errors.Is(err, ErrNotRegular) {
		t.Errorf("error %v of a link, expected ErrNotRegular", err)
	}
	if _, err := os.Lstat(filepath.Join(filepath.Dir(path), "elsewhere")); err == nil {
		t.Error("the link was followed")
	}
}

// TestLockIsOfOne: many goroutines lock and release, and no two hold the lock at the same time.
func TestLockIsOfOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	inside := make(chan bool, 1)
	done := make(chan error)
	for range 4 {
		go func() {
			for n := 0; n < 200; {
				l, err := NewLock(path)
				if errors.Is(err, ErrLocked) {
					continue
				}
				if err != nil {
					done <- err
					return
				}
				n++
				select {
				case inside <- true:
					<-inside
				default:
					err = errors.New("two hold the lock")
				}
				l.Release()
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
