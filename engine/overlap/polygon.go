package overlap

import (
	"cmp"
	"math"
	"slices"
)

// point is a place on the mid-plane, in units of the larger body.
type point struct{ x, y float64 }

// tolThin, relative to the perimeter squared, is the area below which a polygon counts as a segment.
// Coordinates are known to ε = 2^-52 of the larger body and so is an area; at 2^-40 the centroid of the
// area is still known to 2^-12 of the length. What is thinner has the centroid of its outline.
const tolThin = 0x1p-40

// cross returns (b-a) × (c-b): positive where the path a, b, c turns left.
func cross(a, b, c point) float64 {
	return float64((b.x-a.x)*(c.y-b.y)) - float64((b.y-a.y)*(c.x-b.x))
}

func reverse(p []point) { slices.Reverse(p) }

// convex returns the polygon with strict left turns only, in place: of a section's corners that is
// mostly the polygon itself. A plane that passes a vertex makes several corners within a rounding of
// each other, and the edges between them point anywhere; to clip with such an edge would cut away what
// it likes. The hull of the same coordinates has no such edge.
func (c *Cutter) convex(p []point) []point {
	if strictlyConvex(p) {
		return p
	}
	slices.SortFunc(p, func(a, b point) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
	p = slices.Compact(p)
	if len(p) < 3 {
		return p
	}
	// Andrew 1979: the lower chain, then the upper one.
	c.hull = chain(c.hull[:0], p)
	reverse(p)
	c.hull = chain(c.hull, p)
	return append(p[:0], c.hull...)
}

// chain appends the points that turn left all the way from the first to the last, without the last.
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

// strictlyConvex says whether p turns left at every corner and once around in all: then its edges
// change between rightward and leftward exactly twice.
func strictlyConvex(p []point) bool {
	n := len(p)
	if n < 3 {
		return false
	}
	changes := 0
	a, b := p[n-2], p[n-1]
	for _, q := range p {
		if !(cross(a, b, q) > 0) {
			return false
		}
		if (b.x > a.x) != (q.x > b.x) {
			changes++
		}
		a, b = b, q
	}
	return changes == 2
}

// clip returns the common part of polyA and polyB, either of which may be a segment or a point but not
// both. Sutherland & Hodgman 1974: one polygon is cut by the edges of the other in turn. The cost is the
// product of their sides; an edge that cuts nothing copies nothing.
func (c *Cutter) clip() []point {
	subject, by := &c.polyA, c.polyB
	if len(by) < 3 {
		subject, by = &c.polyB, c.polyA
	}
	if len(by) < 3 || len(*subject) == 0 {
		return nil
	}
	a := by[len(by)-1]
	for _, b := range by {
		if c.measureLeft(*subject, a, b) < 0 {
			c.clipped = clipEdge(c.clipped[:0], *subject, c.left)
			c.clipped, *subject = *subject, c.clipped
		}
		a = b
	}
	return *subject
}

// measureLeft fills left with how far each point lies to the left of the line from a to b, times their
// distance, and returns the least of it; +MaxFloat64 without points.
func (c *Cutter) measureLeft(p []point, a, b point) float64 {
	if cap(c.left) < len(p) {
		c.left = make([]float64, 2*len(p))
	}
	left := c.left[:len(p)]
	dx, dy := b.x-a.x, b.y-a.y
	least := math.MaxFloat64
	for i, q := range p {
		d := float64(dx*(q.y-a.y)) - float64(dy*(q.x-a.x))
		left[i] = d
		if d < least {
			least = d
		}
	}
	c.left = left
	return least
}

// clipEdge appends the part of p, which has a point, with left ≥ 0.
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

// centroid returns the centroid and the area of a polygon: relative to a corner, so that a small
// polygon keeps its digits. One thinner than tolThin has the centroid of its outline, a point itself.
func centroid(p []point) (x, y, area float64) {
	o := p[0]
	var twice, mx, my, length, lx, ly float64
	prev := p[len(p)-1]
	for _, q := range p {
		ax, ay, bx, by := prev.x-o.x, prev.y-o.y, q.x-o.x, q.y-o.y
		t := float64(ax*by) - float64(ay*bx)
		twice += t
		mx += float64(t * (ax + bx))
		my += float64(t * (ay + by))
		// The longer side instead of the length: within √2 of it, and no root.
		l := max(abs(bx-ax), abs(by-ay))
		length += l
		lx += float64(l * (ax + bx))
		ly += float64(l * (ay + by))
		prev = q
	}
	switch {
	case twice > float64(2*tolThin*length)*length:
		return o.x + mx/(3*twice), o.y + my/(3*twice), 0.5 * twice
	case length > 0:
		return o.x + lx/(2*length), o.y + ly/(2*length), max(0, 0.5*twice)
	}
	return o.x, o.y, 0
}

// moments returns the second moments of a polygon about its centroid over its area; of one thinner
// than tolThin over the length of its outline.
func moments(p []point) (xx, xy, yy float64) {
	cx, cy, _ := centroid(p)
	var twice, length, lxx, lxy, lyy float64
	prev := p[len(p)-1]
	for _, q := range p {
		ax, ay, bx, by := prev.x-cx, prev.y-cy, q.x-cx, q.y-cy
		t := float64(ax*by) - float64(ay*bx)
		l := max(abs(bx-ax), abs(by-ay))
		// ∫ over the triangle of the centroid and the side is t/12 of these sums, ∫ over the side l/3.
		sxx := float64(ax*ax) + float64(ax*bx) + float64(bx*bx)
		syy := float64(ay*ay) + float64(ay*by) + float64(by*by)
		sxy := float64(ax*ay) + float64(0.5*float64(ax*by)) + float64(0.5*float64(bx*ay)) + float64(bx*by)
		twice += t
		xx += float64(t * sxx)
		xy += float64(t * sxy)
		yy += float64(t * syy)
		length += l
		lxx += float64(l * sxx)
		lxy += float64(l * sxy)
		lyy += float64(l * syy)
		prev = q
	}
	switch {
	case twice > float64(2*tolThin*length)*length:
		return xx / (6 * twice), xy / (6 * twice), yy / (6 * twice)
	case length > 0:
		return lxx / (3 * length), lxy / (3 * length), lyy / (3 * length)
	}
	return 0, 0, 0
}

func abs(x float64) float64 { return max(x, -x) }
