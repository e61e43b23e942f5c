package engine

import (
	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/soa"
)

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
	w.contacts.History = make([][]float64, w.law.History())
	w.old.contacts.History = make([][]float64, w.law.History())
	w.setDatum()
	w.findSides()
	w.thinForAll = thinFor(&w.shapes)
	w.shares = w.cfg.Method == narrow.Auto && w.law.Overlaps()
	w.most = w.mostPairs()
	w.broad.SetMaxPairs(w.most)
}

// rebuild finds the candidate pairs anew, carries witnesses and histories over, and cuts the tiles.
// It runs only when the motion budget is used up.
func (w *World) rebuild() {
	w.old.pairs, w.pairs = w.pairs, w.old.pairs
	w.old.contacts, w.contacts = w.contacts, w.old.contacts
	w.findFar()
	w.broad.Rebuild(&w.bodies, &w.pieces, &w.shapes, w.pool, &w.pairs)
	w.crowded = w.broad.Stats().Crowded
	w.addPlanePairs()
	if w.crowded {
		w.pairs.Resize(0)
	}
	n := w.pairs.Len()
	if n > cap(w.contacts.Active) {
		w.contacts.Resize(0) // what it holds is of the list before the last, and is not moved
	}
	w.contacts.Resize(n)
	if w.law.Overlaps() {
		w.skeletons.renew(n)
	}
	w.carryOver()
	w.cutTiles()
	w.described = grow(w.described, n)
	w.pool.For(n, 0, (*describeStage)(&w.ctx))
	if w.law.Overlaps() {
		w.moveSkeletons()
	}
	for i := range w.work {
		w.work[i].expired = grow(w.work[i].expired, w.tiles.size)
		w.work[i].axes.Resize(w.tiles.size)
		w.work[i].proven.Resize(w.tiles.size)
		w.work[i].sharing.grow(w.tiles.size)
		w.work[i].push.Reserve(w.law, w.tiles.size)
	}
	w.connect()
	w.levels.Rebuilds++
}

// findFar looks for bodies that have flown so far from the origin that their positions have too few digits. None flies
// far without a rebuild.
func (w *World) findFar() {
	for i, inverse := range w.bodies.InvMass {
		if inverse != 0 && isFar(w.bodies.Pos.At(i), w.bodies.Radius[i]) {
			w.far = uint32(i)
			return
		}
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
