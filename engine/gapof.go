package engine

import "github.com/scree-dem/scree/narrow"

// Gap returns the exact gap of active contact i, m: the distance of its two pieces, or minus their
// depth. i is a row of Contacts, as in ActiveContact.Row; Gap panics if the row does not exist. If
// the law reads overlaps, Contacts stores minus the overlap's thickness, so Gap calls the narrow
// phase. For a contact with a wall of facets, the result is the gap to the facet that stores the
// contact.
func (w *World) Gap(i int) float64 {
	if !w.ofOverlap(i) {
		return w.contacts.Gap[i]
	}
	ws, found, p := &w.work[0], narrow.Answer{}, tilePair{}
	w.describe(i, &p) // After Restore no pair is described yet.
	ws.loadAs(w, i, &p)
	reach, was := ws.needs.Reach, w.contacts.Facet[i]
	if !ws.search.Feature(ws.va, ws.pa, ws.vb, ws.pb, reach, was, &found) {
		ws.search.Resolve(ws.va, ws.pa, ws.vb, ws.pb, reach, &found)
	}
	return found.Gap
}
