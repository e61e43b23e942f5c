package engine

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
func (w *World) alterTiles() bool {
	t, a, n := &w.tiles, &w.altered, len(w.tiles.costs)
	if !a.ready || n == 0 || 2*w.fresh.Len() < t.rows() {
		return false
	}
	w.splitFresh()
	for k := range n {
		if t.from[k+1]-t.from[k] > t.first[k+1]-t.first[k] {
			return false
		}
	}
	a.same = grow(a.same, n)
	w.pool.For(n, 0, (*compareStage)(&w.ctx))
	a.tiles = a.tiles[:0]
	for k, same := range a.same {
		if !same {
			a.tiles = append(a.tiles, k)
		}
	}
	if a.lists = fewTiles*len(a.tiles) <= n; a.lists {
		(*alterStage)(&w.ctx).Range(0, len(a.tiles), 0)
	} else {
		w.pool.For(len(a.tiles), 1, (*alterStage)(&w.ctx))
	}
	t.settled()
	if !a.lists || w.incidence.full {
		w.connect()
	}
	return true
}

// splitFresh finds the range of the fresh list that belongs to each tile.
func (w *World) splitFresh() {
	t, list := &w.tiles, &w.fresh
	t.from[0] = 0
	for k := range t.costs {
		from, bound := t.from[k], t.firstKey[k+1]
		t.from[k+1] = from + sort.Search(list.Len()-from, func(i int) bool { return keyOf(list.A[from+i], list.B[from+i]) >= bound })
	}
}

type compareStage stepContext

// Range finds which of the tiles lo to hi keep exactly the pairs they have.
func (c *compareStage) Range(lo, hi, _ int) {
	w := c.w
	for k := lo; k < hi; k++ {
		first, last := w.tiles.bounds(k)
		from, to := w.tiles.from[k], w.tiles.from[k+1]
		w.altered.same[k] = slices.Equal(w.pairs.A[first:last], w.fresh.A[from:to]) && slices.Equal(w.pairs.B[first:last], w.fresh.B[from:to])
	}
}

type alterStage stepContext

// Range alters the tiles numbered lo to hi in the list of tiles to alter.
func (c *alterStage) Range(lo, hi, worker int) {
	for k := lo; k < hi; k++ {
		t, tile := &c.w.tiles, c.w.altered.tiles[k]
		from, to := t.from[tile], t.from[tile+1]
		c.w.alterTile(tile, c.w.fresh.A[from:to], c.w.fresh.B[from:to], worker)
	}
}

// alterTile replaces the pairs of a tile by the sorted pairs (a[k], b[k]). It moves the rows of
// pairs that remain and clears the rows of new pairs. It lists the contacts of removed pairs.
func (w *World) alterTile(tile int, a, b []soa.Piece, worker int) {
	t, ws := &w.tiles, &w.work[worker]
	first, last := t.bounds(tile)
	end := first + len(a)
	moves := ws.moves[:0]
	for i, k := first, 0; i < last; {
		switch key := keyOf(w.pairs.A[i], w.pairs.B[i]); {
		case k == len(a) || key < keyOf(a[k], b[k]):
			w.end(ws, w.pairs.A[i], w.pairs.B[i], &w.contacts, i)
			if w.altered.lists {
				w.incidence.drop(i, &w.described[i])
			}
			i++
		case key > keyOf(a[k], b[k]):
			k++
		default:
			run := 1
			for i+run < last && k+run < len(a) && w.pairs.A[i+run] == a[k+run] && w.pairs.B[i+run] == b[k+run] {
				run++
			}
			moves = append(moves, moved{from: i, to: first + k, n: run})
			i, k = i+run, k+run
		}
	}
	w.moveRows(moves)
	copy(w.pairs.A[first:], a)
	copy(w.pairs.B[first:], b)
	t.last[tile], t.costs[tile] = end, float64(len(a))
	fresh := first
	moves = append(moves, moved{to: end})
	for _, m := range moves {
		w.clearRows(fresh, m.to)
		for i := fresh; i < m.to; i++ {
			if w.describe(i, &w.described[i]); w.altered.lists {
				w.incidence.add(i, &w.described[i])
			}
		}
		fresh = m.to + m.n
	}
	if last > end {
		w.vacate(end, last)
	}
	ws.moves = moves
	w.packSkeletons(tile, ws)
}

// moveRows moves runs of rows within a tile in an order in which no run overwrites another. Runs
// that move up are moved last to first, runs that move down first to last. The runs are in rising
// order before and after the move.
func (w *World) moveRows(moves []moved) {
	for k := 0; k < len(moves); k++ {
		end := k
		for end < len(moves) && moves[end].to > moves[end].from {
			end++
		}
		for up := end - 1; up >= k; up-- {
			w.moveRun(&moves[up])
		}
		if k = end; k < len(moves) && moves[k].to < moves[k].from {
			w.moveRun(&moves[k])
		}
	}
}

func (w *World) moveRun(m *moved) {
	if w.altered.lists {
		for k := range m.n {
			if m.to > m.from {
				k = m.n - 1 - k
			}
			w.incidence.move(m.from+k, m.to+k, &w.described[m.from+k])
		}
	}
	copy(w.pairs.Expiry[m.to:m.to+m.n], w.pairs.Expiry[m.from:])
	copy(w.described[m.to:m.to+m.n], w.described[m.from:])
	w.contacts.CarryRows(m.to, &w.contacts, m.from, m.n)
	w.skeletons.move(m.to, m.from, m.n)
}
