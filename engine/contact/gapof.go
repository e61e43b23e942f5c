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
	return sp.resolved(row).Gap
}

// resolved returns the answer of the narrow phase for a contact row, with the exact gap. It leaves the pair in the
// first workspace.
func (sp *Space) resolved(row int) (found narrow.Answer) {
	ws := &sp.work[0]
	ws.loadBetween(sp, int(sp.Contacts.Pair[row]))
	reach, was := ws.needs.Reach, sp.Contacts.Facet[row]
	if !ws.search.Feature(ws.va, ws.pa, ws.vb, ws.pb, reach, was, &found) {
		ws.search.Resolve(ws.va, ws.pa, ws.vb, ws.pb, reach, &found)
	}
	return found
}

// Detail is what tables say of an active contact beside its columns.
type Detail struct {
	Gap        float64           // m, as Space.Gap returns it
	Type       narrow.Type       // of the features in contact, from A to B; NoType unless both pieces have faces
	Thickness  float64           // m, of the overlap that the law reads; 0 if it reads none, or that with a wall of facets
	Volume     float64           // m³, of that overlap; 0 for a ball, too
	AnsweredBy narrow.AnsweredBy // what gave the result of the last step; features, if a known overlap did. No state has it
}

// DetailOf returns the details of an active contact. It calls the narrow phase and computes the overlap anew, which takes
// some µs.
func (sp *Space) DetailOf(row int) (d Detail) {
	found := sp.resolved(row)
	ws, con := &sp.work[0], &sp.Contacts
	d.Gap, d.AnsweredBy = con.Gap[row], narrow.AnsweredBy(con.AnsweredBy[row])
	d.Type = ws.search.TypeOf(ws.va, ws.pa, ws.vb, ws.pb, narrow.Dtol(ws.va, ws.vb), &found)
	switch sp.overlapOf(int(con.Pair[row])) {
	case soa.RoundOverlap:
		d.Thickness = -con.Gap[row]
	case soa.CommonVolume:
		d.Gap, d.Thickness = found.Gap, -con.Gap[row]
		d.Volume, _, _ = ws.known.clipper.Volume(ws.va, ws.pa, ws.vb, ws.pb, con.Normal.At(row))
	}
	return d
}

// Witness returns the features of a contact row that are part of its state. Those of a contact whose force follows
// from its overlap are not: they only speed up finding the overlap.
func (sp *Space) Witness(row int) soa.FacetID {
	if sp.overlapOf(int(sp.Contacts.Pair[row])) == soa.CommonVolume {
		return soa.FacetID{}
	}
	return sp.Contacts.Facet[row]
}
