package contact

import (
	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/soa"
)

// Stages returns the parts of Find. Their accesses are those of a step that finds each pair as the last step left it.
// Pairs with walls of facets count as pairs that are searched. read declares what the reader reads and writes of the
// contacts of a tile.
func (sp *Space) Stages(read func(w *access.Walk, tile int)) []access.Work {
	var stages []access.Work
	if sp.posesByPiece() {
		stages = append(stages, access.Work{Name: "poses of pieces", N: sp.Pieces.Len(), Walk: sp.walkOwnPoses, Run: sp.gatherOwnPoses})
	}
	if sp.knownOverlaps {
		stages = append(stages, access.Work{Name: "pose rows", N: sp.poses.Len(), Walk: sp.walkPoses, Run: sp.gatherPoseRows})
	}
	return append(stages,
		access.Work{Name: "odometers", N: sp.Pieces.Len(), Serial: true, Walk: sp.walkOdometers, Run: sp.gatherOdometers},
		access.Work{Name: "contacts", N: len(sp.tiles.costs), Costs: sp.tiles.costs, Run: sp.findTiles, Walk: func(w *access.Walk, lo, hi int) {
			for tile := lo; tile < hi; tile++ {
				sp.walkTile(w, tile)
				read(w, tile)
			}
		}})
}

// tileWalk declares the accesses of the stages of a tile.
type tileWalk struct {
	sp                  *Space
	w                   *access.Walk
	pairs, contacts     map[string]*access.Declared
	poses, pieces       map[string]*access.Declared
	bodies              map[string]*access.Declared
	odometer, described *access.Declared
	places, active      *access.Declared
	expired, overlap    *access.Declared // of worker 0
	ws                  *workspace       // of worker 0
	tile, used          int              // rows of active contacts so far
}

// walkTile declares the accesses of contactStage.Task, without those of the reader.
func (sp *Space) walkTile(w *access.Walk, tile int) {
	ws := &sp.work[0]
	t := &tileWalk{
		sp: sp, w: w, ws: ws, tile: tile, pairs: access.Fields(w, "Pairs", &sp.Pairs), contacts: access.Fields(w, "Contacts", &sp.Contacts),
		poses: access.Fields(w, "Poses", sp.poses), pieces: access.Fields(w, "Pieces", &sp.Pieces), bodies: access.Fields(w, "Bodies", sp.Bodies),
		odometer: access.Of(w, "piece odometers", sp.pieceOdometer), described: sp.DescribedPairs(w),
		places: access.Of(w, "skeletons", sp.skeletons.place), active: access.Of(w, "active contacts", sp.tiles.active),
		expired: access.Local(w, ws.expired), overlap: access.Local(w, ws.overlaps[:cap(ws.overlaps)]),
	}
	if sp.poses == &sp.Bodies.PoseColumns {
		t.poses = t.bodies
	}
	sp.walkTileRows(w, tile)
	t.takeRows()
	list := t.sweep()
	t.axes(list)
	for _, i := range list { // split, newRows
		t.described.Read(i)
		t.pairs["Row"].Read(i)
	}
	for _, i := range list {
		if !sp.described[i].byOverlap {
			t.gap(i)
		}
	}
	known := make([]bool, len(list))
	for k, i := range list {
		if sp.described[i].byOverlap {
			known[k] = t.known(k, i)
		}
	}
	for k, i := range list {
		if sp.described[i].byOverlap && !known[k] {
			t.search(i)
		}
	}
}

// walkTileRows declares a look at the rows of a tile.
func (sp *Space) walkTileRows(w *access.Walk, tile int) {
	access.Of(w, "tiles", sp.tiles.first).Read(tile)
	access.Of(w, "tiles", sp.tiles.last).Read(tile)
}

// readOdometers declares a look at the odometers of pair i, and returns them.
func (t *tileWalk) readOdometers(i int) (a, b float64) {
	p, q := int(t.sp.Pairs.A[i]), int(t.sp.Pairs.B[i])
	t.odometer.Read(p)
	t.odometer.Read(q)
	return t.sp.pieceOdometer[p], t.sp.pieceOdometer[q]
}

// DescribedPairs returns the column of what LawOf reads of a pair.
func (sp *Space) DescribedPairs(w *access.Walk) *access.Declared {
	return access.Of(w, "described pairs", sp.described)
}

// WalkActive declares the accesses of a loop over ActiveIn.
func (sp *Space) WalkActive(w *access.Walk, tile int) {
	lo := sp.tiles.first[tile]
	sp.walkTileRows(w, tile)
	access.Of(w, "tiles", sp.tiles.count).Read(tile)
	access.Of(w, "active contacts", sp.tiles.active).ReadRows(lo, lo+sp.tiles.count[tile])
}

// ActiveRow returns the contact row of pair i, or -1 if it has none, and whether its contact is active.
func (sp *Space) ActiveRow(i int) (row int, active bool) {
	if sp.Pairs.Row[i] == soa.NoRow {
		return -1, false
	}
	row = int(sp.Pairs.Row[i])
	return row, sp.Contacts.Active[row]
}
