package coplanar

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/narrow"
)

// convexPart is a convex part of a group in a window, and the answer of the block and this part.
type convexPart struct {
	from, to int // range of its corners in Finder.corners
	own      int // index in Finder.whole of the boundary edge along which the part lies; byPoint or byCorner if there is none
	answer   narrow.Answer
}

// facingEdge is a boundary edge that faces a point, which lies to the left of the edge's line by
// left, m. away is the point's distance from the edge's part in the window, m.
type facingEdge struct {
	of         int
	away, left float64
}

// Parts that lie along no boundary edge: around a point, and behind a concave corner.
const (
	byPoint  = -1
	byCorner = -2
)

// findParts finds the convex parts of the group in the window that answerParts evaluates, for a block
// whose core is depth deep under the plane.
func (c *WallFinder) findParts(depth float64) {
	c.parts, c.corners = c.parts[:0], c.corners[:0]
	mid := c.face.ArmA.AddScaled(-c.va.Round-depth, c.face.Normal)
	c.cutSection(c.face.Normal, -2*depth, mid)
	at := c.inPlane(c.pa.Pos.Add(mid))
	var m moments
	m.add(c.section, 1)
	middle := at
	if m.area > 0 {
		middle = point{at.x + m.x/m.area, at.y + m.y/m.area}
	}
	for i := range c.section {
		c.section[i] = point{c.section[i].x + at.x, c.section[i].y + at.y}
	}
	// If middle lies on a boundary edge, the part around it is the part along that edge. Without
	// this check, rounding would decide on which side of the edge it lies.
	seam := c.group.seam
	if c.covers(middle) && !slices.ContainsFunc(c.whole, func(r segment) bool { return r.near(middle, seam) }) {
		c.findPart(middle, byPoint, nil)
	}
	for i := range c.whole {
		seed := c.inside[i].nearest(middle)
		c.findPart(seed, i, &c.whole[i])
		for k := range c.whole {
			if q := &c.whole[k]; away(q.a, c.whole[i].b) <= seam && c.whole[i].left(q.b) < -seam {
				if line, ok := c.behind(&c.whole[i], q); ok {
					c.findPart(q.a, byCorner, &line)
				}
			}
		}
	}
}

// behind returns a line through the concave corner between two boundary edges. The line is
// perpendicular to the direction from the corner to the section's farthest corner behind both
// edges. ok reports whether there is such a section corner.
func (c *WallFinder) behind(p, q *segment) (line segment, ok bool) {
	far := 0.0
	for _, v := range c.section {
		dx, dy := q.a.x-v.x, q.a.y-v.y
		// The outward direction lies between the outward normals of the two edges: to the left of
		// the first normal and to the right of the second.
		px, py := p.b.x-p.a.x, p.b.y-p.a.y
		qx, qy := q.b.x-q.a.x, q.b.y-q.a.y
		if d := float64(dx*dx) + float64(dy*dy); float64(px*dx)+float64(py*dy) < 0 && float64(qx*dx)+float64(qy*dy) > 0 && d > far {
			far, ok = d, true
			line = segment{q.a, point{q.a.x - dy, q.a.y + dx}}
		}
	}
	return line, ok
}

// findPart adds the convex part of the group in the window that contains seed. The part is the
// window cut by line, if there is one, and by each boundary edge that faces seed and still crosses
// the part, the nearest first. Boundary edges that face away from seed lie beyond edges that face
// it, so the group contains all of the part.
func (c *WallFinder) findPart(seed point, own int, line *segment) {
	p, seam := &c.convex, c.group.seam
	p.begin(c.window)
	if line != nil {
		p.cutBy(line)
	}
	c.facing = c.facing[:0]
	for i := range c.whole {
		if left := c.whole[i].left(seed); i != own && left >= -seam {
			c.facing = append(c.facing, facingEdge{i, c.inside[i].distance(seed), left})
		}
	}
	slices.SortFunc(c.facing, func(a, b facingEdge) int {
		if math.Abs(a.away-b.away) > seam {
			return cmp.Compare(a.away, b.away)
		}
		if math.Abs(a.left-b.left) > seam {
			return cmp.Compare(b.left, a.left)
		}
		return cmp.Compare(a.of, b.of)
	})
	for _, f := range c.facing {
		if from, to := c.inside[f.of].through(p.outline, seam, 0); from < to {
			p.cutBy(&c.whole[f.of])
		}
	}
	from := len(c.corners)
	c.corners = append(c.corners, p.outline...)
	c.parts = append(c.parts, convexPart{from: from, to: len(c.corners), own: own})
}

// takePart builds the facet view of a part. It returns false if the part has no area.
func (c *WallFinder) takePart(p *convexPart) bool { return c.convex.take(c.corners[p.from:p.to]) }

// onPart reports whether a point lies on a part, within the width of a seam.
func (c *WallFinder) onPart(p *convexPart, at point) bool {
	polygon := c.corners[p.from:p.to]
	for side := range sides(polygon) {
		if side.left(at) < -c.group.seam {
			return false
		}
	}
	return len(polygon) > 0
}
