// Package tri holds surfaces of triangles as the methods of package inside read them.
package tri

import "github.com/scree-dem/scree/vec"

// Surface is a surface of triangles. It says nothing of being closed or oriented: package inside
// checks that before a method sees it.
type Surface struct {
	Verts []vec.Vec3  // m, frame of the mesh; finite
	Tris  [][3]uint32 // rows of Verts, counter-clockwise seen from outside

	box *vec.Box // of the triangles, where it is known
}

// Corners returns the corners of triangle t, counter-clockwise seen from outside.
func (s *Surface) Corners(t int) (a, b, c vec.Vec3) {
	k := &s.Tris[t]
	return s.Verts[k[0]], s.Verts[k[1]], s.Verts[k[2]]
}

// Box returns the axis-aligned box of the triangles; it is empty if there are none. Vertices of no
// triangle do not count.
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

// extend makes a box hold a vertex. Nearly no vertex changes anything, which the processor learns.
func extend(box *vec.Box, v *vec.Vec3) {
	lo, hi := &box.Min, &box.Max
	if v.X < lo.X || v.X > hi.X || v.Y < lo.Y || v.Y > hi.Y || v.Z < lo.Z || v.Z > hi.Z {
		*box = box.With(*v)
	}
}
