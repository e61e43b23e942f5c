package contact

import (
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// placePoints finds the contact points of pair i for a law that asks for points. The answer, shapes
// and poses must be in the workspace.
func (c *gapStage) placePoints(i int, t *force.LawContact, ws *workspace) {
	ws.points = ws.search.AppendPoints(ws.points[:0], ws.va, ws.pa, ws.vb, ws.pb, ws.needs.Reach, &ws.answer)
	if ws.vb.Kind.IsFlat() {
		for k := range ws.points {
			ws.points[k].Tag(c.sp.Pieces.Number[c.sp.Pairs.B[i]])
		}
	}
	c.actAtPoints(i, t, ws)
}

// actAtPoints makes the force of pair i act at the points in the workspace. The contact's location
// is the mean of the points, weighted by how far each is below the gap at which the law's spring
// begins. If no point is below that gap, the location is the unweighted mean.
func (c *gapStage) actAtPoints(i int, t *force.LawContact, ws *workspace) {
	narrow.SortPoints(ws.points)
	ws.points = narrow.ThinPoints(ws.points, force.MaxPoints)
	var mean, middle vec.Vec3
	all := 0.0
	for k := range ws.points {
		p := &ws.points[k]
		depth := max(ws.needs.Unloaded-p.Gap, 0)
		mean, middle, all = mean.AddScaled(depth, p.At), middle.Add(p.At), all+depth
	}
	at := middle.Scale(1 / float64(len(ws.points)))
	if all > 0 {
		at = mean.Scale(1 / all)
	}
	for k := range ws.points {
		p := &ws.points[k]
		ws.lent.Into.AddPoint(force.Point{Gap: p.Gap, Arm: p.At.Sub(at), Feature: p.Feature})
	}
	(*contactStage)(c).addToLaw(t, at, vec.Sym3{}, ws)
}
