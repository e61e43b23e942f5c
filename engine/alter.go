package engine

import (
	"slices"
	"sort"

	"github.com/scree-dem/scree/soa"
)

// moved is a run of rows of one tile whose pairs stay, on its way to another place of the tile.
type moved struct{ from, to, n int }

// altered is what a change of tiles in place needs.
type altered struct {
	ready bool      // tiles, rows and the lists of bodies are of one list
	tiles []int     // that have other pairs than before, in rising order
	same  []bool    // by tile: has the pairs it had
	letGo []twofold // J, by altered tile: what friction springs held that end
	lists bool      // the lists of bodies are brought in line tile by tile, by one worker
}

// fewTiles is the share of tiles up to which one worker alters them and the lists of their bodies: more are altered
// by all workers, and all lists are made anew. A row in them costs ten times as much one by one.
const fewTiles = 8

// alterTiles gives each tile the pairs of the fresh list that belong there, where it stands. It returns false, and has done nothing,
// if some tile has not the rows for them, or if half of all rows would be vacant.
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
	a.letGo = grow(a.letGo, len(a.tiles))
	if a.lists = fewTiles*len(a.tiles) <= n; a.lists {
		(*alterStage)(&w.ctx).Range(0, len(a.tiles), 0)
	} else {
		w.pool.For(len(a.tiles), 1, (*alterStage)(&w.ctx))
	}
	for _, x := range a.letGo {
		w.old.released.join(x)
	}
	t.settled()
	if !a.lists || w.incidence.full {
		w.connect()
	}
	return true
}

// splitFresh finds which part of the fresh list belongs to each tile.
func (w *World) splitFresh() {
	t, list := &w.tiles, &w.fresh
	t.from[0] = 0
	for k := range t.costs {
		from, bound := t.from[k], t.bound[k+1]
		t.from[k+1] = from + sort.Search(list.Len()-from, func(i int) bool { return keyOf(list.A[from+i], list.B[from+i]) >= bound })
	}
}

type compareStage stepContext

// Range says of the tiles lo to hi which have the same pairs as before.
func (c *compareStage) Range(lo, hi, _ int) {
	w := c.w
	for k := lo; k < hi; k++ {
		first, last := w.tiles.bounds(k)
		from, to := w.tiles.from[k], w.tiles.from[k+1]
		w.altered.same[k] = slices.Equal(w.pairs.A[first:last], w.fresh.A[from:to]) && slices.Equal(w.pairs.B[first:last], w.fresh.B[from:to])
	}
}

type alterStage stepContext

// Range alters numbers lo to hi of the tiles that are to be altered.
func (c *alterStage) Range(lo, hi, worker int) {
	for k := lo; k < hi; k++ {
		t, tile := &c.w.tiles, c.w.altered.tiles[k]
		from, to := t.from[tile], t.from[tile+1]
		c.w.altered.letGo[k] = c.w.alterTile(tile, c.w.fresh.A[from:to], c.w.fresh.B[from:to], worker)
	}
}

// alterTile gives a tile the pairs of a list. It moves the rows whose pairs stay, clears those of pairs that came, and returns what the
// friction springs held of those that went, J.
func (w *World) alterTile(tile int, a, b []soa.Piece, worker int) (released twofold) {
	t, ws := &w.tiles, &w.work[worker]
	first, last := t.bounds(tile)
	end := first + len(a)
	moves := ws.moves[:0]
	for i, k := first, 0; i < last; {
		switch key := keyOf(w.pairs.A[i], w.pairs.B[i]); {
		case k == len(a) || key < keyOf(a[k], b[k]):
			released.add(w.held(&w.pairs, &w.contacts, i, &ws.history))
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
	return released
}

// moveRows moves runs of rows, in the order in which none overwrites another: those that go up from the last on, those that go
// down from the first on. The runs are in rising order, before and after.
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
