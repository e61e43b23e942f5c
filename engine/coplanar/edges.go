package coplanar

import (
	"math"
	"slices"
)

// atEdges makes the contacts with a group that is not convex around the block, if no facet proves
// the block's depth under the plane. Each facet's own answer is a contact if its nearest point lies
// on the group's boundary. Two kinds of answers are no contacts: those whose nearest point lies on
// another facet that is at least as near, and those that point across an edge inside the group. If
// none is left, the contact is along the group's normal, as deep as the nearest facet is. That is a
// lower bound of the depth in the group.
//
// If several boundary edges act, as in a notch or a tight hole, each has its own contact.
func (c *WallFinder) atEdges(j, nearest int) {
	first, id := len(c.Contacts), c.Facets[j].Group
	for k := j; k < len(c.Facets); k++ {
		if c.Facets[k].Group == id && !c.liesOnNearer(k) && c.endsAt(k) {
			c.keepAnswer(k, first)
		}
	}
	if len(c.Contacts) > first {
		return
	}
	m, gap := c.planeContact(nearest), c.Facets[nearest].Answer.Gap
	m.Answer.ArmA, m.Answer.Gap = c.face.ArmA.AddScaled(c.face.Gap-gap, c.face.Normal), gap
	c.placeOnGroup(&m)
	c.make(m)
}

// endsAt reports whether the witness point on facet k lies on the boundary of the group.
func (c *WallFinder) endsAt(k int) bool {
	f := &c.Facets[k]
	at := c.inPlane(f.Pose.Pos.Sub(c.pose.Pos).Add(f.witness(&f.Answer)))
	return slices.ContainsFunc(c.whole, func(r segment) bool { return r.near(at, 2*c.group.seam) })
}

// keepAnswer makes the answer of facet k a contact, or merges it with the first contact from first
// on that has the same normal and depth.
func (c *WallFinder) keepAnswer(k, first int) {
	f := &c.Facets[k]
	for i := first; i < len(c.Contacts); i++ {
		if m := &c.Contacts[i].Answer; m.Normal.Dot(f.Answer.Normal) > 1-sameNormal && math.Abs(m.Gap-f.Answer.Gap) <= c.tie {
			f.part = i + 1
			return
		}
	}
	c.Contacts = append(c.Contacts, WallContact{Facet: k, Answer: f.Answer})
	f.part = len(c.Contacts)
}
