// Package tri stores surfaces of triangles in the form that the methods of package inside read.
package tri

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/vec"
)

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

// Nodes returns the vertices that triangles use, in the order of Verts. It returns Verts if all are used.
func (s *Surface) Nodes() []vec.Vec3 {
	used := make([]bool, len(s.Verts))
	for _, k := range s.Tris {
		used[k[0]], used[k[1]], used[k[2]] = true, true, true
	}
	if !slices.Contains(used, false) {
		return s.Verts
	}
	var nodes []vec.Vec3
	for k, v := range s.Verts {
		if used[k] {
			nodes = append(nodes, v)
		}
	}
	return nodes
}

// Rescaled returns s and 0 if products of six lengths of a size neither overflow nor vanish. Otherwise
// it returns a copy of s times 2^-exp, whose size is about 1. size is the longest side of the box of s.
// Scaling by a power of two is exact, except for coordinates below 2^-1022 of the size.
func (s *Surface) Rescaled(size float64) (scaled *Surface, exp int) {
	if _, exp = math.Frexp(size); exp >= -rescaledFrom && exp <= rescaledFrom {
		return s, 0
	}
	scaled = &Surface{Verts: make([]vec.Vec3, len(s.Verts)), Tris: s.Tris}
	for k, v := range s.Verts {
		scaled.Verts[k] = v.Ldexp(-exp)
	}
	return scaled, exp
}

// rescaledFrom is the exponent of a size beyond which sixth powers leave the range of float64.
const rescaledFrom = 128

// extend enlarges a box to contain a vertex. Most vertices are inside already, so the branch is
// well predicted.
func extend(box *vec.Box, v *vec.Vec3) {
	lo, hi := &box.Min, &box.Max
	if v.X < lo.X || v.X > hi.X || v.Y < lo.Y || v.Y > hi.Y || v.Z < lo.Z || v.Z > hi.Z {
		*box = box.With(*v)
	}
}
