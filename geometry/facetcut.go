package geometry

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// maxCorners is how many corners a face may have that is not the fan about its first. Cutting a
// face of so many compares 10⁸ pairs at most, of its sides and of its corners: about half a
// second.
const maxCorners = 10_000

// faceCutter cuts the faces of a mesh into triangles, one face after the other. Columns have a row
// for each corner of the face in hand.
type faceCutter struct {
	verts      []vec.Vec3
	corners    []faceCorner
	triangles  [][3]int
	next, prev []int // of what is left of the face; next is -1 for a corner that was cut off
	dents      []int // corners that do not turn left
	sides      []faceSide
	looks      int // pairs of sides and of corners that were compared, over all faces
}

// faceCorner is a corner of a face as one sees it along an axis.
type faceCorner struct {
	x, y   float64
	vertex int // in verts
	number int // of the vertex, in the file
}

// faceSide is the side of a face from a corner to the next.
type faceSide struct {
	from, to int
	low, far float64 // least and largest x
}

// cut returns the triangles that a face covers; vertex is the vertex of each of its corners,
// number that in the file. They turn as the face does. They are the fan about the first corner
// where that is the face, as for all convex faces, else those of cutEars. The next face overwrites
// them.
//
// The face is seen along the axis nearest to its area vector. So its corners need not lie in one
// plane, and where they are seen is exact: two coordinates of the file.
//
// Errors wrap ErrFlat and ErrSelfIntersecting, and ErrTooLarge beyond maxCorners.
func (c *faceCutter) cut(vertex, number []int) ([][3]int, error) {
	c.triangles = c.triangles[:0]
	flat := true
	for j := 2; j < len(vertex); j++ {
		t := [3]int{vertex[0], vertex[j-1], vertex[j]}
		c.triangles = append(c.triangles, t)
		flat = flat && isFlat(c.verts, t)
	}
	if len(vertex) == 3 || flat {
		return c.triangles, nil
	}
	area, longest := hull.AreaVector(c.verts, vertex), 0.0
	for _, k := range vertex {
		longest = max(longest, c.verts[k].Sub(c.verts[vertex[0]]).Norm())
	}
	if !(area.Norm()/longest > longest*planeRel) {
		return nil, mark.Errorf(ErrFlat, "its corners are not in a row, but its area is 0: it folds over itself, or crosses itself, expected a polygon that does neither")
	}
	c.see(vertex, number, area)
	if c.isFan(float64(coplanarRel * longest)) {
		return c.triangles, nil
	}
	c.triangles = c.triangles[:0]
	// A corner where the one before is has no side of its own.
	at := func(p faceCorner) int { return p.vertex }
	c.corners = slices.CompactFunc(c.corners, func(p, q faceCorner) bool { return at(p) == at(q) })
	if n := len(c.corners); at(c.corners[0]) == at(c.corners[n-1]) {
		c.corners = c.corners[:n-1]
	}
	if n := len(c.corners); n > maxCorners {
		return nil, mark.Errorf(ErrTooLarge, "it is not convex and has %d corners, expected at most %d: cut it into smaller ones", n, maxCorners)
	}
	if err := c.checkSimple(); err != nil {
		return nil, err
	}
	return c.triangles, c.cutEars()
}

// isFlat is the measure of FacetPolygonTemplate.
func isFlat(verts []vec.Vec3, t [3]int) bool {
	longest := longestSide([]vec.Vec3{verts[t[0]], verts[t[1]], verts[t[2]]})
	return longest < minSize || !(hull.AreaVector(verts, t[:]).Norm()/longest > longest*planeRel)
}

// see fills corners, as they are seen from where the face turns left.
func (c *faceCutter) see(vertex, number []int, area vec.Vec3) {
	c.corners = c.corners[:0]
	for i, k := range vertex {
		v := c.verts[k]
		p, up := faceCorner{v.X, v.Y, k, number[i]}, area.Z
		switch m := area.MaxAbs(); {
		case math.Abs(area.Z) == m:
		case math.Abs(area.X) == m:
			p.x, p.y, up = v.Y, v.Z, area.X
		default:
			p.x, p.y, up = v.Z, v.X, area.Y
		}
		if up < 0 {
			p.x = -p.x
		}
		c.corners = append(c.corners, p)
	}
}

// isFan reports whether the fan about the first corner is the face: seen from there each corner is
// farther around to the left than all before, or behind the foremost by no more than tol, and none
// has come around. Corners within tol of the first are nowhere around it.
func (c *faceCutter) isFan(tol float64) bool {
	first, foremost := 0, 0 // none yet
	a := c.corners[0]
	leftOf := func(p, q faceCorner) float64 { // how far q lies to the left of the way from a to p
		px, py, qx, qy := p.x-a.x, p.y-a.y, q.x-a.x, q.y-a.y
		return (float64(px*qy) - float64(py*qx)) / math.Sqrt(float64(px*px)+float64(py*py))
	}
	for k, q := range c.corners {
		x, y := q.x-a.x, q.y-a.y
		switch {
		case math.Sqrt(float64(x*x)+float64(y*y)) <= tol:
			continue
		case first == 0:
			first, foremost = k, k
			continue
		}
		ahead := c.corners[foremost]
		left := leftOf(ahead, q)
		opposite := float64((ahead.x-a.x)*x)+float64((ahead.y-a.y)*y) < 0
		if !(left >= -tol) || left <= tol && opposite { // The way to the other side leads through the first.
			return false
		}
		if left > 0 {
			if leftOf(c.corners[first], ahead) < -tol && leftOf(c.corners[first], q) >= -tol {
				return false
			}
			foremost = k
		}
	}
	return true
}

// turn returns +1 if corners i, j, k turn left, -1 if they turn right, 0 if they lie on a line.
func (c *faceCutter) turn(i, j, k int) int {
	p, q, r := &c.corners[i], &c.corners[j], &c.corners[k]
	return vec.Orient2D(p.x, p.y, q.x, q.y, r.x, r.y)
}

// checkSimple refuses a face whose sides meet anywhere but in the corner between them.
func (c *faceCutter) checkSimple() error {
	n := len(c.corners)
	c.sides = c.sides[:0]
	for k := range n {
		to := (k + 1) % n
		p, q := c.corners[k].x, c.corners[to].x
		c.sides = append(c.sides, faceSide{k, to, min(p, q), max(p, q)})
	}
	slices.SortStableFunc(c.sides, func(s, t faceSide) int { return cmp.Or(cmp.Compare(s.low, t.low), cmp.Compare(s.from, t.from)) })
	for i, s := range c.sides {
		for _, t := range c.sides[i+1:] {
			if t.low > s.far {
				break
			}
			if c.looks++; c.meet(s, t) {
				p := func(k int) int { return c.corners[k].number }
				return mark.Errorf(ErrSelfIntersecting, "its sides from vertex %d to %d and from vertex %d to %d cross or touch, expected a polygon whose sides meet at corners only",
					p(s.from), p(s.to), p(t.from), p(t.to))
			}
		}
	}
	return nil
}

// meet reports whether two sides that share some x have a point in common, other than a corner
// between them.
func (c *faceCutter) meet(s, t faceSide) bool {
	a, b, p, q := &c.corners[s.from], &c.corners[s.to], &c.corners[t.from], &c.corners[t.to]
	if max(a.y, b.y) < min(p.y, q.y) || max(p.y, q.y) < min(a.y, b.y) {
		return false
	}
	if s.to == t.from {
		return c.turn(s.from, s.to, t.to) == 0 && !c.between(s.from, s.to, t.to)
	}
	if t.to == s.from {
		return c.turn(t.from, t.to, s.to) == 0 && !c.between(t.from, t.to, s.to)
	}
	// Each has its ends on both sides of the other, or all are on one line, where they share some
	// x and y.
	return c.turn(s.from, s.to, t.from)*c.turn(s.from, s.to, t.to) <= 0 &&
		c.turn(t.from, t.to, s.from)*c.turn(t.from, t.to, s.to) <= 0
}

// between reports whether corner j lies between i and k, which are on a line with it.
func (c *faceCutter) between(i, j, k int) bool {
	p, q, r := &c.corners[i], &c.corners[j], &c.corners[k]
	return min(p.x, r.x) <= q.x && q.x <= max(p.x, r.x) && min(p.y, r.y) <= q.y && q.y <= max(p.y, r.y)
}

// cutEars cuts ears off a simple face until a triangle is left (Meisters 1975). An ear is a corner
// that turns left, and whose triangle with the two beside it holds no other corner, be it on its
// side. A face has two at least, however many of its corners are straight, and all decisions are
// exact. So none of the triangles is flat, the straight corners stay, and there always is an ear.
// Those that are flat to rounding wait until there is no other.
//
// A triangle that holds a corner holds one that does not turn left: the one nearest to the ear.
// That one stays as it is while the two beside the ear do. So a corner is looked at again only
// when one beside it was cut off. Cost: three looks for each corner, at all dents, and as many
// once more if it is flat.
func (c *faceCutter) cutEars() error {
	n := len(c.corners)
	c.next, c.prev, c.dents = c.next[:0], c.prev[:0], c.dents[:0]
	least := 0
	for k := range n {
		c.next, c.prev = append(c.next, (k+1)%n), append(c.prev, (k+n-1)%n)
		if p, q := &c.corners[k], &c.corners[least]; p.x < q.x || p.x == q.x && p.y < q.y {
			least = k
		}
	}
	if c.turn(c.prev[least], least, c.next[least]) < 0 { // The area was rounded to the other sign.
		for k := range c.corners {
			c.corners[k].x = -c.corners[k].x
		}
	}
	todo, flat := make([]int, n, 3*n), []int(nil)
	for k := range n {
		todo[k] = k
		if c.turn(c.prev[k], k, c.next[k]) <= 0 {
			c.dents = append(c.dents, k)
		}
	}
	triangle := func(k int) [3]int {
		return [3]int{c.corners[c.prev[k]].vertex, c.corners[k].vertex, c.corners[c.next[k]].vertex}
	}
	last := 0
	for left := n; left > 3; {
		var k int
		waited := len(todo) == 0
		switch {
		case !waited:
			k, todo = todo[0], todo[1:]
		case len(flat) > 0:
			k, flat = flat[0], flat[1:]
		default:
			return mark.Errorf(ErrBroken, "of %d corners none can be cut off, expected one that can", left)
		}
		a, b := c.prev[k], c.next[k]
		if b < 0 || !c.isEar(k) {
			continue
		}
		if !waited && isFlat(c.verts, triangle(k)) {
			flat = append(flat, k)
			continue
		}
		c.triangles = append(c.triangles, triangle(k))
		c.next[a], c.prev[b], c.next[k] = b, a, -1
		left, last = left-1, a
		c.dents = slices.DeleteFunc(c.dents, func(d int) bool {
			return (d == a || d == b) && c.turn(c.prev[d], d, c.next[d]) > 0
		})
		todo = append(todo, a, b)
	}
	c.triangles = append(c.triangles, triangle(last))
	return nil
}

// isEar reports whether a corner is an ear of what is left of the face.
func (c *faceCutter) isEar(k int) bool {
	a, b := c.prev[k], c.next[k]
	if c.turn(a, k, b) <= 0 {
		return false
	}
	c.looks += len(c.dents)
	p, q, r := &c.corners[a], &c.corners[k], &c.corners[b]
	lowX, highX := min(p.x, q.x, r.x), max(p.x, q.x, r.x)
	lowY, highY := min(p.y, q.y, r.y), max(p.y, q.y, r.y)
	for _, d := range c.dents {
		v := &c.corners[d]
		if d == a || d == b || v.x < lowX || v.x > highX || v.y < lowY || v.y > highY {
			continue
		}
		if c.turn(a, k, d) >= 0 && c.turn(k, b, d) >= 0 && c.turn(b, a, d) >= 0 {
			return false
		}
	}
	return true
}
