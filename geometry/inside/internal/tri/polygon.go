package tri

import (
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// maxCorners is how many corners a polygon with dents may have. Its cost is their square: about
// half a second at this size.
const maxCorners = 10_000

// cutter divides polygons into triangles. It cuts off ears of the polygon's projection along the
// axis in which the area vector is largest, by exact predicates. At each step it takes the first
// corner, in file order, that is an ear. A planar polygon is covered once, also one with dents.
// Of a polygon that bends, these triangles are the surface. Where the projection cuts itself and
// no ear is left, the rest is cut from its first corner as a fan: the border of the surface is
// the same.
//
// An ear turns left, and its triangle holds no other corner. If a triangle of a polygon that does
// not cut itself holds corners, the one nearest to its tip does not turn left. So only such
// corners, the dents, are looked at. Columns have a row for each corner of the polygon in hand.
type cutter struct {
	loop       []uint32  // vertices
	u, v       []float64 // projections
	next, prev []int     // of what is left; next is -1 for a corner that was cut off
	first      int       // the first corner that is left
	convex     bool      // the projection is convex; corners may be straight

	dent    []bool // whether the corner turns right or is straight
	dents   []int  // corners that were dents at some time
	looked  []int  // how many of dents are known not to lie in the corner's triangle
	blocker []int  // a dent in the corner's triangle, or -1
	try     []bool // corners that may be ears; none lies before low
	low     int
	looks   int // dents that were compared with a triangle, over all polygons

	out    [][3]uint32 // triangles so far
	folded int         // polygons that ended as a fan
}

// add appends the triangles of a polygon without repeated neighbours. Cost: the number of corners
// where the projection is convex, else corners times dents, at most three times. Errors wrap
// geometry.ErrTooLarge.
func (c *cutter) add(verts []vec.Vec3, loop []uint32) error {
	if len(loop) == 3 {
		c.emit(loop[0], loop[1], loop[2])
		return nil
	}
	c.project(verts, loop)
	c.link()
	if !c.convex && len(c.dents) == 0 { // The projection winds around several times.
		c.fan()
		return nil
	}
	if n := len(loop); !c.convex && n > maxCorners {
		return mark.Errorf(geometry.ErrTooLarge, "is not convex and has %d corners, expected at most %d: cut it into smaller ones", n, maxCorners)
	}
	for left := len(loop); left > 3; left-- {
		k := c.ear()
		if k < 0 {
			k = c.straight()
		}
		if k < 0 {
			c.fan()
			return nil
		}
		c.cutOff(k)
	}
	k := c.next[c.first]
	c.emit(loop[c.first], loop[k], loop[c.next[k]])
	return nil
}

// emit appends a triangle, unless two corners are one vertex: then its edges cancel.
func (c *cutter) emit(i, j, k uint32) {
	if i != j && j != k && k != i {
		c.out = append(c.out, [3]uint32{i, j, k})
	}
}

// fan cuts what is left from its first corner.
func (c *cutter) fan() {
	c.folded++
	for k := c.next[c.first]; c.next[k] != c.first; k = c.next[k] {
		c.emit(c.loop[c.first], c.loop[k], c.loop[c.next[k]])
	}
}

// project sets the corners and their projections, such that the polygon turns counter-clockwise.
func (c *cutter) project(verts []vec.Vec3, loop []uint32) {
	c.loop, c.u, c.v = loop, c.u[:0], c.v[:0]
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

// link joins the corners to a ring and finds the dents. The projection is convex if no corner turns
// right, none has its neighbour's place, and the ring rises and falls once: it has one least corner,
// by u and then by v.
func (c *cutter) link() {
	n := len(c.loop)
	c.next, c.prev, c.looked, c.blocker = c.next[:0], c.prev[:0], c.looked[:0], c.blocker[:0]
	c.dent, c.try, c.dents = c.dent[:0], c.try[:0], c.dents[:0]
	c.first, c.low = 0, 0
	least := 0
	c.convex = true
	for k := range n {
		a, b := (k+n-1)%n, (k+1)%n
		turn := c.turn(a, k, b)
		if turn <= 0 {
			c.dents = append(c.dents, k)
		}
		if turn < 0 || c.same(a, k) {
			c.convex = false
		}
		if c.before(k, a) && c.before(k, b) {
			least++
		}
		c.next, c.prev, c.looked, c.blocker = append(c.next, b), append(c.prev, a), append(c.looked, 0), append(c.blocker, -1)
		c.dent, c.try = append(c.dent, turn <= 0), append(c.try, true)
	}
	c.convex = c.convex && least == 1
}

func (c *cutter) before(i, j int) bool { return c.u[i] < c.u[j] || c.u[i] == c.u[j] && c.v[i] < c.v[j] }

// ear returns the first corner that is an ear, or -1. A corner whose triangle holds a dent is not
// tried again before a neighbour is cut off, or the dent is one no more.
func (c *cutter) ear() int {
	for ; c.low < len(c.try); c.low++ {
		k := c.low
		if !c.try[k] {
			continue
		}
		if !c.dent[k] && c.empty(k) {
			return k
		}
		c.try[k] = false
	}
	return -1
}

// straight returns the first corner on the straight line through its neighbours, or -1.
func (c *cutter) straight() int {
	for k := c.first; ; {
		if c.dent[k] && c.turn(c.prev[k], k, c.next[k]) == 0 {
			return k
		}
		if k = c.next[k]; k == c.first {
			return -1
		}
	}
}

// empty says whether no dent lies in the closed triangle of a corner and its neighbours. A dent at
// the place of one of the three does not count. It goes on behind the dents that were looked at.
func (c *cutter) empty(k int) bool {
	c.blocker[k] = -1
	a, b := c.prev[k], c.next[k]
	if c.convex {
		// If any corner lies in the triangle, then all others lie on its side from b to a.
		c.looks++
		return c.next[b] == a || c.turn(b, c.next[b], a) != 0
	}
	lowU, highU := min(c.u[a], c.u[k], c.u[b]), max(c.u[a], c.u[k], c.u[b])
	lowV, highV := min(c.v[a], c.v[k], c.v[b]), max(c.v[a], c.v[k], c.v[b])
	for ; c.looked[k] < len(c.dents); c.looked[k]++ {
		c.looks++
		d := c.dents[c.looked[k]]
		switch {
		case !c.dent[d], c.u[d] < lowU, c.u[d] > highU, c.v[d] < lowV, c.v[d] > highV:
		case c.same(d, a) || c.same(d, k) || c.same(d, b):
		case c.turn(a, k, d) >= 0 && c.turn(k, b, d) >= 0 && c.turn(b, a, d) >= 0:
			c.blocker[k] = d
			return false
		}
	}
	return true
}

// cutOff takes a corner off with its triangle.
func (c *cutter) cutOff(k int) {
	a, b := c.prev[k], c.next[k]
	c.emit(c.loop[a], c.loop[k], c.loop[b])
	c.next[a], c.prev[b], c.next[k], c.try[k] = b, a, -1, false
	if k == c.first {
		c.first = b
	}
	c.setDent(k, false)
	for _, i := range [2]int{a, b} {
		c.setDent(i, c.turn(c.prev[i], i, c.next[i]) <= 0)
		c.looked[i], c.blocker[i] = 0, -1
		c.tryAgain(i)
	}
}

// setDent notes whether a corner is a dent. If it is one no more, corners that it blocked are tried
// again.
func (c *cutter) setDent(i int, dent bool) {
	was := c.dent[i]
	c.dent[i] = dent
	switch {
	case dent && !was:
		c.dents = append(c.dents, i)
	case was && !dent && !c.convex:
		for k, by := range c.blocker {
			if by == i && c.next[k] >= 0 {
				c.tryAgain(k)
			}
		}
	}
}

func (c *cutter) tryAgain(k int) {
	c.try[k] = true
	c.low = min(c.low, k)
}

func (c *cutter) same(i, j int) bool { return c.u[i] == c.u[j] && c.v[i] == c.v[j] }

func (c *cutter) turn(i, j, k int) int {
	return vec.Orient2D(c.u[i], c.v[i], c.u[j], c.v[j], c.u[k], c.v[k])
}
