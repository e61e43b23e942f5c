package coplanar

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// leastShown is the cosine of the angle between the normal of a group and that of a contact with
// all of the group. Above it the contact has the points of all facets. Below it, the block touches
// the group's boundary from the side and has the points of one facet. The value is above 0.5, the
// cosine above which package narrow returns the corners of a facet for any feature of the answer.
const leastShown = 0.51

// AppendPoints appends the points, in no particular order, at which the piece touches the wall in
// contact k. They are those of narrow.Search.AppendPoints, except that facets of one group have
// their points together: the common edges of two facets inside the group make no points. No point
// is deeper than the contact. Cost: that of the added facets of the group, and of the boundary
// edges at each point.
func (c *WallFinder) AppendPoints(to []narrow.TouchPoint, k int) []narrow.TouchPoint {
	m, first := &c.Contacts[k], len(to)
	f := &c.Facets[m.Facet]
	reach := f.Needs.Reach
	switch own := &f.Answer; {
	case m.around && c.view.Kind.IsPolyhedron():
		to = narrow.AppendPlanePoints(to, c.view, c.pose, reach, &m.Answer)
	case m.all && c.view.Kind.IsPolyhedron() && c.shows(m):
		to = c.appendGroupPoints(to, m, reach)
	case c.view.Kind.IsPolyhedron() && math.Abs(m.Answer.Gap-own.Gap) <= c.tieOf(f) && m.Answer.Normal.Dot(own.Normal) > 1-sameNormal:
		to = c.search.AppendPoints(to, c.view, c.pose, f.View, f.Pose, reach, own)
		tag(to[first:], f.Number)
	default:
		p := narrow.WholePoint(&m.Answer)
		if m.Placed {
			p.At = m.At
		}
		to = append(to, p)
	}
	for i := range to[first:] {
		to[first+i].Gap = max(to[first+i].Gap, m.Answer.Gap)
	}
	return to
}

// shows reports whether a contact with a group is along the group's normal rather than across it.
func (c *WallFinder) shows(m *WallContact) bool {
	return math.Abs(c.groupNormal(c.Facets[m.Facet].Group).Dot(m.Answer.Normal)) > leastShown
}

// showOnce is called for a law that reads points. If the contacts of the present group from first on
// that show the group's face are all with one face of the block, they would have points of the same
// two faces. The deepest of them then gets the points of the whole group, and the others are lost.
func (c *WallFinder) showOnce(first int) {
	deepest := -1
	for k := first; k < len(c.Contacts); k++ {
		switch m := &c.Contacts[k]; {
		case !c.shows(m):
		case deepest < 0:
			deepest = k
		case c.blockFace(m) != c.blockFace(&c.Contacts[deepest]):
			return
		case m.Answer.Gap < c.Contacts[deepest].Answer.Gap-c.tie:
			deepest = k
		}
	}
	for k := first; k < len(c.Contacts); k++ {
		m := &c.Contacts[k]
		m.all = m.all || k == deepest
		m.lost = k != deepest && c.shows(m)
	}
}

// blockFace returns the face of the block that most nearly faces the wall in a contact.
func (c *WallFinder) blockFace(m *WallContact) (face soa.Face) {
	out, most := c.pa.Rot.RotateInv(m.Answer.Normal), math.Inf(-1)
	for f := range c.va.NFaces {
		if d := out.Dot(c.va.Normal(soa.Face(f))); d > most {
			face, most = soa.Face(f), d
		}
	}
	return face
}

// groupNormal returns the normal of a group, world axes.
func (c *WallFinder) groupNormal(id uint32) vec.Vec3 { return c.wall.Rot.Rotate(c.groups.Normal(id)) }

// appendGroupPoints appends the points of a contact with all facets of a group that ends near the
// block.
func (c *WallFinder) appendGroupPoints(to []narrow.TouchPoint, m *WallContact, reach float64) []narrow.TouchPoint {
	first, id := len(to), c.Facets[m.Facet].Group
	group := &c.groups.all[id-1]
	plane := c.planeOf(group)
	for j := range c.Facets {
		f := &c.Facets[j]
		if f.Group != id {
			continue
		}
		from := len(to)
		to = c.search.AppendPoints(to, c.view, c.pose, f.View, f.Pose, reach, &m.Answer)
		tag(to[from:], f.Number)
		kept := to[:from]
		for _, p := range to[from:] {
			q := plane.PointInv(p.At.AddScaled(float64(0.5*p.Gap)+f.View.Round, m.Answer.Normal)) // on the facet itself
			same := func(o narrow.TouchPoint) bool {
				return o.Feature == p.Feature || o.At.Sub(p.At).Norm2() <= float64(4*group.seam*group.seam)
			}
			if group.makes(p.Kind(), point{q.X, q.Y}) && !slices.ContainsFunc(kept[first:], same) {
				kept = append(kept, p)
			}
		}
		to = kept
	}
	if len(to) == first {
		p := narrow.WholePoint(&m.Answer)
		if m.Placed {
			p.At = m.At
		}
		to = append(to, p)
	}
	return to
}

// makes reports whether a point of one facet is also a point of the group. A point of crossing
// edges must lie on the boundary. A point of a facet's vertex must lie at a corner of the boundary.
func (s *Group) makes(kind narrow.PointKind, p point) bool {
	switch kind {
	case narrow.PointOfContact:
		return false
	case narrow.PointOfVertexA:
		return true
	}
	tol := 2 * s.seam
	return slices.ContainsFunc(s.between(p.x-tol, p.x+tol), func(r stretch) bool {
		edge := &s.edges[r.of]
		return r.near(p, tol) && (kind == narrow.PointOfEdges || min(away(p, edge.a), away(p, edge.b)) <= tol)
	})
}

// tieOf returns the difference below which two depths of the piece in a facet count as equal, m.
func (c *WallFinder) tieOf(f *NearFacet) float64 {
	return float64(depthTie * max(c.view.Radius, f.View.Radius, f.Pose.Pos.Sub(c.pose.Pos).MaxAbs()))
}

func tag(points []narrow.TouchPoint, of soa.Number) {
	for i := range points {
		points[i].Tag(of)
	}
}
