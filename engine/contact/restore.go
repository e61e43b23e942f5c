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
	sp.Pairs.ClearRows(0, n)
	sp.spare.end = 0
	sp.addRows(len(a))
	sp.spare.next = len(a)
	for row := range a {
		sp.Contacts.ClearRow(row)
		sp.clearClient(row)
	}
	for t := range sp.tiles.costs {
		lo, hi := sp.tiles.bounds(t)
		for i := lo; i < hi; i++ {
			k := sp.tiles.from[t] + i - lo
			sp.Pairs.A[i], sp.Pairs.B[i], sp.Pairs.Row[i] = a[k], b[k], uint32(k)
			sp.Contacts.Pair[k] = uint32(i)
			set(k, k)
			sp.Contacts.Active[k] = true
			sp.tiles.active[i] = uint32(k)
			sp.tiles.worst[t] = min(sp.tiles.worst[t], sp.Contacts.Gap[k])
		}
		sp.tiles.count[t] = hi - lo
	}
	sp.findTurns()
	sp.layImages()
}
