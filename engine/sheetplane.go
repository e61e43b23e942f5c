package engine

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/vec"
)

// amidSheet answers the block of some pairs with the first sheet among them that is a plane around all of the block and touches it:
// the sheet's facets need not be asked then, unless the block touches the wall elsewhere too. The contact is in the row of the facet
// that holds a point of the block on the plane, on the way up from its deepest corner to its highest; of a block whose core
// stands apart, the foot of its nearest. So that facet is among the pairs whenever the block is where it is, and what is
// decided here follows from poses alone. sheet is 0 where the facets have to be asked.
func (c *contactStage) amidSheet(pairs []uint32, ws *workspace) (at touchedFacet, sheet uint32) {
	tried := uint32(0)
	for k, i := range pairs {
		id := c.w.sheets.sheetOf(c.w.pairs.B[i])
		if id == 0 || id == tried || c.w.presses(int(i)) {
			continue
		}
		if at, ok := c.amid(id, pairs[k:], ws); ok {
			return at, id
		}
		tried = id
	}
	return at, 0
}

// amid is amidSheet for one sheet, that of the first pair.
func (c *contactStage) amid(id uint32, pairs []uint32, ws *workspace) (at touchedFacet, ok bool) {
	w, run := c.w, &ws.run
	c.load(int(pairs[0]), ws)
	s := &w.sheets.all[id-1]
	from := ws.pa.Pos
	plane := c.planeOf(s, ws)
	face, top := c.onSheet(plane, ws)
	if face.Status == narrow.Degenerate || !(face.Gap <= ws.needs.Reach) {
		return at, false
	}
	core := face.Gap + ws.va.Round + ws.vb.Round
	half := ws.va.Radius + 2*max(math.Abs(core), core+math.Abs(face.Gap-ws.needs.Unloaded))
	middle := plane.PointInv(vec.Vec3{})
	around := window{flat{middle.X - half, middle.Y - half}, flat{middle.X + half, middle.Y + half}}
	if s.rimsIn(around, run); len(run.whole) > 0 {
		return at, false
	}
	low := face.ArmA.AddScaled(-ws.va.Round, face.Normal)
	on := low.AddScaled(core, face.Normal)
	if way := top.Sub(low); core < 0 {
		on = low.AddScaled(core/face.Normal.Dot(way), way)
	}
	for _, i := range pairs {
		b := w.pairs.B[i]
		if w.sheets.sheetOf(b) != id {
			continue
		}
		view, pose := w.shapes.View(w.pieces.Shape[b]), w.pieces.Pose(&w.bodies, b)
		pose.Pos = pose.Pos.Sub(from)
		if holds(view, pose.PointInv(on), 0) {
			face.ArmB = face.ArmB.Add(ws.pb.Pos.Sub(pose.Pos))
			return touchedFacet{row: int(i), piece: b, sheet: id, ans: face}, true
		}
	}
	return at, false
}

// onPlaneAlone makes the contact that amidSheet found the only one. What the row's facet has proven of another feature ends.
func (c *contactStage) onPlaneAlone(at touchedFacet, ws *workspace) {
	run, con := &ws.run, &c.w.contacts
	con.Axis.Set(at.row, vec.Vec3{})
	con.Facet[at.row] = at.ans.Facet
	con.Unprove(at.row)
	ws.counts.By[at.ans.Level]++
	c.load(at.row, ws)
	run.touched = append(run.touched, at)
	c.onPlane(0, at.ans, ws)
}
