package engine

import "github.com/scree-dem/scree/soa"

// RestoreUnder is Restore for a state of a world with other laws. kept reports whether the law of a pair of materials
// has the kind that it had, so that what a contact remembers keeps its meaning; else the contact forgets it. The
// forces follow from the new laws. The ledger books what the springs lose or gain as Changed, and as friction
// what springs lose that are stretched beyond a lower friction.
func (w *World) RestoreUnder(cols []Column, kept func(a, b soa.Material) bool) error {
	cols = append([]Column{}, cols...)
	contacts, own := 0, stateColumns{w}.historyRow()
	for _, c := range cols {
		if c.Name == "contact.pieces" {
			contacts = len(c.U32) / 2
		}
	}
	for i := range cols {
		c := &cols[i]
		if c.Name != "contact.history" || contacts == 0 || len(c.F64)%contacts != 0 || len(c.F64)/contacts < ownRow {
			continue // Restore says what is wrong.
		}
		was, history := len(c.F64)/contacts, make([]float64, contacts*own)
		for k := range contacts {
			from, to := c.F64[k*was:(k+1)*was], history[k*own:(k+1)*own]
			copy(to[:own-ownRow], from[:was-ownRow])
			copy(to[own-ownRow:], from[was-ownRow:])
		}
		c.F64 = history
	}
	if err := w.Restore(cols); err != nil {
		return err
	}
	for row := range w.space.ActiveRows {
		a, b := w.space.PiecesOf(row)
		if kept(w.space.Pieces.Material[a], w.space.Pieces.Material[b]) {
			continue
		}
		for _, column := range w.forces.History {
			column[row] = 0
		}
	}
	m := w.measure()
	w.before, w.changed, w.underNewLaws, w.limits = m.Balance(), true, true, stepLimits{}
	return nil
}
