package contact

import (
	"sort"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// carried holds the rows of the previous tiles. The new rows copy from it what is known of the
// pairs that remain.
type carried struct {
	pairs    soa.Pairs
	contacts soa.Contacts
	tileRows
}

// oldRow is a row of a carried list, or the end of the list.
type oldRow struct {
	of   *carried
	tile int
	row  int
	end  int // of the tile's rows
}

type carryStage stage

// carryOver lays tiles over the fresh list, copies the stored data of pairs that remain, and clears
// the rows of new pairs. Both lists are sorted by A, then B, and most pairs remain, so whole runs
// of rows are copied at once.
func (sp *Space) carryOver() {
	old, t := &sp.rebuild.old, &sp.tiles
	old.pairs, sp.Pairs = sp.Pairs, old.pairs
	old.contacts, sp.Contacts = sp.Contacts, old.contacts
	old.tileRows, t.tileRows = t.tileRows, old.tileRows
	sp.layTiles(&sp.rebuild.fresh)
	n := t.rows()
	sp.Pairs.Resize(n)
	if n > cap(sp.Contacts.Active) {
		sp.Contacts.Resize(0) // its rows belong to the list before the last; without this Resize would copy them
	}
	sp.Contacts.Resize(n)
	sp.resizeClient(n)
	if sp.cfg.Laws.Overlaps() {
		sp.skeletons.renew(n)
	}
	if n == 0 {
		for j := old.rowOf(0); !j.ended(); j.skip(1) {
			sp.endFormer(&sp.work[0], j.row)
		}
		return
	}
	sp.pool.For(len(t.costs), 1, (*carryStage)(&sp.stage))
}

// Range fills the rows of the tiles lo to hi.
func (c *carryStage) Range(lo, hi, worker int) {
	for tile := lo; tile < hi; tile++ {
		c.sp.carryTile(tile, &c.sp.work[worker])
	}
}

// carryTile fills the rows of one new tile from the old rows. It also lists the contacts of old pairs
// that fall into the tile's range of keys and are no longer candidates.
func (sp *Space) carryTile(tile int, ws *workspace) {
	old, t, list := &sp.rebuild.old, &sp.tiles, &sp.rebuild.fresh
	first, from, to := t.first[tile], t.from[tile], t.from[tile+1]
	copy(sp.Pairs.A[first:], list.A[from:to])
	copy(sp.Pairs.B[first:], list.B[from:to])
	j := old.rowOf(t.firstKey[tile])
	drop := func(before uint64) {
		for ; !j.ended() && j.key() < before; j.skip(1) {
			sp.endFormer(ws, j.row)
		}
	}
	for i, last := first, t.last[tile]; i < last; {
		drop(KeyOf(sp.Pairs.A[i], sp.Pairs.B[i]))
		run := 0
		for i+run < last && j.row+run < j.end && sp.Pairs.A[i+run] == old.pairs.A[j.row+run] && sp.Pairs.B[i+run] == old.pairs.B[j.row+run] {
			run++
		}
		if run > 0 {
			copy(sp.Pairs.Expiry[i:i+run], old.pairs.Expiry[j.row:j.row+run])
			sp.Contacts.CarryRows(i, &old.contacts, j.row, run)
			sp.carryClient(i, j.row, run)
			sp.skeletons.carry(i, j.row, run)
			i += run
			j.skip(run)
			continue
		}
		fresh := i
		for i < last && (j.ended() || KeyOf(sp.Pairs.A[i], sp.Pairs.B[i]) < j.key()) {
			i++
		}
		sp.clearRows(fresh, i)
	}
	drop(t.firstKey[tile+1])
	sp.vacate(t.last[tile], t.first[tile+1])
}

// clearRows resets rows lo to hi to pairs of which nothing is known.
func (sp *Space) clearRows(lo, hi int) {
	for i := lo; i < hi; i++ {
		sp.Pairs.Expiry[i] = soa.Expired
	}
	sp.Contacts.ClearRows(lo, hi)
	sp.clearClient(lo, hi)
	sp.skeletons.forget(lo, hi)
}

// vacate makes rows lo to hi vacant.
func (sp *Space) vacate(lo, hi int) {
	clear(sp.Pairs.A[lo:hi])
	clear(sp.Pairs.B[lo:hi])
	sp.clearRows(lo, hi)
}

// rowOf returns the first old row whose pair is not before a key.
func (o *carried) rowOf(key uint64) oldRow {
	tiles := len(o.last)
	k := max(0, sort.Search(tiles, func(k int) bool { return o.firstKey[k] > key })-1)
	j := oldRow{of: o, tile: k}
	if tiles > 0 {
		j.row, j.end = o.first[k], o.last[k]
		j.skip(sort.Search(j.end-j.row, func(i int) bool { return KeyOf(o.pairs.A[j.row+i], o.pairs.B[j.row+i]) >= key }))
	}
	return j
}

// skip advances by n rows, within a tile or to the start of the next one.
func (j *oldRow) skip(n int) {
	for j.row += n; j.row == j.end && j.tile+1 < len(j.of.last); {
		j.tile++
		j.row, j.end = j.of.first[j.tile], j.of.last[j.tile]
	}
}

func (j *oldRow) ended() bool { return j.row == j.end }

func (j *oldRow) key() uint64 { return KeyOf(j.of.pairs.A[j.row], j.of.pairs.B[j.row]) }

// end lists row i, the pair of which is no longer a candidate, if it had a contact.
func (sp *Space) end(ws *workspace, i int) {
	if sp.Contacts.Active[i] {
		ws.out.Ended.add(sp.lawOf(&sp.Pairs, i), sp.remembered, i)
	}
}

// endFormer is end for row i of the rows before tiles were last laid anew.
func (sp *Space) endFormer(ws *workspace, i int) {
	if old := &sp.rebuild.old; old.contacts.Active[i] {
		ws.out.Ended.addFormer(sp.lawOf(&old.pairs, i), sp.remembered, i)
	}
}

// lawOf returns the row of the law of pair i of a list.
func (sp *Space) lawOf(list *soa.Pairs, i int) uint32 {
	return sp.cfg.Laws.Row(sp.Pieces.Material[list.A[i]], sp.Pieces.Material[list.B[i]])
}

// forget clears what row i stores of its contact.
func (sp *Space) forget(i int) {
	con := &sp.Contacts
	sp.clearClient(i, i+1)
	con.Normal.Set(i, vec.Vec3{})
	con.Prism[i], con.PrismHolds[i] = soa.Prism{}, 0
}
