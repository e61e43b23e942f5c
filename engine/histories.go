package engine

import (
	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/vec"
)

// history is what an active contact remembers, on its way from the facet that had it to the one
// that has it now.
type history struct {
	row    int
	values [force.MaxHistory]float64
	normal vec.Vec3
	relief float64
}

// takeBack ends the contact of row i, and returns what it remembers.
func (w *World) takeBack(i int) history {
	con := &w.contacts
	h := history{row: i, normal: con.Normal.At(i), relief: con.Relief[i]}
	for k, column := range con.History {
		h.values[k] = column[i]
	}
	con.Active[i] = false
	w.forget(i)
	return h
}

// giveBack makes row i remember what another contact did.
func (w *World) giveBack(i int, h *history) {
	con := &w.contacts
	for k, column := range con.History {
		column[i] = h.values[k]
	}
	con.Normal.Set(i, h.normal)
	con.Relief[i] = h.relief
}

// heldIn returns the energy that a history holds, J, by the law of pair i.
func (w *World) heldIn(i int, h *history) float64 {
	return w.law.Held(w.law.Row(w.pieces.Material[w.pairs.A[i]], w.pieces.Material[w.pairs.B[i]]), h.values[:])
}
