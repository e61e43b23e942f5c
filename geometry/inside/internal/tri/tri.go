// Package tri stores surfaces of triangles in the form that the methods of package inside read.
package tri

import "github.com/scree-dem/scree/vec"

// Surface is a surface of triangles. It need not be closed or oriented; package inside checks that
// before it calls a method.
type Surface struct {
	Verts []vec.Vec3  // m, frame of the mesh; finite
	Tris  [][3]uint32 // indices in Verts, counter-clockwise seen from outside

	box *vec.Box // of the triangles; nil if not yet computed
}

// Corners returns the corners of triangle t, counter-clockwise seen from outside.
func (s *Surface) Corners(t int) (a, b, c vec.Vec3) {
	k := &s.Tris[t]
	return s.Verts[k[0]], s.Verts[k[1]], s.Verts[k[2]]
}

// Box returns the axis-aligned box of the triangles. It is empty if there are none. Vertices that
// no triangle uses are ignored.
func (s *Surface) Box() vec.Box {
	if s.box != nil {
		return *s.box
	}
	box := vec.EmptyBox()
	for t := range s.Tris {
		for _, k := range s.Tris[t] {
			extend(&box, &s.Verts[k])
		}
	}
	return box
}

// extend enlarges a box to contain a vertex. Most vertices are inside already, so the branch is
// well predicted.
func extend(box *vec.Box, v *vec.Vec3) {
	lo, hi := &box.Min, &box.Max
	if v.X < lo.X || v.X > hi.X || v.Y < lo.Y || v.Y > hi.Y || v.Z < lo.Z || v.Z > hi.Z {
		*box = box.With(*v)
	}
}
