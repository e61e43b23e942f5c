package coplanar

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/section"
	"github.com/scree-dem/scree/vec"
)

// alike is the cosine of the largest angle between the normals of two contacts with one wall that
// share a witness point and may be one contact. If two facets share an edge, both contacts have the
// direction of the whole wall or nearly so. The two sides of a corner in which a body lies differ
// by more.
// Smaller: one side of an obtuse valley may vanish if both touch at its bottom. Larger: an edge
// acts twice.
const alike = 0.9

// blockContacts evaluates each group that the block touches, and uses the answers of all other
// facets unchanged. Two contacts with the same edge are merged, and the place of the merged contact
// includes both.
func (c *WallFinder) blockContacts() {
	for j := range c.Facets {
		f := &c.Facets[j]
		switch {
		case f.Group == 0:
			c.Contacts = append(c.Contacts, WallContact{Facet: j, Answer: f.Answer})
			f.part = len(c.Contacts)
		case !f.done:
			c.groupContacts(j)
		}
	}
	c.listParts()
	shared := false
	for j := range c.Contacts {
		x := &c.Contacts[j]
		if x.group != 0 || x.lost {
			continue
		}
		f := &c.Facets[x.Facet]
		c.load(f)
		p := f.witness(&x.Answer)
		for k := range c.Contacts {
			if j == k || c.Contacts[k].lost {
				continue
			}
			if c.sameEdge(j, k, p) {
				x.lost = true
				shared = c.share(j, k) || shared
				break
			}
			if c.isGhost(j, k, p) {
				x.lost = true
				break
			}
		}
	}
	for k := range c.Contacts {
		if m := &c.Contacts[k]; shared && !m.lost && m.group == 0 {
			c.placeOnFacets(k)
		}
	}
}

// listParts lists the facets of each contact.
func (c *WallFinder) listParts() {
	c.first, c.next = c.first[:0], c.next[:0]
	for range c.Contacts {
		c.first = append(c.first, 0)
	}
	for f := range c.Facets {
		c.next = append(c.next, 0)
		if k := c.Facets[f].part - 1; k >= 0 {
			c.next[f], c.first[k] = c.first[k], f+1
		}
	}
}

// share moves the facets of contact j to contact k if k is a contact with an edge, too. If it
// returns true, the caller must place contact k again. The place of k remains if the facets of j
// are upright and those of k are not.
func (c *WallFinder) share(j, k int) (again bool) {
	x, y := &c.Contacts[j], &c.Contacts[k]
	isEdge := y.group == 0
	again = isEdge && !(c.isUpright(x.Facet, y) && !c.isUpright(y.Facet, y))
	y.Placed = y.Placed && !again
	last := 0
	for f := c.first[j]; f != 0; f = c.next[f-1] {
		if last = f; isEdge {
			c.Facets[f-1].part = k + 1
		} else {
			c.Facets[f-1].part = 0
		}
	}
	if isEdge && last != 0 {
		c.next[last-1], c.first[k] = c.first[k], c.first[j]
	}
	c.first[j] = 0
	return again
}

// isUpright reports whether facet k is upright in a contact. The contact's normal then does not tell
// on which side of the facet the wall has material.
func (c *WallFinder) isUpright(k int, m *WallContact) bool {
	f := &c.Facets[k]
	return !(math.Abs(f.Pose.Rot.Rotate(f.View.Normal(0)).Dot(m.Answer.Normal)) > section.Upright)
}

// sameEdge reports whether contact j is with an edge or a corner of the surface of contact k, which
// must be at least as deep, within rounding. The witness point p of contact j must lie on that
// surface, and the normals must be alike. Among edges of equal depth the first one remains of a
// facet that is not upright, or else the first one.
func (c *WallFinder) sameEdge(j, k int, p vec.Vec3) bool {
	x, y := &c.Contacts[j], &c.Contacts[k]
	if !(x.Answer.Normal.Dot(y.Answer.Normal) > alike) || y.Answer.Gap > x.Answer.Gap+c.tie {
		return false
	}
	if y.group == 0 && y.Answer.Gap >= x.Answer.Gap-c.tie {
		first, isUpright := j < k, c.isUpright(y.Facet, y)
		if isUpright != c.isUpright(x.Facet, x) {
			first = isUpright
		}
		if first {
			return false
		}
	}
	for f := c.first[k]; f != 0; f = c.next[f-1] {
		if c.onFacet(f-1, x.Facet, p) {
			return true
		}
	}
	return false
}

const (
	// faceOn is the cosine of the largest angle between the normals of a contact and of its facet at
	// which the contact is with the facet's face. Smaller: ghosts of slight bends remain. Larger: faces
	// that rounding tilts count as edges.
	faceOn = 1 - 0x1p-30
	// ghostStep, in seams, is how far beside an edge a facet is looked for. Smaller: rounding of the
	// edge decides. Larger: narrow facets are missed.
	ghostStep = 64
)

// isGhost reports whether contact j is with an edge that its facet shares with a facet of contact k,
// and points across that facet. No body can touch the wall in that direction, because the other facet
// is there: its own contact remains. So a block that slides over a bend does not catch on the edge.
// Within a coplanar group atEdges decides. p is the witness point of contact j.
func (c *WallFinder) isGhost(j, k int, p vec.Vec3) bool {
	x := &c.Contacts[j]
	f := &c.Facets[x.Facet]
	if math.Abs(f.Pose.Rot.Rotate(f.View.Normal(0)).Dot(x.Answer.Normal)) > faceOn {
		return false
	}
	for q := c.first[k]; q != 0; q = c.next[q-1] {
		other := &c.Facets[q-1]
		n := other.Pose.Rot.Rotate(other.View.Normal(0))
		across := x.Answer.Normal.AddScaled(-x.Answer.Normal.Dot(n), n).Neg() // from the wall to the block
		if q-1 == x.Facet || f.Group != 0 && other.Group == f.Group || !(across.Norm() > 1-alike) || !c.onFacet(q-1, x.Facet, p) {
			continue
		}
		if c.onFacet(q-1, x.Facet, p.AddScaled(float64(ghostStep*c.seam), across.Unit())) {
			return true
		}
	}
	return false
}

// placeOnFacets places contact k at the centroid of the sections of all facets that are part of it,
// each cut as if it were alone. Upright facets count only if all are upright. It does not change a
// contact of one facet.
func (c *WallFinder) placeOnFacets(k int) {
	m := &c.Contacts[k]
	c.of = c.of[:0]
	for f := c.first[k]; f != 0; f = c.next[f-1] {
		c.of = append(c.of, f-1)
	}
	if !c.isUpright(m.Facet, m) {
		c.of = slices.DeleteFunc(c.of, func(f int) bool { return c.isUpright(f, m) })
	}
	if slices.Sort(c.of); m.Placed || len(c.of) < 2 || !c.sections {
		return
	}
	c.load(&c.Facets[m.Facet])
	gap := m.Answer.Gap - c.needs.Unloaded
	mid := section.BallLocation(c.pa, c.pb, m.Answer.ArmA, m.Answer.ArmB)
	var all vec.Vec3
	var width vec.Sym3
	area := 0.0
	for _, k := range c.of {
		view, pose := c.Facets[k].View, c.Facets[k].Pose
		armB := m.Answer.ArmB.Add(c.pb.Pos.Sub(pose.Pos))
		at, part, ok := c.cutter.Reduced(c.va, c.pa, view, pose, m.Answer.Normal, gap, m.Answer.ArmA, armB)
		if !ok || !(part > 0) {
			continue
		}
		d := at.Sub(mid)
		area += part
		all = all.AddScaled(part, d)
		width = width.Add(c.cutter.Gyration().Add(d.Outer()).Scale(part))
	}
	m.Placed, m.At, m.Width = true, mid, vec.Sym3{}
	if !(area > 0) {
		c.NoSection++
		return
	}
	d := all.Scale(1 / area)
	m.At = mid.Add(d)
	if c.needs.Section {
		m.Width = width.Scale(1 / area).Add(d.Outer().Scale(-1))
	}
}
