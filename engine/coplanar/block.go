package coplanar

import (
	"math"

	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/section"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// depthTie is the difference below which two depths of a block in a group count as equal. It is
	// relative to the larger radius of a pair or the distance of its origins, and is 16 times
	// narrow.ProofTol, the accuracy of an answer. If depths tie, the plane's answer is used,
	// because all tied answers have its normal within rounding.
	// Smaller: more windows are tested, same result. Larger: another depth passes for the plane's.
	depthTie = 0x1p-37
	// sameNormal is half the square of an angle of 2⁻²⁰. Contacts with parts of one straight
	// boundary edge have normals within that angle, which is far above their rounding.
	// Smaller: a boundary edge acts once per facet. Larger: two edges are one.
	sameNormal = 0x1p-41
)

// groupContacts makes the contacts of the block with the group of facet j.
//
// The depth of a block in a group is the length of the shortest translation that separates them. If
// the block overlaps a flat part of a wall, this translation is along the normal and its length is
// δ, the block's depth under the plane. Any facet whose own depth is δ proves that, because the
// group contains the facet and the half-space contains the group. No facet may prove it if the
// block is small compared with its depth, or if it touches near edges inside the group. Then the
// part of the group around the block decides, if it is convex: it acts as one facet. Otherwise the
// facets' own answers remain, without those at edges inside the group (see atEdges).
//
// The part of the group farther away than δ does not matter. If the block moves by less than δ, its
// section with the plane is the section at a height of less than δ, moved by less than δ. A window
// with a margin of δ around the part of the block below height δ therefore contains all such
// sections. If the group does not end in the window, it acts as a plane: gap, normal and place are
// those of a block on a plane.
//
// All this applies to cores, the pieces without their rounding. For cores that do not touch it
// applies with the distance instead of the depth. For rounded pieces the radii are subtracted from
// the gap. Cost: two supports of the block, its edges, and the boundary edges whose range of x
// overlaps the window's.
func (c *WallFinder) groupContacts(j int) {
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
	// If the facet contains the whole window, for the depth that the facet has found, the facet
	// alone acts as the group.
	gap := c.Facets[nearest].Answer.Gap
	if n == 1 && holds(c.vb, c.pb.PointInv(c.pa.Pos), c.va.Radius+2*math.Abs(gap)) {
		c.make(WallContact{Facet: nearest, Answer: c.Facets[nearest].Answer, group: id})
		return
	}
	c.onGroup(id)
	first := len(c.Contacts)

	// The smallest gap is the largest depth. If it is δ, some facet proves δ.
	shallow := !(gap > c.face.Gap+c.tie)
	// The window reaches as far up the core as its depth or distance matters, and as the sections
	// that place the contact. Each of these sections lies inside its piece by half the difference
	// of the gap and the reference gap.
	round := c.va.Round + c.vb.Round
	near := gap + round
	depth := max(-(c.face.Gap + round), near+math.Abs(gap-c.needs.Unloaded))
	turned := c.face.Normal.Dot(c.plane.Rot.Rotate(vec.Vec3{Z: 1})) > 0
	c.findEdges(below(c.va, c.plane.Inv().Mul(c.pa), turned, depth))
	switch {
	case len(c.whole) == 0:
		c.onPlane(nearest)
	case c.convex.cut(c.window, c.whole, c.inside, c.group.seam):
		c.onConvex(nearest, shallow)
	case shallow:
		m := c.planeContact(nearest)
		c.placeOnGroup(&m)
		c.make(m)
	default:
		c.atEdges(j, nearest)
	}
	if c.needs.Points {
		c.showOnce(first)
	}
}

// planeContact returns the contact with the plane of the group, in the row of facet nearest.
func (c *WallFinder) planeContact(nearest int) WallContact {
	return WallContact{Facet: nearest, Answer: c.face, group: c.Facets[nearest].Group, all: true}
}

// make adds a contact. All added facets of the contact's group become part of it.
func (c *WallFinder) make(m WallContact) {
	c.Contacts = append(c.Contacts, m)
	for k := range c.Facets {
		if c.Facets[k].Group == c.Facets[m.Facet].Group {
			c.Facets[k].part = len(c.Contacts)
		}
	}
}

// onPlane makes the contact with a group that does not end near the block: the contact with the
// group's plane. Like all contacts with a group, it is stored in the row of the facet with the
// smallest gap to the block.
func (c *WallFinder) onPlane(nearest int) {
	m, face := c.planeContact(nearest), &c.face
	m.around, m.Placed, m.At = true, true, section.BallLocation(c.pa, c.pb, face.ArmA, face.ArmB)
	if c.sections {
		var ok bool
		m.At, _, ok = c.cutter.OnPlane(c.va, c.pa, face.Normal, face.Gap-c.needs.Unloaded, face.ArmA.AddScaled(0.5*face.Gap, face.Normal))
		c.measured(&m, ok)
	}
	c.make(m)
}

// measured copies the moments of the section that the cutter has just computed. ok reports whether
// there was a section.
func (c *WallFinder) measured(m *WallContact, ok bool) {
	if !ok {
		c.NoSection++
	}
	if c.needs.Section {
		m.Width = c.cutter.Gyration()
	}
}

// onConvex makes the contact with a group whose part in the window is convex, c.convex. It acts as
// a facet whose edges are those of the group. If shallow is set, the answer is that of the plane.
func (c *WallFinder) onConvex(nearest int, shallow bool) {
	m := c.planeContact(nearest)
	m.Placed = true
	if !shallow {
		ans, ok := c.answerConvex()
		if !ok {
			c.Fallbacks++
			c.make(WallContact{Facet: nearest, Answer: c.Facets[nearest].Answer})
			return
		}
		if ans.Gap > c.face.Gap+c.tie {
			m.Answer, m.group = ans, 0
			m.Answer.ArmB = ans.ArmB.Add(c.plane.Pos.Sub(c.pb.Pos))
		}
	}
	armB := m.Answer.ArmB.Add(c.pb.Pos.Sub(c.plane.Pos))
	m.At = section.BallLocation(c.pa, c.plane, m.Answer.ArmA, armB)
	if c.sections {
		var ok bool
		m.At, _, ok = c.cutter.Reduced(c.va, c.pa, &c.convex.view, c.plane, m.Answer.Normal, m.Answer.Gap-c.needs.Unloaded, m.Answer.ArmA, armB)
		if c.measured(&m, ok); !ok && m.group != 0 {
			// The plane's witness point is a corner of the block, which may lie outside the group.
			if ans, ok := c.answerConvex(); ok {
				m.At = section.BallLocation(c.pa, c.plane, ans.ArmA, ans.ArmB)
			}
		}
	}
	c.make(m)
}

// answerConvex computes the answer of the block and c.convex, and reports whether there is one.
func (c *WallFinder) answerConvex() (ans narrow.Answer, ok bool) {
	c.search.Exhaustive(c.va, c.pa, &c.convex.view, c.plane, c.needs.Reach, &ans)
	return ans, ans.Status <= narrow.Penetrating
}

// below returns a window around all parts of a block up to height depth above a plane, with a
// margin of 2·depth. at is the block's pose in the frame of the plane. The block comes from above
// the plane, or from below if turned.
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
