package contact

import (
	"slices"
	"sort"

	"github.com/scree-dem/scree/soa"
)

// patches is the state of an update of the pairs of a few bodies.
type patches struct {
	late  []soa.Body
	had   []uint64 // keys of the pairs that these bodies had, sorted
	came  []uint64 // keys of their new pairs, sorted
	went  []uint64 // keys of the pairs that they lost, sorted
	tiles []patchedTile
	a, b  []soa.Piece // the new pairs of the patched tiles
}

// patchedTile is a tile and the range of its new pairs in patches.a and patches.b.
type patchedTile struct{ tile, from, to int }

// NoteLate records which of the bodies lo to hi have used up their skin. Call it for all bodies that have
// moved, walls too, before Update. Several workers may call it at once, each with its own number.
func (sp *Space) NoteLate(lo, hi, worker int) {
	ws := &sp.work[worker]
	ws.late = sp.broad.AppendLate(sp.Bodies, lo, hi, ws.late)
}

// late returns the bodies that have used up their skin in this step, and whether the candidate
// pairs must be updated before they are used. It makes no pass over all bodies. The list is sorted.
func (sp *Space) late() (late []soa.Body, stale bool) {
	late = sp.rebuild.patches.late[:0]
	for i := range sp.work {
		late = append(late, sp.work[i].late...)
		sp.work[i].late = sp.work[i].late[:0]
	}
	// Bodies that have come may not move, so that nobody notes them.
	n := sp.Bodies.Len()
	late = sp.broad.AppendLate(sp.Bodies, min(sp.comings.known, n), n, late)
	sp.comings.known = n
	slices.Sort(late)
	late = slices.Compact(late)
	sp.rebuild.patches.late = late
	return late, len(late) > 0 || !sp.broad.Known(sp.Bodies)
}

// update updates candidate pairs, rows, tiles and incidence lists for a few bodies that have used
// up their skin. Its cost depends on the neighbours of these bodies only. It returns false if it
// cannot do so; the caller must then rebuild.
//
// Bodies at rest keep their skin, so the candidate pairs differ from those of a rebuild. The
// contacts are the same to the bit, because the candidate pairs always include all contacts.
func (sp *Space) update(late []soa.Body) bool {
	p, t := &sp.rebuild.patches, &sp.tiles
	if !sp.rebuild.altered.ready || sp.cfg.SearchAlways || sp.cell.periodic || len(late) == 0 {
		return false
	}
	keys, ok := sp.broad.Update(sp.Bodies, &sp.Pieces, &sp.Shapes, sp.pool, late)
	if !ok {
		return false
	}
	p.had = p.had[:0]
	for _, i := range late {
		if sp.isFar(int(i)) {
			sp.far = min(sp.far, uint32(i))
		}
		for _, place := range sp.incidence.of(int(i)) {
			a, b := sp.Pairs.A[place>>1], sp.Pairs.B[place>>1]
			p.had = append(p.had, KeyOf(a, b))
			if row := sp.Pairs.Row[place>>1]; row != soa.NoRow && sp.Contacts.Active[row] && sp.isKept(a, b) {
				keys = append(keys, KeyOf(a, b))
			}
		}
	}
	keys = sp.withPlanes(late, keys)
	slices.Sort(p.had)
	p.had = slices.Compact(p.had) // A pair of two late bodies is in the list twice.
	p.came, p.went = appendMissing(p.came[:0], keys, p.had), appendMissing(p.went[:0], p.had, keys)
	p.b = p.b[:0]
	for _, key := range p.came {
		_, b := PairOf(key)
		p.b = append(p.b, b)
	}
	sp.MakeFacets(p.b)
	n := t.pairs + len(p.came) - len(p.went)
	if n > sp.maxPairs || !sp.patchTiles() {
		return false
	}
	sp.alterPatched()
	t.pairs = n
	return true
}

// alterPatched gives the patched tiles their new pairs.
func (sp *Space) alterPatched() {
	p := &sp.rebuild.patches
	sp.rebuild.altered.lists = true
	for _, of := range p.tiles {
		sp.alterTile(of.tile, p.a[of.from:of.to], p.b[of.from:of.to], 0)
	}
	sp.dropEnded()
	if sp.incidence.full {
		sp.connect()
	}
	sp.counts.Updates++
}

// appendMissing appends to to the keys in list that are not in other. list and other are sorted.
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

// patchTiles lists the new pairs of each tile that gains or loses pairs. It returns false if a tile
// has too few rows, or if there is no tile because there were no pairs.
func (sp *Space) patchTiles() bool {
	p, t := &sp.rebuild.patches, &sp.tiles
	p.tiles, p.a, p.b = p.tiles[:0], p.a[:0], p.b[:0]
	came, went := p.came, p.went
	if len(t.costs) == 0 {
		return len(came) == 0
	}
	for len(came) > 0 || len(went) > 0 {
		least := uint64(NoPair)
		if len(came) > 0 {
			least = came[0]
		}
		if len(went) > 0 {
			least = min(least, went[0])
		}
		tile := sort.Search(len(t.costs), func(k int) bool { return t.firstKey[k+1] > least })
		from := len(p.a)
		first, last := t.bounds(tile)
		add := func(before uint64) {
			for len(came) > 0 && came[0] < before {
				a, b := PairOf(came[0])
				p.a, p.b, came = append(p.a, a), append(p.b, b), came[1:]
			}
		}
		for i := first; i < last; i++ {
			key := KeyOf(sp.Pairs.A[i], sp.Pairs.B[i])
			if add(key); len(went) > 0 && went[0] == key {
				went = went[1:]
				continue
			}
			p.a, p.b = append(p.a, sp.Pairs.A[i]), append(p.b, sp.Pairs.B[i])
		}
		add(t.firstKey[tile+1])
		p.tiles = append(p.tiles, patchedTile{tile, from, len(p.a)})
		if len(p.a)-from > t.first[tile+1]-t.first[tile] {
			return false
		}
	}
	return true
}

// withPlanes adds the keys of the pairs of some bodies with planes, and returns all keys sorted.
func (sp *Space) withPlanes(bodies []soa.Body, keys []uint64) []uint64 {
	for _, i := range bodies {
		for piece := sp.Bodies.FirstPiece[i]; piece < sp.Bodies.FirstPiece[i+1]; piece++ {
			sp.meetPlanes(piece, func(plane soa.Piece) { keys = append(keys, KeyOf(piece, plane)) })
		}
	}
	slices.Sort(keys)
	return keys
}
