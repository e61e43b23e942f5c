package engine

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
	// sheetRel, relative to the largest coordinate of a wall, is how far off a sheet's plane its facets may lie, and edges
	// that meet off each other: rounding of facets that were computed to lie in one plane, as those of geometry.MergeFacets
	// are.
	sheetRel = 0x1p-40
	// straightRel, likewise, is how far a point may lie off a rim and be no corner of it, and how long a bit of an edge is
	// none: the rounding of coordinates in single precision, 2⁻²⁴ along each axis, of three points in a row.
	straightRel = 0x1p-22
)

// sheet is the facets of a wall that lie in one plane: they act as the one flat surface that they cut into pieces
// (docs/decisions/0023). A facet that is alone in its plane is no sheet.
type sheet struct {
	wall    soa.Body
	pose    vec.Pose // of the plane, that of the largest facet, in the wall's frame: z is its normal
	rims    []rim    // where the surface ends
	border  []part   // of its rims, by least x
	longest float64  // m, of a part along x
	seam    float64  // m
}

// sheets is those of all walls.
type sheets struct {
	of   []uint32 // by piece: its sheet plus one, 0 for none; as long as the last facet of a wall of several
	many []bool   // by body: a wall of several facets; as long as the last of these
	seam []float64
	all  []sheet
}

// sheetOf returns the sheet of a piece, plus one; 0 for none.
func (s *sheets) sheetOf(p soa.Piece) uint32 {
	if int(p) < len(s.of) {
		return s.of[p]
	}
	return 0
}

// several says whether a body is a wall of several facets.
func (s *sheets) several(b soa.Body) bool { return int(b) < len(s.many) && s.many[b] }

// addSheets finds the sheets of the newest body, a wall. Each facet, the largest first, joins the first sheet that all
// its corners are level with and whose material and rounding radius it has: so the plane is that of the facet that knows it best. Facets
// need not be connected. It refuses a wall whose rims take too much work. Cost: see levelGroups, then rims.
func (w *World) addSheets(id int) error {
	facets, extent := w.levelFacets(id)
	if len(facets) < 2 {
		return nil
	}
	s := &w.sheets
	s.of = append(s.of, make([]uint32, w.pieces.Len()-len(s.of))...)
	for len(s.many) <= id {
		s.many, s.seam = append(s.many, false), append(s.seam, 0)
	}
	s.many[id], s.seam[id] = true, float64(surface.SeamRel*extent)

	slices.SortStableFunc(facets, func(a, b surface.Facet) int { return cmp.Compare(b.Area, a.Area) })
	edges := 0
	for i := range facets {
		edges += len(facets[i].Corners)
	}
	work := newRimWork(edges)
	most := freeLevelLooks + levelLooksEach*len(facets)
	members, looks := levelGroups(facets, extent, most)
	if looks > most {
		work.tangle = fmt.Sprintf("they are nearly level and so thin that finding their planes takes more than %d comparisons", most)
		return work.refusal(len(facets), facets[0].Middle)
	}
	for _, m := range members {
		if len(m) > 1 {
			of := newSheet(soa.Body(id), facets, m, s.seam[id], work)
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
	}
	return nil
}

// levelFacets returns the facets of a body, in its frame, and the largest coordinate of their corners.
func (w *World) levelFacets(id int) (facets []surface.Facet, extent float64) {
	for p := w.bodies.FirstPiece[id]; p < w.bodies.FirstPiece[id+1]; p++ {
		if w.pieces.Kind[p] != soa.Facet {
			continue
		}
		view, local := w.shapes.View(w.pieces.Shape[p]), vec.IdentityPose
		if w.pieces.Offset[p] {
			local = w.pieces.Local[p]
		}
		f := surface.Facet{Piece: p, Normal: local.Rot.Rotate(view.Normal(0)), Material: w.pieces.Material[p], Round: view.Round}
		for k := range view.NVerts {
			v := local.Point(view.Vert(soa.Vertex(k)))
			f.Corners = append(f.Corners, v)
			f.Middle = f.Middle.Add(v)
			extent = max(extent, v.MaxAbs())
		}
		f.Middle = f.Middle.Scale(1 / float64(view.NVerts))
		for k := 2; k < len(f.Corners); k++ {
			f.Area += f.Normal.Dot(f.Corners[k-1].Sub(f.Corners[0]).Cross(f.Corners[k].Sub(f.Corners[0])))
		}
		facets = append(facets, f)
	}
	return facets, extent
}

// level says whether all corners of f lie in the plane of another facet.
func level(f, of *surface.Facet, tol float64) bool {
	for _, v := range f.Corners {
		if !(math.Abs(of.Normal.Dot(v.Sub(of.Middle))) <= tol) {
			return false
		}
	}
	return true
}

// newSheet returns the sheet of some facets, whose first has its plane. The frame of the plane and the order of the rims
// follow from the surface, whichever way the facets turn and wherever they have corners: for where ends and depths tie, the
// first rim decides.
func newSheet(wall soa.Body, facets []surface.Facet, members []int, seam float64, work *rimWork) sheet {
	first := &facets[members[0]]
	s := sheet{wall: wall, pose: planeFrame(first.Middle, first.Normal), seam: seam}
	var facing [][]flat
	for _, i := range members {
		facing = append(facing, outline(facets[i].Corners, s.pose))
	}
	s.rims = rimsOf(facing, seam, work)
	way := s.pose.Rot.RotateInv(surface.Nowhere)
	far := func(r rim) float64 { return float64(way.X*(r.a.x+r.b.x)) + float64(way.Y*(r.a.y+r.b.y)) }
	slices.SortStableFunc(s.rims, func(r, q rim) int { return cmp.Compare(far(r), far(q)) })
	s.border, s.longest = shorter(s.rims)
	return s
}

// planeFrame is PlanePose for the surface, which has no side: z is the normal that looks along nowhere. The other axes do
// not hang on rounding either, where components of the normal are alike.
func planeFrame(point, n vec.Vec3) vec.Pose {
	if n.Dot(surface.Nowhere) < 0 {
		n = n.Neg()
	}
	if n == (vec.Vec3{Z: 1}) {
		return vec.Pose{Pos: point, Rot: vec.Identity}
	}
	u := n.Cross(surface.Nowhere).Unit()
	w := n.Cross(u)
	return vec.Pose{Pos: point, Rot: vec.Mat3{R0: vec.V(u.X, w.X, n.X), R1: vec.V(u.Y, w.Y, n.Y), R2: vec.V(u.Z, w.Z, n.Z)}.Quat()}
}
