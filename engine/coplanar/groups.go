package coplanar

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
	"github.com/scree-dem/scree/wall/mesh"
)

const (
	// planeRel is the tolerance for facets off the plane of a group, and for edges that meet,
	// relative to the largest coordinate of the wall. It covers the rounding of facets that were
	// computed to be coplanar, as geometry.MergeFacets does.
	// Smaller: coplanar facets act one by one. Larger: a group's plane is not that of its facets;
	// facets as thin are dropped.
	planeRel = 0x1p-40
	// straightRel is a tolerance relative to the largest coordinate, too. A point that is closer to
	// a boundary edge is not a corner, and a shorter piece of an edge is dropped. It covers the
	// rounding of three successive points to single precision, 2⁻²⁴ along each axis.
	// Smaller: straight boundaries of files bend. Larger: fine curves lose corners.
	straightRel = 0x1p-22
)

// Group is a coplanar facet group: the facets of a wall that lie in one plane. They act as the
// single flat surface that they divide (docs/decisions/0018-coplanar-facets). A facet that is alone in its plane
// belongs to no group.
type Group struct {
	wall    soa.Body
	pose    vec.Pose  // of the plane, in the wall's frame; z is its normal. The plane is that of the largest facet
	edges   []segment // the boundary: where the surface ends
	border  []stretch // stretches of the boundary edges, sorted by least x
	longest float64   // m, largest extent of a stretch along x
	seam    float64   // m: gaps up to this width between facets are seams and count as closed (mesh.SeamRel)
}

// WallGroups holds the groups of all walls.
type WallGroups struct {
	of    []uint32     // by piece: index of its group plus one, or 0; ends with the last facet of a wall of several facets
	walls []wallFacets // by body; ends with the last wall of several facets
	all   []Group
}

// wallFacets is what is known of the facets of a body.
type wallFacets struct {
	many bool    // the body is a wall of several facets
	even bool    // all facets have the same material and rounding radius
	seam float64 // m, width of a seam
}

// Of returns the index of a piece's group plus one, or 0 if the piece has no group.
func (s *WallGroups) Of(p soa.Piece) uint32 {
	if int(p) < len(s.of) {
		return s.of[p]
	}
	return 0
}

// IsFacetWall reports whether a body is a wall of several facets.
func (s *WallGroups) IsFacetWall(b soa.Body) bool { return int(b) < len(s.walls) && s.walls[b].many }

// IsUniform reports whether a body is a wall of several facets with the same material and rounding
// radius.
func (s *WallGroups) IsUniform(b soa.Body) bool { return s.IsFacetWall(b) && s.walls[b].even }

// Normal returns the normal of a group's plane, in the wall's frame. group must be a value that Of
// returned. The surface has two sides, and the sign of the normal has no meaning.
func (s *WallGroups) Normal(group uint32) vec.Vec3 {
	return s.all[group-1].pose.Rot.Rotate(vec.Vec3{Z: 1})
}

// Add finds the groups of a wall, which must be the newest body, and makes them groups of its mesh.
// piece returns the piece of facet k. Each facet, the largest first, joins the first group in whose
// plane all its corners lie, if material and rounding radius are equal. The plane is therefore that of the
// group's largest facet, whose normal is the most accurate. Facets of a group need not be
// connected. Add connects the mesh. It returns an error for a wall whose planes take too much work to
// find; the caller must then call Remove. Cost: see byPlane and mesh.Connect.
func (s *WallGroups) Add(wall soa.Body, m *mesh.WallMesh, piece func(k int) soa.Piece) error {
	n := m.Len()
	if n < 2 {
		return nil
	}
	s.of = soa.Resize(s.of, max(len(s.of), int(piece(n-1))+1))
	s.walls = soa.Resize(s.walls, max(len(s.walls), int(wall)+1))
	seam := float64(mesh.SeamRel * m.Extent())
	s.walls[wall] = wallFacets{many: true, even: m.IsUniform(), seam: seam}

	areas, order := make([]float64, n), make([]int32, n)
	for k := range n {
		_, areas[k] = m.Middle(k)
		order[k] = int32(k)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(areas[b], areas[a]) })
	most := freeGroupLooks + groupLooksEach*n
	members, looks := byPlane(m, order, most)
	if looks > most {
		at, _ := m.Middle(int(order[0]))
		return fmt.Errorf("%d facets are nearly level and so thin about (%.6g, %.6g, %.6g) m of the wall's frame that finding their planes takes more than %d "+
			"comparisons; leave out facets that others cover", n, at.X, at.Y, at.Z, most)
	}
	poses, normals := make([]vec.Pose, len(members)), make([]vec.Vec3, len(members))
	for g, facets := range members {
		middle, _ := m.Middle(facets[0])
		poses[g] = planeFrame(middle, m.OwnNormal(facets[0]))
		normals[g] = poses[g].Rot.Rotate(vec.Vec3{Z: 1})
	}
	m.SetGroups(members, normals)
	m.Connect()
	for g, facets := range members {
		s.all = append(s.all, newGroup(wall, m, facets, poses[g], seam))
		for _, k := range facets {
			s.of[piece(k)] = uint32(len(s.all))
		}
	}
	return nil
}

const (
	// freeGroupLooks and groupLooksEach are the numbers of comparisons with groups that byPlane may
	// make: for any wall, and additionally for each facet. Slivers have inaccurate normals and are
	// compared with all groups of similar normals.
	freeGroupLooks, groupLooksEach = 1 << 24, 1 << 10
)

// Remove removes the newest body, a wall whose first piece is first.
func (s *WallGroups) Remove(wall soa.Body, first soa.Piece) {
	s.all = slices.DeleteFunc(s.all, func(of Group) bool { return of.wall == wall })
	s.of = s.of[:min(int(first), len(s.of))]
	s.walls = s.walls[:min(int(wall), len(s.walls))]
}

// Renumber drops the rows of bodies and pieces that are not in the lists of rows to keep, which rise. The
// bodies dropped must be no walls of several facets.
func (s *WallGroups) Renumber(bodies, pieces []uint32) {
	for k := range s.all {
		row, _ := slices.BinarySearch(bodies, uint32(s.all[k].wall))
		s.all[k].wall = soa.Body(row)
	}
	s.of, s.walls = soa.Keep(s.of, pieces), soa.Keep(s.walls, bodies)
}

// newGroup returns the group of some facets, with the pose of its plane. The frame of the plane and
// the order of the boundary edges depend only on the surface, not on the orientation and the
// corners of its facets. This matters because the first boundary edge decides if ends or depths
// tie.
func newGroup(wall soa.Body, m *mesh.WallMesh, members []int, pose vec.Pose, seam float64) Group {
	s := Group{wall: wall, pose: pose, edges: boundaryOf(m, members, pose, seam), seam: seam}
	way := s.pose.Rot.RotateInv(mesh.Nowhere)
	far := func(r segment) float64 { return float64(way.X*(r.a.x+r.b.x)) + float64(way.Y*(r.a.y+r.b.y)) }
	slices.SortStableFunc(s.edges, func(r, q segment) int { return cmp.Compare(far(r), far(q)) })
	s.border, s.longest = stretchesOf(s.edges)
	return s
}

// planeFrame returns a pose for a plane that has no front side: z is the normal in the direction of
// mesh.Nowhere. The other axes do not depend on rounding either if components of the normal are
// nearly equal.
func planeFrame(point, n vec.Vec3) vec.Pose {
	if n.Dot(mesh.Nowhere) < 0 {
		n = n.Neg()
	}
	if n == (vec.Vec3{Z: 1}) {
		return vec.Pose{Pos: point, Rot: vec.Identity}
	}
	u := n.Cross(mesh.Nowhere).Unit()
	return vec.Pose{Pos: point, Rot: vec.Mat3{R0: u, R1: n.Cross(u), R2: n}.T().Quat()}
}
