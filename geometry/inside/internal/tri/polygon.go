package tri

import "github.com/scree-dem/scree/vec"

// cutter divides polygons into triangles. It cuts off ears of the polygon's projection along the
// axis in which the area vector is largest, by exact predicates. At each step it takes the first
// corner, in file order, that is an ear. A planar polygon is covered once, also one with dents. Of a
// polygon that bends, these triangles are the surface. Where the projection cuts itself and no ear
// is left, the rest is cut from its first corner as a fan: the border of the surface is the same.
type cutter struct {
	left   []uint32    // corners not yet cut off
	u, v   []float64   // their projections
	out    [][3]uint32 // triangles so far
	folded int         // polygons that ended as a fan
}

// add appends the triangles of a polygon without repeated neighbours. Cost: up to the cube of the
// number of corners, for polygons whose corners nearly all are dents; the square for convex ones.
func (c *cutter) add(verts []vec.Vec3, loop []uint32) {
	if len(loop) == 3 {
		c.out = append(c.out, [3]uint32(loop))
		return
	}
	c.project(verts, loop)
	for n := len(c.left); n > 3; n-- {
		ear := c.ear()
		if ear < 0 {
			c.folded++
			for k := 2; k < n; k++ {
				c.out = append(c.out, [3]uint32{c.left[0], c.left[k-1], c.left[k]})
			}
			return
		}
		c.out = append(c.out, [3]uint32{c.left[(ear+n-1)%n], c.left[ear], c.left[(ear+1)%n]})
		c.left = append(c.left[:ear], c.left[ear+1:]...)
		c.u = append(c.u[:ear], c.u[ear+1:]...)
		c.v = append(c.v[:ear], c.v[ear+1:]...)
	}
	c.out = append(c.out, [3]uint32(c.left))
}

// project sets the corners and their projections, such that the polygon turns counter-clockwise.
func (c *cutter) project(verts []vec.Vec3, loop []uint32) {
	c.left, c.u, c.v = append(c.left[:0], loop...), c.u[:0], c.v[:0]
	var area vec.Vec3
	first := verts[loop[0]]
	for k := 2; k < len(loop); k++ {
		area = area.Add(verts[loop[k-1]].Sub(first).Cross(verts[loop[k]].Sub(first)))
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

// ear returns the first corner that turns left and whose triangle holds no other corner, or -1.
// A corner on the straight line between its neighbours is an ear if no other corner is left.
func (c *cutter) ear() int {
	n := len(c.left)
	for k := range n {
		a, b := (k+n-1)%n, (k+1)%n
		if c.turn(a, k, b) > 0 && c.empty(a, k, b) {
			return k
		}
	}
	for k := range n {
		a, b := (k+n-1)%n, (k+1)%n
		if c.turn(a, k, b) == 0 {
			return k
		}
	}
	return -1
}

// empty says whether no other corner lies in the closed triangle of corners a, k, b. A corner at the
// place of one of the three does not count.
func (c *cutter) empty(a, k, b int) bool {
	for i := range c.left {
		if i == a || i == k || i == b || c.same(i, a) || c.same(i, k) || c.same(i, b) {
			continue
		}
		if c.turn(a, k, i) >= 0 && c.turn(k, b, i) >= 0 && c.turn(b, a, i) >= 0 {
			return false
		}
	}
	return true
}

func (c *cutter) same(i, j int) bool { return c.u[i] == c.u[j] && c.v[i] == c.v[j] }

func (c *cutter) turn(i, j, k int) int {
	return vec.Orient2D(c.u[i], c.v[i], c.u[j], c.v[j], c.u[k], c.v[k])
}
