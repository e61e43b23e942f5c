package fileio

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestNilInputs: functions of this package refuse nil meshes, scenes, frames and readers, and write
// no file of them.
func TestNilInputs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.obj")
	for name, f := range map[string]func() error{
		"WriteMesh":     func() error { return WriteMesh(path, nil) },
		"WriteMeshAs":   func() error { return WriteMeshAs(path, STLASCII, nil) },
		"WriteSettled":  func() error { return WriteSettled(path, nil) },
		"WriteVTP":      func() error { return WriteVTP(t.Context(), path, nil) },
		"ReadMeshFrom":  func() error { _, err := ReadMeshFrom(path, nil); return err },
		"DecodeSettled": func() error { _, err := DecodeSettled(path, nil); return err },
		"NewBlocks":     func() error { _, err := NewBlocks(nil, path, nil, nil); return err },
		"NewBlocksOf":   func() error { _, err := NewBlocksOf(nil, path, nil); return err },
	} {
		if err := f(); err == nil {
			t.Errorf("%s took nil", name)
		}
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("%s wrote a file: %v", name, err)
		}
	}
	cause := errors.New("cause")
	if m, w := Weld(nil, 0); len(m.Verts) > 0 || w.Merged != 0 || WeldTolerance(nil) != 0 || !errors.Is(Numbered(path, nil, cause), cause) {
		t.Errorf("a nil mesh welded is %v, %v, expected nothing", m, w)
	}
}
