package scene

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/results"
)

// TestEarlierResultsStay: a run that writes nothing leaves the results of an earlier run, and no
// file of its own.
func TestEarlierResultsStay(t *testing.T) {
	s := loadTumbling(t)
	dir := results.Folder(t)
	if err := quietly(t, s, Options{Dir: dir, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	was := results.Read(t, dir)
	same := func(t *testing.T, what string) {
		t.Helper()
		got := results.Read(t, dir)
		delete(got, lockName) // remains if its removal fails
		results.Same(t, what, got, was)
	}
	t.Run("no first row", func(t *testing.T) {
		// The velocity is finite, but its square is not.
		s := loadTumbling(t)
		s.groups[0].vel.Z = 1e160
		if err := quietly(t, s, Options{Dir: dir, Workers: 1}); err == nil || !strings.Contains(err.Error(), "expected finite") {
			t.Errorf("error %v", err)
		}
		same(t, "no first row")
	})
	for _, restart := range []bool{true, false} {
		t.Run(fmt.Sprintf("full disk, restart %v", restart), func(t *testing.T) {
			o := Options{Dir: dir, Workers: 1}
			if restart {
				o.Restart = checkpointAt(dir, 7)
			}
			for n := 1; n < 60; n++ {
				touched := false
				f := &failing{from: n, mode: full}
				disk.Before = func(op disk.Op, path string, size int) (int, error) {
					size, err := f.before(op, path, size)
					// Files with final names belong to the earlier run.
					own := strings.HasSuffix(path, ".tmp") || filepath.Base(path) == lockName
					touched = touched || err == nil && op != disk.OpSync && !own
					return size, err
				}
				_, err := Run(t.Context(), s, o)
				if disk.Before = nil; err == nil {
					t.Fatalf("no error on a disk that is full from operation %d on", n)
				}
				if touched {
					if n < 3 || results.Read(t, dir)[historyName] == was[historyName] {
						t.Errorf("operation %d is the first on files of the earlier run", n)
					}
					// Restore the folder for the next case.
					if err := quietly(t, s, Options{Dir: dir, Workers: 1}); err != nil {
						t.Fatal(err)
					}
					return
				}
				same(t, fmt.Sprintf("full from operation %d on", n))
			}
			t.Error("the run never began")
		})
	}
}

// TestNamesThatAreTaken: a folder in the place of a file is rejected before anything is written. A
// restart also rejects a link.
func TestNamesThatAreTaken(t *testing.T) {
	s := loadTumbling(t)
	for _, name := range []string{historyName, statesName, fileio.SeriesName, summaryName} {
		for _, c := range []struct {
			what            string
			restart, refuse bool
			make            func(path string) error
		}{
			{"a folder", false, true, func(p string) error { return os.Mkdir(p, 0o777) }},
			{"a folder", true, true, func(p string) error { return os.Mkdir(p, 0o777) }},
			{"a symbolic link", true, name != summaryName, func(p string) error { return os.Symlink("elsewhere", p) }},
			{"a symbolic link", false, false, func(p string) error { return os.Symlink("elsewhere", p) }},
		} {
			dir := results.Folder(t)
			until(t, s, Options{Dir: dir, Workers: 1}, 8, 0)
			elsewhere, path := filepath.Join(dir, "elsewhere"), filepath.Join(dir, name)
			if err := errors.Join(os.Rename(path, elsewhere), c.make(path)); err != nil {
				t.Skip(err) // On Windows only some users can create links.
			}
			text, err := os.ReadFile(elsewhere)
			if err != nil {
				t.Fatal(err)
			}
			o := Options{Dir: dir, Workers: 1}
			if c.restart {
				o.Restart = checkpointAt(dir, 8)
			}
			err = quietly(t, s, o)
			if c.refuse && (!errors.Is(err, ErrInput) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), c.what)) {
				t.Errorf("%s is %s, restart %v: error %v", name, c.what, c.restart, err)
			}
			if stat, statErr := os.Lstat(path); !c.refuse && (err != nil || statErr != nil || !stat.Mode().IsRegular()) {
				t.Errorf("%s is %s, restart %v: error %v, then %v", name, c.what, c.restart, err, stat)
			}
			if now, err := os.ReadFile(elsewhere); err != nil || string(now) != string(text) {
				t.Errorf("%s is %s, restart %v: what it points to was changed", name, c.what, c.restart)
			}
		}
	}
}

// TestLinksAreNotFollowed: a run replaces links that have the names of its files. The folder itself
// may be a link.
func TestLinksAreNotFollowed(t *testing.T) {
	s := loadTumbling(t)
	whole, root := results.Folder(t), results.Folder(t)
	if err := quietly(t, s, Options{Dir: whole, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	want := results.Read(t, whole)
	dir, outside := filepath.Join(root, "link"), filepath.Join(root, "outside")
	err := errors.Join(os.Mkdir(filepath.Join(root, "dir"), 0o777), os.Symlink("dir", dir), os.WriteFile(outside, []byte("kept"), 0o666))
	for name := range want {
		if name != lockName && name != sceneName { // A scene that no run has written stays.
			err = errors.Join(err, os.Symlink(outside, filepath.Join(dir, name)))
		}
	}
	if err != nil {
		t.Skip(err) // On Windows only some users can create links.
	}
	if err := quietly(t, s, Options{Dir: dir, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(outside); err != nil || string(text) != "kept" {
		t.Errorf("what the links point to holds %.40q, %v", text, err)
	}
	for name := range want {
		if stat, err := os.Lstat(filepath.Join(dir, name)); err != nil || !stat.Mode().IsRegular() {
			t.Errorf("%s: %v, %v", name, stat, err)
		}
	}
	results.Same(t, "through a link", results.Read(t, dir), want)
	if stat, err := os.Lstat(dir); err != nil || stat.Mode().IsRegular() || stat.IsDir() {
		t.Errorf("the folder's own link is gone: %v, %v", stat, err)
	}
}

// TestInterruptedDuringTheFirstFrame: an interruption before the first frame is complete leaves the
// folder unchanged.
func TestInterruptedDuringTheFirstFrame(t *testing.T) {
	s := loadTumbling(t)
	for _, c := range []struct {
		name  string
		first func(t *testing.T, dir string) Options
	}{
		{"results of an earlier run", func(t *testing.T, dir string) Options {
			if err := quietly(t, s, Options{Dir: dir, Workers: 1}); err != nil {
				t.Fatal(err)
			}
			return Options{Dir: dir, Workers: 1}
		}},
		{"an empty folder", func(_ *testing.T, dir string) Options { return Options{Dir: dir, Workers: 1} }},
		{"a restart elsewhere", func(t *testing.T, dir string) Options {
			source := results.Folder(t)
			if err := quietly(t, s, Options{Dir: source, Workers: 1}); err != nil {
				t.Fatal(err)
			}
			return Options{Dir: dir, Restart: checkpointAt(source, 7), Workers: 1}
		}},
	} {
		for _, part := range []string{bodiesPart, contactsPart, wallsPart} {
			t.Run(c.name+", "+part, func(t *testing.T) {
				dir := results.Folder(t)
				o := c.first(t, dir)
				was := list(t, dir)
				ctx, cancel := context.WithCancel(t.Context())
				disk.Before = func(op disk.Op, path string, n int) (int, error) {
					if op == disk.OpCreate && strings.Contains(path, part+"-") {
						cancel()
					}
					return n, nil
				}
				sum, err := Run(ctx, s, o)
				if disk.Before = nil; !errors.Is(err, ErrInterrupted) || sum != nil {
					t.Errorf("summary %+v, error %v, expected an interruption and no summary", sum, err)
				}
				if got := list(t, dir); got != was {
					t.Errorf("the folder holds %.2000q, expected %.2000q", got, was)
				}
			})
		}
	}
}

// TestNoRoomAtTheStart: if the disk is full before the first row, the error names the final file,
// not the temporary one.
func TestNoRoomAtTheStart(t *testing.T) {
	s, dir := loadTumbling(t), results.Folder(t)
	seen := map[string]bool{}
	for n := 1; n < 60; n++ {
		f := &failing{from: n, mode: full}
		disk.Before = f.before
		_, err := Run(t.Context(), s, Options{Dir: dir, Workers: 1})
		if disk.Before = nil; err == nil {
			t.Fatalf("no error on a disk that is full from operation %d on", n)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*.vtp")); len(left) > 0 {
			break // The run has started to write.
		}
		text := err.Error()
		if strings.Contains(text, ".tmp") || strings.Contains(text, "rows before") {
			t.Errorf("operation %d: error %q, expected no temporary name and no rows before", n, text)
		}
		for _, name := range []string{historyName, statesName, recordName, fileio.SeriesName, "bodies-000000.vtp"} {
			if strings.Contains(text, filepath.Join(dir, name)) {
				seen[name] = true
			}
		}
	}
	if len(seen) != 5 {
		t.Errorf("errors named %v, expected each file once", seen)
	}
}

// TestSceneInTheWayOfResults runs a scene file that is in its results folder and has the name of a
// table. The scene file must survive.
func TestSceneInTheWayOfResults(t *testing.T) {
	for _, name := range []string{historyName, statesName, summaryName, recordName, "series.pvd"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(write(t, small, nil))
		if err == nil {
			err = os.WriteFile(path, text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		s, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), s, Options{Dir: dir, Steps: 2}); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, expected one that names the scene", name, err)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != string(text) {
			t.Errorf("%s: the scene is no longer there: %v", name, err)
		}
	}
}
