package contact

import (
	"github.com/scree-dem/scree/vec"
)

// formerContact is what a contact with a wall stores, while it passes from the facet that had the contact
// to the facet that has it now.
type formerContact struct {
	pair   int
	group  int // of contacts with a wall of a law that acts by overlaps: see surface.Press.GroupOf
	first  int // index of its first value in wallWork.values; there are as many as remembered columns
	normal vec.Vec3
}

// takeBack ends the contact of pair i, which must have one, and returns what it stored.
func (sp *Space) takeBack(i int, work *wallWork) formerContact {
	row := int(sp.Pairs.Row[i])
	con := &sp.Contacts
	h := formerContact{pair: i, first: len(work.values), normal: con.Normal.At(row)}
	for k := range sp.remembered {
		work.values = append(work.values, (*sp.remembered[k])[row])
	}
	con.Active[row] = false
	sp.forget(row)
	return h
}

// giveBack stores the history of another contact in row i, which is active from now on.
func (sp *Space) giveBack(i int, h *formerContact, work *wallWork) {
	con := &sp.Contacts
	for k := range sp.remembered {
		(*sp.remembered[k])[i] = work.values[h.first+k]
	}
	con.Normal.Set(i, h.normal)
	con.Active[i] = true
}

// endHeld lists the contacts whose histories no other facet has taken.
func (sp *Space) endHeld(held []formerContact, ws *workspace) {
	for k := range held {
		ws.out.Ended.addValues(sp.described[held[k].pair].law, ws.wall.values[held[k].first:][:len(sp.remembered)])
	}
}
