package coplanar

import "github.com/scree-dem/scree/soa"

// ballContacts finds the points at which the wall as a whole is nearest to the ball's centre, each
// once. A facet's nearest point is dropped if it lies on another facet that is nearer. If the ball
// touches the face of a group, the answer is that of the group's plane, which is more accurate than
// the plane of a facet smaller than the ball.
func (c *WallFinder) ballContacts() {
	for j := range c.Facets {
		c.Contacts = append(c.Contacts, WallContact{Facet: j, Answer: c.Facets[j].Answer})
	}
	for j := range c.Contacts {
		c.Contacts[j].lost = c.liesOnNearer(j)
		f := &c.Facets[j]
		if c.Contacts[j].lost || f.Group == 0 || f.Answer.Facet.Kind != soa.VertexFace {
			continue
		}
		if c.load(f); !holds(c.vb, c.pb.PointInv(c.pa.Pos), c.va.Radius) {
			c.onGroup(f.Group)
			c.Contacts[j].Answer = c.face
		}
	}
}

// liesOnNearer reports whether the nearest point of facet j lies on another facet that is nearer.
func (c *WallFinder) liesOnNearer(j int) bool {
	f := &c.Facets[j]
	p := f.witness(&f.Answer)
	for k := range c.Facets {
		if c.isNearer(k, j) && c.onFacet(k, j, p) {
			return true
		}
	}
	return false
}
