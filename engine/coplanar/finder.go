package coplanar

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/section"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// WallFinder finds the contacts of one piece, a ball or a block, with one wall of several facets. Call
// Begin with the piece and the wall, Add for each facet whose own answer is within reach, and then
// Find, which sets Contacts. Each worker needs its own WallFinder. Between two calls of Begin, only
// allocated memory persists.
type WallFinder struct {
	Facets   []NearFacet   // the facets that were added
	Contacts []WallContact // the contacts of the piece and the wall, set by Find
	// Fallbacks counts pairs since Begin that no search could answer. NoSection counts contacts
	// since Begin that have no section and are placed at witness points.
	Fallbacks, NoSection int64

	search   *narrow.Search
	cutter   *section.Cutter
	sections bool // place contacts at sections, not at witness points

	groups *WallGroups
	seam   float64  // m, width of the wall's seams
	wall   vec.Pose // world
	view   *soa.View
	pose   vec.Pose // of the piece, world

	// The piece and the present facet, set by load. After onGroup, poses are relative to the piece.
	va, vb *soa.View
	pa, pb vec.Pose
	needs  *force.Needs
	tie    float64 // m, see depthTie

	// The present group, set by onGroup, and its part near the piece.
	group  *Group
	plane  vec.Pose      // pose of the group's plane relative to the piece
	face   narrow.Answer // answer of the piece and the plane; ArmB is relative to the facet
	window window        // the part of the plane around the piece that matters
	whole  []segment     // boundary edges in the window
	inside []segment     // the parts of these edges in the window

	convex  facetView // the convex part to evaluate
	section []point
	// Buffers.
	which  []uint32   // boundary edges
	around []vec.Vec3 // outline of a section
	under  vec.Vec3   // the point on the plane that PlaneAround found, relative to the piece
	cut    [2][]point

	shares potentialParts
	first  []int // by contact: 1 + the first facet that is part of it, or 0
	next   []int // by facet: 1 + the next facet of the same contact, or 0
	of     []int // facets of one contact
}

// NearFacet is a facet of the wall that the piece may touch.
type NearFacet struct {
	Row    int        // the caller's number for the facet; among facets of equal depth the lowest counts
	Piece  soa.Piece  // the piece of the facet
	Number soa.Number // its number: part of the names of its features
	Group  uint32     // as WallGroups.Of returns it
	View   *soa.View
	Pose   vec.Pose // world
	Needs  *force.Needs
	Answer narrow.Answer // of the piece and this facet alone

	part int  // 1 + the contact that the facet is part of; 0 if there is none
	done bool // the facet's group has been evaluated
}

// WallContact is a contact of the piece with the wall: with one facet, or with several that act as one.
type WallContact struct {
	Facet  int // index in Facets; the row of this facet stores the contact
	Answer narrow.Answer
	// Placed reports whether At and Width are set. Otherwise the caller places the contact as one
	// with Facet alone. At is relative to the piece's origin, world axes; Width is the second
	// moments of the section.
	Placed bool
	At     vec.Vec3
	Width  vec.Sym3
	Shared PotentialPart // of a ball's contact

	group  uint32 // the group whose face the piece touches, as WallGroups.Of returns it; 0 for contacts with edges and with single facets
	all    bool   // the contact has the points of all facets of Facet's group
	around bool   // the group's surface extends all around the block
	lost   bool   // the contact is dropped, because another one includes it
}

// NewFinder returns a WallFinder that uses a worker's search and cutter. If sections is set, contacts
// are placed at the centroids of sections, otherwise at the midpoint of the witness points.
func NewFinder(search *narrow.Search, cutter *section.Cutter, sections bool) *WallFinder {
	return &WallFinder{search: search, cutter: cutter, sections: sections}
}

// Begin starts with a piece and a wall of several facets, which is a body with a pose.
func (c *WallFinder) Begin(groups *WallGroups, body soa.Body, wall vec.Pose, piece *soa.View, pose vec.Pose) {
	c.groups, c.seam, c.wall, c.view, c.pose = groups, groups.walls[body].seam, wall, piece, pose
	c.Facets, c.Contacts = c.Facets[:0], c.Contacts[:0]
	c.Fallbacks, c.NoSection = 0, 0
}

// Add adds a facet. The caller must add facets in ascending order of their rows.
func (c *WallFinder) Add(f *NearFacet) { c.Facets = append(c.Facets, *f) }

// Find computes the contacts of the piece with the added facets.
func (c *WallFinder) Find() {
	slices.SortStableFunc(c.Facets, func(x, y NearFacet) int { return cmp.Compare(x.Row, y.Row) })
	if c.view.Kind.IsRound() {
		c.ballContacts()
	} else {
		c.blockContacts()
	}
	lost := func(m WallContact) bool { return m.lost }
	c.Contacts = slices.DeleteFunc(c.Contacts, lost)
	if c.view.Kind.IsRound() {
		c.shareBall()
		c.Contacts = slices.DeleteFunc(c.Contacts, lost)
	}
}

// AppendTouched appends the facets that contact m is with: those of its group that were added, or one.
// around reports whether the group is a plane that ends nowhere near the piece; one facet then stands
// for the plane.
func (c *WallFinder) AppendTouched(to []soa.Piece, m *WallContact) (pieces []soa.Piece, around bool) {
	if m.around || m.group == 0 {
		return append(to, c.Facets[m.Facet].Piece), m.around
	}
	for k := range c.Facets {
		if c.Facets[k].Group == m.group {
			to = append(to, c.Facets[k].Piece)
		}
	}
	return to, false
}

// load sets the piece and a facet, with world poses.
func (c *WallFinder) load(f *NearFacet) {
	c.va, c.pa, c.vb, c.pb, c.needs = c.view, c.pose, f.View, f.Pose, f.Needs
	c.tie, c.convex.view.Round = c.tieOf(f), f.View.Round
}

// onGroup sets the present group, of the loaded facet, and computes the answer of the piece and the
// group's plane, c.face. The piece is on the side of the plane where it is less deep; in a tie, on
// the side of the normal. From then on poses are relative to the piece's origin, because far from
// the world's origin positions are rounded more coarsely than depths. The arms of c.face are
// relative to the origins of piece and facet. top is the core's farthest point from the plane,
// relative to the piece's origin.
func (c *WallFinder) onGroup(id uint32) (top vec.Vec3) {
	c.group = &c.groups.all[id-1]
	c.plane = c.planeOf(c.group)
	c.pa.Pos, c.pb.Pos = vec.Vec3{}, c.pb.Pos.Sub(c.pa.Pos)
	narrow.OnPlane(c.va, c.pa, c.plane, &c.face)
	var below narrow.Answer
	back := c.plane
	back.Rot = back.Rot.Mul(vec.Quat{X: 1})
	if narrow.OnPlane(c.va, c.pa, back, &below); below.Gap > c.face.Gap {
		c.face, below = below, c.face
	}
	c.face.ArmB = c.face.ArmA.AddScaled(c.face.Gap, c.face.Normal).Sub(c.pb.Pos.Sub(c.pa.Pos))
	c.face.AnsweredBy = narrow.ByFeature
	c.face.Grow(c.va.Round, c.vb.Round)
	return below.ArmA
}

// planeOf returns the pose of a group's plane relative to the piece.
func (c *WallFinder) planeOf(s *Group) vec.Pose {
	return vec.Pose{Pos: c.wall.Pos.Sub(c.pose.Pos), Rot: c.wall.Rot}.Mul(s.pose)
}

// isNearer reports whether facet k has a smaller gap than facet j. In a tie the facet with the
// lower index counts as nearer.
func (c *WallFinder) isNearer(k, j int) bool {
	x, y := c.Facets[k].Answer.Gap, c.Facets[j].Answer.Gap
	return x < y || x == y && k < j
}

// witness returns the witness point of an answer on the facet without its rounding, relative to the
// facet's origin.
func (f *NearFacet) witness(ans *narrow.Answer) vec.Vec3 {
	return ans.ArmB.AddScaled(f.View.Round, ans.Normal)
}

// onFacet reports whether point p lies on facet k, within the width of a seam. p is relative to the
// origin of facet j, world axes.
func (c *WallFinder) onFacet(k, j int, p vec.Vec3) bool {
	view, pose := c.Facets[k].View, &c.Facets[k].Pose
	q := pose.Rot.RotateInv(p.Add(c.Facets[j].Pose.Pos.Sub(pose.Pos)))
	n := view.Normal(0)
	if math.Abs(n.Dot(q.Sub(view.Vert(0)))) > c.seam {
		return false
	}
	inside, last := true, view.Vert(soa.Vertex(view.NVerts-1))
	for k := range view.NVerts {
		v := view.Vert(soa.Vertex(k))
		e, d := v.Sub(last), q.Sub(last)
		if n.Dot(e.Cross(d)) < 0 {
			// The point may lie beyond the end of an edge: far outside, the sharp corner of a
			// sliver is within a seam of the lines of its sides. So compare with the edge itself.
			if inside = false; d.AddScaled(-min(max(e.Dot(d)/e.Norm2(), 0), 1), e).Norm2() <= float64(c.seam*c.seam) {
				return true
			}
		}
		last = v
	}
	return inside
}

// holds reports whether the projection of a ball onto the facet's plane lies inside the facet.
// centre is in the facet's frame.
func holds(v *soa.View, centre vec.Vec3, radius float64) bool {
	n := v.Normal(0)
	last := v.Vert(soa.Vertex(v.NVerts - 1))
	for k := range v.NVerts {
		p := v.Vert(soa.Vertex(k))
		e := p.Sub(last)
		if !(n.Dot(e.Cross(centre.Sub(last))) >= float64(radius*e.Norm())) {
			return false
		}
		last = p
	}
	return true
}
