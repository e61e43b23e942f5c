package engine

import (
	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

type contactStage stepContext

// contactLoop answers every candidate pair: most by their odometers alone, the rest tile by tile. A
// tile is worked on stage by stage while it is in cache:
//
//	odometer sweep → separating axis → feature pair → search → location → law
//
// Only the first touches every pair.
func (w *World) contactLoop() {
	kernels.GatherOdometers(&w.pieces, &w.bodies, w.pieceOdometer)
	w.pool.ForTasks(w.tiles.costs, (*contactStage)(&w.ctx))
	w.sumLevels()
}

// Task works on one tile.
func (c *contactStage) Task(tile, worker int) {
	w := c.w
	lo, hi := w.tiles.bounds(tile, w.pairs.Len())
	ws := &w.work[worker]
	n := kernels.Sweep(&w.pairs, w.pieceOdometer, lo, hi, ws.expired)
	ws.counts.Pairs += int64(hi - lo)
	ws.counts.By[narrow.LevelOdometer] += int64(hi - lo - n)
	if invariants.Enabled {
		w.reproveApart(lo, hi, ws.expired[:n], ws)
	}
	active := w.tiles.active[lo:hi]
	count := 0
	sum := ledgerSum{}
	for _, i := range c.axes(ws.expired[:n], ws) {
		if c.answer(int(i), ws, &sum) {
			active[count] = i
			count++
		}
	}
	w.tiles.count[tile] = count
	w.tiles.sums[tile] = sum
	ws.counts.Active += int64(count)
}

// answer settles one pair whose certificates have expired, and says whether its contact is active.
func (c *contactStage) answer(i int, ws *workspace, sum *ledgerSum) bool {
	w := c.w
	a, b := w.pairs.A[i], w.pairs.B[i]
	law := w.law.At(w.pieces.Material[a], w.pieces.Material[b])
	reach := law.Reach()
	va, vb := w.shapes.View(w.pieces.Shape[a]), w.shapes.View(w.pieces.Shape[b])
	pa, pb := w.pieces.Pose(&w.bodies, a), w.pieces.Pose(&w.bodies, b)
	con := &w.contacts

	ans := &ws.answer
	moved := w.pieceOdometer[a] + w.pieceOdometer[b]
	if !(moved < con.Proven[i]) || !narrow.Proven(va, pa, vb, pb, con.Facet[i], con.Flip[i], ans) {
		con.Proven[i] = soa.Expired
		if w.search(va, pa, vb, pb, reach, con.Facet[i], ws) {
			proof := ws.search.Budget(w.turn(a, b))
			con.Proven[i], con.Flip[i] = w.expiry(i, proof.Motion, 0), proof.Flip
		}
	}
	if invariants.Enabled && ans.Exact {
		w.reprove(i, ans, reach, ws)
	}
	ws.counts.By[ans.Level]++
	if ans.Gap > reach || ans.Status == narrow.Degenerate {
		con.Axis.Set(i, ans.Axis)
		con.AxisSupport[i] = ans.AxisSupport
		w.pairs.Expiry[i] = soa.Expired
		if ans.Status != narrow.Degenerate {
			w.pairs.Expiry[i] = w.expiry(i, ans.Gap, reach)
		}
		c.release(i, law, sum)
		return false
	}
	con.Axis.Set(i, vec.Vec3{})
	w.pairs.Expiry[i] = soa.Expired
	con.Facet[i] = ans.Facet
	con.Level[i] = uint8(ans.Level)
	c.push(i, law, ws, pa, pb, c.locate(va, pa, vb, pb, law.ReferenceGap, ws), sum)
	return true
}

// expiry is certificate C1 of pair i. The odometers are rounded up as they advance, so that they need no
// allowance of their own.
func (w *World) expiry(i int, gap, reach float64) float64 {
	return narrow.Expiry(gap, reach, w.pieceOdometer[w.pairs.A[i]], w.pieceOdometer[w.pairs.B[i]], 0)
}

// turn is by how much angle, rad/m, a body of the pair turns at most while its odometer advances.
func (w *World) turn(a, b soa.Piece) float64 {
	return 1 / min(w.bodies.Radius[w.pieces.Body[a]], w.bodies.Radius[w.pieces.Body[b]])
}

// release lets go of a contact that is no longer active: what its friction spring held is lost.
func (c *contactStage) release(i int, law *force.Linear, sum *ledgerSum) {
	con := &c.w.contacts
	if !con.Active[i] {
		return
	}
	sum.friction += float64(0.5 * float64(law.Kt*con.Slip.At(i).Norm2()))
	con.Active[i] = false
	con.Slip.Set(i, vec.Vec3{})
	con.Normal.Set(i, vec.Vec3{})
	con.Relief[i] = 0
	con.Facet[i] = soa.FacetID{}
	con.Proven[i] = soa.Expired
}

// locate returns where the force acts, relative to the frame of piece A, world axes. A law whose spring
// begins at a gap acts as if both bodies were thicker by half of it.
func (c *contactStage) locate(
	va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, begins float64, ws *workspace,
) vec.Vec3 {
	ans := &ws.answer
	if c.w.cfg.Location == Witness {
		return overlap.BallLocation(pa, pb, ans.ArmA, ans.ArmB)
	}
	var at vec.Vec3
	var ok bool
	if vb.Kind == soa.Plane {
		at, _, ok = ws.cutter.OnPlane(va, pa, ans.Normal, ans.Gap-begins, ans.ArmA)
	} else {
		at, _, ok = ws.cutter.Reduced(va, pa, vb, pb, ans.Normal, ans.Gap-begins, ans.ArmA, ans.ArmB)
	}
	if !ok {
		ws.counts.NoSection++
	}
	return at
}

// push applies the law to an active contact and stores force and torques.
func (c *contactStage) push(i int, law *force.Linear, ws *workspace, pa, pb vec.Pose, at vec.Vec3, sum *ledgerSum) {
	w, con, bodies := c.w, &c.w.contacts, &c.w.bodies
	ia, ib := int(w.pieces.Body[w.pairs.A[i]]), int(w.pieces.Body[w.pairs.B[i]])
	armA := at.Add(pa.Pos.Sub(bodies.Pos.At(ia)))
	armB := at.Sub(pb.Pos.Sub(pa.Pos)).Add(pb.Pos.Sub(bodies.Pos.At(ib)))
	spinA, spinB := bodies.Spin.At(ia), bodies.Spin.At(ib)
	va := bodies.Vel.At(ia).Add(spinA.Cross(armA))
	vb := bodies.Vel.At(ib).Add(spinB.Cross(armB))

	ans := &ws.answer
	if !w.began {
		con.Relief[i] = w.forgive(law.ReferenceGap - ans.Gap)
	}
	m := force.Motion{
		Gap: ans.Gap + w.relieved(con.Relief[i]), Normal: ans.Normal, Velocity: va.Sub(vb),
		Twist: 0.5 * spinA.Add(spinB).Dot(ans.Normal),
		Spin:  spinA.Sub(spinB),
		Mass:  1 / (bodies.InvMass[ia] + bodies.InvMass[ib]), Dt: c.dt,
	}
	if law.Damped() && w.cfg.Location == Reduced {
		m.Width = ws.cutter.Gyration()
	}
	h := force.History{Slip: con.Slip.At(i), Normal: con.Normal.At(i)}
	var r force.Result
	law.Apply(&m, &h, &r)

	con.Slip.Set(i, h.Slip)
	con.Normal.Set(i, h.Normal)
	con.Gap[i] = ans.Gap
	con.Location.Set(i, pa.Pos.Add(at))
	con.Force.Set(i, r.Force)
	con.TorqueA.Set(i, armA.Cross(r.Force).Add(r.Moment))
	con.TorqueB.Set(i, armB.Cross(r.Force).Add(r.Moment).Neg())
	con.Damping.Set(i, r.Damping)
	con.Moment.Set(i, r.Moment)
	con.Shear[i] = r.ShearRise
	con.Active[i] = true
	sum.elastic += r.Stored
	sum.shear += r.Shear
	sum.worst = min(sum.worst, ans.Gap)
}

// forgive returns the part of an overlap at the start that is not felt.
func (w *World) forgive(overlap float64) float64 {
	if w.cfg.Relief == (Relief{}) {
		return 0
	}
	return max(overlap-w.cfg.Relief.Cap, 0)
}

// relieved returns what is left now of an overlap forgiven at the start.
func (w *World) relieved(overlap float64) float64 {
	if overlap == 0 || w.time >= w.cfg.Relief.Time {
		return 0
	}
	return overlap * (1 - w.time/w.cfg.Relief.Time)
}
