package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMovedMeshes: pairs and run warn once of a mesh whose facets are nearly coplanar, with the
// largest move. They say nothing of one that no row names, or whose vertices move by a rounding.
func TestMovedMeshes(t *testing.T) {
	dir := t.TempDir()
	for name, by := range map[string]float64{"bent": 8e-7, "bent2": 8e-7, "rounded": 5e-8} {
		text := cubeOBJ(func(i int, v *[3]float64) {
			if i == 7 {
				v[2] += by
			}
		})
		if err := os.WriteFile(filepath.Join(dir, name+".obj"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	row := ",0,0,0,1,0,0,0,3,0,0,1,0,0,0\n"
	table := write(t, "p.csv", pairsHead+"\nbent,bent"+row+"rounded,bent"+row)
	want := []string{"scree: warning: ", "bent.obj: vertices that nearly coincide or are nearly coplanar moved by up to ", "e-07 m: depths"}
	call("pairs", "--shapes", dir, "--pairs", table, "-o", filepath.Join(dir, "out.csv"), "-q").wantsOneLine(t, 0, want...)
	scene := small("", "[shapes.bent]\nfile = \"bent.obj\"\nmaterial = \"stone\"\n[shapes.rounded]\nfile = \"rounded.obj\"\nmaterial = \"stone\"\n"+
		"[[bodies]]\nshape = \"bent\"\nposition = [0, 0, 5]\n[[bodies]]\nshape = \"bent\"\nposition = [3, 0, 5]\n[[bodies]]\nshape = \"rounded\"\nposition = [6, 0, 5]\n")
	path := filepath.Join(dir, "scene.toml")
	if err := os.WriteFile(path, []byte(scene), 0o666); err != nil {
		t.Fatal(err)
	}
	call("run", path, "-o", t.TempDir(), "-q").wantsOneLine(t, 0, "warning: ", ": shapes.bent.file: vertices that nearly coincide", want[2])
}
