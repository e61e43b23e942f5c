package engine

import (
	"slices"

	"github.com/scree-dem/scree/engine/contact"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/access"
)

// contactReader receives the contacts of the world's space: see contact.Reader. It books contacts that
// have ended and computes the forces of active ones.
type contactReader stepContext

// findContacts finds the contacts at the present poses and computes their forces.
func (w *World) findContacts() {
	w.constrainHeld()
	reader := (*contactReader)(&w.ctx)
	reader.relieved, reader.thick = reader.relievedFraction(), reader.thickVariance()
	for i := range w.work {
		ws := &w.work[i] // what a loop before this step has noted
		ws.deep.pair, ws.through.pair = contact.NoPair, contact.NoPair
	}
	w.sums = slices.Grow(w.sums[:0], len(w.space.Costs()))[:len(w.space.Costs())]
	w.space.Find()
}

// Lend implements contact.Reader.
func (c *contactReader) Lend(_, worker int) contact.Lent {
	f := &c.w.work[worker].forces
	c.w.space.Reserve(f)
	return contact.Lent{Needs: c.w.law.AllNeeds(), Into: f, Thick: c.thick}
}

// Read implements contact.Reader.
func (c *contactReader) Read(f *contact.TileContacts, worker int) {
	ws := &c.w.work[worker]
	ws.sum = ledgerSum{}
	c.sumEnded(&f.Ended, &ws.sum.released)
	c.bookHandovers(f.Handovers, ws)
	c.relieve(f)
	c.noteThick(f.Thick, ws)
	c.applyLaw(ws)
	c.w.sums[f.Tile] = ws.sum
}

// Drop implements contact.Reader.
func (c *contactReader) Drop(ended *contact.Ended, _ int) { c.sumEnded(ended, &c.w.dropped) }

// applyLaw computes the forces of the tile's active contacts.
func (c *contactReader) applyLaw(ws *workspace) {
	w := c.w
	rows := force.ContactRows{Normal: &w.space.Contacts.Normal, Forces: &w.forces}
	step := force.Step{Bodies: &w.bodies, Constrained: w.constrained, From: rows, To: rows, Dt: c.dt, Forgiven: c.relieved, Accounted: !w.cfg.NoLedger}
	if w.cell.moves() {
		step.ImageVelocity = w.cell.imageMotion
	}
	ws.forces.Apply(&step)
	for _, n := range ws.forces.NotFinite() {
		if pair := contact.KeyOf(w.space.PiecesOf(int(n.Row))); pair < ws.broken.pair {
			ws.broken = brokenPair{pair, n.What}
		}
	}
	if w.cfg.NoLedger {
		return
	}
	for row, e := range ws.forces.Energies {
		if ws.sum.elastic.add(e.Stored); (*accountStage)(c).isPathwise(int(row)) {
			ws.sum.pathwise.add(e.Stored)
		}
		ws.sum.shear.add(e.Shear)
	}
}

// bookHandovers books contacts with a wall that have passed to a facet with another law. There, the same
// stretch of a friction spring is another energy, which the ledger books as made by the law. A history
// that means nothing to the new law is lost.
func (c *contactReader) bookHandovers(handovers []contact.Handover, ws *workspace) {
	w := c.w
	sum, history := &ws.sum, &ws.history
	for _, h := range handovers {
		for k, column := range w.forces.History {
			history[k] = column[h.Row]
		}
		held := w.law.Held(h.From, history[:])
		if w.law.Alike(h.From, h.To) {
			sum.passed.add(w.law.Held(h.To, history[:]) - held)
			continue
		}
		sum.released.add(held)
		for _, column := range w.forces.History {
			column[h.Row] = 0
		}
	}
}

// sumEnded adds the energy, J, in the friction springs of contacts that have ended to a sum: it is lost.
func (c *contactReader) sumEnded(ended *contact.Ended, sum *twofold) {
	for k, law := range ended.Laws {
		sum.add(c.w.law.Held(law, ended.Values(k)))
	}
}

// walk declares the accesses of Read for a tile.
func (c *contactReader) walk(a *access.Walk, tile int) {
	w := c.w
	active := w.space.ActiveIn(tile)
	pieces := access.Fields(a, "Pieces", &w.space.Pieces)
	access.Seldom(false, append(w.columnsOf(a, "ID"), pieces["Kind"], pieces["Shape"], pieces["Material"])...) // of deep contacts
	pair, described := access.Fields(a, "Contacts", &w.space.Contacts)["Pair"], w.space.DescribedPairs(a)
	contacts := make([]force.WrittenContact, len(active))
	for k, row := range active {
		p, q := w.space.PiecesOf(int(row))
		contacts[k] = force.WrittenContact{A: w.space.Pieces.Body[p], B: w.space.Pieces.Body[q], Row: row, Law: w.space.LawOf(int(row))}
		if w.cfg.Relief != (Relief{}) {
			pair.Read(int(row))
			described.Read(int(w.space.Contacts.Pair[row]))
		}
	}
	rows := force.ContactRows{Normal: &w.space.Contacts.Normal, Forces: &w.forces}
	w.work[0].forces.Walk(a, &force.Step{Bodies: &w.bodies, From: rows, To: rows, Accounted: !w.cfg.NoLedger}, contacts)
	access.Of(a, "tiles", w.sums).Write(tile)
}
