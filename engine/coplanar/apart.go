package coplanar

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// apart makes the contacts with a group that is not convex around the block, if the block's core
// does not touch the group. Each contact is at a facet's nearest point. Two kinds of points are
// dropped: those that lie on a nearer facet, and those on a boundary edge that the block runs along
// and that leads to nearer points. The distance of convex bodies has no local minimum inside
// another facet, so such points are not contacts.
//
// A contact along the group's normal is placed by the section with the whole group. A contact at
// boundary edges is placed by the convex parts around its points, in the order of the boundary
// edges.
func (c *WallFinder) apart(j int) {
	first, id, seam := len(c.Contacts), c.Facets[j].Group, c.group.seam
	c.parts, c.corners = c.parts[:0], c.corners[:0]
	for k := j; k < len(c.Facets); k++ {
		if c.Facets[k].Group == id && !c.liesOnNearer(k) && !c.leadsOn(k) {
			c.keepAnswer(k, first)
		}
	}
	c.areas = soa.Resize(c.areas, len(c.Contacts)-first)
	of := func(k int) bool { return c.Facets[k].Group == id && c.Facets[k].part > first }
	for i := range c.whole {
		for k := j; k < len(c.Facets); k++ {
			if !of(k) {
				continue
			}
			if at := c.witnessOn(k); c.whole[i].near(at, seam) {
				if r, ok := c.alongside(i, &c.Facets[k].Answer); ok {
					at = r.at(0.5)
				}
				c.placeApart(k, first, at)
			}
		}
	}
	for k := j; k < len(c.Facets); k++ { // points at boundary edges outside the window
		if of(k) && !c.Contacts[c.Facets[k].part-1].Placed {
			c.placeApart(k, first, c.witnessOn(k))
		}
	}
}

// placeApart places the contact to which facet k belongs. It adds the convex part around the point
// at to the contact's place, or places the contact by the whole group. first is the index of the
// group's first contact.
func (c *WallFinder) placeApart(k, first int, at point) {
	own := c.Facets[k].part - 1
	m := &c.Contacts[own]
	if m.Answer.Normal.Dot(c.face.Normal) > 1-sameNormal {
		if !m.Placed {
			c.placeOnGroup(m)
		}
		return
	}
	if slices.ContainsFunc(c.parts, func(p convexPart) bool { return p.own == own && c.onPart(&p, at) }) {
		return
	}
	c.findPart(at, byPoint, nil)
	p := &c.parts[len(c.parts)-1]
	p.own, p.answer = own, c.Facets[k].Answer
	p.answer.ArmB = p.answer.ArmB.Add(c.origin(k).Sub(c.plane.Pos))
	with, area := c.partContact(p)
	if m.Placed {
		c.joinPlace(own, first, &with, area)
	} else {
		m.Placed, m.At, m.Width, c.areas[own-first] = true, with.At, with.Width, area
	}
}

// origin returns the origin of facet k relative to that of the block.
func (c *WallFinder) origin(k int) vec.Vec3 { return c.Facets[k].Pose.Pos.Sub(c.pose.Pos) }

// witnessOn returns the witness point on facet k, in the frame of its group.
func (c *WallFinder) witnessOn(k int) point {
	f := &c.Facets[k]
	return c.inPlane(c.origin(k).Add(f.witness(&f.Answer)))
}

// alongside returns the part of boundary edge i along which the block runs with the normal of an
// answer and at constant distance. ok reports whether this part is longer than a seam.
func (c *WallFinder) alongside(i int, ans *narrow.Answer) (along segment, ok bool) {
	r := &c.whole[i]
	length := away(r.a, r.b)
	u := c.plane.Rot.Rotate(vec.Vec3{X: (r.b.x - r.a.x) / length, Y: (r.b.y - r.a.y) / length})
	across := ans.Normal.Cross(u)
	in, out := c.pa.Pos.Sub(c.plane.Point(vec.Vec3{X: r.a.x, Y: r.a.y})), c.pa.Rot.RotateInv(ans.Normal)
	most := c.farthest(out)
	// The chord of the block's nearest feature that lies over the line of the boundary edge.
	points := c.section[:0]
	for k := range c.va.NVerts {
		if p := c.va.Vert(soa.Vertex(k)); out.Dot(p) >= most-c.tie {
			d := c.pa.Rot.Rotate(p).Add(in)
			points = append(points, point{u.Dot(d), across.Dot(d)})
		}
	}
	c.section = points
	from, to := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		for _, q := range points {
			switch {
			case math.Abs(p.y) <= c.tie:
				from, to = min(from, p.x), max(to, p.x)
			case p.y < 0 && q.y > 0:
				x := p.x + float64(p.y/(p.y-q.y)*(q.x-p.x))
				from, to = min(from, x), max(to, x)
			}
		}
	}
	from, to = max(from, 0), min(to, length)
	if !(to-from > c.group.seam) || math.Abs(ans.Normal.Dot(u))*(to-from) > c.tie {
		return segment{}, false
	}
	return segment{r.at(from / length), r.at(to / length)}, true
}

// leadsOn reports whether the block runs along a boundary edge at the nearest point of facet f and
// another boundary edge leads on to nearer points. The second edge meets the first at an end of the
// stretch along which the block runs. Rounding decides which point of the stretch a facet finds,
// and whether any facet finds its end.
func (c *WallFinder) leadsOn(f int) bool {
	ans, at, seam := &c.Facets[f].Answer, c.witnessOn(f), c.group.seam
	for i := range c.whole {
		if !c.whole[i].near(at, seam) {
			continue
		}
		r, ok := c.alongside(i, ans)
		if !ok {
			continue
		}
		for k := range c.whole {
			q := &c.whole[k]
			end := r.b
			if k == i || !q.near(end, seam) {
				if end = r.a; k == i || !q.near(end, seam) {
					continue
				}
			}
			if c.isNearerAt(end, k, ans) {
				return true
			}
		}
	}
	return false
}

// isNearerAt reports whether a convex part is nearer to the block than an answer. The part is the
// one around the end of a boundary edge; end lies on boundary edge k.
func (c *WallFinder) isNearerAt(end point, k int, ans *narrow.Answer) (nearer bool) {
	n, from := len(c.parts), len(c.corners)
	c.findPart(end, k, &c.whole[k])
	if c.takePart(&c.parts[n]) {
		found, _ := c.answerConvex()
		nearer = found.Gap < ans.Gap-c.tie
	}
	c.parts, c.corners = c.parts[:n], c.corners[:from]
	return nearer
}

// keepAnswer makes the answer of facet k a contact, or merges it with the first contact from first
// on that has the same normal and depth.
func (c *WallFinder) keepAnswer(k, first int) {
	f := &c.Facets[k]
	for i := first; i < len(c.Contacts); i++ {
		if c.isAlike(&c.Contacts[i].Answer, &f.Answer) {
			f.part = i + 1
			return
		}
	}
	c.Contacts = append(c.Contacts, WallContact{Facet: k, Answer: f.Answer})
	f.part = len(c.Contacts)
}

// isAlike reports whether two answers have the same normal and depth, within rounding.
func (c *WallFinder) isAlike(x, y *narrow.Answer) bool {
	return x.Normal.Dot(y.Normal) > 1-sameNormal && math.Abs(x.Gap-y.Gap) <= c.tie
}
