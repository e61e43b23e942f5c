package engine

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

type carryStage stepContext

// carryOver lays tiles over the fresh list, copies the stored data of pairs that remain, and clears
// the rows of new pairs. Both lists are sorted by A, then B, and most pairs remain, so whole runs
// of rows are copied at once.
func (w *World) carryOver() {
	old, t := &w.old, &w.tiles
	old.pairs, w.pairs = w.pairs, old.pairs
	old.contacts, w.contacts = w.contacts, old.contacts
	old.tileRows, t.tileRows = t.tileRows, old.tileRows
	w.layTiles(&w.fresh)
	n := t.rows()
	w.pairs.Resize(n)
	if n > cap(w.contacts.Active) {
		w.contacts.Resize(0) // its rows belong to the list before the last; without this Resize would copy them
	}
	w.contacts.Resize(n)
	if w.law.Overlaps() {
		w.skeletons.renew(n)
	}
	if n == 0 {
		for j := old.rowOf(0); !j.ended(); j.skip(1) {
			w.end(&w.work[0], old.pairs.A[j.row], old.pairs.B[j.row], &old.contacts, j.row)
		}
		return
	}
	w.pool.For(len(t.costs), 1, (*carryStage)(&w.ctx))
}

// Range fills the rows of the tiles lo to hi.
func (c *carryStage) Range(lo, hi, worker int) {
	for tile := lo; tile < hi; tile++ {
		c.w.carryTile(tile, &c.w.work[worker])
	}
}

// carryTile fills the rows of one new tile from the old rows. It also lists the contacts of old pairs
// that fall into the tile's range of keys and are no longer candidates.
func (w *World) carryTile(tile int, ws *workspace) {
	old, t, list := &w.old, &w.tiles, &w.fresh
	first, from, to := t.first[tile], t.from[tile], t.from[tile+1]
	copy(w.pairs.A[first:], list.A[from:to])
	copy(w.pairs.B[first:], list.B[from:to])
	j := old.rowOf(t.firstKey[tile])
	drop := func(before uint64) {
		for ; !j.ended() && j.key() < before; j.skip(1) {
			w.end(ws, old.pairs.A[j.row], old.pairs.B[j.row], &old.contacts, j.row)
		}
	}
	for i, last := first, t.last[tile]; i < last; {
		drop(keyOf(w.pairs.A[i], w.pairs.B[i]))
		run := 0
		for i+run < last && j.row+run < j.end && w.pairs.A[i+run] == old.pairs.A[j.row+run] && w.pairs.B[i+run] == old.pairs.B[j.row+run] {
			run++
		}
		if run > 0 {
			copy(w.pairs.Expiry[i:i+run], old.pairs.Expiry[j.row:j.row+run])
			w.contacts.CarryRows(i, &old.contacts, j.row, run)
			w.skeletons.carry(i, j.row, run)
			i += run
			j.skip(run)
			continue
		}
		fresh := i
		for i < last && (j.ended() || keyOf(w.pairs.A[i], w.pairs.B[i]) < j.key()) {
			i++
		}
		w.clearRows(fresh, i)
	}
	drop(t.firstKey[tile+1])
	w.vacate(t.last[tile], t.first[tile+1])
}

// clearRows resets rows lo to hi to pairs of which nothing is known.
func (w *World) clearRows(lo, hi int) {
	for i := lo; i < hi; i++ {
		w.pairs.Expiry[i] = soa.Expired
	}
	w.contacts.ClearRows(lo, hi)
	w.skeletons.forget(lo, hi)
}

// vacate makes rows lo to hi vacant.
func (w *World) vacate(lo, hi int) {
	clear(w.pairs.A[lo:hi])
	clear(w.pairs.B[lo:hi])
	w.clearRows(lo, hi)
}

// rowOf returns the first old row whose pair is not before a key.
func (o *carried) rowOf(key uint64) oldRow {
	tiles := len(o.last)
	k := max(0, sort.Search(tiles, func(k int) bool { return o.firstKey[k] > key })-1)
	j := oldRow{of: o, tile: k}
	if tiles > 0 {
		j.row, j.end = o.first[k], o.last[k]
		j.skip(sort.Search(j.end-j.row, func(i int) bool { return keyOf(o.pairs.A[j.row+i], o.pairs.B[j.row+i]) >= key }))
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

func (j *oldRow) key() uint64 { return keyOf(j.of.pairs.A[j.row], j.of.pairs.B[j.row]) }

// end lists row i of con, of which the pair of pieces a and b is no longer a candidate, if it had a contact.
func (w *World) end(ws *workspace, a, b soa.Piece, con *soa.Contacts, i int) {
	if con.Active[i] {
		ws.ended.add(w.law.Row(w.pieces.Material[a], w.pieces.Material[b]), con, i)
	}
}

// forget clears what row i stores of its contact.
func (w *World) forget(i int) {
	con := &w.contacts
	w.clearHistory(i)
	con.Normal.Set(i, vec.Vec3{})
	con.Relief[i] = 0
	con.Prism[i], con.PrismHolds[i] = soa.Prism{}, 0
}

// clearHistory sets the values that the law stores in row i to 0.
func (w *World) clearHistory(i int) {
	for _, column := range w.contacts.History {
		column[i] = 0
	}
}
