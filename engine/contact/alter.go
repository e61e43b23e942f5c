package contact

import (
	"slices"
	"sort"

	"github.com/scree-dem/scree/soa"
)

// moved is a run of n rows of one tile that keep their pairs and move to another position in the
// tile.
type moved struct{ from, to, n int }

// altered is the state of an in-place change of tiles.
type altered struct {
	ready bool   // tiles, rows and incidence lists belong to the same pair list
	tiles []int  // tiles whose pairs change, in rising order
	same  []bool // by tile: its pairs do not change
	lists bool   // alterTile updates the incidence lists, too; then one worker alters all tiles
}

// fewTiles decides who alters the tiles. If at most 1/fewTiles of the tiles change, one worker
// alters them and updates the incidence lists row by row. Otherwise all workers alter tiles and all
// incidence lists are rebuilt. Updating the lists row by row costs ten times as much per row.
const fewTiles = 8

// alterTiles replaces the pairs of each tile by those of the fresh list that belong to it, in
// place. It changes nothing and returns false if a tile has too few rows, or if more than half of
// all rows would be vacant.
func (sp *Space) alterTiles() bool {
	t, a, n := &sp.tiles, &sp.rebuild.altered, len(sp.tiles.costs)
	if !a.ready || n == 0 || 2*sp.rebuild.fresh.Len() < t.rows() {
		return false
	}
	sp.splitFresh()
	for k := range n {
		if t.from[k+1]-t.from[k] > t.first[k+1]-t.first[k] {
			return false
		}
	}
	a.same = grow(a.same, n)
	sp.pool.For(n, 0, (*compareStage)(&sp.stage))
	a.tiles = a.tiles[:0]
	for k, same := range a.same {
		if !same {
			a.tiles = append(a.tiles, k)
		}
	}
	if a.lists = fewTiles*len(a.tiles) <= n; a.lists {
		(*alterStage)(&sp.stage).Range(0, len(a.tiles), 0)
	} else {
		sp.pool.For(len(a.tiles), 1, (*alterStage)(&sp.stage))
	}
	t.settled()
	if !a.lists || sp.incidence.full {
		sp.connect()
	}
	return true
}

// splitFresh finds the range of the fresh list that belongs to each tile.
func (sp *Space) splitFresh() {
	t, list := &sp.tiles, &sp.rebuild.fresh
	t.from[0] = 0
	for k := range t.costs {
		from, bound := t.from[k], t.firstKey[k+1]
		t.from[k+1] = from + sort.Search(list.Len()-from, func(i int) bool { return KeyOf(list.A[from+i], list.B[from+i]) >= bound })
	}
}

type compareStage stage

// Range finds which of the tiles lo to hi keep exactly the pairs they have.
func (c *compareStage) Range(lo, hi, _ int) {
	sp := c.sp
	for k := lo; k < hi; k++ {
		first, last := sp.tiles.bounds(k)
		from, to := sp.tiles.from[k], sp.tiles.from[k+1]
		same := slices.Equal(sp.Pairs.A[first:last], sp.rebuild.fresh.A[from:to]) && slices.Equal(sp.Pairs.B[first:last], sp.rebuild.fresh.B[from:to])
		for i := first; i < last && same; i++ {
			same = sp.sameImage(i)
		}
		sp.rebuild.altered.same[k] = same
	}
}

type alterStage stage

// Range alters the tiles numbered lo to hi in the list of tiles to alter.
func (c *alterStage) Range(lo, hi, worker int) {
	for k := lo; k < hi; k++ {
		t, tile := &c.sp.tiles, c.sp.rebuild.altered.tiles[k]
		from, to := t.from[tile], t.from[tile+1]
		c.sp.alterTile(tile, c.sp.rebuild.fresh.A[from:to], c.sp.rebuild.fresh.B[from:to], worker)
	}
}

// alterTile replaces the pairs of a tile by the sorted pairs (a[k], b[k]). It moves the rows of
// pairs that remain and clears the rows of new pairs. It lists the contacts of removed pairs.
func (sp *Space) alterTile(tile int, a, b []soa.Piece, worker int) {
	t, ws := &sp.tiles, &sp.work[worker]
	first, last := t.bounds(tile)
	end := first + len(a)
	moves := ws.moves[:0]
	for i, k := first, 0; i < last; {
		switch key := KeyOf(sp.Pairs.A[i], sp.Pairs.B[i]); {
		case k == len(a) || key < KeyOf(a[k], b[k]):
			sp.endRow(i, tile, ws)
			i++
		case key > KeyOf(a[k], b[k]):
			k++
		case !sp.sameImage(i): // another pair of the same pieces
			sp.endRow(i, tile, ws)
			i, k = i+1, k+1
		default:
			run := 1
			for i+run < last && k+run < len(a) && sp.Pairs.A[i+run] == a[k+run] && sp.Pairs.B[i+run] == b[k+run] && sp.sameImage(i+run) {
				run++
			}
			moves = append(moves, moved{from: i, to: first + k, n: run})
			i, k = i+run, k+run
		}
	}
	sp.movePairs(moves)
	copy(sp.Pairs.A[first:], a)
	copy(sp.Pairs.B[first:], b)
	t.last[tile], t.costs[tile] = end, float64(len(a))
	fresh := first
	moves = append(moves, moved{to: end})
	for _, m := range moves {
		sp.Pairs.ClearRows(fresh, m.to)
		sp.imageRows(fresh, m.to)
		for i := fresh; i < m.to; i++ {
			if sp.describe(i, &sp.described[i]); sp.rebuild.altered.lists {
				sp.incidence.add(i, &sp.described[i])
			}
		}
		fresh = m.to + m.n
	}
	if last > end {
		sp.vacate(end, last)
	}
	ws.moves = moves
	sp.packSkeletons(tile, ws)
}

// endRow ends the pair of row i of a tile.
func (sp *Space) endRow(i, tile int, ws *workspace) {
	sp.end(ws, &sp.Pairs, i)
	sp.giveRow(i, tile)
	if sp.rebuild.altered.lists {
		sp.incidence.drop(i, &sp.described[i])
	}
}

// movePairs moves runs of pairs within a tile in an order in which no run overwrites another. Runs
// that move up are moved last to first, runs that move down first to last. The runs are in rising
// order before and after the move.
func (sp *Space) movePairs(moves []moved) {
	for k := 0; k < len(moves); k++ {
		end := k
		for end < len(moves) && moves[end].to > moves[end].from {
			end++
		}
		for up := end - 1; up >= k; up-- {
			sp.moveRun(&moves[up])
		}
		if k = end; k < len(moves) && moves[k].to < moves[k].from {
			sp.moveRun(&moves[k])
		}
	}
}

func (sp *Space) moveRun(m *moved) {
	if sp.rebuild.altered.lists {
		for k := range m.n {
			if m.to > m.from {
				k = m.n - 1 - k
			}
			sp.incidence.move(m.from+k, m.to+k, &sp.described[m.from+k])
		}
	}
	sp.Pairs.CarryRows(m.to, &sp.Pairs, m.from, m.n)
	copy(sp.described[m.to:m.to+m.n], sp.described[m.from:])
	if sp.cell.periodic {
		copy(sp.cell.images[m.to:m.to+m.n], sp.cell.images[m.from:])
	}
	for i := m.to; i < m.to+m.n; i++ {
		if row := sp.Pairs.Row[i]; row != soa.NoRow {
			sp.Contacts.Pair[row] = uint32(i)
		}
	}
}
