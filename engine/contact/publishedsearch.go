package contact

import (
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
)

// publishedSearch is the state of a run by narrow.FDSPaper: a list of contacts for each candidate
// pair, which passes the published search in every step. No certificate of the space answers.
type publishedSearch struct {
	on     bool
	byPair map[[2]soa.Number]*narrow.Memory
	rows   []*narrow.Memory // by row of Pairs
	lists  int64            // searches and updates of the candidate pairs that rows is of
	dtol   float64          // m
}

// SetTolerance sets the contact tolerance dtol, m, of the published search, and gives each candidate pair
// its list. The candidate pairs must be those of the present step.
func (sp *Space) SetTolerance(dtol float64) {
	p := &sp.published
	p.dtol = dtol
	if lists := sp.counts.Rebuilds + sp.counts.Updates; lists != p.lists || p.byPair == nil {
		p.lists = lists
		sp.matchLists()
	}
}

// matchLists gives each row the list of its pair, and drops those of other pairs.
func (sp *Space) matchLists() {
	p, was := &sp.published, sp.published.byPair
	p.byPair, p.rows = map[[2]soa.Number]*narrow.Memory{}, grow(p.rows, sp.Pairs.Len())
	for i := range p.rows {
		if p.rows[i] = nil; sp.Pairs.Vacant(i) {
			continue
		}
		key := [2]soa.Number{sp.Pieces.Number[sp.Pairs.A[i]], sp.Pieces.Number[sp.Pairs.B[i]]}
		list := was[key]
		if list == nil {
			list = &narrow.Memory{}
		}
		p.rows[i], p.byPair[key] = list, list
	}
}

// BasicContacts returns the basic contacts of a contact row: with narrow.FDSPaper those of the published search,
// otherwise those that the space finds, with narrow.Dtol, and stores in own.
func (sp *Space) BasicContacts(row int, own *narrow.ContactList) *narrow.ContactList {
	i := int(sp.Contacts.Pair[row])
	if sp.published.on && sp.published.rows != nil {
		return &sp.published.rows[i].List
	}
	var found narrow.Answer
	ws := &sp.work[0]
	ws.loadBetween(sp, i)
	ws.search.Resolve(ws.va, ws.pa, ws.vb, ws.pb, 0, &found)
	ws.search.Contacts(ws.va, ws.pa, ws.vb, ws.pb, narrow.Dtol(ws.va, ws.vb), &found, own)
	return own
}
