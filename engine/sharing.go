package engine

import (
	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// overlapStage finds the overlaps of pairs. Its columns are those of sharing.
type overlapStage stepContext

// sharing is the overlaps of those of a tile's pairs that touched in the last step, and whose law reads the overlap alone. Where
// it is proven by its features, or is thicker than anything that rounding makes, the pair touches: no gap is asked for.
type sharing struct {
	unasked  int        // pairs of the list that share has not asked for; behind them are those in left
	left     []leftOver // that it has asked for in vain
	thin     []overlap.Shared
	failed   []uint32   // rows of a batch whose features make their overlap no more
	surfaced []surfaced // by number in solids

	solver  *overlap.Solver  // of batches, of those that may be known from the last step
	solids  *overlap.Solids  // those of no type
	clipper *overlap.Clipper // one by one
}

// found is what share has found of a pair.
type found struct {
	what  verdict
	thin  uint32           // its number in thin, if it is
	tried overlap.Features // features that do not make it
}

// leftOver is a pair that share leaves to the next stages, and what it has found of it.
type leftOver struct {
	pair uint32
	found
}

// verdict is what share says of a pair that it leaves.
type verdict uint8

const (
	unasked verdict = iota
	nothing         // there is no volume that both bodies fill
	thin            // there is, but it may come from rounding
)

// ofOverlap says whether the force of pair i follows from the overlap of two blocks, or of a block and a plane. What
// features such a pair has is no part of its state: they are what is remembered of the overlap.
func (w *World) ofOverlap(i int) bool {
	a, b := w.pairs.A[i], w.pairs.B[i]
	return w.pieces.Kind[a] == soa.Block && (w.pieces.Kind[b] == soa.Block || w.pieces.Kind[b] == soa.Plane) && w.needsOf(i).Overlap
}

// sharedAlone says whether besides no other pair matters to pair i, as with a wall of facets. Then the narrow phase may not be
// asked.
func (w *World) sharedAlone(i int) bool {
	return w.ofOverlap(i) && !w.groups.Several(w.pieces.Body[w.pairs.B[i]])
}

// at returns what is found of pair k of the list.
func (s *sharing) at(k int) found {
	if k < s.unasked {
		return found{}
	}
	return s.left[k-s.unasked].found
}

// share finds the overlaps of pairs of the list that touched in the last step: by type and in lanes,
// where the features of that step still make them, else one by one. The list keeps the others.
func (c *overlapStage) share(ws *workspace) {
	w, s := c.w, &ws.sharing
	if s.thin, s.left, s.unasked = s.thin[:0], s.left[:0], len(ws.list); !w.shares {
		return
	}
	s.solver.Begin(&w.shapes, w.poseRows)
	batches := w.batches[ws.tile].All()
	for k := range batches {
		c.renew(&batches[k], ws)
	}
	open := ws.list[:0]
	for _, i := range ws.list {
		p := &w.described[i]
		switch {
		case p.inBatches != 0: // Its batch has it.
		case !p.shared || !w.contacts.Active[i]:
			open = append(open, i)
		case !c.addToBatch(int(i), p, ws):
			ws.loadAs(w, int(i), p)
			c.shareAlone(int(i), overlap.Features{}, ws)
		}
	}
	s.unasked = len(open)
	for k := range batches {
		c.settle(&batches[k], ws)
	}
	c.measure(ws)
	for k := range s.left {
		open = append(open, s.left[k].pair)
	}
	ws.list = open
}

// takes says whether the law of a pair takes overlaps from the rows that kernels write.
func (c *overlapStage) takes(p *tilePair, ws *workspace) bool { return ws.push.InLanes(p.law) }

// take makes pair i, which is p, a contact by an overlap, which is in the next row of the law. Of this it is told the thickness, the centroid
// relative to piece A, and the variance.
func (c *overlapStage) take(i int, p *tilePair, thickness float64, centroid vec.Vec3, variance float64, ws *workspace) {
	w := c.w
	ws.counts.Overlap++
	(*contactStage)(c).note(i, p, -thickness, narrow.LevelFeature, ws)
	a, b := w.posOf(p.BodyA), w.posOf(p.BodyB)
	var fromA, fromB vec.Vec3 // of the pieces, from their bodies
	if p.offset {
		fromA, fromB = a, b
		a, b = w.pieces.Pos(&w.bodies, w.pairs.A[i]), w.pieces.Pos(&w.bodies, w.pairs.B[i])
		fromA, fromB = a.Sub(fromA), b.Sub(fromB)
	}
	ws.push.Take(p.BodyA, p.BodyB, uint32(i), p.law, centroid.Add(fromA), centroid.Sub(b.Sub(a)).Add(fromB))
	(*contactStage)(c).placed(i, -thickness, a.Add(centroid), variance, ws)
}

// posOf returns the position of a body, which poseRows has for the contacts.
func (w *World) posOf(body soa.Body) vec.Vec3 {
	p := (*[3]float64)(w.poseRows[soa.PoseSize*int(body):])
	return vec.Vec3{X: p[0], Y: p[1], Z: p[2]}
}

// settleKnown makes pair i a contact by an overlap.
func (c *overlapStage) settleKnown(i int, o *overlap.Shared, ws *workspace) {
	ws.counts.Overlap++
	c.touchKnown(i, o, ws)
}

// leave leaves pair i to the next stages.
func (c *overlapStage) leave(i int, f found, ws *workspace) {
	ws.sharing.left = append(ws.sharing.left, leftOver{uint32(i), f})
	c.w.dropFromBatch(&c.w.described[i], ws.tile)
}

// clearShare, relative to ws.sizes, is how thick an overlap is that only bodies have that are as deep in each other:
// the narrow phase finds them to overlap, too. Such a pair touches whatever is remembered.
const clearShare = 0x1p-30

// shareAlone finds the overlap of pair i, whose shapes and poses are in the workspace, and which features that were tried do not make. Of
// one of no type it finds the surface, and leaves the moments to measure.
func (c *overlapStage) shareAlone(i int, tried overlap.Features, ws *workspace) {
	if c.shareSkeleton(i, &tried, ws) {
		return
	}
	s, shared := &ws.sharing, overlap.Shared{}
	ws.found = found{tried: tried}
	switch c.find(i, ws, &shared) {
	case overlap.Apart:
		c.leave(i, found{what: nothing}, ws)
	case overlap.Known:
		c.remember(i, ws)
		if invariants.Enabled {
			c.reproveOverlap(i, &shared, ws)
		}
		c.settleKnown(i, &shared, ws)
	case overlap.Surfaced:
		by := c.named(i, ws)
		ws.solids.Add(uint32(len(s.surfaced)), ws.clipper)
		c.surface(surfaced{pair: i, sizes: ws.sizes(), isNew: true, by: by}, ws)
	}
}

// shareSkeleton is shareAlone where the pair is proven to have the skeleton that it remembers, and
// no other features are left to try. It returns false, and does nothing, where not.
func (c *overlapStage) shareSkeleton(i int, tried *overlap.Features, ws *workspace) bool {
	w := c.w
	known, facet, prism := w.skeletons.at(i), w.contacts.Facet[i], &w.contacts.Prism[i]
	if known == nil || !known.Supposes(facet, prism) || tried.Facet != facet || tried.Prism != *prism {
		return false
	}
	of := uint32(len(ws.sharing.surfaced))
	if w.odometers(i) < known.holds {
		ws.solids.AddHeldSkeleton(of, &known.Skeleton, ws.va, ws.pa, ws.vb, ws.pb)
	} else {
		budget, ok := ws.solids.AddSkeleton(of, &known.Skeleton, ws.va, ws.pa, ws.vb, ws.pb)
		if known.holds = 0; !ok {
			return false
		}
		if !w.described[i].offset {
			known.holds = narrow.Expiry(budget, 0, w.pieceOdometer[w.pairs.A[i]], w.pieceOdometer[w.pairs.B[i]], 0)
		}
	}
	c.surface(surfaced{pair: i, sizes: ws.sizes()}, ws)
	return true
}

// surface notes whose overlap is the last one in the batch of solids.
func (c *overlapStage) surface(of surfaced, ws *workspace) {
	ws.sharing.surfaced = append(ws.sharing.surfaced, of)
	if ws.solids.Full() {
		c.measure(ws)
	}
}

// surfaced is a pair whose overlap is in the batch of solids.
type surfaced struct {
	pair  int
	sizes float64
	isNew bool
	by    overlap.Features // to remember, if they are new
}

// measure answers the batch of solids.
func (c *overlapStage) measure(ws *workspace) {
	s, b := &ws.sharing, ws.solids
	if b.Len() == 0 {
		return
	}
	b.WriteTo(ws.push.Rows(b.Room()))
	b.Solve()
	var shared overlap.Shared
	for row := 0; row < b.Len(); {
		of := &s.surfaced[b.Of(row)]
		i, isClear := of.pair, b.Known(row) && b.Thickness(row) > float64(clearShare*of.sizes)
		if isClear && of.isNew {
			c.rememberAs(i, of.by, ws)
		}
		if invariants.Enabled && isClear {
			b.At(row, &shared)
			c.reproveOverlap(i, &shared, ws)
		}
		if p := &c.w.described[i]; isClear && c.takes(p, ws) {
			centroid, variance := b.Centroid(row)
			c.take(i, p, b.Thickness(row), centroid, variance, ws)
			row++
			continue
		}
		switch known := b.At(row, &shared); {
		case !known:
			c.leave(i, found{what: nothing}, ws)
		case isClear:
			c.settleKnown(i, &shared, ws)
		default:
			// What the narrow phase remembers stays.
			c.leave(i, found{what: thin, thin: uint32(len(s.thin))}, ws)
			s.thin = append(s.thin, shared)
		}
		b.Drop(row)
	}
	b.Clear()
	s.surfaced = s.surfaced[:0]
}

// odometers returns the sum of both odometers of pair i, m.
func (w *World) odometers(i int) float64 {
	return w.pieceOdometer[w.pairs.A[i]] + w.pieceOdometer[w.pairs.B[i]]
}

// sizes returns both bodies' radii, m, of a block and a plane how far they are from each other instead.
func (ws *workspace) sizes() float64 {
	if ws.vb.Kind == soa.Plane {
		return ws.va.Radius + ws.pa.Pos.Sub(ws.pb.Pos).MaxAbs()
	}
	return ws.va.Radius + ws.vb.Radius
}

// typed says whether the last overlap is proven to be of a type.
func (ws *workspace) typed() bool { return ws.clipper.Named() != overlap.Features{} }

// touchKnown makes pair i a contact by an overlap.
func (c *overlapStage) touchKnown(i int, o *overlap.Shared, ws *workspace) {
	w, t, p := c.w, &ws.touch, &c.w.described[i]
	ws.needs = w.law.NeedsAt(p.law)
	(*contactStage)(c).touchAs(i, p, -o.Thickness, o.Along, narrow.LevelFeature, ws)
	t.Overlap = overlapOf(o)
	ws.pa.Pos, ws.pb.Pos = w.pieces.Pos(&w.bodies, w.pairs.A[i]), w.pieces.Pos(&w.bodies, w.pairs.B[i])
	(*contactStage)(c).act(i, t, o.Centroid, vec.Sym3{}, ws)
}

// thicken gives pair i a gap and a normal of its overlap. They are functions of the poses, whether the narrow phase was
// asked or not.
func (c *overlapStage) thicken(i int, t *force.Touch, thickness float64, along vec.Vec3, ws *workspace) {
	w := c.w
	t.Gap, w.contacts.Gap[i], t.Normal = -thickness, -thickness, along
	if !w.began {
		w.contacts.Relief[i] = w.forgive(ws.needs.Unloaded + thickness)
	}
}

// grazeShare, relative to ws.sizes, bounds the gap that the narrow phase may find between two bodies whose
// overlap is proven to be of a type: by what it errs (ProofTol) and what rounding of poses adds.
const grazeShare = 0x1p-36

// grazes says whether pair i, apart by the answer in the workspace, has an overlap that is proven all the same: both may
// err where it is as thin as rounding. So the pair touches, whether the features are remembered or not.
func (c *overlapStage) grazes(i int, ws *workspace) bool {
	w := c.w
	if !w.sharedAlone(i) {
		return false
	}
	if !ws.loaded {
		ws.load(c.w, i)
	}
	s := overlap.Shared{}
	return ws.found.what == unasked && ws.answer.Gap <= float64(grazeShare*ws.sizes()) && c.find(i, ws, &s) == overlap.Known
}
