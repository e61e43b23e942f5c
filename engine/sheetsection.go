package engine

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// region is the moments of a part of a sheet's plane, about a point of it: area, m², first and second.
type region struct{ area, x, y, xx, xy, yy float64 }

// add adds the moments of a polygon, counter-clockwise, times sign.
func (m *region) add(p []flat, sign float64) {
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

// covers says whether a point of its plane lies on the sheet: a line upwards from it leaves the sheet once more than it enters.
func (s *sheet) covers(p flat) bool {
	n := 0
	for _, r := range s.between(p.x, p.x) {
		a, b, turn := r.a, r.b, -1
		if b.x < a.x {
			a, b, turn = b, a, 1
		}
		if a.x <= p.x && p.x < b.x && (&rim{a, b}).left(p) < 0 {
			n += turn
		}
	}
	return n > 0
}

// common returns the moments, about a point, of what a convex polygon, given relative to that point, has in common with
// the sheet. Each rim counts what lies under it, in y, of the polygon: as much as is there if the sheet is under it, less that
// if it is above. So each point of the polygon counts once for the sheet over it, and where facets overlap too. Cost: the
// rims that share some x with the polygon.
func (s *sheet) common(run *wallRun, polygon []flat, about flat) (m region) {
	box := boxOf(polygon)
	for _, p := range s.between(box.lo.x+about.x, box.hi.x+about.x) {
		a, b := flat{p.a.x - about.x, p.a.y - about.y}, flat{p.b.x - about.x, p.b.y - about.y}
		sign := 1.0
		if b.x > a.x {
			a, b, sign = b, a, -1
		}
		if a.x == b.x || a.x <= box.lo.x || b.x >= box.hi.x || max(a.y, b.y) <= box.lo.y {
			continue
		}
		part := polygon
		cut := func(r rim) {
			to := r.cutBy(run.cut[0][:0], part)
			run.cut[0], run.cut[1] = run.cut[1], to
			part = to
		}
		if a.x < box.hi.x {
			cut(rim{flat{a.x, 0}, flat{a.x, 1}})
		}
		if b.x > box.lo.x {
			cut(rim{flat{b.x, 1}, flat{b.x, 0}})
		}
		if min(a.y, b.y) < box.hi.y {
			cut(rim{a, b})
		}
		m.add(part, sign)
	}
	return m
}

// boxOf returns the window of some points.
func boxOf(points []flat) window {
	box := window{points[0], points[0]}
	for _, p := range points[1:] {
		box = box.with(p)
	}
	return box
}

// section fills run.section with the section of the block in the workspace by a plane parallel to a sheet's, half of gap
// within the block: relative to mid, in the frame of the sheet's plane, counter-clockwise.
func (c *contactStage) section(plane vec.Pose, normal vec.Vec3, gap float64, mid vec.Vec3, ws *workspace) {
	run := &ws.run
	run.corners = ws.cutter.Outline(run.corners[:0], ws.va, ws.pa, normal, gap, mid)
	run.section = run.section[:0]
	back := plane.Rot.Rotate(vec.Vec3{Z: 1}).Dot(normal) < 0
	for k := range run.corners {
		if back { // counter-clockwise about the normal, which points away from the reader
			k = len(run.corners) - 1 - k
		}
		q := plane.Rot.RotateInv(run.corners[k].Sub(mid))
		run.section = append(run.section, flat{q.X, q.Y})
	}
}

// overSheet places a contact along a sheet's normal at the centroid of what the block's section has in common with the sheet.
func (c *contactStage) overSheet(m *madeContact, s *sheet, plane vec.Pose, ws *workspace) {
	m.placed, m.width = true, vec.Sym3{}
	m.at = m.ans.ArmA.AddScaled(0.5*m.ans.Gap, m.ans.Normal)
	if c.w.cfg.Location != Reduced {
		return
	}
	c.section(plane, m.ans.Normal, m.ans.Gap-ws.needs.Unloaded, m.at, ws)
	run := &ws.run
	if len(run.section) == 0 {
		ws.counts.NoSection++
		return
	}
	foot := plane.PointInv(ws.pa.Pos.Add(m.at))
	in := s.common(run, run.section, flat{foot.X, foot.Y})
	var all region
	all.add(run.section, 1)
	if !(in.area > float64(leastShare*all.area)) {
		ws.counts.NoSection++
		return
	}
	x, y := in.x/in.area, in.y/in.area
	u, v := plane.Rot.Rotate(vec.Vec3{X: 1}), plane.Rot.Rotate(vec.Vec3{Y: 1})
	m.at = m.at.AddScaled(x, u).AddScaled(y, v)
	if ws.needs.Section {
		xx, xy, yy := in.xx/in.area-float64(x*x), in.xy/in.area-float64(x*y), in.yy/in.area-float64(y*y)
		m.width = u.Outer().Scale(max(xx, 0)).Add(v.Outer().Scale(max(yy, 0))).Add(u.Add(v).Outer().Add(u.Outer().Add(v.Outer()).Scale(-1)).Scale(xy))
	}
}

// leastShare is the share of a section below which what it has in common with a sheet is rounding: that of the moments of
// a section of unit size, times the rims that may cancel.
const leastShare = 0x1p-40

// segmentTo returns how far two segments are apart; 0 where they cross.
func (r *rim) segmentTo(q *rim) float64 {
	if r.left(q.a) < 0 != (r.left(q.b) < 0) && q.left(r.a) < 0 != (q.left(r.b) < 0) {
		return 0
	}
	return min(r.distance(q.a), r.distance(q.b), q.distance(r.a), q.distance(r.b))
}

// distance returns how far a point is from a rim.
func (r *rim) distance(p flat) float64 {
	return away(p, r.nearest(p))
}

// away returns the distance of two points.
func away(p, q flat) float64 {
	return math.Sqrt(float64((p.x-q.x)*(p.x-q.x)) + float64((p.y-q.y)*(p.y-q.y)))
}

// nearest returns the point of a rim that is nearest to another; a rim of no length is a point.
func (r *rim) nearest(p flat) flat {
	dx, dy := r.b.x-r.a.x, r.b.y-r.a.y
	t := (float64(dx*(p.x-r.a.x)) + float64(dy*(p.y-r.a.y))) / (float64(dx*dx) + float64(dy*dy))
	if !(t > 0) {
		return r.a
	}
	return r.at(min(t, 1))
}
