package engine

import "github.com/scree-dem/scree/soa"

// endedContacts lists contacts that have ended, with what their laws stored, for one worker. The
// contact loop and a rebuild fill the list; dynamics reads it once a tile, or once a rebuild.
type endedContacts struct {
	laws   []uint32  // rows of the laws
	values []float64 // the histories, one after the other
}

// add lists the contact of row i of con, under the law of row law.
func (e *endedContacts) add(law uint32, con *soa.Contacts, i int) {
	e.laws = append(e.laws, law)
	for _, column := range con.History {
		e.values = append(e.values, column[i])
	}
}

// addValues lists a contact with the given history.
func (e *endedContacts) addValues(law uint32, history []float64) {
	e.laws = append(e.laws, law)
	e.values = append(e.values, history...)
}

// reserve allocates space for n contacts of so many values.
func (e *endedContacts) reserve(n, values int) {
	e.laws, e.values = grow(e.laws, n)[:0], grow(e.values, n*values)[:0]
}

// clear empties the list.
func (e *endedContacts) clear() { e.laws, e.values = e.laws[:0], e.values[:0] }

// carriedHistory is a contact with a wall whose history has passed to the row of another facet, which
// has another law.
type carriedHistory struct {
	row, from, to uint32 // the row that has the history now; the rows of the former and of the present law
}

// bookEnds books the friction springs of a tile's contacts that have ended: their energy is lost. For a
// history under another law, the same stretch of a spring is another energy, which the ledger books
// as made by the law. A history that means nothing to the new law is lost, except for normal and
// relief.
func (w *World) bookEnds(ws *workspace) {
	w.sumEnded(ws, &ws.sum.released)
	for _, c := range ws.carried {
		i, held := int(c.row), 0.0
		for k, column := range w.contacts.History {
			ws.history[k] = column[i]
		}
		held = w.law.Held(c.from, ws.history[:])
		if w.law.Alike(c.from, c.to) {
			ws.sum.passed.add(w.law.Held(c.to, ws.history[:]) - held)
			continue
		}
		ws.sum.released.add(held)
		w.clearHistory(i)
	}
	ws.carried = ws.carried[:0]
}

// bookDropped books the friction springs of contacts that a rebuild or an update has dropped. An active
// contact can end so only if its bodies separate by more than the skin within one step.
func (w *World) bookDropped() {
	for i := range w.work {
		w.sumEnded(&w.work[i], &w.dropped)
	}
}

// sumEnded adds the energy, J, in the friction springs of the listed contacts to a sum, and empties the
// list.
func (w *World) sumEnded(ws *workspace, sum *twofold) {
	n := len(w.contacts.History)
	for k, law := range ws.ended.laws {
		sum.add(w.law.Held(law, ws.ended.values[k*n:][:n]))
	}
	ws.ended.clear()
}
