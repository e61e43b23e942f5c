package engine

import (
	"github.com/scree-dem/scree/soa"
)

// carried is the list of pairs before a rebuild, of which the new list takes over what it still holds.
type carried struct {
	pairs    soa.Pairs
	contacts soa.Contacts
}

// incidence lists for each body the pairs it is in, in the order of the pairs: the order in which its
// forces are summed. A place holds the pair's index, shifted left by one, and in the lowest bit
// whether the body is B.
type incidence struct {
	first []uint32 // by body, one more than there are bodies
	place []uint32
}

// prepare sizes what does not change once the world has begun.
func (w *World) prepare() {
	if w.tiles.most = w.cfg.TilePairs; w.tiles.most == 0 {
		w.tiles.most = tilePairs()
	}
	w.pieceOdometer = soa.Float64s(w.pieces.Len())
	w.setDatum()
}

// rebuild finds the candidate pairs anew, carries witnesses and histories over, and cuts the tiles.
// It runs only when the motion budget is used up.
func (w *World) rebuild() {
	w.old.pairs, w.pairs = w.pairs, w.old.pairs
	w.old.contacts, w.contacts = w.contacts, w.old.contacts
	w.broad.Rebuild(&w.bodies, &w.pieces, &w.shapes, w.pool, &w.pairs)
	w.addPlanePairs()
	n := w.pairs.Len()
	w.contacts.Resize(0)
	w.contacts.Resize(n)
	w.carryOver()
	w.tiles.cut(n)
	for i := range w.work {
		w.work[i].expired = grow(w.work[i].expired, min(w.tiles.size, n))
		w.work[i].axes.grow(min(w.tiles.size, n))
	}
	w.connect()
	w.levels.Rebuilds++
}

// carryOver copies what the old list knew of the pairs in the new one. Both are sorted by A, then B.
func (w *World) carryOver() {
	old, from := &w.old.pairs, &w.old.contacts
	to := &w.contacts
	j := 0
	for i, a := range w.pairs.A {
		b := w.pairs.B[i]
		for j < old.Len() && (old.A[j] < a || old.A[j] == a && old.B[j] < b) {
			w.forget(j)
			j++
		}
		if j == old.Len() || old.A[j] != a || old.B[j] != b {
			continue
		}
		w.pairs.Expiry[i] = old.Expiry[j]
		to.Axis.Set(i, from.Axis.At(j))
		to.AxisSupport[i] = from.AxisSupport[j]
		to.Slip.Set(i, from.Slip.At(j))
		to.Normal.Set(i, from.Normal.At(j))
		to.Relief[i] = from.Relief[j]
		to.Gap[i] = from.Gap[j]
		to.Location.Set(i, from.Location.At(j))
		to.Force.Set(i, from.Force.At(j))
		to.Facet[i] = from.Facet[j]
		to.Proven[i], to.Flip[i] = from.Proven[j], from.Flip[j]
		to.Active[i] = from.Active[j]
		to.Level[i] = from.Level[j]
		j++
	}
	for ; j < old.Len(); j++ {
		w.forget(j)
	}
}

// forget books what the friction spring of an old pair held that is no longer a candidate: its bodies parted
// by more than their motion budget within a step.
func (w *World) forget(j int) {
	if old := &w.old; old.contacts.Active[j] {
		law := w.law.At(w.pieces.Material[old.pairs.A[j]], w.pieces.Material[old.pairs.B[j]])
		w.ledger.Friction += float64(0.5 * float64(law.Kt*old.contacts.Slip.At(j).Norm2()))
	}
}

// connect lists each body's pairs by counting: two passes over the pairs.
func (w *World) connect() {
	c := &w.incidence
	n := w.bodies.Len()
	c.first = grow(c.first, n+1)
	clear(c.first)
	for i := range w.pairs.A {
		c.first[w.pieces.Body[w.pairs.A[i]]+1]++
		c.first[w.pieces.Body[w.pairs.B[i]]+1]++
	}
	for i := range n {
		c.first[i+1] += c.first[i]
	}
	c.place = grow(c.place, 2*w.pairs.Len())
	// first[i] runs ahead while places are taken, and is moved back at the end.
	for i := range w.pairs.A {
		a, b := w.pieces.Body[w.pairs.A[i]], w.pieces.Body[w.pairs.B[i]]
		c.place[c.first[a]] = uint32(i) << 1
		c.first[a]++
		c.place[c.first[b]] = uint32(i)<<1 | 1
		c.first[b]++
	}
	copy(c.first[1:], c.first[:n])
	c.first[0] = 0
}
