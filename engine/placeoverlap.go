package engine

import (
	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// placeOverlap finds the overlap of pair i, whose shapes and poses are in the workspace, for a law that asks for it. The force acts
// at its centroid.
//
// A ball counts by its depth δ in the other body: as a slab of thickness δ. So its potential is that of a spring, and the same on
// faces, edges and corners.
func (c *contactStage) placeOverlap(i int, t *force.Touch, ws *workspace) {
	var o force.Overlap
	at := overlap.BallLocation(ws.pa, ws.pb, t.ArmA, t.ArmB)
	if ws.va.Kind == soa.Ball || ws.vb.Kind == soa.Ball {
		if depth := -t.Gap; depth > 0 {
			o.Variance = float64(depth*depth) / 12
			o.VariancePush = t.Normal.Scale(depth / 6)
		}
	} else if s, ok := ws.clipper.Share(ws.va, ws.pa, ws.vb, ws.pb, t.Normal); ok {
		o = force.Overlap{
			Volume: s.Volume, Spread: s.Spread, Variance: s.Variance,
			VariancePush: s.VariancePush, VarianceTurn: s.VarianceTurn, VolumePush: s.VolumePush, VolumeTurn: s.VolumeTurn,
		}
		at = s.Centroid
	}
	ws.push.Overlaps = append(ws.push.Overlaps, o)
	t.Overlap = uint32(len(ws.push.Overlaps))
	c.act(i, t, at, vec.Sym3{}, ws)
}
