package engine

import (
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// contactStage processes tiles of pairs. overlapStage and wallStage are parts of it.
type contactStage stepContext

// contactLoop evaluates every candidate pair: most by their odometers alone, the others tile by
// tile. All stages run on one tile while it is in cache; docs/step.md has the same list.
func (w *World) contactLoop() {
	w.gatherOdometers()
	w.gatherPoses()
	w.ctx.relieved = w.relievedShare()
	w.listThick()
	for i := range w.work {
		ws := &w.work[i] // what a loop before this step has noted
		ws.deep.pair, ws.through.pair, ws.sunk = afterAll, afterAll, afterAll
	}
	w.pool.ForTasks(w.tiles.costs, (*contactStage)(&w.ctx))
	w.sumCounts()
}

// Task processes one tile. Only the sweep reads every pair. Sweep, axes, overlaps, proven facets
// and law are batches with one pair per lane.
func (c *contactStage) Task(tile, worker int) {
	ws := &c.w.work[worker]
	overlaps, walls := (*overlapStage)(c), (*wallStage)(c)
	c.sweep(tile, ws)              // 1 Odometers: lists the pairs that are not proven apart.
	c.axes(ws)                     // 2 Separating axes: drops the pairs whose stored axis still separates them.
	overlaps.findKnownOverlaps(ws) // 3 Known overlaps: of pairs that touched in the last step.
	c.solveProven(ws)              // 4 Proven facets: within their motion budget.
	c.answerAll(ws)                // 5 Features and searches: the remaining pairs one by one, and where their forces act.
	walls.answerWalls(ws)          // 6 Walls of facets: all facets of a wall that a piece may touch, together.
	c.w.bookEnds(ws)
	c.w.relieve(ws)
	c.w.noteThick(ws)
	c.applyLaw(ws) // 7 Law: forces, torques and histories.
	c.close(tile, ws)
}

// sweep starts a tile: it lists the pairs that their odometers do not prove apart.
func (c *contactStage) sweep(tile int, ws *workspace) {
	w := c.w
	lo, hi := w.tiles.bounds(tile)
	n := kernels.Sweep(&w.pairs, w.pieceOdometer, lo, hi, ws.expired)
	ws.counts.Pairs += int64(hi - lo)
	ws.counts.By[narrow.ByOdometer] += int64(hi - lo - n)
	if invariants.Enabled {
		w.reproveApart(lo, hi, ws.expired[:n], ws)
	}
	ws.tile, ws.list, ws.worst, ws.sum = tile, ws.expired[:n], 0, ledgerSum{}
	ws.active = w.tiles.active[lo:lo:hi]
	ws.forces.Clear(w.law)
}

// close stores what later stages of the step need of a tile.
func (c *contactStage) close(tile int, ws *workspace) {
	c.w.tiles.count[tile] = len(ws.active)
	c.w.tiles.worst[tile] = ws.worst
	c.w.tiles.sums[tile] = ws.sum
	ws.counts.Active += int64(len(ws.active))
}

// answerAll evaluates the listed pairs that are still open, except those with walls of facets.
func (c *contactStage) answerAll(ws *workspace) {
	for k, i := range ws.list {
		p := &c.w.described[i]
		if p.walled || ws.overlapWork.isSure(k) {
			continue
		}
		if ws.found = ws.overlapWork.at(k); c.answer(k, int(i), ws) {
			c.addContact(int(i), p, ws)
		}
	}
	ws.found = overlapResult{}
}

// applyLaw computes the forces of the tile's active contacts.
func (c *contactStage) applyLaw(ws *workspace) {
	w := c.w
	ws.forces.Apply(&force.Step{
		Bodies: &w.bodies, Contacts: &w.contacts, To: &w.contacts, Dt: c.dt, Forgiven: c.relieved, Accounted: !w.cfg.NoLedger,
	})
	for _, n := range ws.forces.NotFinite() {
		if pair := keyOf(w.pairs.A[n.Row], w.pairs.B[n.Row]); pair < ws.broken.pair {
			ws.broken = lostPair{pair, n.What}
		}
	}
	if w.cfg.NoLedger {
		return
	}
	for row, e := range ws.forces.Energies {
		if ws.sum.elastic.add(e.Stored); w.isPathwise(int(row)) {
			ws.sum.pathwise.add(e.Stored)
		}
		ws.sum.shear.add(e.Shear)
	}
}

// answer evaluates pair i, number k of the list, and reports whether its contact is active. It
// writes the result to ws.answer.
func (c *contactStage) answer(k, i int, ws *workspace) bool {
	w, con, ans, p := c.w, &c.w.contacts, &ws.answer, &c.w.described[i]
	ws.needs = w.law.NeedsAt(p.law)
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

	ws.loadAs(c.w, i, p)
	con.Unprove(i)
	if w.search(i, ws.va, ws.pa, ws.vb, ws.pb, reach, con.Facet[i], con.Axis.At(i), ws) && !p.offset {
		proof := ws.search.Budget(w.turn(p.BodyA, p.BodyB))
		proof.Store(con, i, w.expiry(i, proof.Motion, 0), &w.shapes, p.ShapeA, p.ShapeB, ans.Facet)
	}
	if invariants.Enabled && ans.Exact {
		w.reprove(i, ans, reach, ws)
	}
	ws.counts.By[ans.AnsweredBy]++
	w.pairs.Expiry[i] = soa.Expired
	if w.published.on && ans.Gap > reach {
		c.release(i, ws) // without a certificate: the pair passes the search again in the next step
		return false
	}
	if ans.Status == narrow.Degenerate || ans.Gap > reach && !(*overlapStage)(c).grazes(i, ws) {
		con.Axis.Set(i, ans.Axis)
		con.AxisSupport[i] = ans.AxisSupport
		if ans.Status != narrow.Degenerate {
			gap := narrow.LowerGap(ans.Gap, ws.pb.Pos.Sub(ws.pa.Pos), ws.va.Radius, ws.vb.Radius)
			w.pairs.Expiry[i] = w.expiry(i, gap, reach)
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
func (w *World) needsOf(i int) *force.Needs {
	return w.law.NeedsOf(w.pieces.Material[w.pairs.A[i]], w.pieces.Material[w.pairs.B[i]])
}

// release ends the contact of row i if it was active.
func (c *contactStage) release(i int, ws *workspace) {
	w, con := c.w, &c.w.contacts
	if !con.Active[i] {
		return
	}
	ws.ended.add(w.described[i].law, con, i)
	con.Active[i] = false
	w.forget(i)
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
		ws.loadAs(c.w, i, p)
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
	con := &c.w.contacts
	con.Gap[i], con.AnsweredBy[i], con.Active[i] = gap, uint8(by), true
	ws.active = append(ws.active, uint32(i))
}
