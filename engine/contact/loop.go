package contact

import (
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// contactStage processes tiles of pairs. overlapStage and wallStage are parts of it.
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

// Task processes one tile. Only the sweep reads every pair. Sweep, axes, overlaps and proven facets are
// batches with one pair per lane.
func (c *contactStage) Task(tile, worker int) {
	ws := &c.sp.work[worker]
	overlaps, walls := (*overlapStage)(c), (*wallStage)(c)
	ws.lent = c.sp.reader.Lend(tile, worker)
	c.sweep(tile, ws)              // 1 Odometers: lists the pairs that are not proven apart.
	c.axes(ws)                     // 2 Separating axes: drops the pairs whose stored axis still separates them.
	overlaps.findKnownOverlaps(ws) // 3 Known overlaps: of pairs that touched in the last step.
	c.solveProven(ws)              // 4 Proven facets: within their motion budget.
	c.answerAll(ws)                // 5 Features and searches: the remaining pairs one by one, and where their forces act.
	walls.answerWalls(ws)          // 6 Walls of facets: all facets of a wall that a piece may touch, together.
	c.close(tile, ws)
	c.sp.reader.Read(&ws.out, worker)
	ws.out.clear()
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

// answerAll evaluates the listed pairs that are still open, except those with walls of facets.
func (c *contactStage) answerAll(ws *workspace) {
	for k, i := range ws.list {
		p := &c.sp.described[i]
		if p.walled || ws.overlapWork.isSure(k) {
			continue
		}
		if ws.found = ws.overlapWork.at(k); c.answer(k, int(i), ws) {
			c.addContact(int(i), p, ws)
		}
	}
	ws.found = overlapResult{}
}

// answer evaluates pair i, number k of the list, and reports whether its contact is active. It
// writes the result to ws.answer.
func (c *contactStage) answer(k, i int, ws *workspace) bool {
	sp, con, ans, p := c.sp, &c.sp.Contacts, &ws.answer, &c.sp.described[i]
	ws.needs = &ws.lent.Needs[p.law]
	ws.loaded = false
	reach := ws.needs.Reach
	if c.takeProven(k, i, ws) {
		ws.counts.By[narrow.ByFeature]++
		if ans.Gap > reach && !(*overlapStage)(c).grazes(i, ws) {
			c.release(i, ws)
			return false
		}
		con.DropAxis(i) // a pair that has come back within reach may still store an axis
		return true
	}

	ws.loadAs(c.sp, i, p)
	con.Unprove(i)
	if sp.search(i, ws.va, ws.pa, ws.vb, ws.pb, reach, con.Facet[i], con.Axis.At(i), ws) && !p.offset {
		proof := ws.search.Budget(sp.turn(p.BodyA, p.BodyB))
		proof.Store(con, i, sp.expiry(i, proof.Motion, 0), &sp.Shapes, p.ShapeA, p.ShapeB, ans.Facet)
	}
	if invariants.Enabled && ans.Exact {
		sp.reprove(i, ans, reach, ws)
	}
	ws.counts.By[ans.AnsweredBy]++
	sp.Pairs.Expiry[i] = soa.Expired
	if sp.published.on && ans.Gap > reach {
		c.release(i, ws) // without a certificate: the pair passes the search again in the next step
		return false
	}
	if ans.Status == narrow.Degenerate || ans.Gap > reach && !(*overlapStage)(c).grazes(i, ws) {
		con.Axis.Set(i, ans.Axis)
		con.AxisSupport[i] = ans.AxisSupport
		if ans.Status != narrow.Degenerate {
			gap := narrow.LowerGap(ans.Gap, ws.pb.Pos.Sub(ws.pa.Pos), ws.va.Radius, ws.vb.Radius)
			sp.Pairs.Expiry[i] = sp.expiry(i, gap, reach)
		}
		c.release(i, ws)
		// Pairs that graze are too close for an axis certificate, so the facet is kept instead.
		if con.Facet[i] = ans.Facet; !ans.Exact {
			con.Facet[i] = soa.FacetID{}
			con.Unprove(i)
		}
		return false
	}
	con.DropAxis(i)
	con.Facet[i] = ans.Facet
	return true
}

// needsOf returns the Needs of the law of pair i.
func (sp *Space) needsOf(i int) *force.Needs {
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

// addContact makes pair i, described by p, an active contact from ws.answer and finds the point where
// its force acts.
func (c *contactStage) addContact(i int, p *tilePair, ws *workspace) {
	if ws.found.what == maybeRounding {
		(*overlapStage)(c).addKnownOverlap(i, &ws.overlapWork.thin[ws.found.thin], ws)
		return
	}
	ans, t := &ws.answer, &ws.contact
	c.startContact(i, p, ans.Gap, ans.Normal, ans.AnsweredBy, ws)
	t.ArmA, t.ArmB = ans.ArmA, ans.ArmB
	if !ws.loaded {
		ws.loadAs(c.sp, i, p)
	}
	c.locate(i, t, ws)
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
