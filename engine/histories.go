package engine

import (
	"github.com/scree-dem/scree/vec"
)

// history is what an active contact remembers, on its way from the facet that had it to the one
// that has it now.
type history struct {
	row    int
	group  int // of contacts with a wall that acts by overlaps: see surface.Press.GroupOf
	first  int // of its values in wallWork, as many as the world's contacts have
	normal vec.Vec3
	relief float64
}

// takeBack ends the contact of row i, and returns what it remembers.
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

// giveBack makes row i remember what another contact did.
func (w *World) giveBack(i int, h *history, work *wallWork) {
	con := &w.contacts
	for k, column := range con.History {
		column[i] = work.values[h.first+k]
	}
	con.Normal.Set(i, h.normal)
	con.Relief[i] = h.relief
}

// heldIn returns the energy that a history holds, J, by the law of the pair that had it.
func (w *World) heldIn(h *history, ws *workspace) float64 {
	return w.law.Held(w.described[h.row].law, ws.values[h.first:][:len(w.contacts.History)])
}
