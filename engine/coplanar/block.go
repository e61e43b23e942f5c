package coplanar

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// depthTie, relative to the larger radius of a pair or the distance of its origins, is the
	// difference below which two depths of a block in a group are the same: 16 times
	// narrow.ProofTol, to which a method proves its answer. Where depths tie, the answer is the
	// plane's, whose normal all of them share but for rounding.
	depthTie = 0x1p-37
	// sameNormal is half the square of the angle, 2⁻²⁰, within which the normals of contacts with
	// the parts of one straight boundary edge are the same: far above their rounding.
	sameNormal = 0x1p-41
)

// groupContacts makes the contacts of the block with the group of facet j.
//
// The depth of a block in a group is the length of the shortest translation that takes it off:
// for what overlaps a flat part of a wall, that along the normal. Any facet says so whose own
// depth is the depth δ under the plane, for the group holds the facet and the half-space holds
// the group. Where none does, since the block is small against its depth or touches near edges
// that are none of the group, its surroundings decide.
//
// What of the group is farther away than δ does not matter: of a block moved by less than δ, the
// section by the plane is one at a height of less than δ over it, moved by less than δ. So a
// window that holds all of the block below height δ, and δ around that, holds all such sections.
// Where the group does not end in the window it is a plane: gap, normal and place are those on
// one.
//
// All that holds for cores, and of cores that stand apart for the distance; rounded pieces are
// nearer by their radii. Cost: two supports of the block, its edges, and the boundary edges that
// share some x with the window.
func (c *Finder) groupContacts(j int) {
	id := c.Facets[j].Group
	nearest, n := j, 0
	for k := j; k < len(c.Facets); k++ {
		if f := &c.Facets[k]; f.Group == id {
			f.done = true
			n++
			if c.isNearer(k, nearest) {
				nearest = k
			}
		}
	}
	c.load(&c.Facets[nearest])
	// Where all of the window, for whatever depth the facet finds, is on the facet, the facet is
	// the group.
	gap := c.Facets[nearest].Answer.Gap
	if n == 1 && holds(c.vb, c.pb.PointInv(c.pa.Pos), c.va.Radius+2*math.Abs(gap)) {
		c.make(Contact{Facet: nearest, Answer: c.Facets[nearest].Answer, group: id})
		return
	}
	c.onGroup(id)

	// The least gap is the largest depth: if that is δ, some facet proves it.
	shallow := !(gap > c.face.Gap+c.tie)
	// The core is looked at as far up as its depth matters, or its distance and the sections that
	// are the contact's place: each is inside its piece by half of what the gap differs from the
	// reference gap.
	round := c.va.Round + c.vb.Round
	near := gap + round
	depth := max(-(c.face.Gap + round), near+math.Abs(gap-c.needs.Unloaded))
	turned := c.face.Normal.Dot(c.plane.Rot.Rotate(vec.Vec3{Z: 1})) > 0
	c.lookIn(below(c.va, c.plane.Inv().Mul(c.pa), turned, depth))
	switch {
	case len(c.whole) == 0:
		c.onPlane(nearest)
	case c.convex.cut(c.window, c.whole, c.inside, c.group.seam):
		c.onConvex(nearest, shallow)
	case near < 0:
		c.penetrating(nearest)
	case shallow:
		m := c.planeContact(nearest)
		c.placeOnGroup(&m)
		c.make(m)
	default:
		c.apart(j)
	}
}

// planeContact is the contact with the plane of a group, in the row of its nearest facet.
func (c *Finder) planeContact(nearest int) Contact {
	return Contact{Facet: nearest, Answer: c.face, group: c.Facets[nearest].Group, all: true}
}

// make adds a contact, of which all facets of a group that were added are part.
func (c *Finder) make(m Contact) {
	c.Contacts = append(c.Contacts, m)
	for k := range c.Facets {
		if c.Facets[k].Group == c.Facets[m.Facet].Group {
			c.Facets[k].part = len(c.Contacts)
		}
	}
}

// onPlane makes the contact with a group that does not end near the block: that with its plane.
// Like all contacts with a group, it is in the row of the facet that the block is nearest to, or
// deepest in.
func (c *Finder) onPlane(nearest int) {
	m, face := c.planeContact(nearest), &c.face
	m.around, m.Placed, m.At = true, true, overlap.BallLocation(c.pa, c.pb, face.ArmA, face.ArmB)
	if c.sections {
		var ok bool
		m.At, _, ok = c.cutter.OnPlane(c.va, c.pa, face.Normal, face.Gap-c.needs.Unloaded, face.ArmA.AddScaled(0.5*face.Gap, face.Normal), face.Facet)
		c.measured(&m, ok)
	}
	c.make(m)
}

// measured takes over the moments of the section that the cutter has just found, if there was
// one.
func (c *Finder) measured(m *Contact, ok bool) {
	if !ok {
		c.NoSection++
	}
	if c.needs.Section {
		m.Width = c.cutter.Gyration()
	}
}

// onConvex makes the contact with the convex part of a group that is at hand: it is a facet like
// any other, with the group's own edges. shallow says that the answer is the plane's.
func (c *Finder) onConvex(nearest int, shallow bool) {
	m := c.planeContact(nearest)
	m.Placed = true
	if !shallow {
		ans, ok := c.askConvex()
		if !ok {
			c.Fallbacks++
			c.make(Contact{Facet: nearest, Answer: c.Facets[nearest].Answer})
			return
		}
		if ans.Gap > c.face.Gap+c.tie {
			m.Answer, m.group = ans, 0
			m.Answer.ArmB = ans.ArmB.Add(c.plane.Pos.Sub(c.pb.Pos))
		}
	}
	armB := m.Answer.ArmB.Add(c.pb.Pos.Sub(c.plane.Pos))
	m.At = overlap.BallLocation(c.pa, c.plane, m.Answer.ArmA, armB)
	if c.sections {
		if _, ok := c.placeOnConvex(&m, armB); !ok && m.group != 0 {
			// The plane's witness point is a corner of the block, which may be beside the group.
			if ans, ok := c.askConvex(); ok {
				m.At = overlap.BallLocation(c.pa, c.plane, ans.ArmA, ans.ArmB)
			}
		}
	}
	c.make(m)
}

// placeOnConvex places a contact by the section that the block has in common with the convex part at hand, and returns its area. armB
// is the witness point on the part, relative to the plane's origin.
func (c *Finder) placeOnConvex(m *Contact, armB vec.Vec3) (area float64, ok bool) {
	m.At, area, ok = c.cutter.Reduced(c.va, c.pa, &c.convex.view, c.plane, m.Answer.Normal, m.Answer.Gap-c.needs.Unloaded, m.Answer.ArmA, armB, soa.FacetID{})
	c.measured(m, ok)
	return area, ok
}

// askConvex answers the block and the convex part at hand, and reports whether there is an answer.
func (c *Finder) askConvex() (ans narrow.Answer, ok bool) {
	c.search.Exhaustive(c.va, c.pa, &c.convex.view, c.plane, c.needs.Reach, &ans)
	return ans, ans.Status != narrow.NotConverged && ans.Status != narrow.Degenerate
}

// below returns the window that holds the part of a block on its way through a plane up to height
// depth above it, and depth around that. at is the block's pose in the frame of the plane; it
// comes from above, or from below if turned.
func below(v *soa.View, at vec.Pose, turned bool, depth float64) window {
	out := window{point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}}
	sign := 1.0
	if turned {
		sign = -1
	}
	m := at.Rot.Mat3()
	height := func(p vec.Vec3) float64 { return float64(sign*(m.R2.Dot(p)+at.Pos.Z)) - depth }
	shadow := func(p vec.Vec3) point { return point{m.R0.Dot(p) + at.Pos.X, m.R1.Dot(p) + at.Pos.Y} }
	for h := range v.Tail {
		p := v.Vert(v.Tail[h])
		hp := height(p)
		if hp > 0 {
			continue
		}
		out = out.with(shadow(p))
		q := v.Vert(v.Head(soa.HalfEdge(h)))
		if hq := height(q); hq > 0 {
			out = out.with(shadow(p.AddScaled(hp/(hp-hq), q.Sub(p))))
		}
	}
	return out.enlarged(2 * depth)
}
