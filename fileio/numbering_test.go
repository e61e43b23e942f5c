package fileio

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
)

// TestNumberedAs tests an open surface, and a surface with a face too many, in formats that count
// differently.
func TestNumberedAs(t *testing.T) {
	const box = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
	const five = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\n"
	const verts = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
	for _, c := range []struct {
		name, file, content string
		want                []string
	}{
		{"open OBJ", "m.obj", box + five, []string{"edge from vertex 4 to 2 is in face 1 only"}},
		{"open OFF", "m.off", "OFF\n8 5 0\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n" +
			"4 0 2 3 1\n4 4 5 7 6\n4 0 1 5 4\n4 2 6 7 3\n4 0 4 6 2\n", []string{"edge from vertex 3 to 1 is in face 0 only"}},
		{"fin OBJ", "m.obj", verts + "v 1 1 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\nf 1 2 5\n", []string{"is in 3 faces, among them"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			mesh, err := DecodeMesh(c.file, []byte(c.content))
			if err != nil {
				t.Fatal(err)
			}
			_, plain := geometry.FromMesh(mesh)
			if plain == nil {
				t.Fatal("the mesh is taken for a polyhedron")
			}
			err = NumberedAs(c.file, plain)
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %q, want %q; geometry says %q", err, want, plain)
				}
			}
		})
	}
	if err := NumberedAs("m.obj", fmt.Errorf("x: %w", geometry.ErrNotClosed)); !errors.Is(err, geometry.ErrNotClosed) {
		t.Errorf("%v has lost its cause", err)
	}
	if err := NumberedAs("m.obj", nil); err != nil {
		t.Errorf("no error became %v", err)
	}
}

// TestNumberedSTL: facets that welding drops count, for they are in the file.
func TestNumberedSTL(t *testing.T) {
	verts := [][3]float64{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	// Facets 1 and 4 have no area. The last is turned the wrong way.
	text := "solid x\n"
	for _, face := range [][3]int{{0, 1, 1}, {0, 2, 1}, {0, 1, 3}, {2, 2, 2}, {0, 3, 2}, {1, 3, 2}} {
		text += "facet normal 0 0 0 outer loop"
		for _, v := range face {
			text += fmt.Sprintf(" vertex %g %g %g", verts[v][0], verts[v][1], verts[v][2])
		}
		text += " endloop endfacet\n"
	}
	mesh, err := DecodeMesh("x.stl", []byte(text+"endsolid\n"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{1, 2, 4, 5}; !slices.Equal(mesh.Numbers, want) {
		t.Fatalf("numbers %v, expected %v", mesh.Numbers, want)
	}
	_, plain := geometry.FromMesh(mesh)
	if err := Numbered("x.stl", mesh, plain); err == nil || !strings.Contains(err.Error(), "faces 3 and 6 both pass") {
		t.Errorf("%v, expected faces 3 and 6; geometry says %v", err, plain)
	}
	// Welded again, with one face fewer.
	mesh.Faces[0] = []int{0, 0, 1}
	if again, _ := Weld(mesh, 0); !slices.Equal(again.Numbers, []int{2, 4, 5}) {
		t.Errorf("numbers %v after welding again", again.Numbers)
	}
}

func TestNumberedText(t *testing.T) {
	for _, c := range []struct{ file, from, want string }{
		{"m.obj", "vertex 3 lies 0.5 inside", "vertex 4 lies 0.5 inside"},
		{"m.obj", "edge from vertex 9 to 10 is in 3 faces, among them 7, expected 2", "edge from vertex 10 to 11 is in 3 faces, among them 8, expected 2"},
		{"m.OBJ", "faces 0 and 2 both pass the edge from vertex 4 to 5", "faces 1 and 3 both pass the edge from vertex 5 to 6"},
		{"m.obj", "the plane through vertices 0, 1 and 2, expected more than 0.1", "the plane through vertices 1, 2 and 3, expected more than 0.1"},
		{"m.obj", "vertex 5 has 3 faces of which only 2 hang together", "vertex 6 has 3 faces of which only 2 hang together"},
		{"m.obj", "face 99999999999999999999 bends", "face 99999999999999999999 bends"},
		{"m.off", "vertex 3 of face 1", "vertex 3 of face 1"},
		{"m.stl", "edge from vertex 3 to 4 is in face 0 only", "edge from vertex 3 to 4 is in face 1 only"},
		{"box", "vertex 3", "vertex 3"},
	} {
		if got := NumberedAs(c.file, errors.New(c.from)).Error(); got != c.want {
			t.Errorf("%s: %q became %q, want %q", c.file, c.from, got, c.want)
		}
	}
}
