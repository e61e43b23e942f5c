package geometry

import (
	"fmt"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// Mesh is the content of a file of triangles or polygons: an indexed set of polygons. The polygons
// need not be closed, planar or convex, and there may be none. FromMesh turns a Mesh into a
// Polyhedron or returns an error that explains why it cannot.
type Mesh struct {
	Name  string     // for messages
	Verts []vec.Vec3 // m, frame of the file
	Faces [][]int    // indices into Verts, counter-clockwise seen from outside; the first index is not repeated

	// Numbers has the number of each face in the file, from 0, if some faces of the file are not in Faces. It is nil if
	// face i is that of the file. It serves messages.
	Numbers []int
}

// check is Used for a mesh that must have faces. The message names the mesh.
func (m *Mesh) check() (used []bool, err error) {
	switch {
	case m == nil:
		return nil, mark.Errorf(ErrEmpty, "geometry: the mesh is nil, expected vertices and faces")
	case len(m.Verts) == 0 || len(m.Faces) == 0:
		return nil, mark.Errorf(ErrEmpty, "geometry: mesh %q: %d vertices and %d faces, expected one or more of either", m.Name, len(m.Verts), len(m.Faces))
	}
	if used, _, err = m.Used(); err != nil {
		return nil, fmt.Errorf("geometry: mesh %q: %w", m.Name, err)
	}
	return used, nil
}

// Used reports for each vertex whether a face uses it, and returns how many corners the faces have.
// Errors wrap ErrTruncated: a face has fewer than three corners, or a corner that is no vertex. The
// message names the face, not the mesh.
func (m *Mesh) Used() (used []bool, corners int, err error) {
	used = make([]bool, len(m.Verts))
	for f, face := range m.Faces {
		if len(face) < 3 {
			return nil, 0, mark.Errorf(ErrTruncated, "face %d has %d vertices, expected 3 or more", f, len(face))
		}
		for _, k := range face {
			if k < 0 || k >= len(m.Verts) {
				return nil, 0, mark.Errorf(ErrTruncated, "face %d names vertex %d, expected 0 to %d", f, k, len(m.Verts)-1)
			}
			used[k] = true
		}
		corners += len(face)
	}
	return used, corners, nil
}

// Box returns the axis-aligned box of all vertices of the mesh, used or not.
func (m *Mesh) Box() vec.Box { return vec.BoxAround(m.Verts) }
