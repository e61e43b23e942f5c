package contact

import (
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// addToLaw completes a contact: it adds the contact to the law's batch. at is the point
// where the force acts, relative to the origin of piece A, world axes. width is the second moments
// of the section. The pieces' positions must be in the workspace.
func (c *contactStage) addToLaw(t *force.LawContact, at vec.Vec3, width vec.Sym3, ws *workspace) {
	sp := c.sp
	t.ArmA = at.Add(ws.pa.Pos.Sub(sp.Bodies.Pos.At(int(t.A))))
	t.ArmB = at.Sub(ws.pb.Pos.Sub(ws.pa.Pos)).Add(ws.pb.Pos.Sub(sp.placeOfB(t.Row, t.B)))
	t.SectionMoments = width
	ws.lent.Into.Add(t)
	variance := 0.0
	if ws.needs.Overlap {
		variance = t.Overlap.Variance
	}
	c.recordLocation(int(t.Row), t.Gap, ws.pa.Pos.Add(at), variance, t.Overlap.VarianceGradient, ws)
}

// placeOfB returns the centre of mass of body b, which is B of a contact row, displaced by the pair's image.
func (sp *Space) placeOfB(row uint32, b soa.Body) vec.Vec3 {
	at := sp.Bodies.Pos.At(int(b))
	if sp.cell.periodic {
		at = at.Add(sp.ShiftOf(int(row)))
	}
	return at
}

// recordLocation stores the location of a contact row, and lists a thick overlap. gradient, m, is that of the
// variance.
func (c *contactStage) recordLocation(row int, gap float64, at vec.Vec3, variance float64, gradient vec.Vec3, ws *workspace) {
	c.sp.Contacts.Location.Set(row, at)
	ws.worst = min(ws.worst, gap)
	if variance > ws.lent.Thick {
		ws.out.Thick = append(ws.out.Thick, Thick{row, variance, gradient})
	}
}
