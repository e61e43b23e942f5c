package contact

import "github.com/scree-dem/scree/soa"

// Restore makes the pairs (a[k], b[k]), which are in the order of pairs, the only pairs and active
// contacts. set must store the gap, the location, the normal and the features of contact k in a row, and
// the client's columns. The next search carries these contacts over to its candidate pairs; until then ask
// for nothing but Gap, Witness and the columns. Call Restore once, after Prepare, before the first Renew.
func (sp *Space) Restore(a, b []soa.Piece, set func(row, k int)) {
	list := &sp.rebuild.fresh
	list.A, list.B = append(list.A[:0], a...), append(list.B[:0], b...)
	sp.layTiles(list)
	n := sp.tiles.rows()
	sp.Pairs.Resize(n)
	sp.Contacts.Resize(n)
	sp.resizeClient(n)
	sp.clearClient(0, n)
	if sp.skeletons = (skeletons{}); sp.cfg.Laws.Overlaps() {
		sp.skeletons.renew(n)
	}
	for t := range sp.tiles.costs {
		lo, hi := sp.tiles.bounds(t)
		for i := lo; i < hi; i++ {
			k := sp.tiles.from[t] + i - lo
			sp.Pairs.A[i], sp.Pairs.B[i], sp.Pairs.Expiry[i] = a[k], b[k], soa.Expired
			set(i, k)
			sp.Contacts.Active[i] = true
			sp.tiles.active[i] = uint32(i)
			sp.tiles.worst[t] = min(sp.tiles.worst[t], sp.Contacts.Gap[i])
		}
		sp.tiles.count[t] = hi - lo
	}
}
