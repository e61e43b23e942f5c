package contact

import (
	"sort"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// carried holds the pairs of the previous tiles. The new rows copy from it what is known of the pairs that
// remain.
type carried struct {
	pairs soa.Pairs
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

// carryOver lays tiles over the fresh list, copies what is known of the pairs that remain, and clears the
// rows of new pairs. Both lists are sorted by A, then B, and most pairs remain, so whole runs of rows are
// copied at once.
func (sp *Space) carryOver() {
	old, t := &sp.rebuild.old, &sp.tiles
	old.pairs, sp.Pairs = sp.Pairs, old.pairs
	old.tileRows, t.tileRows = t.tileRows, old.tileRows
	sp.layTiles(&sp.rebuild.fresh)
	n := t.rows()
	sp.Pairs.Resize(n)
	if n == 0 {
		for j := old.rowOf(0); !j.ended(); j.skip(1) {
			sp.end(&sp.work[0], &old.pairs, j.row)
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
			sp.end(ws, &old.pairs, j.row)
		}
	}
	for i, last := first, t.last[tile]; i < last; {
		drop(KeyOf(sp.Pairs.A[i], sp.Pairs.B[i]))
		run := 0
		for i+run < last && j.row+run < j.end && sp.Pairs.A[i+run] == old.pairs.A[j.row+run] && sp.Pairs.B[i+run] == old.pairs.B[j.row+run] {
			run++
		}
		if run > 0 {
			sp.Pairs.CarryRows(i, &old.pairs, j.row, run)
			i += run
			j.skip(run)
			continue
		}
		fresh := i
		for i < last && (j.ended() || KeyOf(sp.Pairs.A[i], sp.Pairs.B[i]) < j.key()) {
			i++
		}
		sp.Pairs.ClearRows(fresh, i)
	}
	drop(t.firstKey[tile+1])
	sp.vacate(t.last[tile], t.first[tile+1])
}

// vacate makes rows lo to hi of the pairs vacant.
func (sp *Space) vacate(lo, hi int) {
	clear(sp.Pairs.A[lo:hi])
	clear(sp.Pairs.B[lo:hi])
	sp.Pairs.ClearRows(lo, hi)
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

// end lists the contact of pair i of a list, if it has one: the pair is no longer a candidate.
func (sp *Space) end(ws *workspace, list *soa.Pairs, i int) {
	if row := list.Row[i]; row != soa.NoRow && sp.Contacts.Active[row] {
		ws.out.Ended.add(sp.lawOf(list, i), sp.remembered, int(row))
	}
}

// lawOf returns the row of the law of pair i of a list.
func (sp *Space) lawOf(list *soa.Pairs, i int) uint32 {
	return sp.cfg.Laws.Row(sp.Pieces.Material[list.A[i]], sp.Pieces.Material[list.B[i]])
}

// forget clears what a row stores of its contact.
func (sp *Space) forget(row int) {
	con := &sp.Contacts
	sp.clearClient(row)
	con.Normal.Set(row, vec.Vec3{})
	con.Prism[row], con.PrismHolds[row] = soa.Prism{}, 0
}
