package contact

import (
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// contactStage processes tiles of pairs. gapStage, overlapStage and wallStage are parts of it.
type contactStage stage

// Find evaluates every candidate pair at the present poses: most by their odometers alone, the others
// tile by tile. All stages run on one tile while it is in cache.
func (sp *Space) Find() {
	sp.gatherOdometers()
	sp.gatherPoses()
	for i := range sp.work {
		sp.work[i].sunk = NoPair // what a loop before this step has noted
	}
	sp.pool.ForTasks(sp.tiles.costs, (*contactStage)(&sp.stage))
	sp.sumCounts()
}

// Task processes one tile. Only the sweep reads every pair. What the law of a pair reads decides which
// list of stages the pair passes then; pairs with walls of facets come last.
func (c *contactStage) Task(tile, worker int) {
	ws := &c.sp.work[worker]
	gaps, overlaps, walls := (*gapStage)(c), (*overlapStage)(c), (*wallStage)(c)
	ws.lent = c.sp.reader.Lend(tile, worker)
	c.sweep(tile, ws)     // 1 Odometers: lists the pairs that are not proven apart.
	c.axes(ws)            // 2 Separating axes: drops the pairs whose stored axis still separates them.
	c.split(ws)           //   Pairs whose common volume decides, and all others.
	gaps.solve(ws)        // 3 Gaps: proven facets, searches, sections. See gaploop.go.
	overlaps.solve(ws)    // 4 Overlaps: known ones, GJK. See overlaploop.go.
	walls.answerWalls(ws) // 5 Walls of facets: all facets of a wall that a piece may touch, together.
	c.close(tile, ws)
	c.sp.reader.Read(&ws.out, worker) // 6 Law: the reader's.
	ws.out.clear()
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

// release ends the contact of row i if it was active.
func (c *contactStage) release(i int, ws *workspace) {
	sp, con := c.sp, &c.sp.Contacts
	if !con.Active[i] {
		return
	}
	ws.out.Ended.add(sp.described[i].law, sp.remembered, i)
	con.Active[i] = false
	sp.forget(i)
}

// startContact makes pair i, described by p, an active contact and starts ws.contact. The caller then
// finds the point where the force acts.
func (c *contactStage) startContact(i int, p *tilePair, gap float64, normal vec.Vec3, by narrow.AnsweredBy, ws *workspace) {
	t := &ws.contact
	t.A, t.B, t.Row, t.Law = p.BodyA, p.BodyB, uint32(i), p.law
	t.Gap, t.Normal = gap, normal
	c.activate(i, gap, by, ws)
}

// activate records pair i as an active contact of the tile.
func (c *contactStage) activate(i int, gap float64, by narrow.AnsweredBy, ws *workspace) {
	con := &c.sp.Contacts
	if !con.Active[i] {
		con.Active[i] = true
		ws.out.Begun = append(ws.out.Begun, uint32(i))
	}
	con.Gap[i], con.AnsweredBy[i] = gap, uint8(by)
	ws.out.Active = append(ws.out.Active, uint32(i))
}
