package contact

import (
	"sort"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// carried holds the pairs of the previous tiles, of which the new tiles find those that remain. Of the columns of pairs
// it has A, B and Row.
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

// carryOver lays tiles over the fresh list, brings what is known of the pairs that remain to their new rows, and clears
// the rows of new pairs. Both lists are sorted by A, then B. Rows move in place, because a second set of all columns
// would take as much memory again until the next garbage collection.
func (sp *Space) carryOver() {
	old, t, p := &sp.rebuild.old, &sp.tiles, &sp.Pairs
	rows := p.Len()
	old.pairs.A, old.pairs.B, p.A, p.B = p.A, p.B, old.pairs.A, old.pairs.B
	old.tileRows, t.tileRows = t.tileRows, old.tileRows
	sp.layTiles(&sp.rebuild.fresh)
	n := t.rows()
	most := max(rows, n) + 1 // with a spare row for soa.Rearrange
	if most > cap(p.Row) {
		p.Resize(roomy(most))
	}
	p.Resize(most)
	old.pairs.Row = p.Row
	sp.order = grow(sp.order, n)
	if n == 0 {
		for j := old.rowOf(0); !j.ended(); j.skip(1) {
			sp.end(&sp.work[0], &old.pairs, j.row)
		}
	}
	sp.pool.For(len(t.costs), 1, (*carryStage)(&sp.stage))
	soa.Rearrange(sp.order, rows, func(to, from int) { p.CarryRows(to, p, from, 1) })
	p.Resize(n)
	for i, row := range sp.order {
		if row == soa.NoRow {
			p.ClearRows(i, i+1)
		}
	}
}

// Range fills the rows of the tiles lo to hi.
func (c *carryStage) Range(lo, hi, worker int) {
	for tile := lo; tile < hi; tile++ {
		c.sp.carryTile(tile, &c.sp.work[worker])
	}
}

// carryTile fills A and B of one new tile, and sp.order with the old rows of its pairs. It also lists the contacts of old pairs
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
	for i := first; i < t.last[tile]; i++ {
		key := KeyOf(sp.Pairs.A[i], sp.Pairs.B[i])
		drop(key)
		if sp.order[i] = soa.NoRow; !j.ended() && j.key() == key {
			if !sp.cell.periodic || sp.cell.images[j.row] == sp.imageOf(sp.Pairs.A[i], sp.Pairs.B[i]) {
				sp.order[i] = uint32(j.row)
			} else { // another pair of the same pieces
				sp.end(ws, &old.pairs, j.row)
			}
			j.skip(1)
		}
	}
	drop(t.firstKey[tile+1])
	for i := t.last[tile]; i < t.first[tile+1]; i++ {
		sp.Pairs.A[i], sp.Pairs.B[i], sp.order[i] = 0, 0, soa.NoRow
	}
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
