package engine

import (
	"math"

	"github.com/scree-dem/scree/engine/surface"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// findSides finds, once all bodies are known, the material behind the facets of all walls, if a
// law acts by overlaps. Behind walls that are thinner than twice the depth that blocks are felt
// to they are felt no deeper than to their middle. Blocks that are so near to a facet become
// its candidates.
func (w *World) findSides() {
	if !w.law.Overlaps() {
		return
	}
	most := 0.0
	for p := range w.pieces.Len() {
		if w.pieces.Kind[p] == soa.Block && w.bodies.InvMass[w.pieces.Body[p]] != 0 {
			shape := w.pieces.Shape[p]
			most = max(most, w.sides.Feel(shape, w.shapes.View(shape)))
		}
	}
	for i := range w.walls {
		if most > 0 {
			w.addSides(w.walls[i].body, most)
		}
	}
}

// addSides finds the material behind the facets of a wall, as deep as blocks are felt at most.
func (w *World) addSides(wall soa.Body, depth float64) {
	facets, extent := w.levelFacets(int(wall))
	if len(facets) == 0 {
		return
	}
	sheet := make([]uint32, len(facets))
	for i := range facets {
		// Facets in one plane have the normal of the one that knows it best.
		if sheet[i] = w.sheets.sheetOf(facets[i].Piece); sheet[i] > 0 {
			n := w.sheets.all[sheet[i]-1].pose.Rot.Rotate(vec.Vec3{Z: 1})
			facets[i].Normal = n.Scale(math.Copysign(1, n.Dot(facets[i].Normal)))
		}
	}
	w.broad.SetReach(wall, w.sides.Add(facets, sheet, extent, depth))
}

// FacetMemory estimates what the facets among some shapes take, bytes, beside these, where a
// law acts by overlaps.
func FacetMemory(templates []*soa.Template) (bytes uint64) { return surface.Memory(templates) }
