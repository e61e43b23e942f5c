package fileio

import (
	"os"
	"path/filepath"
	"testing"
)

// TestReadParts divides faces by objects, by groups if there is one object, and by neither.
func TestReadParts(t *testing.T) {
	const verts = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
	for _, c := range []struct {
		name, text string
		parts      []string
		lines      []int
		faces      [][]int // numbers in the file
	}{
		{"objects", verts + "o a\ng x\nf 1 2 3\no b # second\ng y\nf 1 2 4\ng z\nf 1 3 4\n", []string{"a", "b"}, []int{5, 8}, [][]int{{0}, {1, 2}}},
		{"groups of one object", "o all\n" + verts + "g a\nf 1 2 3\ng b\nf 1 2 4\ng a\nf 1 3 4\n", []string{"a", "b"}, []int{6, 8}, [][]int{{0, 2}, {1}}},
		{"faces before the first", verts + "f 1 2 3\no b\nf 1 2 4\no empty\n", []string{"1", "b"}, []int{1, 6}, [][]int{{0}, {1}}},
		{"neither", verts + "f 1 2 3\nf 1 2 4\n", []string{"1"}, []int{1}, [][]int{{0, 1}}},
	} {
		path := filepath.Join(t.TempDir(), "parts.obj")
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		parts, err := ReadParts(path)
		if err != nil || len(parts) != len(c.parts) {
			t.Errorf("%s: %d parts, expected %d: %v", c.name, len(parts), len(c.parts), err)
			continue
		}
		for i, p := range parts {
			if p.Name != c.parts[i] || p.Line != c.lines[i] || len(p.Mesh.Faces) != len(c.faces[i]) || p.Mesh.Numbers[0] != c.faces[i][0] {
				t.Errorf("%s: part %q of line %d has the faces %v, expected %q of line %d with %v", c.name, p.Name, p.Line, p.Mesh.Numbers, c.parts[i], c.lines[i], c.faces[i])
			}
		}
	}
}
