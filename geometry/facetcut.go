package geometry

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/geometry/internal/earcut"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// maxCorners is the largest number of corners of a face that is not the fan about its first corner.
// Cutting such a face compares at most 10⁸ pairs of its sides and corners, which takes about half a
// second.
const maxCorners = 10_000

// faceCutter cuts the faces of a mesh into triangles, one face after the other. Each column has a
// row for each corner of the current face.
type faceCutter struct {
	verts     []vec.Vec3
	corners   []faceCorner
	triangles [][3]int
	x, y      []float64 // of the corners, for ears
	ears      earcut.EarCutter
	sides     []faceSide
	compared  int // compared pairs of sides, over all faces
}

// faceCorner is a corner of a face, projected along an axis.
type faceCorner struct {
	x, y   float64
	vertex int // index in verts
	number int // vertex number in the file
}

// faceSide is the side of a face from a corner to the next.
type faceSide struct {
	from, to int
	low, far float64 // least and largest x
}

// cut returns triangles that cover a face. vertex has the vertex of each corner, number its number
// in the file. The triangles have the orientation of the face. They are the fan about the first
// corner if that fan covers the face, as for every convex face; otherwise they are the triangles of
// cutEars. The next call overwrites the result.
//
// cut projects the face along the axis nearest to its area vector. So the corners need not lie in
// one plane, and the projected coordinates are exact: they are two coordinates of the file.
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
	// A corner at the same vertex as the corner before it has no side of its own.
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

// isFlat applies the test of FacetPolygonTemplate for flat polygons to a triangle.
func isFlat(verts []vec.Vec3, t [3]int) bool {
	longest := longestSide([]vec.Vec3{verts[t[0]], verts[t[1]], verts[t[2]]})
	return longest < minSize || !(hull.AreaVector(verts, t[:]).Norm()/longest > longest*planeRel)
}

// see fills corners with the projection of the face in which the face turns left.
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

// isFan reports whether the fan about the first corner covers the face. Seen from the first corner,
// each corner must lie to the left of all corners before it, or behind the leftmost by no more than
// tol, m. The corners must not go around more than once. Corners within tol of the first corner
// have no direction and are skipped.
func (c *faceCutter) isFan(tol float64) bool {
	first, foremost := 0, 0 // none yet
	a := c.corners[0]
	leftOf := func(p, q faceCorner) float64 { // how far q lies to the left of the line from a to p
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
		if !(left >= -tol) || left <= tol && opposite { // The path to the opposite side leads through the first corner.
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

// turn returns +1 if corners i, j, k turn left, -1 if they turn right, 0 if they are collinear.
func (c *faceCutter) turn(i, j, k int) int {
	p, q, r := &c.corners[i], &c.corners[j], &c.corners[k]
	return vec.Orient2D(p.x, p.y, q.x, q.y, r.x, r.y)
}

// checkSimple rejects a face whose sides meet anywhere other than at the corner between them.
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
			if c.compared++; c.meet(s, t) {
				p := func(k int) int { return c.corners[k].number }
				return mark.Errorf(ErrSelfIntersecting, "its sides from vertex %d to %d and from vertex %d to %d cross or touch, expected a polygon whose sides meet at corners only",
					p(s.from), p(s.to), p(t.from), p(t.to))
			}
		}
	}
	return nil
}

// meet reports whether two sides with overlapping ranges of x have a common point other than the
// corner between them.
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
	// Each side has its ends on both sides of the other line, or all four ends are collinear and
	// the sides overlap in x and y.
	return c.turn(s.from, s.to, t.from)*c.turn(s.from, s.to, t.to) <= 0 &&
		c.turn(t.from, t.to, s.from)*c.turn(t.from, t.to, s.to) <= 0
}

// between reports whether corner j lies between corners i and k. The three must be collinear.
func (c *faceCutter) between(i, j, k int) bool {
	p, q, r := &c.corners[i], &c.corners[j], &c.corners[k]
	return min(p.x, r.x) <= q.x && q.x <= max(p.x, r.x) && min(p.y, r.y) <= q.y && q.y <= max(p.y, r.y)
}

// cutEars cuts a simple face by an earcut.EarCutter. No triangle is exactly flat, and straight corners are
// preserved. Ears that are flat to rounding wait until there is no other ear.
func (c *faceCutter) cutEars() error {
	n, least := len(c.corners), 0
	c.x, c.y = c.x[:0], c.y[:0]
	for k, p := range c.corners {
		c.x, c.y = append(c.x, p.x), append(c.y, p.y)
		if q := &c.corners[least]; p.x < q.x || p.x == q.x && p.y < q.y {
			least = k
		}
	}
	if c.turn((least+n-1)%n, least, (least+1)%n) < 0 { // The rounded area had the wrong sign.
		for k, x := range c.x {
			c.x[k] = -x
		}
	}
	triangle := func(i, j, k int) [3]int {
		return [3]int{c.corners[i].vertex, c.corners[j].vertex, c.corners[k].vertex}
	}
	c.ears.Wait = func(i, j, k int) bool { return isFlat(c.verts, triangle(i, j, k)) }
	triangles, folded := c.ears.Cut(c.x, c.y)
	if folded {
		return mark.Errorf(ErrBroken, "of its %d corners some cannot be cut off, expected a polygon whose sides meet at corners only", n)
	}
	for _, t := range triangles {
		c.triangles = append(c.triangles, triangle(t[0], t[1], t[2]))
	}
	return nil
}
