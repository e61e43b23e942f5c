package contact

import (
	"math"

	"github.com/scree-dem/scree/engine/surface"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// findSides finds the material behind the facets of all walls, once all bodies are known, if a law
// acts by overlaps. A wall feels blocks down to a certain depth. If it is thinner than twice that
// depth, it feels them only down to its middle. The facets become candidates of blocks within that
// depth.
func (sp *Space) findSides() (wall int, err error) {
	if !sp.cfg.Laws.Overlaps() {
		return 0, nil
	}
	sp.comings.depth = sp.deepest(0, sp.Pieces.Len())
	return sp.addAllSides()
}

// addAllSides finds the material behind the facets of all walls.
func (sp *Space) addAllSides() (wall int, err error) {
	for i, id := range sp.walls {
		if sp.comings.depth > 0 && err == nil {
			wall, err = i, sp.addSides(id, sp.comings.depth)
		}
	}
	return wall, err
}

// deepest returns the largest depth under a facet, m, that the blocks of bodies that move among the pieces first
// to end-1 feel.
func (sp *Space) deepest(first, end int) (most float64) {
	for p := first; p < end; p++ {
		if sp.Pieces.Kind[p].IsPolyhedron() && sp.Bodies.InvMass[sp.Pieces.Body[p]] != 0 {
			shape := sp.Pieces.Shape[p]
			most = max(most, sp.Sides.AddShape(shape, sp.Shapes.View(shape)))
		}
	}
	return most
}

// addSides finds the material behind the facets of a wall, up to the largest depth to which blocks
// are felt.
func (sp *Space) addSides(wall soa.Body, depth float64) error {
	facets, extent := sp.facetsOf(int(wall))
	if len(facets) == 0 {
		return nil
	}
	groups := make([]uint32, len(facets))
	for i := range facets {
		// Facets in one plane share the group's normal, which is the most accurate one.
		if groups[i] = sp.Groups.Of(facets[i].Piece); groups[i] > 0 {
			n := sp.Groups.Normal(groups[i])
			facets[i].Normal = n.Scale(math.Copysign(1, n.Dot(facets[i].Normal)))
		}
	}
	reach, err := sp.Sides.Add(facets, groups, extent, depth)
	sp.broad.SetReach(wall, reach)
	return err
}

// facetsOf returns the facets of a body, in its frame, and the largest coordinate of their corners.
func (sp *Space) facetsOf(id int) (facets []surface.WallFacet, extent float64) {
	for p := sp.Bodies.FirstPiece[id]; p < sp.Bodies.FirstPiece[id+1]; p++ {
		if !sp.Pieces.Kind[p].IsFlat() {
			continue
		}
		view, local := sp.Shapes.View(sp.Pieces.Shape[p]), vec.IdentityPose
		if sp.Pieces.Offset[p] {
			local = sp.Pieces.Local[p]
		}
		f := surface.WallFacet{Piece: p, Normal: local.Rot.Rotate(view.Normal(0)), Material: sp.Pieces.Material[p], Round: view.Round}
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
