package tri

import "github.com/scree-dem/scree/vec"

// cutter divides polygons into triangles. It cuts ears off the polygon's projection along the axis
// in which the area vector is largest, by exact predicates. At each step it removes the first ear
// in the order of the corners. A planar polygon is covered once, even if it is not convex. For a
// polygon that bends, the triangles define the surface. If the projection intersects itself and no
// ear is left, cutter cuts the remaining polygon as a fan from its first corner. The border of the
// surface is the same.
//
// A dent is a corner that turns right or is straight. An ear is a corner that turns left and whose
// triangle contains no other corner. If a triangle of a simple polygon contains corners, the corner
// nearest to its tip is a dent. So only dents must be compared, with a grid. Each column has a row
// for each corner of the current polygon.
type cutter struct {
	loop       []uint32  // vertices
	u, v       []float64 // projections
	next, prev []int     // of each remaining corner: its neighbours; next is -1 for a removed corner
	first      int       // the first remaining corner
	convex     bool      // the projection is convex; corners may be straight

	dent      []bool   // of each corner: whether it is a dent
	bent      []int    // corners that were dents at first
	grid      dents    // the cells of bent
	later     []int    // corners that became dents later
	resume    [][2]int // of each corner: the row and position where empty continues; see empty
	blocker   []int    // of each corner: a dent in its triangle, or -1
	blocked   []int    // of each dent: the last of its chain of links, or -1
	links     [][2]int // a corner that a dent once blocked, and the previous link of the chain
	try       []bool   // corners that may be ears: those in ears
	ears      queue
	straights queue // corners that were straight at some time
	compared  int   // compared dents and triangles, over all polygons

	out    [][3]uint32 // triangles so far
	folded int         // number of polygons that were cut as a fan
}

// add appends the triangles of a polygon without repeated neighbours. Cost: the number of corners
// if the projection is convex. Otherwise each triangle costs the rows of cells that it meets, about
// the square root of the number of dents, and the dents in these cells. In the worst case these are
// all dents, at most three times.
func (c *cutter) add(verts []vec.Vec3, loop []uint32) {
	if len(loop) == 3 {
		c.emit(loop[0], loop[1], loop[2])
		return
	}
	c.project(verts, loop)
	c.link()
	if !c.convex && len(c.bent) == 0 { // The projection winds around several times.
		c.fan()
		return
	}
	if !c.convex {
		c.grid.set(c.u, c.v, c.bent)
	}
	for left := len(loop); left > 3; left-- {
		k := c.ear()
		if k < 0 {
			k = c.straight()
		}
		if k < 0 {
			c.fan()
			return
		}
		c.cutOff(k)
	}
	k := c.next[c.first]
	c.emit(loop[c.first], loop[k], loop[c.next[k]])
}

// emit appends a triangle. It skips a triangle with two equal vertices, whose edges cancel.
func (c *cutter) emit(i, j, k uint32) {
	if i != j && j != k && k != i {
		c.out = append(c.out, [3]uint32{i, j, k})
	}
}

// fan cuts the remaining polygon as a fan from its first corner.
func (c *cutter) fan() {
	c.folded++
	for k := c.next[c.first]; c.next[k] != c.first; k = c.next[k] {
		c.emit(c.loop[c.first], c.loop[k], c.loop[c.next[k]])
	}
}

// project stores the corners and their projections, in which the polygon runs counter-clockwise.
func (c *cutter) project(verts []vec.Vec3, loop []uint32) {
	c.loop, c.u, c.v = loop, c.u[:0], c.v[:0]
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

// link joins the corners to a ring and finds the dents. The projection is convex if no corner turns
// right, no corner has its neighbour's place, and the ring has one least corner, by u and then by
// v.
func (c *cutter) link() {
	n := len(c.loop)
	c.next, c.prev, c.resume, c.blocker = c.next[:0], c.prev[:0], c.resume[:0], c.blocker[:0]
	c.dent, c.try, c.bent, c.later = c.dent[:0], c.try[:0], c.bent[:0], c.later[:0]
	c.ears, c.straights, c.blocked, c.links = c.ears[:0], c.straights[:0], c.blocked[:0], c.links[:0]
	c.first = 0
	least := 0
	c.convex = true
	for k := range n {
		a, b := (k+n-1)%n, (k+1)%n
		turn := c.turn(a, k, b)
		if turn <= 0 {
			c.bent = append(c.bent, k)
		} else {
			c.ears = append(c.ears, k) // ascending, so it is a heap
		}
		if turn == 0 {
			c.straights = append(c.straights, k)
		}
		if turn < 0 || c.same(a, k) {
			c.convex = false
		}
		if c.before(k, a) && c.before(k, b) {
			least++
		}
		c.next, c.prev, c.resume, c.blocker = append(c.next, b), append(c.prev, a), append(c.resume, [2]int{}), append(c.blocker, -1)
		c.dent, c.try, c.blocked = append(c.dent, turn <= 0), append(c.try, turn > 0), append(c.blocked, -1)
	}
	c.convex = c.convex && least == 1
}

func (c *cutter) before(i, j int) bool { return c.u[i] < c.u[j] || c.u[i] == c.u[j] && c.v[i] < c.v[j] }

// ear returns the first corner that is an ear, or -1. A corner whose triangle contains a dent is
// tried again only if a neighbour is removed, or the dent is no longer one.
func (c *cutter) ear() int {
	for len(c.ears) > 0 {
		k := c.ears.pop()
		if !c.try[k] {
			continue // It was removed.
		}
		c.try[k] = false
		if !c.dent[k] && c.empty(k) {
			return k
		}
	}
	return -1
}

// straight returns the first corner on the straight line through its neighbours, or -1.
func (c *cutter) straight() int {
	for len(c.straights) > 0 {
		k := c.straights[0]
		if c.next[k] >= 0 && c.dent[k] && c.turn(c.prev[k], k, c.next[k]) == 0 {
			return k
		}
		c.straights.pop()
	}
	return -1
}

// empty reports whether the closed triangle of a corner and its neighbours contains no dent. Dents
// at the place of one of the three do not count. If a call finds a dent, the next call for the same
// corner continues at that dent: c.resume has the row of the grid (or the end of the rows for
// c.later) and the position.
func (c *cutter) empty(k int) bool {
	c.blocker[k] = -1
	a, b := c.prev[k], c.next[k]
	if c.convex {
		// If any corner lies in the triangle, all other corners lie on its side from b to a.
		c.compared++
		return c.next[b] == a || c.turn(b, c.next[b], a) != 0
	}
	p := [3]float64{c.grid.in(0, c.u[a]), c.grid.in(0, c.u[k]), c.grid.in(0, c.u[b])}
	q := [3]float64{c.grid.in(1, c.v[a]), c.grid.in(1, c.v[k]), c.grid.in(1, c.v[b])}
	low, high := c.grid.rowsOf(&q)
	rows := high - low + 1
	for at := &c.resume[k]; ; *at = [2]int{at[0] + 1, 0} {
		dents := c.later
		if at[0] < rows {
			dents = c.grid.span(low+at[0], &p, &q)
		}
		for ; at[1] < len(dents); at[1]++ {
			if d := dents[at[1]]; c.holds(a, k, b, d) {
				c.block(k, d)
				return false
			}
		}
		if at[0] == rows {
			return true
		}
	}
}

// holds reports whether the closed triangle of corners a, k, b contains dent d.
func (c *cutter) holds(a, k, b, d int) bool {
	c.compared++
	u, v := c.u[d], c.v[d]
	switch {
	case !c.dent[d], u < min(c.u[a], c.u[k], c.u[b]), u > max(c.u[a], c.u[k], c.u[b]), v < min(c.v[a], c.v[k], c.v[b]), v > max(c.v[a], c.v[k], c.v[b]):
		return false
	case c.same(d, a) || c.same(d, k) || c.same(d, b):
		return false
	}
	return c.turn(a, k, d) >= 0 && c.turn(k, b, d) >= 0 && c.turn(b, a, d) >= 0
}

// block records that dent d lies in the triangle of corner k.
func (c *cutter) block(k, d int) {
	c.blocker[k] = d
	c.links = append(c.links, [2]int{k, c.blocked[d]})
	c.blocked[d] = len(c.links) - 1
}

// cutOff removes a corner and emits its triangle.
func (c *cutter) cutOff(k int) {
	a, b := c.prev[k], c.next[k]
	c.emit(c.loop[a], c.loop[k], c.loop[b])
	c.next[a], c.prev[b], c.next[k], c.try[k] = b, a, -1, false
	if k == c.first {
		c.first = b
	}
	c.setDent(k, false)
	for _, i := range [2]int{a, b} {
		turn := c.turn(c.prev[i], i, c.next[i])
		c.setDent(i, turn <= 0)
		if turn == 0 {
			c.straights.push(i)
		}
		c.resume[i], c.blocker[i] = [2]int{}, -1
		c.tryAgain(i)
	}
}

// setDent records whether a corner is a dent. If it is no longer a dent, the corners that it
// blocked are tried again.
func (c *cutter) setDent(i int, dent bool) {
	was := c.dent[i]
	c.dent[i] = dent
	switch {
	case dent && !was:
		c.later = append(c.later, i)
	case was && !dent:
		for at := c.blocked[i]; at >= 0; at = c.links[at][1] {
			if k := c.links[at][0]; c.blocker[k] == i && c.next[k] >= 0 {
				c.tryAgain(k)
			}
		}
		c.blocked[i] = -1
	}
}

func (c *cutter) tryAgain(k int) {
	if !c.try[k] {
		c.try[k] = true
		c.ears.push(k)
	}
}

func (c *cutter) same(i, j int) bool { return c.u[i] == c.u[j] && c.v[i] == c.v[j] }

func (c *cutter) turn(i, j, k int) int {
	return vec.Orient2D(c.u[i], c.v[i], c.u[j], c.v[j], c.u[k], c.v[k])
}
