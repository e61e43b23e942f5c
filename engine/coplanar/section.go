package coplanar

import (
	"github.com/scree-dem/scree/vec"
)

// leastShare is the share of a section's area below which its common area with a group may be
// rounding. It is the rounding of the moments of a section of unit size, times the number of
// boundary edges that may cancel.
// Smaller: the location beside a group is rounding. Larger: small parts are dropped.
const leastShare = 0x1p-40

// moments are the area, m², and the first and second moments of a region of a group's plane about a
// point.
type moments struct{ area, x, y, xx, xy, yy float64 }

// add adds sign times the moments of a counter-clockwise polygon.
func (m *moments) add(p []point, sign float64) {
	if len(p) == 0 {
		return
	}
	a := p[len(p)-1]
	for _, b := range p {
		t := float64(sign*(float64(a.x*b.y)-float64(a.y*b.x))) / 24
		sx, sy := a.x+b.x, a.y+b.y
		m.area += float64(12 * t)
		m.x += float64(4 * float64(t*sx))
		m.y += float64(4 * float64(t*sy))
		m.xx += float64(2 * float64(t*(float64(sx*sx)-float64(a.x*b.x))))
		m.yy += float64(2 * float64(t*(float64(sy*sy)-float64(a.y*b.y))))
		m.xy += float64(t * (float64(2*float64(sx*sy)) - float64(a.x*b.y) - float64(b.x*a.y)))
		a = b
	}
}

// common returns the moments, about a point, of the intersection of a convex polygon and the
// present group. The polygon is given relative to that point. Each boundary edge adds the part of
// the polygon below the edge, in y, if the group is below the edge, and subtracts it if the group
// is above. Each point of the polygon thus counts once if the group covers it, even if facets
// overlap. Cost: the boundary edges that share some x with the polygon.
func (c *WallFinder) common(polygon []point, about point) (m moments) {
	box := boxOf(polygon)
	for _, p := range c.group.between(box.lo.x+about.x, box.hi.x+about.x) {
		a, b := point{p.a.x - about.x, p.a.y - about.y}, point{p.b.x - about.x, p.b.y - about.y}
		sign := 1.0
		if b.x > a.x {
			a, b, sign = b, a, -1
		}
		if a.x == b.x || a.x <= box.lo.x || b.x >= box.hi.x || max(a.y, b.y) <= box.lo.y {
			continue
		}
		part := polygon
		cut := func(r segment) {
			to := r.cutBy(c.cut[0][:0], part)
			c.cut[0], c.cut[1] = c.cut[1], to
			part = to
		}
		if a.x < box.hi.x {
			cut(segment{point{a.x, 0}, point{a.x, 1}})
		}
		if b.x > box.lo.x {
			cut(segment{point{b.x, 1}, point{b.x, 0}})
		}
		if min(a.y, b.y) < box.hi.y {
			cut(segment{a, b})
		}
		m.add(part, sign)
	}
	return m
}

// inPlane returns the projection onto the group's plane of a point relative to the piece.
func (c *WallFinder) inPlane(p vec.Vec3) point {
	q := c.plane.PointInv(p)
	return point{q.X, q.Y}
}

// cutSection cuts the block by a plane parallel to the group's, −gap/2 inside the block. It stores
// the section in c.section, counter-clockwise, relative to mid and in the frame of the group's
// plane.
func (c *WallFinder) cutSection(normal vec.Vec3, gap float64, mid vec.Vec3) {
	c.around = c.cutter.Outline(c.around[:0], c.va, c.pa, normal, gap, mid)
	c.section = c.section[:0]
	back := c.plane.Rot.Rotate(vec.Vec3{Z: 1}).Dot(normal) < 0
	for k := range c.around {
		if back { // the outline is counter-clockwise about normal, which points against the group's z
			k = len(c.around) - 1 - k
		}
		q := c.plane.Rot.RotateInv(c.around[k].Sub(mid))
		c.section = append(c.section, point{q.X, q.Y})
	}
}

// placeOnGroup places a contact along the group's normal at the centroid of the common area of the
// block's section and the group.
func (c *WallFinder) placeOnGroup(m *WallContact) {
	m.Placed, m.Width = true, vec.Sym3{}
	m.At = m.Answer.ArmA.AddScaled(0.5*m.Answer.Gap, m.Answer.Normal)
	if !c.sections {
		return
	}
	c.cutSection(m.Answer.Normal, m.Answer.Gap-c.needs.Unloaded, m.At)
	if len(c.section) == 0 {
		c.NoSection++
		return
	}
	in := c.common(c.section, c.inPlane(c.pa.Pos.Add(m.At)))
	var all moments
	all.add(c.section, 1)
	if !(in.area > float64(leastShare*all.area)) {
		c.NoSection++
		return
	}
	if in.area > all.area {
		in = all // The group covers the section, and facets that overlap count twice.
	}
	x, y := in.x/in.area, in.y/in.area
	u, v := c.plane.Rot.Rotate(vec.Vec3{X: 1}), c.plane.Rot.Rotate(vec.Vec3{Y: 1})
	m.At = m.At.AddScaled(x, u).AddScaled(y, v)
	if c.needs.Section {
		xx, xy, yy := in.xx/in.area-float64(x*x), in.xy/in.area-float64(x*y), in.yy/in.area-float64(y*y)
		m.Width = u.Outer().Scale(max(xx, 0)).Add(v.Outer().Scale(max(yy, 0))).Add(u.Add(v).Outer().Add(u.Outer().Add(v.Outer()).Scale(-1)).Scale(xy))
	}
}
