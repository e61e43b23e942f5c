package section

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/soa"
)

// point is a point of the mid-plane, in units of the larger body (see scale).
type point struct{ x, y float64 }

// tolThin, relative to the squared perimeter, is the area below which a polygon counts as a
// segment. Coordinates and areas have an error of ε = 2^-52 of the larger body. At tolThin the
// centroid of the area still has an error of 2^-12 of the length. For thinner polygons measureArea
// returns the centroid of the outline.
// Smaller: the location of slivers errs.
const tolThin = 0x1p-40

// cross returns (b-a) × (c-b). It is positive if the path a, b, c turns left.
func cross(a, b, c point) float64 {
	return float64((b.x-a.x)*(c.y-b.y)) - float64((b.y-a.y)*(c.x-b.x))
}

// convex returns, in place, the convex hull of the polygon's corners, with strict left turns only.
// The corners of a section usually are strictly convex already. A plane through a vertex makes
// several corners within rounding of each other, and the edges between these corners have arbitrary
// directions. Clipping with such an edge would cut away an arbitrary part. The hull has no such
// edge.
func (c *Cutter) convex(p []point) []point {
	if strictlyConvex(p) {
		return p
	}
	slices.SortFunc(p, func(a, b point) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
	p = slices.Compact(p)
	if len(p) < 3 {
		return p
	}
	// Andrew 1979: the lower chain, then the upper chain.
	c.hull = chain(c.hull[:0], p)
	slices.Reverse(p)
	c.hull = chain(c.hull, p)
	return append(p[:0], c.hull...)
}

// chain appends the points of the strictly left-turning path from the first point to the last,
// without the last.
func chain(hull, points []point) []point {
	from := len(hull)
	for _, p := range points {
		for len(hull) >= from+2 && !(cross(hull[len(hull)-2], hull[len(hull)-1], p) > 0) {
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, p)
	}
	return hull[:len(hull)-1]
}

// strictlyConvex reports whether p turns left at every corner and winds around exactly once. Such a
// polygon's edges change between rightward and leftward exactly twice.
func strictlyConvex(p []point) bool {
	n := len(p)
	if n < 3 {
		return false
	}
	changes := uint64(0)
	b := p[n-1]
	dx, dy := b.x-p[n-2].x, b.y-p[n-2].y
	for _, q := range p {
		ex, ey := q.x-b.x, q.y-b.y
		if !(float64(dx*ey)-float64(dy*ex) > 0) {
			return false
		}
		// Compares signs without a branch, because the branch would be unpredictable. A vertical
		// edge lies between a rightward and a leftward edge, so it may count as either.
		changes += (math.Float64bits(dx) ^ math.Float64bits(ex)) >> 63
		b, dx, dy = q, ex, ey
	}
	return changes == 2
}

// plainCuts is the largest product of corners and cuts for which clip tests each corner with each
// cut. Up to some thirty corners and cuts this is faster than a ring of corners. plainCuts is not a
// tolerance: the bits of the result are the same.
const plainCuts = 1024

// clip returns the common part of polyA and polyB. One of them, but not both, may be a segment or a
// point. Source: Sutherland & Hodgman 1974: the edges of one polygon cut the other, one after the
// other. Cost: n·m for n and m sides if the product is at most plainCuts, and an edge that cuts
// nothing copies nothing; otherwise n + m.
func (c *Cutter) clip() []point {
	subject, by := &c.polyA, c.polyB
	if len(by) < 3 {
		subject, by = &c.polyB, c.polyA
	}
	if len(by) < 3 || len(*subject) == 0 {
		return nil
	}
	if len(by)*len(*subject) > plainCuts {
		c.clipped = c.cutRing(c.clipped[:0], *subject, by)
		return c.clipped
	}
	a := by[len(by)-1]
	for _, b := range by {
		if c.measureLeft(*subject, a, b.x-a.x, b.y-a.y) {
			c.clipped = clipEdge(c.clipped[:0], *subject, c.left)
			c.clipped, *subject = *subject, c.clipped
			if len(*subject) == 0 {
				return nil
			}
		}
		a = b
	}
	return *subject
}

// cutRing appends the common part of subject and the convex polygon by. It is for polygons of many
// sides.
func (c *Cutter) cutRing(to, subject, by []point) []point {
	r := &c.ring
	r.Reset()
	r.CrossOnLine = true
	for _, p := range subject {
		r.Add(p.x, p.y)
	}
	a := by[len(by)-1]
	for _, b := range by {
		r.Cut(a.x, a.y, b.x-a.x, b.y-a.y)
		a = b
	}
	for k, end := r.First(), len(to)+r.Len(); len(to) < end; k = r.Next(k) {
		x, y := r.At(k)
		to = append(to, point{x, y})
	}
	return to
}

// measureLeft fills c.left with the signed distance of each point to the left of the line through a
// along (dx, dy), times the length of (dx, dy). It reports whether a point lies to the right. A
// point on the line may count as either.
func (c *Cutter) measureLeft(p []point, a point, dx, dy float64) bool {
	c.left = soa.Resize(c.left, len(p))
	left := c.left
	signs := uint64(0)
	for i, q := range p {
		d := float64(dx*(q.y-a.y)) - float64(dy*(q.x-a.x))
		left[i] = d
		signs |= math.Float64bits(d)
	}
	return signs>>63 != 0
}

// clipEdge appends the part of p with left ≥ 0. p must have a point.
func clipEdge(to, p []point, left []float64) []point {
	prev, dPrev := p[len(p)-1], left[len(p)-1]
	for i, q := range p {
		d := left[i]
		if dPrev < 0 != (d < 0) {
			t := dPrev / (dPrev - d)
			to = append(to, point{prev.x + float64(t*(q.x-prev.x)), prev.y + float64(t*(q.y-prev.y))})
		}
		if d >= 0 {
			to = append(to, q)
		}
		prev, dPrev = q, d
	}
	return to
}

// measureArea returns the moments of a polygon. It computes them relative to a corner, so that a
// small polygon keeps its digits. For a polygon thinner than tolThin it returns the moments of the
// outline, and for a point the point itself.
func measureArea(p []point) moments {
	o := p[0]
	s, length := polygonSum{}, 0.0
	var ax, ay float64
	for _, q := range p[1:] {
		bx, by := q.x-o.x, q.y-o.y
		s.add(ax, ay, bx, by)
		length += side1(bx-ax, by-ay)
		ax, ay = bx, by
	}
	length += side1(ax, ay)
	if !(s.twice > float64(2*tolThin*length)*length) {
		return measureOutline(p, max(0, 0.5*s.twice))
	}
	m := s.moments()
	m.x, m.y = o.x+m.x, o.y+m.y
	return m
}

// measureOutline returns the moments of a polygon's outline over its length, with the given area.
func measureOutline(p []point, area float64) moments {
	o := p[0]
	var length, lx, ly, xx, xy, yy float64
	prev := p[len(p)-1]
	for _, q := range p {
		ax, ay, bx, by := prev.x-o.x, prev.y-o.y, q.x-o.x, q.y-o.y
		sx, sy := ax+bx, ay+by
		l := side1(bx-ax, by-ay)
		length += l
		lx += float64(l * sx)
		ly += float64(l * sy)
		// The integral over the side is l/3 times these sums.
		xx += float64(l * (float64(sx*sx) - float64(ax*bx)))
		yy += float64(l * (float64(sy*sy) - float64(ay*by)))
		xy += float64(l * (float64(sx*sy) - float64(0.5*(float64(ax*by)+float64(ay*bx)))))
		prev = q
	}
	if !(length > 0) {
		return moments{x: o.x, y: o.y}
	}
	x, y := lx/(2*length), ly/(2*length)
	third := 3 * length
	return moments{o.x + x, o.y + y, area, xx/third - float64(x*x), xy/third - float64(x*y), yy/third - float64(y*y)}
}

// side1 returns the longer component of a side, a substitute for its length without a square root.
// The length is at most √2 times as large.
func side1(x, y float64) float64 { return max(math.Abs(x), math.Abs(y)) }
