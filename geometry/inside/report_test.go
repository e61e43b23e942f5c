package inside

import (
	"errors"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// TestPolygonsWithSpikes: edges of a face that cancel are no edges of the surface. The spikes lie
// on a side of the face, cross the face, leave it, go back over a side, or are a face of their own.
func TestPolygonsWithSpikes(t *testing.T) {
	for name, face := range map[string][]int{
		"side": {0, 2, 3, 1, 5, 1}, "across": {0, 2, 3, 1, 2, 1}, "outwards": {0, 8, 0, 2, 3, 1}, "two edges": {0, 8, 7, 8, 0, 2, 3, 1},
		"around": {1, 3, 7, 5, 7, 3, 7, 5},
	} {
		m := boxMesh(vec.Vec3{}, unit)
		m.Verts = append(m.Verts, vec.V(-1, -2, 0))
		f := 4
		if name == "around" {
			f = 1
		}
		m.Faces[f] = face
		m.Faces = append(m.Faces, []int{0, 3, 8, 3})
		s, err := New(m, Options{Method: Ray, Workers: 1})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if r := s.Report; r.Volume != 1 || r.Triangles != 12 || r.Area != 6 {
			t.Errorf("%s: %+v", name, r)
		}
		s.Close()
	}
}

// TestOpenEdges: a face too many is no hole.
func TestOpenEdges(t *testing.T) {
	twice, fin := boxMesh(vec.Vec3{}, unit), boxMesh(vec.Vec3{}, unit)
	twice.Faces = append(twice.Faces, twice.Faces[3])
	fin.Verts = append(fin.Verts, vec.V(3, 3, 3))
	fin.Faces = append(fin.Faces, []int{0, 1, 8})
	for name, c := range map[string]struct {
		mesh *geometry.Mesh
		want string
	}{
		"face twice": {twice, `: 4 edges of three faces or another odd number, first `},
		"fin":        {fin, `: 2 boundary edges of one face, first `},
	} {
		_, err := New(c.mesh, Options{Method: Ray, Workers: 1})
		if !errors.Is(err, geometry.ErrNotClosed) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", name, err, c.want)
		}
		fault := Fault(err)
		if text := fault.Error(); !errors.Is(fault, geometry.ErrNotClosed) || strings.Contains(text, "mesh") || strings.Contains(text, "winding") {
			t.Errorf("%s: %v, expected neither the mesh nor a method", name, fault)
		}
	}
}
