package tri

import (
	"github.com/scree-dem/scree/geometry/internal/earcut"
	"github.com/scree-dem/scree/vec"
)

// cutter divides polygons into triangles. It cuts ears off the polygon's projection along the axis
// in which the area vector is largest. A planar polygon is covered once, even if it is not convex. For a
// polygon that bends, the triangles define the surface. If the projection intersects itself, the border
// of the surface is the same.
type cutter struct {
	u, v []float64 // projections of the corners
	ears earcut.EarCutter

	out    [][3]uint32 // triangles so far
	folded int         // number of polygons that were cut as a fan
}

// add appends the triangles of a polygon without repeated neighbours. It skips triangles with two equal
// vertices, whose edges cancel. For the cost, see earcut.EarCutter.Cut.
func (c *cutter) add(verts []vec.Vec3, loop []uint32) {
	triangles, folded := [][3]int{{0, 1, 2}}, false
	if len(loop) > 3 {
		c.project(verts, loop)
		triangles, folded = c.ears.Cut(c.u, c.v)
	}
	for _, t := range triangles {
		if i, j, k := loop[t[0]], loop[t[1]], loop[t[2]]; i != j && j != k && k != i {
			c.out = append(c.out, [3]uint32{i, j, k})
		}
	}
	if folded {
		c.folded++
	}
}

// project stores the projections of the corners, in which the polygon runs counter-clockwise.
func (c *cutter) project(verts []vec.Vec3, loop []uint32) {
	c.u, c.v = c.u[:0], c.v[:0]
	var area vec.Vec3
	first := verts[loop[0]]
	longest, scale := 0.0, 1.0
	for _, k := range loop {
		longest = max(longest, verts[k].Sub(first).MaxAbs())
	}
	if longest < 0x1p-400 {
		scale = 0x1p600 // products of tiny sides would vanish
	}
	for k := 2; k < len(loop); k++ {
		area = area.Add(verts[loop[k-1]].Sub(first).Scale(scale).Cross(verts[loop[k]].Sub(first).Scale(scale)))
	}
	a := area.Abs()
	for _, k := range loop {
		p := verts[k]
		var u, v, n float64
		switch {
		case a.X >= a.Y && a.X >= a.Z:
			u, v, n = p.Y, p.Z, area.X
		case a.Y >= a.Z:
			u, v, n = p.Z, p.X, area.Y
		default:
			u, v, n = p.X, p.Y, area.Z
		}
		if n < 0 {
			u, v = v, u
		}
		c.u, c.v = append(c.u, u), append(c.v, v)
	}
}
