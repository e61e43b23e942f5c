package contact

import (
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
)

// Gap returns the exact gap of an active contact, m: the distance of its two pieces, or minus their
// depth. row is a row of Contacts; Gap panics if the row does not exist. If
// the law reads overlaps, Contacts stores minus the overlap's thickness, so Gap calls the narrow
// phase. For a contact with a wall of facets, the result is the gap to the facet that stores the
// contact.
func (sp *Space) Gap(row int) float64 {
	i := int(sp.Contacts.Pair[row])
	if sp.overlapOf(i) != soa.CommonVolume {
		return sp.Contacts.Gap[row]
	}
	ws, found := &sp.work[0], narrow.Answer{}
	ws.loadBetween(sp, i)
	reach, was := ws.needs.Reach, sp.Contacts.Facet[row]
	if !ws.search.Feature(ws.va, ws.pa, ws.vb, ws.pb, reach, was, &found) {
		ws.search.Resolve(ws.va, ws.pa, ws.vb, ws.pb, reach, &found)
	}
	return found.Gap
}

// Witness returns the features of a contact row that are part of its state. Those of a contact whose force follows
// from its overlap are not: they only speed up finding the overlap.
func (sp *Space) Witness(row int) soa.FacetID {
	if sp.overlapOf(int(sp.Contacts.Pair[row])) == soa.CommonVolume {
		return soa.FacetID{}
	}
	return sp.Contacts.Facet[row]
}
