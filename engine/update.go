package engine

import (
	"slices"
	"sort"

	"github.com/scree-dem/scree/soa"
)

// patches is what an update of a few bodies needs.
type patches struct {
	off   bool // tests: each search is a rebuild
	late  []soa.Body
	had   []uint64 // keys of the pairs that the bodies had, sorted
	came  []uint64 // pairs that they did not have, sorted, and so those below
	went  []uint64
	tiles []patchedTile
	a, b  []soa.Piece // what the patched tiles hold now
}

// patchedTile is a tile and where its pairs are in patches.
type patchedTile struct{ tile, from, to int }

// noteLate notes which of the bodies lo to hi have used up their motion budgets.
func (w *World) noteLate(lo, hi, worker int) {
	ws := &w.work[worker]
	ws.late = w.broad.AppendLate(&w.bodies, lo, hi, ws.late)
}

// late returns the bodies that have used up their motion budgets in the drift, sorted, and whether the candidate pairs must be found
// before they are used. There is no pass over all bodies in it.
func (w *World) late() (late []soa.Body, stale bool) {
	late = w.patches.late[:0]
	for i := range w.work {
		late = append(late, w.work[i].late...)
		w.work[i].late = w.work[i].late[:0]
	}
	w.patches.late = late
	return late, len(late) > 0 || !w.broad.Known(&w.bodies)
}

// update brings candidate pairs, rows, tiles and the lists of bodies in line for a few bodies that have used up their motion
// budgets: by what they met, whatever else there is. It returns false where it cannot. Then a rebuild is due.
//
// Where few bodies move, those at rest keep their budgets. So the pairs differ from those of a rebuild, and no bit of a
// contact does: candidates are never too few.
func (w *World) update(late []soa.Body) bool {
	p, t := &w.patches, &w.tiles
	if p.off || !w.altered.ready || w.cfg.SearchEvery > 0 || len(late) == 0 {
		return false
	}
	slices.Sort(late)
	keys, ok := w.broad.Update(&w.bodies, &w.pieces, &w.shapes, w.pool, late)
	if !ok {
		return false
	}
	keys = w.withPlanes(late, keys)
	p.had = p.had[:0]
	for _, i := range late {
		if w.isFar(int(i)) {
			w.far = min(w.far, uint32(i))
		}
		for _, place := range w.incidence.of(int(i)) {
			p.had = append(p.had, keyOf(w.pairs.A[place>>1], w.pairs.B[place>>1]))
		}
	}
	slices.Sort(p.had)
	p.had = slices.Compact(p.had) // A pair of two of them is there twice.
	p.came, p.went = appendMissing(p.came[:0], keys, p.had), appendMissing(p.went[:0], p.had, keys)
	n := t.pairs + len(p.came) - len(p.went)
	if n > w.most || !w.patchTiles() {
		return false
	}
	w.altered.lists = true
	for _, of := range p.tiles {
		w.old.released.join(w.alterTile(of.tile, p.a[of.from:of.to], p.b[of.from:of.to], 0))
	}
	t.pairs = n
	if w.incidence.full {
		w.connect()
	}
	w.levels.Updates++
	return true
}

// appendMissing appends the keys that are in list and not in other, both sorted, to to.
func appendMissing(to, list, other []uint64) []uint64 {
	for _, key := range list {
		for len(other) > 0 && other[0] < key {
			other = other[1:]
		}
		if len(other) == 0 || other[0] != key {
			to = append(to, key)
		}
	}
	return to
}

// patchTiles lists what the tiles hold to which pairs came or from which pairs went. It returns false if one has not the rows.
func (w *World) patchTiles() bool {
	p, t := &w.patches, &w.tiles
	p.tiles, p.a, p.b = p.tiles[:0], p.a[:0], p.b[:0]
	came, went := p.came, p.went
	for len(came) > 0 || len(went) > 0 {
		least := uint64(afterAll)
		if len(came) > 0 {
			least = came[0]
		}
		if len(went) > 0 {
			least = min(least, went[0])
		}
		tile := sort.Search(len(t.costs), func(k int) bool { return t.bound[k+1] > least })
		from := len(p.a)
		first, last := t.bounds(tile)
		add := func(before uint64) {
			for len(came) > 0 && came[0] < before {
				a, b := pairOf(came[0])
				p.a, p.b, came = append(p.a, a), append(p.b, b), came[1:]
			}
		}
		for i := first; i < last; i++ {
			key := keyOf(w.pairs.A[i], w.pairs.B[i])
			if add(key); len(went) > 0 && went[0] == key {
				went = went[1:]
				continue
			}
			p.a, p.b = append(p.a, w.pairs.A[i]), append(p.b, w.pairs.B[i])
		}
		add(t.bound[tile+1])
		p.tiles = append(p.tiles, patchedTile{tile, from, len(p.a)})
		if len(p.a)-from > t.first[tile+1]-t.first[tile] {
			return false
		}
	}
	return true
}

// withPlanes returns the keys with those of the pairs of some bodies with planes, sorted.
func (w *World) withPlanes(bodies []soa.Body, keys []uint64) []uint64 {
	if len(w.planes.pieces) == 0 {
		return keys
	}
	for _, i := range bodies {
		for piece := w.bodies.FirstPiece[i]; piece < w.bodies.FirstPiece[i+1]; piece++ {
			w.meetPlanes(piece, func(plane soa.Piece) { keys = append(keys, keyOf(piece, plane)) })
		}
	}
	slices.Sort(keys)
	return keys
}
