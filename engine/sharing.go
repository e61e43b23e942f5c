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
	found    []found // by pair of the list
	thin     []overlap.Shared
	failed   []uint32   // pairs of a batch whose features make their overlap no more
	surfaced []surfaced // by number in solids

	overlaps *overlap.Batches // those that may be known from the last step
	solids   *overlap.Solids  // those of no type
	clipper  *overlap.Clipper // one by one
}

// found is what share has found of a pair.
type found struct {
	what  verdict
	thin  uint32           // its number in thin, if it is
	tried overlap.Features // features that do not make it
}

// verdict is what share says of a pair.
type verdict uint8

const (
	unasked verdict = iota
	nothing         // there is no volume that both bodies fill
	thin            // there is, but it may come from rounding
	sure            // there is: the pair touches
)

// grow makes room for a list of n pairs.
func (s *sharing) grow(n int) {
	s.found = grow(s.found, n)
}

// ofOverlap reports whether the force of pair i follows from the overlap of two blocks, or of a block and a plane. What
// features such a pair has is no part of its state: they are what is remembered of the overlap.
func (w *World) ofOverlap(i int) bool {
	a, b := w.pairs.A[i], w.pairs.B[i]
	return w.pieces.Kind[a] == soa.Block && (w.pieces.Kind[b] == soa.Block || w.pieces.Kind[b] == soa.Plane) && w.needsOf(i).Overlap
}

// sharedAlone reports whether besides no other pair matters to pair i, as with a wall of facets. Then the narrow phase may not be
// asked.
func (w *World) sharedAlone(i int) bool {
	return w.ofOverlap(i) && !w.groups.Several(w.pieces.Body[w.pairs.B[i]])
}

// at returns what is found of pair k of the list.
func (s *sharing) at(k int) found {
	if k >= len(s.found) {
		return found{}
	}
	return s.found[k]
}

// isSure reports whether pair k of the list is a contact by its overlap.
func (s *sharing) isSure(k int) bool { return k < len(s.found) && s.found[k].what == sure }

// share finds the overlaps of pairs of the list that touched in the last step: by type and in lanes,
// where the features of that step still make them, else one by one.
func (c *overlapStage) share(ws *workspace) {
	w, s := c.w, &ws.sharing
	if s.thin, s.found = s.thin[:0], s.found[:0]; !w.shares {
		return
	}
	s.found = s.found[:len(ws.list)]
	clear(s.found)
	ws.overlaps.Begin(&w.shapes, &w.bodies, w.poseRows)
	for k, i := range ws.list {
		i, p := int(i), &w.described[i]
		if !p.shared || !w.contacts.Active[i] {
			continue
		}
		var b *overlap.Batch
		if c.supposesType(i) {
			b = c.batchOf(k, i, p, ws)
		}
		if b == nil {
			ws.loadAs(c.w, i, p)
			c.shareAlone(k, i, ws)
		} else if b.Full() {
			c.settle(b, ws)
		}
	}
	for k := range ws.overlaps.All() {
		c.settle(&ws.overlaps.All()[k], ws)
	}
	c.measure(ws)
}

// supposesType reports whether any features are supposed to make the overlap of pair i.
func (c *overlapStage) supposesType(i int) bool {
	con := &c.w.contacts
	return con.Facet[i] != soa.FacetID{} || con.Prism[i].Sides > 0
}

// batchOf puts pair i, number k of the list, into the batch of the type that its features suppose, and returns this; nil
// where there is none.
func (c *overlapStage) batchOf(k, i int, p *tilePair, ws *workspace) *overlap.Batch {
	if p.offset {
		return nil
	}
	w := c.w
	va, vb := w.shapes.View(p.ShapeA), w.shapes.View(p.ShapeB)
	if w.pieceOdometer[w.pairs.A[i]]+w.pieceOdometer[w.pairs.B[i]] < w.contacts.PrismHolds[i] {
		return ws.overlaps.AddHeld(uint32(k), p.BodyA, p.BodyB, va, vb, &w.contacts.Prism[i], w.contacts.PrismCoplanars[i])
	}
	guess := c.supposed(i)
	return ws.overlaps.Add(uint32(k), p.BodyA, p.BodyB, va, vb, &guess)
}

// settle answers a batch of pairs of the list. The kernels write overlaps to rows that the law reads. There they stay: what no law reads from there is
// dropped, and the last overlap takes its row. A pair whose features fail may bring another contact, so that waits until all rows are taken.
func (c *overlapStage) settle(b *overlap.Batch, ws *workspace) {
	if b.Len() == 0 {
		return
	}
	s := &ws.sharing
	s.failed = s.failed[:0]
	b.WriteTo(ws.forces.Rows(overlap.BatchRows))
	b.Solve()
	for row := 0; row < b.Len(); {
		k := int(b.Of(row))
		if !b.Known(row) {
			s.failed = append(s.failed, uint32(k))
			b.Drop(row)
			continue
		}
		c.holdPrism(b, row, k, ws)
		if c.takes(k, ws) {
			c.take(k, b.Thickness(row), ws)
			row++
			continue
		}
		var shared overlap.Shared
		b.At(row, &shared)
		b.Drop(row)
		c.settleKnown(k, &shared, ws)
	}
	for _, k := range s.failed {
		i := int(ws.list[k])
		guess := c.supposed(i)
		s.found[k].tried = b.Tried(&guess)
		if b.Held() {
			c.w.contacts.PrismHolds[i] = 0 // two faces are in one plane no more
		}
		ws.loadAs(c.w, i, &c.w.described[i])
		c.shareAlone(int(k), i, ws)
	}
	b.Clear()
}

// holdPrism keeps for how long row of a batch, number k of the list, is proven to be the prism that it is, if it is one.
func (c *overlapStage) holdPrism(b *overlap.Batch, row, k int, ws *workspace) {
	w, i := c.w, int(ws.list[k])
	prism, holds := &w.contacts.Prism[i], &w.contacts.PrismHolds[i]
	if prism.Sides > 0 && !b.Held() {
		var budget float64
		budget, w.contacts.PrismCoplanars[i] = b.Budget(row)
		*holds = narrow.Expiry(budget, 0, w.pieceOdometer[w.pairs.A[i]], w.pieceOdometer[w.pairs.B[i]], 0)
	}
	if invariants.Enabled {
		known, until := *prism, *holds
		var shared overlap.Shared
		b.At(row, &shared)
		if c.reproveOverlap(i, &shared, ws); *prism == known {
			*holds = until
		}
	}
}

// takes reports whether the law of pair k of the list takes overlaps from the rows that kernels write.
func (c *overlapStage) takes(k int, ws *workspace) bool {
	return ws.forces.InLanes(c.w.described[ws.list[k]].law)
}

// take makes pair k of the list a contact by an overlap of a thickness, which is in the next row of the law.
func (c *overlapStage) take(k int, thickness float64, ws *workspace) {
	w, i := c.w, int(ws.list[k])
	p := &w.described[i]
	ws.sharing.found[k].what = sure
	ws.counts.Overlap++
	(*contactStage)(c).note(i, p, -thickness, narrow.ByFeature, ws)
	t := force.Taken{A: p.BodyA, B: p.BodyB, Row: uint32(i), Law: p.law}
	a, b := w.bodies.Pos.At(int(p.BodyA)), w.bodies.Pos.At(int(p.BodyB))
	if p.offset {
		bodyA, bodyB := a, b
		a, b = w.pieces.Pos(&w.bodies, w.pairs.A[i]), w.pieces.Pos(&w.bodies, w.pairs.B[i])
		t.FromA, t.FromB = a.Sub(bodyA), b.Sub(bodyB)
	}
	t.Between = b.Sub(a)
	centroid, variance := ws.forces.Take(&t)
	(*contactStage)(c).placed(i, -thickness, a.Add(centroid), variance, ws)
}

// settleKnown makes pair k of the list a contact by an overlap.
func (c *overlapStage) settleKnown(k int, o *overlap.Shared, ws *workspace) {
	ws.sharing.found[k].what = sure
	ws.counts.Overlap++
	c.touchKnown(int(ws.list[k]), o, ws)
}

// clearShare, relative to ws.sizes, is how thick an overlap is that only bodies have that are as deep in each other:
// the narrow phase finds them to overlap, too. Such a pair touches whatever is remembered.
const clearShare = 0x1p-30

// shareAlone finds the overlap of pair i, number k of the list, whose shapes and poses are in the workspace. Of one of no type
// it finds the surface, and leaves the moments to measure.
func (c *overlapStage) shareAlone(k, i int, ws *workspace) {
	if c.shareSkeleton(k, i, ws) {
		return
	}
	s, shared := &ws.sharing, overlap.Shared{}
	ws.found = s.found[k]
	switch c.find(i, ws, &shared) {
	case overlap.Apart:
		s.found[k].what = nothing
	case overlap.Known:
		c.remember(i, ws)
		if invariants.Enabled {
			c.reproveOverlap(i, &shared, ws)
		}
		c.settleKnown(k, &shared, ws)
	case overlap.Surfaced:
		by := c.named(i, ws)
		ws.solids.Add(uint32(len(s.surfaced)), ws.clipper)
		c.surface(surfaced{number: k, sizes: ws.sizes(), isNew: true, by: by}, ws)
	}
}

// shareSkeleton is shareAlone where the pair is proven to have the skeleton that it remembers, and
// no other features are left to try. It returns false, and does nothing, where not.
func (c *overlapStage) shareSkeleton(k, i int, ws *workspace) bool {
	w := c.w
	known, facet, prism, tried := w.skeletons.at(i), w.contacts.Facet[i], &w.contacts.Prism[i], &ws.sharing.found[k].tried
	if known == nil || !known.Supposes(facet, prism) || tried.Facet != facet || tried.Prism != *prism {
		return false
	}
	of := uint32(len(ws.sharing.surfaced))
	odoA, odoB := w.pieceOdometer[w.pairs.A[i]], w.pieceOdometer[w.pairs.B[i]]
	if odoA+odoB < known.holds {
		ws.solids.AddHeldSkeleton(of, &known.Skeleton, ws.va, ws.pa, ws.vb, ws.pb)
	} else {
		budget, ok := ws.solids.AddSkeleton(of, &known.Skeleton, ws.va, ws.pa, ws.vb, ws.pb)
		if known.holds = 0; !ok {
			return false
		}
		if !w.described[i].offset {
			known.holds = narrow.Expiry(budget, 0, odoA, odoB, 0)
		}
	}
	c.surface(surfaced{number: k, sizes: ws.sizes()}, ws)
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
	number int // of the list
	sizes  float64
	isNew  bool
	by     overlap.Features // to remember, if they are new
}

// measure answers the batch of solids.
func (c *overlapStage) measure(ws *workspace) {
	s, b := &ws.sharing, ws.solids
	if b.Len() == 0 {
		return
	}
	b.WriteTo(ws.forces.Rows(b.Len()))
	b.Solve()
	var shared overlap.Shared
	for row := 0; row < b.Len(); {
		of := &s.surfaced[b.Of(row)]
		k, isClear := of.number, b.Known(row) && b.Thickness(row) > float64(clearShare*of.sizes)
		if isClear && of.isNew {
			c.rememberAs(int(ws.list[k]), of.by)
		}
		if invariants.Enabled && isClear {
			b.At(row, &shared)
			c.reproveOverlap(int(ws.list[k]), &shared, ws)
		}
		if isClear && c.takes(k, ws) {
			c.take(k, b.Thickness(row), ws)
			row++
			continue
		}
		switch known := b.At(row, &shared); {
		case !known:
			s.found[k].what = nothing
		case isClear:
			c.settleKnown(k, &shared, ws)
		default:
			// What the narrow phase remembers stays.
			s.found[k].what, s.found[k].thin = thin, uint32(len(s.thin))
			s.thin = append(s.thin, shared)
		}
		b.Drop(row)
	}
	b.Clear()
	s.surfaced = s.surfaced[:0]
}

// sizes returns both bodies' radii, m, of a block and a plane how far they are from each other instead.
func (ws *workspace) sizes() float64 {
	if ws.vb.Kind == soa.Plane {
		return ws.va.Radius + ws.pa.Pos.Sub(ws.pb.Pos).MaxAbs()
	}
	return ws.va.Radius + ws.vb.Radius
}

// typed reports whether the last overlap is proven to be of a type.
func (ws *workspace) typed() bool { return ws.clipper.Named() != overlap.Features{} }

// touchKnown makes pair i a contact by an overlap.
func (c *overlapStage) touchKnown(i int, o *overlap.Shared, ws *workspace) {
	w, t, p := c.w, &ws.touch, &c.w.described[i]
	ws.needs = w.law.NeedsAt(p.law)
	(*contactStage)(c).touchAs(i, p, -o.Thickness, o.Along, narrow.ByFeature, ws)
	t.Overlap = overlapOf(o)
	ws.pa.Pos, ws.pb.Pos = w.pieces.Pos(&w.bodies, w.pairs.A[i]), w.pieces.Pos(&w.bodies, w.pairs.B[i])
	(*contactStage)(c).act(i, t, o.Centroid, vec.Sym3{}, ws)
}

// thicken gives pair i a gap and a normal of its overlap. They are functions of the poses, whether the narrow phase was
// asked or not.
func (c *overlapStage) thicken(i int, t *force.ActiveContact, thickness float64, along vec.Vec3, ws *workspace) {
	w := c.w
	t.Gap, w.contacts.Gap[i], t.Normal = -thickness, -thickness, along
	if !w.began {
		w.contacts.Relief[i] = w.forgive(ws.needs.Unloaded + thickness)
	}
}

// grazeShare, relative to ws.sizes, bounds the gap that the narrow phase may find between two bodies whose
// overlap is proven to be of a type: by what it errs (ProofTol) and what rounding of poses adds.
const grazeShare = 0x1p-36

// grazes reports whether pair i, apart by the answer in the workspace, has an overlap that is proven all the same: both may
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
