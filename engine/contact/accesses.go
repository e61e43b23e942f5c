package contact

import (
	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/soa"
)

// Stages returns the parts of Find. Their accesses are those of a step that finds each pair as the last step left it.
// Pairs with walls of facets count as pairs that are searched. read declares what the reader reads and writes of the
// contacts of a tile.
func (sp *Space) Stages(read func(w *access.Walk, tile int)) []access.Stage {
	var stages []access.Stage
	if sp.posesByPiece() {
		stages = append(stages, access.Stage{Name: "poses of pieces", N: sp.Pieces.Len(), Walk: sp.walkOwnPoses, Run: sp.gatherOwnPoses})
	}
	if sp.knownOverlaps {
		stages = append(stages, access.Stage{Name: "pose rows", N: sp.poses.Len(), Walk: sp.walkPoses, Run: sp.gatherPoseRows})
	}
	return append(stages,
		access.Stage{Name: "odometers", N: sp.Pieces.Len(), Serial: true, Walk: sp.walkOdometers, Run: sp.gatherOdometers},
		access.Stage{Name: "contacts", N: len(sp.tiles.costs), Costs: sp.tiles.costs, Run: sp.findTiles, Walk: func(w *access.Walk, lo, hi int) {
			for tile := lo; tile < hi; tile++ {
				sp.walkTile(w, tile)
				read(w, tile)
			}
		}})
}

// tileWalk declares the accesses of the stages of a tile.
type tileWalk struct {
	sp                     *Space
	w                      *access.Walk
	pairs, contacts        map[string]*access.Column
	poses, pieces          map[string]*access.Column
	bodies                 map[string]*access.Column
	odometer, described    *access.Column
	places, active         *access.Column
	expired, gaps, overlap *access.Column // of worker 0
	ws                     *workspace     // of worker 0
	tile, used             int            // rows of active contacts so far
}

// walkTile declares the accesses of contactStage.Task, without those of the reader.
func (sp *Space) walkTile(w *access.Walk, tile int) {
	ws := &sp.work[0]
	t := &tileWalk{
		sp: sp, w: w, ws: ws, tile: tile, pairs: access.Fields(w, "Pairs", &sp.Pairs), contacts: access.Fields(w, "Contacts", &sp.Contacts),
		poses: access.Fields(w, "Poses", sp.poses), pieces: access.Fields(w, "Pieces", &sp.Pieces), bodies: access.Fields(w, "Bodies", sp.Bodies),
		odometer: access.Of(w, "piece odometers", sp.pieceOdometer), described: access.Of(w, "described pairs", sp.described),
		places: access.Of(w, "skeletons", sp.skeletons.place), active: access.Of(w, "active contacts", sp.tiles.active),
		expired: access.Local(w, ws.expired), gaps: access.Local(w, ws.gaps[:cap(ws.gaps)]), overlap: access.Local(w, ws.overlaps[:cap(ws.overlaps)]),
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

// takeRows declares what pairs that come or go change, besides the rows of other pairs.
func (t *tileWalk) takeRows() {
	access.Seldom(true, access.Of(t.w, "free rows", t.sp.tiles.free), access.Of(t.w, "free rows", t.sp.tiles.free[t.tile]), t.places)
	if t.sp.skeletons.on {
		access.Seldom(true, access.Of(t.w, "skeletons", t.sp.skeletons.pools[t.tile]))
	}
	for _, name := range [...]string{"Pair", "Normal", "Facet", "Proven", "ProofRecord", "PoseBounds", "Prism", "PrismHolds", "PrismCoplanars", "Active", "AnsweredBy"} {
		access.Seldom(true, t.contacts[name])
	}
	for _, name := range [...]string{"Row", "Expiry", "Axis", "AxisSupport"} {
		access.Seldom(true, t.pairs[name])
	}
	for _, column := range t.sp.remembered {
		access.Seldom(true, access.Of(t.w, "Forces.History", *column))
	}
	for _, column := range access.Fields(t.w, "Shapes", &t.sp.Shapes) { // A search may read any.
		access.Seldom(false, column)
	}
	access.Seldom(false, t.pieces["Offset"], t.pieces["Body"], t.bodies["Radius"], t.bodies["Pos"])
	access.Of(t.w, "tiles", t.sp.tiles.count).Write(t.tile)
	access.Of(t.w, "tiles", t.sp.tiles.worst).Write(t.tile)
}

// walkTileRows declares a look at the rows of a tile.
func (sp *Space) walkTileRows(w *access.Walk, tile int) {
	access.Of(w, "tiles", sp.tiles.first).Read(tile)
	access.Of(w, "tiles", sp.tiles.last).Read(tile)
}

// sweep declares the accesses of contactStage.sweep, and returns the pairs that it lists.
func (t *tileWalk) sweep() (list []int) {
	sp := t.sp
	lo, hi := sp.tiles.bounds(t.tile)
	for i := lo; i < hi; i++ {
		if (i-lo)%soa.Lanes == 0 {
			end := min(i+soa.Lanes, hi)
			t.pairs["A"].ReadRows(i, end)
			t.pairs["B"].ReadRows(i, end)
			t.pairs["Expiry"].ReadRows(i, end)
		}
		a, b := t.readOdometers(i)
		if !(a+b < sp.Pairs.Expiry[i]) {
			t.expired.Write(len(list))
			list = append(list, i)
		}
	}
	return list
}

// readOdometers declares a look at the odometers of pair i, and returns them.
func (t *tileWalk) readOdometers(i int) (a, b float64) {
	p, q := int(t.sp.Pairs.A[i]), int(t.sp.Pairs.B[i])
	t.odometer.Read(p)
	t.odometer.Read(q)
	return t.sp.pieceOdometer[p], t.sp.pieceOdometer[q]
}

// axes declares the accesses of contactStage.axes. A pair whose axis has been renewed is no longer listed, so only the
// search for axes counts: in a heap at rest, a few of a thousand pairs a step have their axes renewed.
func (t *tileWalk) axes(list []int) {
	for k, i := range list {
		t.expired.Read(k)
		t.pairs["Axis"].Read(i)
	}
}

// load declares the accesses of workspace.loadAs for pair i.
func (t *tileWalk) load(i int) {
	p := &t.sp.described[i]
	t.described.Read(i)
	for _, row := range [2]soa.PoseRow{p.PoseA, p.PoseB} {
		t.poses["Pos"].Read(int(row))
		t.poses["Rot"].Read(int(row))
	}
	t.sp.Shapes.WalkView(t.w, p.ShapeA)
	t.sp.Shapes.WalkView(t.w, p.ShapeB)
}

// activate declares the accesses of contactStage.activate and recordLocation for a pair that was active.
func (t *tileWalk) activate(i int) {
	row := int(t.sp.Pairs.Row[i])
	lo, _ := t.sp.tiles.bounds(t.tile)
	t.pairs["Row"].Read(i)
	t.contacts["Active"].Read(row)
	t.contacts["Gap"].Write(row)
	t.contacts["AnsweredBy"].Write(row)
	t.active.Write(lo + t.used)
	t.used++
	t.contacts["Location"].Write(row)
	if p := &t.sp.described[i]; p.offset {
		t.bodies["Pos"].Read(int(p.BodyA))
		t.bodies["Pos"].Read(int(p.BodyB))
	}
}

// known declares the accesses of overlapStage.findKnownOverlaps for pair i, number k of the list. It returns false if the
// overlap was not known.
func (t *tileWalk) known(k, i int) bool {
	sp, p := t.sp, &t.sp.described[i]
	t.overlap.Update(k)
	t.described.Read(i)
	t.pairs["Row"].Read(i)
	if !sp.knownOverlaps || sp.Pairs.Row[i] == soa.NoRow {
		return false
	}
	row := int(sp.Pairs.Row[i])
	t.contacts["Active"].Read(row)
	if !sp.Contacts.Active[row] {
		return false
	}
	by := overlap.Features{Facet: sp.Contacts.Facet[row], Prism: sp.Contacts.Prism[row]}
	t.contacts["Facet"].Read(row)
	t.contacts["Prism"].Read(row)
	t.contacts["PrismHolds"].Read(row)
	a, b := t.readOdometers(i)
	held := a+b < sp.Contacts.PrismHolds[row]
	if held {
		t.contacts["PrismCoplanars"].Read(row)
	} else {
		t.bodies["Radius"].Read(int(p.BodyA))
		t.bodies["Radius"].Read(int(p.BodyB))
	}
	poses := t.poses
	switch place := sp.skeletons.place[row]; {
	case t.ws.known.typed.Walk(t.w, k, &sp.Shapes, sp.poseRows, p.PoseA, p.PoseB, p.ShapeA, p.ShapeB, &by, held, sp.Contacts.PrismCoplanars[row]):
		t.contacts["Prism"].Read(row)
		if by.Prism.Sides > 0 && !held {
			t.readOdometers(i)
			t.contacts["PrismHolds"].Write(row)
			t.contacts["PrismCoplanars"].Write(row)
		}
	case place.number > 0:
		t.places.Read(row)
		t.load(i)
		s := &sp.skeletons.pools[place.tile][place.number-1]
		access.Value(t.w, "skeletons", &s.holds).Read(0)
		s.Walk(t.w, &sp.Shapes, p.ShapeA, p.ShapeB)
	default:
		return false
	}
	t.activate(i)
	poses["Pos"].Read(int(p.PoseA))
	poses["Pos"].Read(int(p.PoseB))
	return true
}

// search declares the accesses of a search for the gap, or for the overlap, of pair i from what was known of it.
func (t *tileWalk) search(i int) {
	sp, p := t.sp, &t.sp.described[i]
	t.load(i)
	sp.Shapes.WalkShape(t.w, p.ShapeA)
	sp.Shapes.WalkShape(t.w, p.ShapeB)
	t.pairs["Axis"].Read(i)
	t.pairs["Expiry"].Write(i)
	if sp.Pairs.Row[i] == soa.NoRow {
		return
	}
	row := int(sp.Pairs.Row[i])
	t.contacts["Facet"].Update(row)
	t.contacts["Prism"].Read(row)
	if sp.Contacts.Active[row] {
		t.activate(i)
	}
}

// gap declares the accesses of gapStage for pair i.
func (t *tileWalk) gap(i int) {
	sp, p := t.sp, &t.sp.described[i]
	t.described.Read(i)
	t.pairs["Row"].Read(i)
	if sp.Pairs.Row[i] == soa.NoRow {
		t.search(i)
		return
	}
	row := int(sp.Pairs.Row[i])
	t.readOdometers(i)
	t.contacts["Proven"].Read(row)
	t.contacts["ProofRecord"].Read(row)
	if sp.Contacts.ProofRecord[row].Kind == 0 || narrow.AnsweredBy(sp.Contacts.AnsweredBy[row]) != narrow.ByFeature {
		t.contacts["PoseBounds"].Update(row)
		t.contacts["Proven"].Write(row)
		t.contacts["ProofRecord"].Write(row)
		t.search(i)
	} else {
		t.load(i)
		radius := access.Of(t.w, "Shapes", sp.Shapes.Radius)
		radius.Read(int(p.ShapeA))
		radius.Read(int(p.ShapeB))
		t.contacts["Facet"].Update(row)
	}
	if !sp.Contacts.Active[row] {
		return
	}
	t.pairs["Axis"].Read(i)
	t.activate(i)
	sp.Shapes.WalkShape(t.w, p.ShapeA) // the location
	sp.Shapes.WalkShape(t.w, p.ShapeB)
}

// walkOdometers declares the accesses of gatherOdometers, of a world whose walls move.
func (sp *Space) walkOdometers(w *access.Walk, lo, hi int) {
	bodies, pieces := access.Fields(w, "Bodies", sp.Bodies), access.Fields(w, "Pieces", &sp.Pieces)
	access.Seldom(false, bodies["FirstPiece"])
	access.Sweep(lo, hi, []*access.Column{pieces["Body"], bodies["Odometer"]}, []*access.Column{access.Of(w, "piece odometers", sp.pieceOdometer)})
}

// walkPoses declares the accesses of poseStage.
func (sp *Space) walkPoses(w *access.Walk, lo, hi int) {
	poses, rows := access.Fields(w, "Poses", sp.poses), access.Of(w, "pose rows", sp.poseRows)
	for i := lo; i < hi; i++ {
		poses["Pos"].Read(i)
		poses["Rot"].Read(i)
		rows.WriteRows(soa.PoseSize*i, soa.PoseSize*i+7)
	}
}

// walkOwnPoses declares the accesses of ownPoseStage, of a world whose walls move.
func (sp *Space) walkOwnPoses(w *access.Walk, lo, hi int) {
	poses, pieces, bodies := access.Fields(w, "Poses", sp.poses), access.Fields(w, "Pieces", &sp.Pieces), access.Fields(w, "Bodies", sp.Bodies)
	for i := lo; i < hi; i++ {
		for _, name := range [...]string{"Body", "Offset", "Local"} {
			pieces[name].Read(i)
		}
		body := int(sp.Pieces.Body[i])
		bodies["Pos"].Read(body)
		bodies["Rot"].Read(body)
		poses["Pos"].Write(i)
		poses["Rot"].Write(i)
	}
}

// WalkPairsOf declares the accesses of PairsOf, and returns a function that declares those of a loop over the pairs of a
// body.
func (sp *Space) WalkPairsOf(w *access.Walk) func(body int) {
	c := &sp.incidence
	first, last, place := access.Of(w, "pairs of bodies", c.first), access.Of(w, "pairs of bodies", c.last), access.Of(w, "pairs of bodies", c.place)
	return func(body int) {
		first.Read(body)
		last.Read(body)
		place.ReadRows(int(c.first[body]), int(c.last[body]))
	}
}

// DescribedPairs returns the column of what LawOf reads of a pair.
func (sp *Space) DescribedPairs(w *access.Walk) *access.Column {
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
