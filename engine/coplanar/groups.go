package coplanar

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/surface"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// planeRel, relative to the largest coordinate of a wall, is how far its facets may lie off a
	// group's plane, and edges that meet off each other: rounding of facets that were computed to
	// lie in one plane, as those of geometry.MergeFacets are.
	planeRel = 0x1p-40
	// straightRel, likewise, is how far a point may lie off a boundary edge and be no corner of
	// it, and how short a bit of an edge is dropped: the rounding of coordinates in single
	// precision, 2⁻²⁴ along each axis, of three points in a row.
	straightRel = 0x1p-22
)

// Group is the facets of a wall that lie in one plane. They act as the one flat surface that they
// cut into pieces (docs/decisions/0023). A facet that is alone in its plane is in no group.
type Group struct {
	wall    soa.Body
	pose    vec.Pose  // of the plane, that of the largest facet, in the wall's frame: z is its normal
	edges   []segment // the boundary: where the surface ends
	border  []stretch // of the boundary, by least x
	longest float64   // m, of a stretch along x
	seam    float64   // m
}

// Groups is the groups of all walls.
type Groups struct {
	of    []uint32     // by piece: its group plus one, 0 for none; as long as the last facet of a wall of several
	walls []wallFacets // by body; as long as the last wall of several facets
	all   []Group
}

// wallFacets is what is known of the facets of a body.
type wallFacets struct {
	many bool    // it is a wall of several
	even bool    // all have one material and rounding
	seam float64 // m
}

// Of returns the group of a piece, plus one; 0 for none.
func (s *Groups) Of(p soa.Piece) uint32 {
	if int(p) < len(s.of) {
		return s.of[p]
	}
	return 0
}

// Several reports whether a body is a wall of several facets.
func (s *Groups) Several(b soa.Body) bool { return int(b) < len(s.walls) && s.walls[b].many }

// Even reports whether all facets of a wall of several have one material and one rounding radius.
func (s *Groups) Even(b soa.Body) bool { return s.Several(b) && s.walls[b].even }

// Normal returns the normal of the plane of a group, which Of returned, in the wall's frame. The
// surface has two sides: which one the normal looks to means nothing.
func (s *Groups) Normal(group uint32) vec.Vec3 {
	return s.all[group-1].pose.Rot.Rotate(vec.Vec3{Z: 1})
}

// Add finds the groups of a wall, the newest body, by its facets and the largest coordinate of
// these. Each facet, the largest first, joins the first group that all its corners are in the
// plane of and whose material and rounding radius it has. So the plane is that of the facet that
// knows it best. Facets need not be connected. It refuses a wall whose boundaries take too much
// work; then Remove must follow. Cost: see byPlane, then boundaryOf.
func (s *Groups) Add(wall soa.Body, facets []surface.Facet, extent float64) error {
	if len(facets) < 2 {
		return nil
	}
	for _, f := range facets {
		for int(f.Piece) >= len(s.of) {
			s.of = append(s.of, 0)
		}
	}
	for len(s.walls) <= int(wall) {
		s.walls = append(s.walls, wallFacets{})
	}
	seam := float64(surface.SeamRel * extent)
	uneven := func(f surface.Facet) bool { return f.Material != facets[0].Material || f.Round != facets[0].Round }
	s.walls[wall] = wallFacets{many: true, even: !slices.ContainsFunc(facets, uneven), seam: seam}

	slices.SortStableFunc(facets, func(a, b surface.Facet) int { return cmp.Compare(b.Area, a.Area) })
	edges := 0
	for i := range facets {
		edges += len(facets[i].Corners)
	}
	work := newWorkload(edges)
	most := freeGroupLooks + groupLooksEach*len(facets)
	members, looks := byPlane(facets, extent, most)
	if looks > most {
		work.tangle = fmt.Sprintf("they are nearly level and so thin that finding their planes takes more than %d comparisons", most)
		return work.refusal(len(facets), facets[0].Middle)
	}
	for _, m := range members {
		if len(m) < 2 {
			continue
		}
		of := newGroup(wall, facets, m, seam, work)
		if work.tangle != "" {
			at := of.pose.Pos
			if work.found {
				at = of.pose.Point(vec.Vec3{X: work.at.x, Y: work.at.y})
			}
			return work.refusal(len(m), at)
		}
		s.all = append(s.all, of)
		for _, i := range m {
			s.of[facets[i].Piece] = uint32(len(s.all))
		}
	}
	return nil
}

// Remove takes back what is known of the newest body, a wall whose first piece is given.
func (s *Groups) Remove(wall soa.Body, first soa.Piece) {
	s.all = slices.DeleteFunc(s.all, func(of Group) bool { return of.wall == wall })
	s.of = s.of[:min(int(first), len(s.of))]
	s.walls = s.walls[:min(int(wall), len(s.walls))]
}

// onPlaneOf reports whether all corners of f lie in the plane of another facet.
func onPlaneOf(f, of *surface.Facet, tol float64) bool {
	for _, v := range f.Corners {
		if !(math.Abs(of.Normal.Dot(v.Sub(of.Middle))) <= tol) {
			return false
		}
	}
	return true
}

// newGroup returns the group of some facets, whose first has its plane. The frame of the plane
// and the order of the boundary edges follow from the surface, whichever way the facets turn and
// wherever they have corners: for where ends and depths tie, the first boundary edge decides.
func newGroup(wall soa.Body, facets []surface.Facet, members []int, seam float64, work *workload) Group {
	first := &facets[members[0]]
	s := Group{wall: wall, pose: planeFrame(first.Middle, first.Normal), seam: seam}
	var facing [][]point
	for _, i := range members {
		facing = append(facing, outline(facets[i].Corners, s.pose))
	}
	s.edges = boundaryOf(facing, seam, work)
	way := s.pose.Rot.RotateInv(surface.Nowhere)
	far := func(r segment) float64 { return float64(way.X*(r.a.x+r.b.x)) + float64(way.Y*(r.a.y+r.b.y)) }
	slices.SortStableFunc(s.edges, func(r, q segment) int { return cmp.Compare(far(r), far(q)) })
	s.border, s.longest = stretchesOf(s.edges)
	return s
}

// planeFrame is PlanePose for the surface, which has no side: z is the normal that looks along
// nowhere. The other axes do not hang on rounding either, where components of the normal are
// alike.
func planeFrame(point, n vec.Vec3) vec.Pose {
	if n.Dot(surface.Nowhere) < 0 {
		n = n.Neg()
	}
	if n == (vec.Vec3{Z: 1}) {
		return vec.Pose{Pos: point, Rot: vec.Identity}
	}
	u := n.Cross(surface.Nowhere).Unit()
	return vec.Pose{Pos: point, Rot: vec.Mat3{R0: u, R1: n.Cross(u), R2: n}.T().Quat()}
}
