package engine

import (
	"github.com/scree-dem/scree/vec"
)

// history is what a contact with a wall stores, while it passes from the facet that had the contact
// to the facet that has it now.
type history struct {
	row    int
	group  int // of contacts with a wall of a law that acts by overlaps: see surface.Press.GroupOf
	first  int // index of its first value in wallWork.values; there are len(Contacts.History) values
	normal vec.Vec3
	relief float64
}

// takeBack ends the contact of row i and returns what it stored.
func (w *World) takeBack(i int, work *wallWork) history {
	con := &w.contacts
	h := history{row: i, first: len(work.values), normal: con.Normal.At(i), relief: con.Relief[i]}
	for _, column := range con.History {
		work.values = append(work.values, column[i])
	}
	con.Active[i] = false
	w.forget(i)
	return h
}

// giveBack stores the history of another contact in row i.
func (w *World) giveBack(i int, h *history, work *wallWork) {
	con := &w.contacts
	for k, column := range con.History {
		column[i] = work.values[h.first+k]
	}
	con.Normal.Set(i, h.normal)
	con.Relief[i] = h.relief
}

// endHeld lists the contacts whose histories no other facet has taken.
func (w *World) endHeld(held []history, ws *workspace) {
	for k := range held {
		ws.ended.addValues(w.described[held[k].row].law, ws.values[held[k].first:][:len(w.contacts.History)])
	}
}
