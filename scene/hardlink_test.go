//go:build unix

package scene

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/scree-dem/scree/internal/results"
)

// TestHardLinkedFolder: the folder of a run is copied by hard links, as with cp -al. A restart in
// the copy changes only the copy. Both are then valid folders of the run, and the folder of the
// restart equals that of an uninterrupted run.
func TestHardLinkedFolder(t *testing.T) {
	s := loadTumbling(t)
	dir, copied := results.Folder(t), results.Folder(t)
	if err := quietly(t, s, Options{Dir: dir, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	was := results.Read(t, dir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := os.Link(filepath.Join(dir, e.Name()), filepath.Join(copied, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	// The run is stopped one step after the checkpoint, so the copy has fewer rows than the folder.
	until(t, s, Options{Dir: copied, Restart: checkpointAt(copied, 7), Workers: 1}, 9, 7)
	results.Same(t, "the folder that was copied", results.Read(t, dir), was)
	if rows, all := len(rowsOf(t, copied)), len(rowsOf(t, dir)); rows >= all {
		t.Errorf("the copy has %d bytes of rows, expected fewer than %d", rows, all)
	}
	if err := quietly(t, s, Options{Dir: copied, Restart: checkpointAt(copied, 9), Workers: 1}); err != nil {
		t.Fatal(err)
	}
	results.Same(t, "the folder that was copied", results.Read(t, dir), was)
	results.Same(t, "the copy", results.Read(t, copied), was)
	if left, _ := filepath.Glob(filepath.Join(copied, "*.tmp")); left != nil {
		t.Errorf("%v was left", left)
	}
}

func rowsOf(t *testing.T, dir string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, historyName))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
