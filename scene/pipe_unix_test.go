//go:build unix

package scene

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/scree-dem/scree/internal/results"
)

// TestPipesAreRefused: a run does not wait for the reader of a pipe that has the name of one of its
// files.
func TestPipesAreRefused(t *testing.T) {
	for _, name := range []string{"checkpoint-00000007.scree", "series.pvd"} {
		dir := results.Folder(t)
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o666); err != nil {
			t.Skip(err)
		}
		err := quietly(t, loadTumbling(t), Options{Dir: dir, Workers: 1})
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "a pipe: not a regular file") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
