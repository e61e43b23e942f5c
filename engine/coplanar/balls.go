package coplanar

import "github.com/scree-dem/scree/soa"

// ballContacts keeps the places where the wall as a whole is nearest to the ball's centre, each
// once: the nearest point of a facet is none if it lies on another facet that has a nearer one.
// Within a group the ball is on its plane, which facets smaller than the ball know less well.
func (c *Finder) ballContacts() {
	for j := range c.Facets {
		c.Contacts = append(c.Contacts, Contact{Facet: j, Answer: c.Facets[j].Answer})
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

// liesOnNearer reports whether the nearest point of facet j lies on another that is nearer.
func (c *Finder) liesOnNearer(j int) bool {
	f := &c.Facets[j]
	p := f.witness(&f.Answer)
	for k := range c.Facets {
		if c.isNearer(k, j) && c.onFacet(k, j, p) {
			return true
		}
	}
	return false
}
