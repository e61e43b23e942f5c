package contact

import (
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/section"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// locate finds where the force of pair i acts. Shapes and poses must be loaded in the workspace.
func (c *contactStage) locate(i int, t *force.LawContact, ws *workspace) {
	if ws.needs.Overlap {
		(*overlapStage)(c).placeOverlap(i, t, ws)
		return
	}
	if ws.needs.Points {
		c.placePoints(i, t, ws)
		return
	}
	if c.sp.cfg.Location == Witness {
		c.addToLaw(i, t, section.BallLocation(ws.pa, ws.pb, t.ArmA, t.ArmB), vec.Sym3{}, ws)
		return
	}
	// A law whose spring begins at a gap acts as if each body were thicker by half of that gap.
	gap := t.Gap - ws.needs.Unloaded
	at := vec.Vec3{}
	var ok bool
	if ws.vb.Kind == soa.Plane {
		at, _, ok = ws.cutter.OnPlane(ws.va, ws.pa, t.Normal, gap, t.ArmA.AddScaled(0.5*t.Gap, t.Normal))
	} else {
		at, _, ok = ws.cutter.Reduced(ws.va, ws.pa, ws.vb, ws.pb, t.Normal, gap, t.ArmA, t.ArmB)
	}
	if !ok {
		ws.counts.NoSection++
	}
	if c.sp.cfg.Location == Full {
		if ws.facets = ws.facets[:0]; ws.vb.Kind == soa.Facet {
			ws.facets = append(ws.facets, c.sp.Pairs.B[i])
		}
		at = c.fullLocation(at, t, false, ws)
	}
	width := vec.Sym3{}
	if ws.needs.Section {
		width = ws.cutter.Gyration()
	}
	c.addToLaw(i, t, at, width, ws)
}

// addToLaw completes the contact of pair i: it adds the contact to the law's batch. at is the point
// where the force acts, relative to the origin of piece A, world axes. width is the second moments
// of the section. The pieces' positions must be in the workspace.
func (c *contactStage) addToLaw(i int, t *force.LawContact, at vec.Vec3, width vec.Sym3, ws *workspace) {
	sp := c.sp
	t.ArmA = at.Add(ws.pa.Pos.Sub(sp.Bodies.Pos.At(int(t.A))))
	t.ArmB = at.Sub(ws.pb.Pos.Sub(ws.pa.Pos)).Add(ws.pb.Pos.Sub(sp.Bodies.Pos.At(int(t.B))))
	t.Width = width
	ws.lent.Into.Add(t)
	variance := 0.0
	if ws.needs.Overlap {
		variance = t.Overlap.Variance
	}
	c.recordLocation(i, t.Gap, ws.pa.Pos.Add(at), variance, t.Overlap.VarianceGradient, ws)
}

// recordLocation stores the location of contact i, and lists a thick overlap. gradient, m, is that of the
// variance.
func (c *contactStage) recordLocation(i int, gap float64, at vec.Vec3, variance float64, gradient vec.Vec3, ws *workspace) {
	c.sp.Contacts.Location.Set(i, at)
	ws.worst = min(ws.worst, gap)
	if variance > ws.lent.Thick {
		ws.out.Thick = append(ws.out.Thick, Thick{i, variance, gradient})
	}
}
