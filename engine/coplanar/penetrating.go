package coplanar

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/section"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// penetrating makes the contacts with a group that is not convex around the block, if the block's
// core overlaps the group.
//
// δ is the block's depth under the plane. If the block is δ deep in any convex part of the group,
// then δ is the depth in the group (see groupContacts). The contact is then that with the plane, at
// the centroid of the section's common area with the group. The parts that are tried follow from
// the group's boundary edges only, so facets do not matter: one along each boundary edge; at each
// concave corner, one behind the line beyond which the section reaches deepest; and one around the
// section's middle.
//
// If no part proves δ, a shorter translation separates the block from the group. If the translation
// out of the deepest part separates the block from all other parts, it is exactly the depth, and
// the only contact. Otherwise there is no single direction, as for a block in a hole that is too
// tight or in a notch. The block then has a contact with each boundary edge from which leaving
// another one does not separate it.
//
// Cost: an exhaustive search for each boundary edge in the window, unless the first parts or
// shallowAt prove δ.
func (c *WallFinder) penetrating(nearest int) {
	onPlane := c.planeContact(nearest)
	depth := -(c.face.Gap + c.va.Round + c.vb.Round)
	if c.shallowAt(depth) || c.answerParts(depth) {
		c.placeOnGroup(&onPlane)
		c.make(onPlane)
		return
	}
	deepestFirst(c.parts, c.tie)
	first := len(c.Contacts)
	if len(c.parts) > 0 {
		c.onParts(nearest)
	}
	if len(c.Contacts) > first {
		return
	}
	// The deepest part ends at lines that are no boundary edges, so its direction has no meaning.
	// Its depth is a lower bound on the depth in the group, and is less than δ.
	gap := c.Facets[nearest].Answer.Gap
	if len(c.parts) > 0 {
		gap = c.parts[0].answer.Gap
	}
	onPlane.Answer.ArmA, onPlane.Answer.Gap = c.face.ArmA.AddScaled(c.face.Gap-gap, c.face.Normal), gap
	c.placeOnGroup(&onPlane)
	c.make(onPlane)
}

// answerParts computes the answers of the block and the convex parts of the group, and keeps those
// within reach. It returns true as soon as a part proves that the block is as deep as it is under
// the plane.
func (c *WallFinder) answerParts(depth float64) (proven bool) {
	c.findParts(depth)
	kept := c.parts[:0]
	for _, p := range c.parts {
		if !c.takePart(&p) {
			continue
		}
		var ok bool
		switch p.answer, ok = c.answerConvex(); {
		case !ok:
			c.Fallbacks++
		case p.answer.Gap <= c.face.Gap+c.tie:
			return true
		case p.answer.Gap <= c.needs.Reach:
			kept = append(kept, p)
		}
	}
	c.parts = kept
	return false
}

// deepestFirst sorts parts by depth. Parts that tie stay in the order of the boundary edges.
func deepestFirst(parts []convexPart, tie float64) {
	for ; len(parts) > 1; parts = parts[1:] {
		least := math.Inf(1)
		for i := range parts {
			least = min(least, parts[i].answer.Gap)
		}
		k := slices.IndexFunc(parts, func(p convexPart) bool { return p.answer.Gap <= least+tie })
		p := parts[k]
		copy(parts[1:k+1], parts[:k])
		parts[0] = p
	}
}

// onParts makes the contacts with the parts, the deepest first. If the translation out of the
// deepest part separates the block from all parts, that part is the only contact. Otherwise the
// contacts are with the parts whose witness points lie on boundary edges, once for each boundary
// edge. Parts from which the translation of an earlier contact separates the block are skipped.
// onParts makes no contact if the block overlaps a part from which none of the contacts separates
// it.
func (c *WallFinder) onParts(nearest int) {
	first := len(c.Contacts)
	c.areas = c.areas[:0]
	for k := range c.Facets {
		if c.Facets[k].Group == c.Facets[nearest].Group {
			c.Facets[k].part = 0
		}
	}
	// A part behind a corner may tie with the part along a boundary edge. The section of the latter
	// is the place of the contact.
	lead := max(slices.IndexFunc(c.parts, func(p convexPart) bool { return p.own != byCorner }), 0)
	if c.parts[lead].answer.Gap > c.parts[0].answer.Gap+c.tie {
		lead = 0
	}
	c.parts[0], c.parts[lead] = c.parts[lead], c.parts[0]
	alone := true
	for i := 1; i < len(c.parts) && alone; i++ {
		alone = c.frees(&c.parts[0].answer, &c.parts[i])
	}
	for i := range c.parts {
		p := &c.parts[i]
		if i > 0 && p.own == byCorner || !alone && (p.own == byCorner || !c.atBoundary(p)) {
			continue
		}
		same, free := -1, false
		for k := first; k < len(c.Contacts); k++ {
			m := &c.Contacts[k].Answer
			if c.isAlike(m, &p.answer) {
				same = k
			}
			free = free || c.frees(m, p)
		}
		if same < 0 && free {
			continue
		}
		m, area := c.partContact(p)
		if same >= 0 {
			c.joinPlace(same, first, &m, area)
			continue
		}
		if m.Facet = c.rowOf(&m, nearest, first); m.Facet < 0 {
			c.Fallbacks++
			continue
		}
		c.Contacts, c.areas = append(c.Contacts, m), append(c.areas, area)
	}
	// If no contact separates the block from a part that it overlaps, make no contact.
	for i := range c.parts {
		p := &c.parts[i]
		if alone || p.own == byCorner || p.answer.Gap >= -(c.va.Round+c.vb.Round) || c.atBoundary(p) {
			continue
		}
		if !slices.ContainsFunc(c.Contacts[first:], func(m WallContact) bool { return c.frees(&m.Answer, p) }) {
			c.Contacts = c.Contacts[:first]
			return
		}
	}
}

// atBoundary reports whether the witness point on a part lies on the boundary of the group.
func (c *WallFinder) atBoundary(p *convexPart) bool {
	at := c.inPlane(c.plane.Pos.Add(p.answer.ArmB).AddScaled(c.vb.Round, p.answer.Normal))
	return slices.ContainsFunc(c.whole, func(r segment) bool { return r.near(at, 2*c.group.seam) })
}

// shallowAt proves that the depth in the group is depth. Consider the line from a deepest point of
// the block's core up to height depth over the plane. shallowAt returns true if the group contains
// everything within depth of that line's projection. Proof: the Minkowski difference K then
// contains the cylinder of that radius from −depth to +depth, so no direction has a smaller depth.
func (c *WallFinder) shallowAt(depth float64) bool {
	out, at := c.pa.Rot.RotateInv(c.face.Normal), c.plane.Inv().Mul(c.pa)
	low, high := c.farthest(out), math.Inf(1)
	var top vec.Vec3
	for k := range c.va.NVerts {
		if p := c.va.Vert(soa.Vertex(k)); out.Dot(p) < high {
			high, top = out.Dot(p), p
		}
	}
	shadow := func(p vec.Vec3) point {
		q := at.Point(p)
		return point{q.X, q.Y}
	}
	for k := range c.va.NVerts {
		p := c.va.Vert(soa.Vertex(k))
		if out.Dot(p) < low-c.tie {
			continue
		}
		way := segment{shadow(p), shadow(p.AddScaled(2*depth/(low-high), top.Sub(p)))}
		clear := c.covers(way.a)
		for i := range c.whole {
			clear = clear && way.segmentTo(&c.whole[i]) >= depth+c.tie
		}
		if clear {
			return true
		}
	}
	return false
}

// frees reports whether the translation out of the contact with answer by also separates the block
// from part p.
func (c *WallFinder) frees(by *narrow.Answer, p *convexPart) bool {
	far, n := c.needs.Unloaded-by.Gap, by.Normal
	if float64(far*n.Dot(p.answer.Normal)) >= c.needs.Unloaded-p.answer.Gap-c.tie {
		return true
	}
	most, least := c.farthest(c.pa.Rot.RotateInv(n)), math.Inf(1)
	in := c.plane.Rot.RotateInv(n)
	for _, q := range c.corners[p.from:p.to] {
		least = min(least, float64(in.X*q.x)+float64(in.Y*q.y))
	}
	deep := most + n.Dot(c.pa.Pos.Sub(c.plane.Pos)) - least + c.va.Round + c.vb.Round
	return deep+c.needs.Unloaded <= far+c.tie
}

// farthest returns the support of the block's core along a direction of its frame, m.
func (c *WallFinder) farthest(out vec.Vec3) float64 {
	most := math.Inf(-1)
	for k := range c.va.NVerts {
		most = max(most, out.Dot(c.va.Vert(soa.Vertex(k))))
	}
	return most
}

// partContact returns the contact with a part, evaluated like a facet, and the area of its section.
func (c *WallFinder) partContact(p *convexPart) (m WallContact, area float64) {
	m = WallContact{Answer: p.answer, Placed: true, At: section.BallLocation(c.pa, c.plane, p.answer.ArmA, p.answer.ArmB)}
	if c.sections && c.takePart(p) {
		area, _ = c.placeOnConvex(&m, p.answer.ArmB)
	}
	return m, area
}

// joinPlace replaces the place of contact k by that of two sections together: its own and that of
// with, which has the given area.
func (c *WallFinder) joinPlace(k, first int, with *WallContact, area float64) {
	m, own := &c.Contacts[k], &c.areas[k-first]
	all := *own + area
	if !(all > 0) {
		return
	}
	share, d := area/all, with.At.Sub(m.At)
	m.Width = m.Width.Scale(1 - share).Add(with.Width.Scale(share)).Add(d.Outer().Scale(float64(share * (1 - share))))
	m.At = m.At.AddScaled(share, d)
	*own = all
}

// rowOf returns the facet that stores a contact with a part, and makes the witness point relative
// to this facet; -1 if there is none. It chooses among the group's facets that store no contact
// yet: preferably one that contains the witness point, and then the deepest. All facets that
// contain the point become part of the contact.
func (c *WallFinder) rowOf(m *WallContact, nearest, first int) int {
	best, holds := -1, false
	armB := m.Answer.ArmB.Add(c.plane.Pos.Sub(c.pb.Pos))
	for k := range c.Facets {
		f := &c.Facets[k]
		if f.Group != c.Facets[nearest].Group {
			continue
		}
		on := c.onFacet(k, nearest, armB.AddScaled(c.vb.Round, m.Answer.Normal))
		if on {
			f.part = len(c.Contacts) + 1
		}
		if slices.ContainsFunc(c.Contacts[first:], func(m WallContact) bool { return m.Facet == k }) {
			continue
		}
		if best < 0 || on && !holds || on == holds && c.isNearer(k, best) {
			best, holds = k, on
		}
	}
	if best >= 0 {
		m.Answer.ArmB = armB.Add(c.Facets[nearest].Pose.Pos.Sub(c.Facets[best].Pose.Pos))
	}
	return best
}
