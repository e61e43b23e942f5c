package geometry

import "github.com/scree-dem/scree/vec"

// Mesh is what a file of triangles or polygons holds: an indexed set of polygons, with no promise
// that they are closed, planar, convex or even there. FromMesh makes a Polyhedron of it or says why
// not.
type Mesh struct {
	Name  string     // for messages
	Verts []vec.Vec3 // m, frame of the file
	Faces [][]int    // indices into Verts, counter-clockwise seen from outside; not closed by repetition
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
