package geometry

import (
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// Mesh is what a file of triangles or polygons holds: an indexed set of polygons, with no promise
// that they are closed, planar, convex or even there. FromMesh makes a Polyhedron of it or says why
// not.
type Mesh struct {
	Name  string     // for messages
	Verts []vec.Vec3 // m, frame of the file
	Faces [][]int    // indices into Verts, counter-clockwise seen from outside; not closed by repetition
}

// Used says which vertices faces use, and how many corners the faces have. Errors wrap ErrTruncated
// and name the face, not the mesh: it has fewer than three corners, or one that is no vertex.
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

// Box returns the axis-aligned box of the mesh's vertices, used or not.
func (m *Mesh) Box() vec.Box { return boxOf(m.Verts) }

func boxOf(points []vec.Vec3) vec.Box {
	b := vec.EmptyBox()
	for _, p := range points {
		b = b.With(p)
	}
	return b
}
