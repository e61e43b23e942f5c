package engine

import "github.com/scree-dem/scree/engine/narrow"

// Gap returns the gap of active contact i, m: the distance of its two pieces, or minus their
// depth. i is a row of Contacts, as ActiveContact.Row has it; a row that is not there panics. The
// gap is exact, whatever the law reads: of a contact whose law reads the overlap, Contacts has
// minus the thickness of that, and the narrow phase is asked here. Of a wall of facets it is the
// gap to the facet that the contact is kept with.
func (w *World) Gap(i int) float64 {
	if !w.ofOverlap(i) {
		return w.contacts.Gap[i]
	}
	ws, found := &w.work[0], narrow.Answer{}
	ws.load(w, i)
	reach, was := ws.needs.Reach, w.contacts.Facet[i]
	if !ws.search.Feature(ws.va, ws.pa, ws.vb, ws.pb, reach, was, &found) {
		ws.search.Resolve(ws.va, ws.pa, ws.vb, ws.pb, reach, &found)
	}
	return found.Gap
}
