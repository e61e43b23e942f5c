package coplanar

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Finder finds the contacts of one piece, a ball or a block, and one wall of several facets.
// Begin gives it both, Add the facets whose own answers are within reach, Find makes Contacts. A
// worker needs one: nothing outlives the next Begin but room.
type Finder struct {
	Facets   []Facet   // that were added
	Contacts []Contact // of the piece and the wall
	// Fallbacks and NoSection count pairs since Begin: those that no search has answered, and
	// contacts that are placed at witness points, for there is no section.
	Fallbacks, NoSection int64
	// Compared counts contacts and facets that were compared since NewFinder, for tests.
	Compared int

	search   *narrow.Search
	cutter   *overlap.Cutter
	sections bool // contacts are placed by sections, not witness points

	groups *Groups
	seam   float64  // m, of the wall
	wall   vec.Pose // world
	view   *soa.View
	pose   vec.Pose // of the piece, world

	// The piece and one facet: load gives them. Poses are relative to the piece once onGroup has
	// been called.
	va, vb *soa.View
	pa, pb vec.Pose
	needs  *force.Needs
	tie    float64 // m, see depthTie

	// The group at hand, which onGroup gives, and what it is near the piece.
	group  *Group
	plane  vec.Pose      // relative to the piece
	face   narrow.Answer // with the plane, relative to the facet
	window window        // around the piece
	whole  []segment     // boundary edges in the window
	inside []segment     // what of them is in it

	convex  facetView // a convex part, to be asked
	parts   []convexPart
	corners []point   // of parts
	areas   []float64 // of the sections of contacts with parts
	section []point
	// Room.
	which  []uint32 // boundary edges
	facing []facingEdge
	around []vec.Vec3 // of a section
	under  vec.Vec3   // point on the plane that Amid has found, relative to the piece
	cut    [2][]point

	shares shares
	first  []int // by contact: 1 + a facet that is part of it, or 0
	next   []int // by facet: 1 + the next of the same contact, or 0
	of     []int // facets of one contact
}

// Facet is a facet of the wall that the piece may touch.
type Facet struct {
	Row    int       // the caller's name for it: of facets as deep the least decides
	Piece  soa.Piece // itself; names its features
	Group  uint32    // as Groups.Of has it
	View   *soa.View
	Pose   vec.Pose // world
	Needs  *force.Needs
	Answer narrow.Answer // of the piece and the facet alone

	part int  // contact that it is part of, plus one; 0 for none
	done bool // its group has been asked
}

// Contact is a contact with the wall: of one facet, or of several that act as one.
type Contact struct {
	Facet  int // in Facets: its row has the contact
	Answer narrow.Answer
	// A contact that is not placed has the place that it would have with its facet alone. At is
	// relative to the piece's origin, world axes; Width is the section's moments.
	Placed bool
	At     vec.Vec3
	Width  vec.Sym3
	Shared Shared // of a ball's

	group  uint32 // plus one: the surface that it is with the face of; 0 for contacts with edges, and facets alone
	all    bool   // all facets of the group of its facet take part in it
	around bool   // and their surface goes on all around the block
	lost   bool   // another is the same
}

// NewFinder returns one that uses a worker's search and cutter. sections tells whether contacts
// are placed at the centroids of sections, or at the middle of witness points.
func NewFinder(search *narrow.Search, cutter *overlap.Cutter, sections bool) *Finder {
	return &Finder{search: search, cutter: cutter, sections: sections}
}

// Begin begins with a piece, and a wall of several facets that is a body with a pose.
func (c *Finder) Begin(groups *Groups, body soa.Body, wall vec.Pose, piece *soa.View, pose vec.Pose) {
	c.groups, c.seam, c.wall, c.view, c.pose = groups, groups.walls[body].seam, wall, piece, pose
	c.Facets, c.Contacts = c.Facets[:0], c.Contacts[:0]
	c.Fallbacks, c.NoSection = 0, 0
}

// Add gives a facet. Facets are in ascending order of their rows.
func (c *Finder) Add(f *Facet) { c.Facets = append(c.Facets, *f) }

// Find makes the contacts of the piece and the facets that were added.
func (c *Finder) Find() {
	slices.SortStableFunc(c.Facets, func(x, y Facet) int { return cmp.Compare(x.Row, y.Row) })
	if c.view.Kind == soa.Ball {
		c.ballContacts()
	} else {
		c.blockContacts()
	}
	lost := func(m Contact) bool { return m.lost }
	c.Contacts = slices.DeleteFunc(c.Contacts, lost)
	if c.view.Kind == soa.Ball {
		c.shareBall()
		c.Contacts = slices.DeleteFunc(c.Contacts, lost)
	}
}

// load takes the piece and a facet, as they are in the world.
func (c *Finder) load(f *Facet) {
	c.va, c.pa, c.vb, c.pb, c.needs = c.view, c.pose, f.View, f.Pose, f.Needs
	c.tie, c.convex.view.Round = c.tieOf(f), f.View.Round
}

// onGroup takes a group of the facet that is loaded, and answers the piece and its plane, from
// the side on which the piece is less deep; of equal ones that of the normal. Poses are relative
// to the origin of the piece from then on: far from the world's origin places are rounded to more
// than depths are. The answer is relative to the origin of the facet. top is the core's point
// farthest from the plane, relative to the piece's origin.
func (c *Finder) onGroup(id uint32) (top vec.Vec3) {
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

// planeOf returns the pose of a group's plane, relative to the piece.
func (c *Finder) planeOf(s *Group) vec.Pose {
	return vec.Pose{Pos: c.wall.Pos.Sub(c.pose.Pos), Rot: c.wall.Rot}.Mul(s.pose)
}

// isNearer reports whether a facet has a smaller gap than another, or as small a one and is the
// earlier.
func (c *Finder) isNearer(k, j int) bool {
	x, y := c.Facets[k].Answer.Gap, c.Facets[j].Answer.Gap
	return x < y || x == y && k < j
}

// witness returns the point of a facet itself, without its rounding, that an answer is of,
// relative to its origin.
func (f *Facet) witness(ans *narrow.Answer) vec.Vec3 {
	return ans.ArmB.AddScaled(f.View.Round, ans.Normal)
}

// onFacet reports whether a point lies on facet k, within the width of a seam. It is relative to the
// origin of facet j, world axes.
func (c *Finder) onFacet(k, j int, p vec.Vec3) bool {
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
			// Beyond the end of an edge: the sharp corner of a sliver is within a seam of the
			// lines of its sides far outside.
			if inside = false; d.AddScaled(-min(max(e.Dot(d)/e.Norm2(), 0), 1), e).Norm2() <= float64(c.seam*c.seam) {
				return true
			}
		}
		last = v
	}
	return inside
}

// holds reports whether a ball about a point of a facet's frame has its projection on the facet.
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
