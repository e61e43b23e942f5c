package engine

import (
	"slices"

	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/internal/invariants"
)

// A tile keeps batches of its pairs that touch, by what type their features suppose that the overlap is of (overlap.Batches). A pair that touched in the last
// step has a row until other features are known of it (rememberAs), or until it is left to other stages (leave). Batches are what is
// remembered: they are in no state and no hash, and are forgotten where a tile gets other pairs.

// worthHolding is for how many steps like the last one a proof should last for its prism to be held. The way to another batch and back takes
// as long as several proofs. With 16 or 50 a step takes no less.
const worthHolding = 5

// renew puts prisms of a batch whose proof has begun, or is past, where they belong.
func (c *overlapStage) renew(b *overlap.Batch, ws *workspace) {
	if !b.Prisms() {
		return
	}
	for row := 0; row < b.Len(); {
		i, by := int(b.Of(row)), b.Proof(row)
		left := by.Until - c.w.odometers(i)
		held := left > 0 && (b.Held() || left > float64(worthHolding*(by.Budget-left)))
		if held == b.Held() {
			row++
			continue
		}
		p, proof := &c.w.described[i], *by
		c.w.dropFromBatch(p, ws.tile)
		if held {
			p.inBatches = c.w.batches[ws.tile].AddHeld(
				uint32(i), p.BodyA, p.BodyB, c.w.shapes.View(p.ShapeA), c.w.shapes.View(p.ShapeB), &c.w.contacts.Prism[i], proof)
		} else {
			c.addToBatch(i, p, ws)
		}
	}
}

// addToBatch puts pair i into the batch of the type that its features suppose. It returns false where there is none.
func (c *overlapStage) addToBatch(i int, p *tilePair, ws *workspace) bool {
	w, con := c.w, &c.w.contacts
	if p.offset {
		return false
	}
	p.inBatches = w.batches[ws.tile].Add(
		uint32(i), p.BodyA, p.BodyB, w.shapes.View(p.ShapeA), w.shapes.View(p.ShapeB), con.Facet[i], &con.Prism[i])
	return p.inBatches != 0
}

// dropFromBatch takes a pair of a tile out of the batch that it is in, if it is in one.
func (w *World) dropFromBatch(p *tilePair, tile int) {
	if p.inBatches == 0 {
		return
	}
	if last, ok := w.batches[tile].Remove(p.inBatches); ok {
		w.described[last].inBatches = p.inBatches
	}
	p.inBatches = 0
}

// settle answers a batch. The kernels write overlaps to rows that the law reads. There they stay: what no law reads from there is
// dropped, and the last overlap takes its row. A pair whose features fail may bring another contact, so that waits until all rows are taken.
func (c *overlapStage) settle(b *overlap.Batch, ws *workspace) {
	if b.Len() == 0 {
		return
	}
	w, s, a := c.w, &ws.sharing, ws.sharing.solver
	s.failed = s.failed[:0]
	columns, first := ws.push.Rows(b.Room())
	a.Solve(b, columns, first)
	var shared overlap.Shared
	for at := 0; at < a.Len(); {
		row := a.Row(at)
		i := int(b.Of(row))
		if !a.Known(at) {
			s.failed = append(s.failed, uint32(row))
			a.Drop(at)
			continue
		}
		if b.Prisms() && !b.Held() {
			proof := a.Proof(at)
			proof.Until = narrow.Expiry(proof.Budget, 0, w.pieceOdometer[w.pairs.A[i]], w.pieceOdometer[w.pairs.B[i]], 0)
			*b.Proof(row) = proof
		}
		if invariants.Enabled {
			a.At(at, &shared)
			c.reproveOverlap(i, &shared, ws)
		}
		if p := &w.described[i]; c.takes(p, ws) {
			centroid, variance := a.Centroid(at)
			c.take(i, p, a.Thickness(at), centroid, variance, ws)
			at++
			continue
		}
		a.At(at, &shared)
		a.Drop(at)
		c.settleKnown(i, &shared, ws)
	}
	slices.Sort(s.failed)
	for _, row := range slices.Backward(s.failed) { // The last row takes the place of one that leaves the batch.
		i := int(b.Of(int(row)))
		guess := c.supposed(i)
		*b.Proof(int(row)) = overlap.Proof{} // two faces are in one plane no more
		ws.loadAs(w, i, &w.described[i])
		c.shareAlone(i, b.Tried(&guess), ws)
	}
}

// forgetBatches empties the batches of all tiles, whose pairs are described anew.
func (w *World) forgetBatches() {
	if !w.shares {
		return
	}
	for tile := range w.tiles.costs {
		if tile == len(w.batches) {
			w.batches = append(w.batches, overlap.NewBatches(&w.bodies))
		}
		w.batches[tile].Clear()
	}
}

// forgetBatch empties the batches of a tile in which pairs came or went.
func (w *World) forgetBatch(tile int) {
	if !w.shares {
		return
	}
	w.batches[tile].Clear()
	for i, end := w.tiles.bounds(tile); i < end; i++ {
		w.described[i].inBatches = 0
	}
}
