package engine

import (
	"math"

	"github.com/scree-dem/scree/engine/surface"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// findSides finds the material behind the facets of all walls, once all bodies are known, if a law
// acts by overlaps. A wall feels blocks down to a certain depth. If it is thinner than twice that
// depth, it feels them only down to its middle. The facets become candidates of blocks within that
// depth.
func (w *World) findSides() {
	if !w.law.Overlaps() {
		return
	}
	most := 0.0
	for p := range w.pieces.Len() {
		if w.pieces.Kind[p] == soa.Block && w.bodies.InvMass[w.pieces.Body[p]] != 0 {
			shape := w.pieces.Shape[p]
			most = max(most, w.sides.AddShape(shape, w.shapes.View(shape)))
		}
	}
	for i := range w.walls {
		if most > 0 && w.fault == nil {
			w.addSides(i, most)
		}
	}
}

// addSides finds the material behind the facets of a wall, up to the largest depth to which blocks
// are felt.
func (w *World) addSides(i int, depth float64) {
	wall := w.walls[i].body
	facets, extent := w.facetsOf(int(wall))
	if len(facets) == 0 {
		return
	}
	groups := make([]uint32, len(facets))
	for i := range facets {
		// Facets in one plane share the group's normal, which is the most accurate one.
		if groups[i] = w.groups.Of(facets[i].Piece); groups[i] > 0 {
			n := w.groups.Normal(groups[i])
			facets[i].Normal = n.Scale(math.Copysign(1, n.Dot(facets[i].Normal)))
		}
	}
	reach, err := w.sides.Add(facets, groups, extent, depth)
	if err != nil {
		w.fault = mark.Errorf(ErrTangled, "engine: wall %d %q: %w", i, w.bodies.Name[wall], err)
	}
	w.broad.SetReach(wall, reach)
}

// FacetMemory estimates the extra memory, bytes, that the facets among some shapes take if a law
// acts by overlaps.
func FacetMemory(templates []*soa.Template) (bytes uint64) { return surface.Memory(templates) }

// facetsOf returns the facets of a body, in its frame, and the largest coordinate of their corners.
func (w *World) facetsOf(id int) (facets []surface.WallFacet, extent float64) {
	for p := w.bodies.FirstPiece[id]; p < w.bodies.FirstPiece[id+1]; p++ {
		if w.pieces.Kind[p] != soa.Facet {
			continue
		}
		view, local := w.shapes.View(w.pieces.Shape[p]), vec.IdentityPose
		if w.pieces.Offset[p] {
			local = w.pieces.Local[p]
		}
		f := surface.WallFacet{Piece: p, Normal: local.Rot.Rotate(view.Normal(0)), Material: w.pieces.Material[p], Round: view.Round}
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
