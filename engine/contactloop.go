package engine

import (
	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
)

type contactStage stepContext

// contactLoop answers every candidate pair: most by their odometers alone, the rest tile by tile. A
// tile is worked on stage by stage while it is in cache:
//
//	odometer sweep → separating axes → known overlaps → proven facets → feature pair, search → location → law
//
// Only the first touches every pair. Sweep, axes, overlaps, proven facets and law are batches, a pair a lane; see axes.go,
// sharing.go, warm.go and force.Batch.
func (w *World) contactLoop() {
	w.gatherOdometers()
	w.ctx.relieved = w.relievedShare()
	w.pool.ForTasks(w.tiles.costs, (*contactStage)(&w.ctx))
	w.sumLevels()
}

// Task works on one tile.
func (c *contactStage) Task(tile, worker int) {
	w := c.w
	lo, hi := w.tiles.bounds(tile)
	ws := &w.work[worker]
	ws.tile = tile
	n := kernels.Sweep(&w.pairs, w.pieceOdometer, lo, hi, ws.expired)
	ws.counts.Pairs += int64(hi - lo)
	ws.counts.By[narrow.LevelOdometer] += int64(hi - lo - n)
	if invariants.Enabled {
		w.reproveApart(lo, hi, ws.expired[:n], ws)
	}
	rest := c.axes(ws.expired[:n], ws)
	ws.push.Clear(w.law)
	left := c.share(rest, ws)
	c.solveProven(left, ws)

	active, count := w.tiles.active[lo:hi], 0
	sum := ledgerSum{}
	runs := len(w.sheets.many) > 0 || len(w.sides.facets) > 0
	asked := 0 // of left
	for k := 0; k < len(rest); k++ {
		i := int(rest[k])
		if ws.found = ws.sharing.at(k); ws.found.what == sure {
			c.touchKnown(count, i, ws.found.known, ws)
			active[count] = rest[k]
			count++
			continue
		}
		if runs {
			if end := w.runEnd(left, asked); end > asked {
				count = c.answerRun(left, asked, end, count, active, ws, &sum)
				k += end - asked - 1
				asked = end
				continue
			}
		}
		if c.answer(asked, i, ws, &sum) {
			c.touch(count, i, ws)
			active[count] = rest[k]
			count++
		}
		asked++
	}
	c.placeAll(ws)
	for k := range count {
		ws.push.Add(&ws.places.touching[k])
		sum.worst = min(sum.worst, ws.places.touching[k].Gap)
	}
	ws.push.Apply(&w.bodies, &w.contacts, c.dt, c.relieved)
	ws.push.Store(&w.contacts, !w.cfg.NoLedger)
	c.lookDeep(count, ws)
	if !w.cfg.NoLedger {
		for k := range count {
			stored, shear := ws.push.Energies(k)
			if sum.elastic.add(stored); w.isPathwise(int(active[k])) {
				sum.pathwise.add(stored)
			}
			sum.shear.add(shear)
		}
	}
	w.tiles.count[tile] = count
	w.tiles.sums[tile] = sum
	ws.counts.Active += int64(count)
}

// answer settles pair i, number k of those whose certificates have expired, and says whether its contact is
// active. The answer is left in the workspace.
func (c *contactStage) answer(k, i int, ws *workspace, sum *ledgerSum) bool {
	w, con, ans := c.w, &c.w.contacts, &ws.answer
	a, b := w.pairs.A[i], w.pairs.B[i]
	ws.needs = w.needsOf(i)
	ws.loaded = false
	reach := ws.needs.Reach
	if c.takeProven(k, i, ws) {
		ws.counts.By[narrow.LevelFeature]++
		if ans.Gap > reach && !c.kisses(i, ws) {
			c.release(i, ws, sum)
			return false
		}
		con.DropAxis(i) // of a pair that came back within reach: an axis lets go of no contact
		return true
	}

	c.load(i, ws)
	con.Unprove(i)
	if w.search(i, ws.va, ws.pa, ws.vb, ws.pb, reach, con.Facet[i], con.Axis.At(i), ws) && !w.pieces.Offset[a] && !w.pieces.Offset[b] {
		proof := ws.search.Budget(w.turn(a, b))
		proof.Store(con, i, w.expiry(i, proof.Motion, 0), &w.shapes, w.pieces.Shape[a], w.pieces.Shape[b], ans.Facet)
	}
	if invariants.Enabled && ans.Exact {
		w.reprove(i, ans, reach, ws)
	}
	ws.counts.By[ans.Level]++
	w.pairs.Expiry[i] = soa.Expired
	if ans.Status == narrow.Degenerate || ans.Gap > reach && !c.kisses(i, ws) {
		con.Axis.Set(i, ans.Axis)
		con.AxisSupport[i] = ans.AxisSupport
		if ans.Status != narrow.Degenerate {
			gap := narrow.LowerGap(ans.Gap, ws.pb.Pos.Sub(ws.pa.Pos), ws.va.Radius, ws.vb.Radius)
			w.pairs.Expiry[i] = w.expiry(i, gap, reach)
		}
		c.release(i, ws, sum)
		// Bodies that kiss are not far enough apart for an axis: what proves them is kept.
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

// load brings shapes, poses and the needs of the law of pair i into the workspace.
func (c *contactStage) load(i int, ws *workspace) {
	w := c.w
	a, b := w.pairs.A[i], w.pairs.B[i]
	ws.va, ws.vb = w.shapes.View(w.pieces.Shape[a]), w.shapes.View(w.pieces.Shape[b])
	ws.pa, ws.pb = w.pieces.Pose(&w.bodies, a), w.pieces.Pose(&w.bodies, b)
	ws.needs = w.needsOf(i)
	ws.loaded = true
}

// needsOf returns what the law of pair i needs.
func (w *World) needsOf(i int) *force.Needs {
	return w.law.NeedsOf(w.pieces.Material[w.pairs.A[i]], w.pieces.Material[w.pairs.B[i]])
}

// posedRounding of |position| + radius of a body bounds how far a point of one of its pieces moves between two times
// beyond the body's odometer, because the pose of the piece is rounded at each: see soa.Pieces.Pose. |position| is the
// largest coordinate. In units of 2⁻⁵³, at either time:
//
//	the sum at the world coordinate      √3 of position and radius
//	the rotation of the piece's place    22 of its distance from the body's origin
//	the norm of the body's quaternion    20 of it
//	the product of two quaternions       16 of the piece's radius
//
// Together 2 of the position and 44 of the radius; twice that is less than 128. What the position grows by, the odometer
// counts with it (asm.Advance). Smaller: a piece of a clump may come within reach unseen.
const posedRounding = 0x1p-46

// posedRoom returns posedRounding for piece p, m: 0 for one whose pose is its body's.
func (w *World) posedRoom(p soa.Piece) float64 {
	if !w.pieces.Offset[p] {
		return 0
	}
	body := int(w.pieces.Body[p])
	return float64(posedRounding * (w.bodies.Pos.At(body).MaxAbs() + w.bodies.Radius[body]))
}

// expiry is certificate C1 of pair i. The odometers are rounded up as they advance, so that they need no
// allowance of their own; what they do not count is how the poses of pieces round that have a place of their own.
func (w *World) expiry(i int, gap, reach float64) float64 {
	a, b := w.pairs.A[i], w.pairs.B[i]
	return narrow.Expiry(gap, reach, w.pieceOdometer[a], w.pieceOdometer[b], w.posedRoom(a)+w.posedRoom(b))
}

// turn is by how much angle, rad/m, a body of the pair turns at most while its odometer advances.
func (w *World) turn(a, b soa.Piece) float64 {
	return 1 / min(w.bodies.Radius[w.pieces.Body[a]], w.bodies.Radius[w.pieces.Body[b]])
}

// release lets go of a contact that is no longer active: what its friction springs held is lost.
func (c *contactStage) release(i int, ws *workspace, sum *ledgerSum) {
	w, con := c.w, &c.w.contacts
	if !con.Active[i] {
		return
	}
	sum.released.add(w.heldBy(w.pairs.A[i], w.pairs.B[i], con, i, &ws.history))
	con.Active[i] = false
	w.forget(i)
}

// touch makes the answer in the workspace row k of the tile's touching pairs, and sees to its place; it is pair i.
func (c *contactStage) touch(k, i int, ws *workspace) {
	if ws.found.what == thin {
		c.touchKnown(k, i, ws.found.known, ws)
		return
	}
	t := c.note(k, i, ws)
	if c.placeLater(k, i, ws) {
		return
	}
	if !ws.loaded {
		c.load(i, ws)
	}
	c.place(i, t, ws)
}

// note makes the answer in the workspace row k of the tile's touching pairs; it is pair i.
func (c *contactStage) note(k, i int, ws *workspace) *force.Touch {
	w, con, ans := c.w, &c.w.contacts, &ws.answer
	con.Gap[i] = ans.Gap
	con.Level[i] = uint8(ans.Level)
	con.Active[i] = true
	a, b := w.pairs.A[i], w.pairs.B[i]
	t := &ws.places.touching[k]
	t.A, t.B, t.Row, t.Overlap = w.pieces.Body[a], w.pieces.Body[b], uint32(i), 0
	t.Law = w.law.Row(w.pieces.Material[a], w.pieces.Material[b])
	t.Gap, t.Normal, t.ArmA, t.ArmB = ans.Gap, ans.Normal, ans.ArmA, ans.ArmB
	if !w.began {
		con.Relief[i] = w.forgive(ws.needs.Unloaded - ans.Gap)
	}
	return t
}

// forgive returns the part of an overlap at the start that is not felt.
func (w *World) forgive(overlap float64) float64 {
	if w.cfg.Relief == (Relief{}) {
		return 0
	}
	return max(overlap-w.cfg.Relief.Cap, 0)
}

// relieved returns what is left now of an overlap forgiven at the start.
func (w *World) relieved(overlap float64) float64 { return overlap * w.relievedShare() }

// relievedShare is the share of an overlap forgiven at the start that is still not felt.
func (w *World) relievedShare() float64 {
	if w.cfg.Relief == (Relief{}) || w.time >= w.cfg.Relief.Time {
		return 0
	}
	return 1 - w.time/w.cfg.Relief.Time
}
