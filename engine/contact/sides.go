package contact

import (
	"slices"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
	"github.com/scree-dem/scree/wall/mesh"
)

// wall is a wall, and the mesh of its facets.
type wall struct {
	body  soa.Body
	mesh  *mesh.WallMesh // nil if the wall has no facets
	among []int32        // by facet: its place among the pieces of the body; nil if all pieces are facets
}

// pieceOf returns the piece of facet k of a wall.
func (sp *Space) pieceOf(w *wall, k int) soa.Piece {
	if w.among != nil {
		k = int(w.among[k])
	}
	return sp.Bodies.FirstPiece[w.body] + soa.Piece(k)
}

// facetIn returns the number of the facet of piece p in the mesh of its wall.
func (sp *Space) facetIn(w *wall, p soa.Piece) int {
	k := int(p - sp.Bodies.FirstPiece[w.body])
	if w.among != nil {
		k, _ = slices.BinarySearch(w.among, int32(k))
	}
	return k
}

// newWall returns a body as a wall. facets is the facets of the body, if all of its pieces are facets in
// its frame. With nil the mesh is made of the body's pieces.
func (sp *Space) newWall(body soa.Body, facets *geometry.WallFacets) *wall {
	w := &wall{body: body}
	first, end := sp.Bodies.FirstPiece[body], sp.Bodies.FirstPiece[body+1]
	if facets == nil {
		for p := first; p < end; p++ {
			if sp.Pieces.Kind[p].IsFlat() {
				w.among = append(w.among, int32(p-first))
			}
		}
		if len(w.among) == 0 {
			return w
		}
		facets = geometry.Placed(len(w.among), func(k int) (corners []vec.Vec3, normal vec.Vec3) {
			return sp.facetOfPiece(first + soa.Piece(w.among[k]))
		})
		if len(w.among) == int(end-first) {
			w.among = nil
		}
	}
	w.mesh = mesh.New(facets, func(k int) (soa.Material, float64) {
		p := sp.pieceOf(w, k)
		return sp.Pieces.Material[p], sp.Shapes.Round[sp.Pieces.Shape[p]]
	})
	return w
}

// facetOfPiece returns the corners and the normal of a facet, in the frame of its body.
func (sp *Space) facetOfPiece(p soa.Piece) (corners []vec.Vec3, normal vec.Vec3) {
	view, local := sp.Shapes.View(sp.Pieces.Shape[p]), vec.IdentityPose
	if sp.Pieces.Offset[p] {
		local = sp.Pieces.Local[p]
	}
	for k := range view.NVerts {
		corners = append(corners, local.Point(view.Vert(soa.Vertex(k))))
	}
	return corners, local.Rot.Rotate(view.Normal(0))
}

// findSides adds all walls to the material behind facets, once all bodies are known, if a law
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

// addAllSides adds all walls to the material behind facets.
func (sp *Space) addAllSides() (wall int, err error) {
	for i, w := range sp.walls {
		if sp.comings.depth > 0 && err == nil {
			wall, err = i, sp.addSides(w, sp.comings.depth)
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

// addSides adds a wall to the material behind facets, which is felt up to a depth, m.
func (sp *Space) addSides(w *wall, depth float64) error {
	if w.mesh == nil {
		return nil
	}
	reach, err := sp.Sides.Add(w.body, w.mesh, func(k int) soa.Piece { return sp.pieceOf(w, k) }, depth)
	sp.broad.SetReach(w.body, reach)
	return err
}

// MakeFacets makes the tables of those facets among some pieces that have none yet, and the material
// behind them. Facets that no body comes near have neither.
func (sp *Space) MakeFacets(pieces []soa.Piece) {
	if !sp.walled {
		return
	}
	made := func(p soa.Piece) bool {
		return !sp.Pieces.Kind[p].IsFlat() || sp.Shapes.IsMade(sp.Pieces.Shape[p]) && (sp.Sides.IsEmpty() || sp.Sides.IsMade(p))
	}
	fresh := sp.rebuild.facets[:0]
	for _, p := range pieces {
		if !made(p) {
			fresh = append(fresh, p)
		}
	}
	sp.rebuild.facets = fresh
	if len(fresh) == 0 {
		return
	}
	slices.Sort(fresh)
	fresh = slices.Compact(fresh)
	for _, w := range sp.walls {
		var facets []int
		for _, p := range fresh {
			if w.mesh != nil && sp.Pieces.Body[p] == w.body {
				sp.Shapes.View(sp.Pieces.Shape[p])
				facets = append(facets, sp.facetIn(w, p))
			}
		}
		if len(facets) > 0 && !sp.Sides.IsEmpty() {
			sp.Sides.Make(w.body, facets)
		}
	}
}
