// Package earcut divides polygons of a plane into triangles. It decides by exact predicates.
package earcut

import "github.com/scree-dem/scree/vec"

// EarCutter cuts ears off polygons, one polygon after the other. Its zero value removes at each step the
// first ear in the order of the corners. A simple polygon is covered once, even if it is not convex. If a
// polygon intersects itself and no ear is left, EarCutter cuts the remaining polygon as a fan from its first
// corner. The border of the triangles is the same.
//
// A dent is a corner that turns right or is straight. An ear is a corner that turns left and whose
// triangle with its two neighbours contains no other corner, not even on its sides. Every simple polygon
// of more than three corners has two ears (Meisters 1975), however many of its corners are straight. If a
// triangle of a simple polygon contains corners, the corner nearest to its tip is a dent. So only dents
// must be compared, with a grid. Each column has a row for each corner of the current polygon.
type EarCutter struct {
	// Wait, if not nil, tells the ears that wait until there is no other ear. k is the ear, a and b are
	// its neighbours. EarCutter then goes around the polygon: it examines all corners in their order, then
	// the neighbours of removed ears in the order of the removals.
	Wait func(a, k, b int) bool
	// Compared counts the compared dents and triangles, over all polygons.
	Compared int

	u, v       []float64
	next, prev []int // of each remaining corner: its neighbours; next is -1 for a removed corner
	first      int   // the first remaining corner; with Wait, one of the remaining
	convex     bool  // the polygon is convex; corners may be straight

	dent      []bool   // of each corner: whether it is a dent
	bent      []int    // corners that were dents at first
	grid      dents    // the cells of bent
	later     []int    // corners that became dents later
	resume    [][2]int // of each corner: the row and position where empty continues; see empty
	blocker   []int    // of each corner: a dent in its triangle, or -1
	blocked   []int    // of each dent: the last of its chain of links, or -1
	links     [][2]int // a corner that a dent once blocked, and the previous link of the chain
	try       []bool   // corners that may be ears: those in ears
	ears      queue    // see push
	pushed    int64    // number of keys made with Wait
	straights queue    // corners that were straight at some time

	out [][3]int // triangles so far
}

// Cut returns triangles of corners that cover a polygon of three or more corners. u and v are the
// coordinates of the corners, in one unit, counter-clockwise. folded reports that the polygon intersects
// itself and was cut as a fan, at least in part. The next call overwrites the triangles.
//
// Cost: the number of corners if the polygon is convex. Otherwise each triangle costs the rows of cells
// that it meets, about the square root of the number of dents, and the dents in these cells. In the worst
// case these are all dents, at most three times.
func (c *EarCutter) Cut(u, v []float64) (triangles [][3]int, folded bool) {
	c.u, c.v, c.out = u, v, c.out[:0]
	c.link()
	if !c.convex && len(c.bent) == 0 { // The polygon winds around several times.
		return c.fan(), true
	}
	if !c.convex {
		c.grid.set(u, v, c.bent)
	}
	for left := len(u); left > 3; left-- {
		k := c.ear()
		if k < 0 {
			k = c.straight()
		}
		if k < 0 {
			return c.fan(), true
		}
		c.cutOff(k)
	}
	return c.fan(), false
}

// fan cuts the remaining polygon as a fan from its first corner, and returns all triangles.
func (c *EarCutter) fan() [][3]int {
	for k := c.next[c.first]; c.next[k] != c.first; k = c.next[k] {
		c.out = append(c.out, [3]int{c.first, k, c.next[k]})
	}
	return c.out
}

// link joins the corners to a ring and finds the dents. The polygon is convex if no corner turns
// right, no corner has its neighbour's place, and the ring has one least corner, by u and then by
// v.
func (c *EarCutter) link() {
	n := len(c.u)
	c.next, c.prev, c.resume, c.blocker = c.next[:0], c.prev[:0], c.resume[:0], c.blocker[:0]
	c.dent, c.try, c.bent, c.later = c.dent[:0], c.try[:0], c.bent[:0], c.later[:0]
	c.ears, c.straights, c.blocked, c.links = c.ears[:0], c.straights[:0], c.blocked[:0], c.links[:0]
	c.first, c.pushed = 0, 0
	least := 0
	c.convex = true
	for k := range n {
		a, b := (k+n-1)%n, (k+1)%n
		turn := c.turn(a, k, b)
		if turn <= 0 {
			c.bent = append(c.bent, k)
		}
		try := turn > 0 || c.Wait != nil
		if try {
			c.push(k, 0) // ascending, so the queue is a heap
		}
		if turn == 0 {
			c.straights = append(c.straights, int64(k))
		}
		if turn < 0 || c.same(a, k) {
			c.convex = false
		}
		if c.before(k, a) && c.before(k, b) {
			least++
		}
		c.next, c.prev, c.resume, c.blocker = append(c.next, b), append(c.prev, a), append(c.resume, [2]int{}), append(c.blocker, -1)
		c.dent, c.try, c.blocked = append(c.dent, turn <= 0), append(c.try, try), append(c.blocked, -1)
	}
	c.convex = c.convex && least == 1
}

func (c *EarCutter) before(i, j int) bool {
	return c.u[i] < c.u[j] || c.u[i] == c.u[j] && c.v[i] < c.v[j]
}

// late is a bit of the keys of ears that wait, above all other bits.
const late = 1 << 62

// push adds a corner to the queue of ears. Its key is the corner; with Wait, the sum of the rank (0 or
// late), the number of the push, and the corner in the low 32 bits.
func (c *EarCutter) push(k int, rank int64) {
	key := int64(k)
	if c.Wait != nil {
		c.pushed++
		key += rank + c.pushed<<32
	}
	c.ears.push(key)
}

// ear returns the ear that is removed next, or -1. A corner whose triangle contains a dent is tried again
// only if a neighbour is removed, or the dent is no longer one.
func (c *EarCutter) ear() int {
	for len(c.ears) > 0 {
		key := c.ears.pop()
		k := int(key & (1<<32 - 1))
		if !c.try[k] {
			continue // It was removed, or tried already.
		}
		c.try[k] = false
		switch {
		case c.dent[k] || !c.empty(k):
		case c.Wait != nil && key < late && c.Wait(c.prev[k], k, c.next[k]):
			c.try[k] = true
			c.push(k, late)
		default:
			return k
		}
	}
	return -1
}

// straight returns the first corner on the straight line through its neighbours, or -1.
func (c *EarCutter) straight() int {
	for len(c.straights) > 0 {
		k := int(c.straights[0])
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
func (c *EarCutter) empty(k int) bool {
	c.blocker[k] = -1
	a, b := c.prev[k], c.next[k]
	if c.convex {
		// If any corner lies in the triangle, all other corners lie on its side from b to a.
		c.Compared++
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
func (c *EarCutter) holds(a, k, b, d int) bool {
	c.Compared++
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
func (c *EarCutter) block(k, d int) {
	c.blocker[k] = d
	c.links = append(c.links, [2]int{k, c.blocked[d]})
	c.blocked[d] = len(c.links) - 1
}

// cutOff removes a corner and emits its triangle.
func (c *EarCutter) cutOff(k int) {
	a, b := c.prev[k], c.next[k]
	c.out = append(c.out, [3]int{a, k, b})
	c.next[a], c.prev[b], c.next[k], c.try[k] = b, a, -1, false
	if c.Wait != nil {
		c.first = c.prev[a]
	} else if k == c.first {
		c.first = b
	}
	c.blocker[a], c.blocker[b] = -1, -1
	c.setDent(k, false)
	for _, i := range [2]int{a, b} {
		turn := c.turn(c.prev[i], i, c.next[i])
		c.setDent(i, turn <= 0)
		if turn == 0 {
			c.straights.push(int64(i))
		}
		c.resume[i] = [2]int{}
		c.tryAgain(i)
	}
}

// setDent records whether a corner is a dent. If it is no longer a dent, the corners that it
// blocked are tried again.
func (c *EarCutter) setDent(i int, dent bool) {
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

func (c *EarCutter) tryAgain(k int) {
	if !c.try[k] || c.Wait != nil {
		c.try[k] = true
		c.push(k, 0)
	}
}

func (c *EarCutter) same(i, j int) bool { return c.u[i] == c.u[j] && c.v[i] == c.v[j] }

func (c *EarCutter) turn(i, j, k int) int {
	return vec.Orient2D(c.u[i], c.v[i], c.u[j], c.v[j], c.u[k], c.v[k])
}
