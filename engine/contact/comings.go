package contact

import (
	"slices"

	"github.com/scree-dem/scree/engine/coplanar"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
)

// comings is the state of bodies that come and go.
//
// A body that has come has new rows behind all others. A body that has gone keeps its rows, without pairs, until
// the next search for all pairs closes the rows up. Neither changes the order of the rows of other bodies, so it
// changes no order of pairs and no sum.
type comings struct {
	prepared bool
	known    int     // the bodies of the rows below were there when late bodies were last asked for
	gone     int     // bodies whose rows have not closed up yet
	facets   bool    // a wall with facets is among them
	depth    float64 // m, the largest depth to which blocks are felt under facets: see findSides
}

// AddBody makes the newest body, which moves and whose pieces have been added, part of the space. An error
// leaves the space as if there were no such body and none of its pieces; it is of a wall with facets that have
// no material that can be found.
func (sp *Space) AddBody(body soa.Body) error {
	c := &sp.comings
	if !c.prepared {
		return nil
	}
	if sp.cfg.Laws.Overlaps() {
		was, depth := sp.Sides, c.depth
		if most := sp.deepest(int(sp.Bodies.FirstPiece[body]), sp.Pieces.Len()); most > depth {
			c.depth = most
			sp.Sides.Forget()
			if _, err := sp.addAllSides(); err != nil {
				sp.Sides, c.depth = was, depth
				sp.DropNewest(body)
				return err
			}
			if !sp.Sides.IsEmpty() {
				sp.broad.Forget() // Blocks meet facets from farther away.
			}
		}
	}
	sp.enter(body)
	return nil
}

// AddWall finds the coplanar facets of the newest body, which is a wall whose pieces have been added, and in a
// space that was prepared the material behind them. facets is as in newWall. An error leaves the space as if
// there were no such wall and none of its pieces.
func (sp *Space) AddWall(body soa.Body, facets *geometry.WallFacets) (err error) {
	w, sides := sp.newWall(body, facets), sp.Sides
	if w.mesh != nil {
		err = sp.addGroups(w)
		if depth := sp.comings.depth; err == nil && depth > 0 {
			err = sp.addSides(w, depth)
		}
	}
	if err != nil {
		sp.Sides = sides
		sp.Groups.Remove(body, sp.Bodies.FirstPiece[body])
		sp.DropNewest(body)
		return err
	}
	sp.walls, sp.walled = append(sp.walls, w), sp.walled || w.mesh != nil
	if sp.comings.prepared {
		sp.enter(body)
	}
	return nil
}

// addGroups finds the coplanar facet groups of a wall.
func (sp *Space) addGroups(w *wall) error {
	return sp.Groups.Add(w.body, w.mesh, func(k int) soa.Piece { return sp.pieceOf(w, k) })
}

// DropNewest removes the pieces of the newest body, which is not part of the space yet.
func (sp *Space) DropNewest(body soa.Body) {
	first := sp.Bodies.FirstPiece[body]
	sp.Pieces.Truncate(int(first))
	sp.planes.pieces = slices.DeleteFunc(sp.planes.pieces, func(p soa.Piece) bool { return p >= first })
}

// enter gives the newest body rows in the columns by body and by piece.
func (sp *Space) enter(body soa.Body) {
	sp.choosePoses(sp.Bodies.FirstPiece[body])
	sp.pieceOdometer = soa.Resize(sp.pieceOdometer, sp.Pieces.Len())
	sp.broad.Add(sp.Bodies, &sp.Pieces)
	if sp.rebuild.altered.ready {
		sp.incidence.enter(sp.Bodies.Len())
	}
}

// Remove ends the contacts of a body, and takes its pieces out of the space. The caller makes the body one that
// rests and has no mass. Its row closes up in a later search. Remove returns the row, since rows may have closed
// up before.
func (sp *Space) Remove(body soa.Body) soa.Body {
	c := &sp.comings
	if c.prepared && !sp.rebuild.altered.ready {
		id := sp.Bodies.ID[body]
		sp.searchPairs() // A state was restored, and no pairs were searched for since.
		body, _ = sp.Bodies.Row(id)
	}
	first, end := sp.Bodies.FirstPiece[body], sp.Bodies.FirstPiece[body+1]
	if c.prepared {
		sp.dropPairs(body)
		sp.broad.Remove(body, first, end)
	}
	sp.Bodies.Gone[body] = true
	c.gone++
	c.facets = c.facets || slices.ContainsFunc(sp.Pieces.Kind[first:end], soa.Kind.IsFlat)
	sp.planes.pieces = slices.DeleteFunc(sp.planes.pieces, func(p soa.Piece) bool { return first <= p && p < end })
	sp.walls = slices.DeleteFunc(sp.walls, func(w *wall) bool { return w.body == body })
	return body
}

// dropPairs takes the pairs of a body out of their tiles.
func (sp *Space) dropPairs(body soa.Body) {
	p := &sp.rebuild.patches
	p.came, p.went = p.came[:0], p.went[:0]
	for _, place := range sp.incidence.of(int(body)) {
		p.went = append(p.went, KeyOf(sp.Pairs.A[place>>1], sp.Pairs.B[place>>1]))
	}
	sp.patchTiles() // Fewer pairs always have room.
	sp.alterPatched()
	sp.layPlaces()
	sp.tiles.pairs -= len(p.went)
}

// manyGone reports whether so many bodies have gone that their rows must close up.
func (sp *Space) manyGone() bool { return sp.comings.gone > fewGone+sp.Bodies.Len()/8 }

// fewGone is the number of bodies that may always be gone. Closing rows up costs a search for all pairs.
const fewGone = 64

// CloseUp drops the rows of bodies that have gone, and of their pieces.
func (sp *Space) CloseUp() {
	c := &sp.comings
	if c.gone == 0 {
		return
	}
	c.gone, c.known, sp.ownPoses.known = 0, 0, 0
	var bodies, pieces []uint32
	bodyRow, pieceRow := make([]uint32, 0, sp.Bodies.Len()+1), make([]uint32, 0, sp.Pieces.Len()+1)
	for i := range sp.Bodies.Len() {
		if bodyRow = append(bodyRow, uint32(len(bodies))); !sp.Bodies.Gone[i] {
			bodies = append(bodies, uint32(i))
		}
	}
	for i, body := range sp.Pieces.Body {
		if pieceRow = append(pieceRow, uint32(len(pieces))); !sp.Bodies.Gone[body] {
			pieces = append(pieces, uint32(i))
		}
	}
	bodyRow, pieceRow = append(bodyRow, uint32(len(bodies))), append(pieceRow, uint32(len(pieces)))
	sp.Pieces.Keep(pieces, bodyRow)
	sp.Bodies.Keep(bodies, pieceRow)
	sp.broad.CloseUp(bodies, pieces, pieceRow)
	if sp.rebuild.altered.ready {
		sp.incidence.keep(bodies)
	}
	sp.pieceOdometer = soa.Keep(sp.pieceOdometer, pieces)
	for i, p := range sp.planes.pieces {
		sp.planes.pieces[i] = soa.Piece(pieceRow[p])
	}
	for _, w := range sp.walls {
		w.body = soa.Body(bodyRow[w.body])
	}
	remade := c.facets
	if remade {
		sp.remakeWalls()
	} else {
		sp.Groups.Renumber(bodies, pieces)
		sp.Sides.Renumber(bodies, pieces)
	}
	sp.renumberPairs(bodyRow, pieceRow)
	if sp.findTurns(); sp.rebuild.altered.ready {
		sp.describePlaces()
	}
	for tile := range sp.tiles.costs {
		if lo, hi := sp.tiles.bounds(tile); remade { // The material of all walls is to be made anew.
			sp.MakeFacets(sp.Pairs.B[lo:hi])
		}
	}
	if sp.cfg.CloseUp != nil {
		sp.cfg.CloseUp(bodies, bodyRow)
	}
}

// remakeWalls makes the groups and the sides of all walls anew, without those that have gone. No wall is refused:
// none has changed.
func (sp *Space) remakeWalls() {
	sp.comings.facets, sp.Groups = false, coplanar.WallGroups{}
	sp.Sides.Forget()
	for _, w := range sp.walls {
		if w.mesh != nil {
			_ = sp.addGroups(w)
		}
	}
	_, _ = sp.addAllSides()
}

// renumberPairs gives the pairs the new rows of their bodies and pieces. The order of pairs stays.
func (sp *Space) renumberPairs(bodyRow, pieceRow []uint32) {
	t := &sp.tiles
	for tile := range t.costs {
		lo, hi := t.bounds(tile)
		for i := lo; i < hi; i++ {
			a, b := &sp.Pairs.A[i], &sp.Pairs.B[i]
			*a, *b = soa.Piece(pieceRow[*a]), soa.Piece(pieceRow[*b])
			if sp.rebuild.altered.ready {
				p := &sp.described[i]
				p.BodyA, p.BodyB = soa.Body(bodyRow[p.BodyA]), soa.Body(bodyRow[p.BodyB])
				p.PoseA, p.PoseB = sp.poseRowOf(*a), sp.poseRowOf(*b)
			}
		}
		if t.firstKey[tile] == NoPair {
			continue
		}
		a, b := PairOf(t.firstKey[tile]) // may have gone; then the bound is that of the next pair
		if b = soa.Piece(pieceRow[b]); int(a) == len(pieceRow)-1 || pieceRow[a] == pieceRow[a+1] {
			b = 0
		}
		t.firstKey[tile] = KeyOf(soa.Piece(pieceRow[a]), b)
	}
}
