package contact

import (
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// contactStage processes tiles of pairs. gapStage, overlapStage and wallStage are parts of it.
type contactStage stage

// Find evaluates every candidate pair at the present poses: most by their odometers alone, the others
// tile by tile. All stages run on one tile while it is in cache.
func (sp *Space) Find() {
	sp.gatherPoses()
	sp.gatherOdometers()
	sp.findTiles()
}

// findTiles evaluates all tiles, once poses and odometers have been gathered.
func (sp *Space) findTiles() {
	for i := range sp.work {
		sp.work[i].sunk = NoPair // what a loop before this step has noted
	}
	sp.pool.ForTasks(sp.tiles.costs, (*contactStage)(&sp.stage))
	sp.findWaiting()
	sp.sumCounts()
}

// Task processes one tile. Only the sweep reads every pair. What the law of a pair reads decides which
// list of stages the pair passes then; pairs with walls of facets come last.
func (c *contactStage) Task(tile, worker int) {
	ws := &c.sp.work[worker]
	gaps, overlaps, walls := (*gapStage)(c), (*overlapStage)(c), (*wallStage)(c)
	before := ws.counts
	ws.lent = c.sp.reader.Lend(tile, worker)
	c.sweep(tile, ws) // 1 Odometers: lists the pairs that are not proven apart.
	c.axes(ws)        // 2 Separating axes: drops the pairs whose stored axis still separates them.
	c.split(ws)       //   Pairs whose common volume decides, and all others.
	var ok bool
	if ws.reserved, ok = c.sp.reserveRows(tile, c.newRows(ws)); !ok {
		ws.counts, ws.waiting = before, append(ws.waiting, tile)
		return
	}
	gaps.solve(ws)        // 3 Gaps: proven facets, searches, sections. See gaploop.go.
	overlaps.solve(ws)    // 4 Overlaps: known ones, GJK. See overlaploop.go.
	walls.answerWalls(ws) // 5 Walls of facets: all facets of a wall that a piece may touch, together.
	if ws.reserved > 0 {
		c.sp.spare.release(ws.reserved)
	}
	c.close(tile, ws)
	c.sp.reader.Read(&ws.out, worker) // 6 Law: the reader's.
	ws.out.clear()
}

// newRows returns how many contact rows the listed pairs may take at most.
func (c *contactStage) newRows(ws *workspace) (n int) {
	sp := c.sp
	count := func(i int) {
		if sp.Pairs.Row[i] == soa.NoRow {
			n++
		}
	}
	for _, i := range ws.list {
		count(int(i))
	}
	if sp.Sides.IsEmpty() {
		return n
	}
	// A block that presses on a wall may get its contact in the row of any facet of the wall.
	next := 0
	for _, i := range ws.gaps {
		if int(i) < next || !sp.presses(int(i)) {
			continue
		}
		first, end := (*wallStage)(c).runOf(int(i), int(i), ws)
		for j := max(first, next); j < end; j++ {
			count(j)
		}
		next = end
	}
	return n
}

// waitingStage processes tiles that had too few rows.
type waitingStage stage

// Task processes one of the tiles that have waited.
func (c *waitingStage) Task(k, worker int) { (*contactStage)(c).Task(c.sp.waiting[k], worker) }

// findWaiting processes the tiles that found too few spare rows, once there are more.
func (sp *Space) findWaiting() {
	sp.waiting = sp.waiting[:0]
	for i := range sp.work {
		sp.waiting = append(sp.waiting, sp.work[i].waiting...)
		sp.work[i].waiting = sp.work[i].waiting[:0]
	}
	if len(sp.waiting) > 0 {
		sp.addRows(sp.tiles.size * (len(sp.waiting) + len(sp.work)))
		sp.pool.ForTasks(make([]float64, len(sp.waiting)), (*waitingStage)(&sp.stage))
	}
}

// split divides the list: pairs whose force follows from their overlap, and all others.
func (c *contactStage) split(ws *workspace) {
	ws.gaps, ws.overlaps = ws.gaps[:0], ws.overlaps[:0]
	for _, i := range ws.list {
		if c.sp.described[i].byOverlap {
			ws.overlaps = append(ws.overlaps, i)
		} else {
			ws.gaps = append(ws.gaps, i)
		}
	}
}

// sweep starts a tile: it lists the pairs that their odometers do not prove apart.
func (c *contactStage) sweep(tile int, ws *workspace) {
	sp := c.sp
	lo, hi := sp.tiles.bounds(tile)
	n := kernels.Sweep(&sp.Pairs, sp.pieceOdometer, lo, hi, ws.expired)
	ws.counts.Pairs += int64(hi - lo)
	ws.counts.By[narrow.ByOdometer] += int64(hi - lo - n)
	if invariants.Enabled {
		sp.reproveApart(lo, hi, ws.expired[:n], ws)
	}
	ws.out.Tile, ws.list, ws.worst = tile, ws.expired[:n], 0
	ws.out.Active = sp.tiles.active[lo:lo:hi]
}

// close stores the number of active contacts of a tile and its smallest gap.
func (c *contactStage) close(tile int, ws *workspace) {
	c.sp.tiles.count[tile] = len(ws.out.Active)
	c.sp.tiles.worst[tile] = ws.worst
	ws.counts.Active += int64(len(ws.out.Active))
}

// NeedsOf returns the Needs of the law of pair i.
func (sp *Space) NeedsOf(i int) *force.Needs {
	return sp.cfg.Laws.NeedsOf(sp.Pieces.Material[sp.Pairs.A[i]], sp.Pieces.Material[sp.Pairs.B[i]])
}

// isActive reports whether pair i has an active contact.
func (sp *Space) isActive(i int) bool {
	row := sp.Pairs.Row[i]
	return row != soa.NoRow && sp.Contacts.Active[row]
}

// setApart stores what separates pair i, by the answer in the workspace, and ends its contact. The pair keeps
// its row only if its gap is known exactly.
func (c *contactStage) setApart(i int, reach float64, ws *workspace) {
	sp, ans := c.sp, &ws.answer
	sp.Pairs.Axis.Set(i, ans.Axis)
	sp.Pairs.AxisSupport[i] = ans.AxisSupport
	if ans.Status != narrow.Degenerate {
		gap := narrow.LowerGap(ans.Gap, ws.pb.Pos.Sub(ws.pa.Pos), ws.va.Radius, ws.vb.Radius)
		sp.Pairs.Expiry[i] = sp.expiry(i, gap, reach)
	}
	c.release(i, ws)
	if !ans.Exact {
		sp.giveRow(i, ws.out.Tile)
	}
}

// release ends the contact of pair i if it was active.
func (c *contactStage) release(i int, ws *workspace) {
	if sp := c.sp; sp.isActive(i) {
		row := int(sp.Pairs.Row[i])
		ws.out.Ended.add(sp.described[i].law, sp.remembered, row)
		sp.Contacts.Active[row] = false
		sp.forget(row)
	}
}

// startContact makes pair i, described by p, an active contact and starts ws.contact. The caller then
// finds the point where the force acts.
func (c *contactStage) startContact(i int, p *tilePair, gap float64, normal vec.Vec3, by narrow.AnsweredBy, ws *workspace) {
	t := &ws.contact
	t.A, t.B, t.Row, t.Law = p.BodyA, p.BodyB, c.activate(i, gap, by, ws), p.law
	t.Gap, t.Normal = gap, normal
}

// activate records pair i as an active contact of the tile, and returns its row.
func (c *contactStage) activate(i int, gap float64, by narrow.AnsweredBy, ws *workspace) uint32 {
	con, row := &c.sp.Contacts, c.sp.takeRow(i, ws)
	if !con.Active[row] {
		con.Active[row] = true
		ws.out.Begun = append(ws.out.Begun, uint32(row))
	}
	con.Gap[row], con.AnsweredBy[row] = gap, uint8(by)
	ws.out.Active = append(ws.out.Active, uint32(row))
	return uint32(row)
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
