package contact

import (
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// overlapWork holds the overlaps of those pairs of a tile that touched in the last step and whose law
// reads overlaps only. If the features prove the overlap, or if it is thicker than rounding could
// make it, the pair touches and no gap is computed.
type overlapWork struct {
	found    []overlapResult   // by pair of ws.overlaps
	thin     []overlap.Moments // overlaps that may come from rounding
	failed   []uint32          // pairs of a batch whose features no longer make their overlap
	surfaced []untypedPair     // by number in untyped

	typed   *overlap.TypedBatches // overlaps that may be known from the last step
	untyped *overlap.UntypedBatch // overlaps of no known type
	clipper *overlap.Clipper      // computes overlaps one by one
}

// overlapResult is what findKnownOverlaps has found for a pair.
type overlapResult struct {
	what  overlapState
	thin  uint32           // index in overlapWork.thin if what is maybeRounding
	tried overlap.Features // features that are known not to make the overlap
}

// overlapState is what is known of the overlap of a pair.
type overlapState uint8

const (
	notTried      overlapState = iota
	none                       // the bodies have no common volume
	maybeRounding              // they have a common volume, but it may come from rounding
	proven                     // they have a common volume: the pair touches
)

// grow allocates entries for a list of n pairs.
func (s *overlapWork) grow(n int) {
	s.found = grow(s.found, n)
}

// at returns the result for pair k of ws.overlaps.
func (s *overlapWork) at(k int) overlapResult {
	if k >= len(s.found) {
		return overlapResult{}
	}
	return s.found[k]
}

// isSure reports whether the overlap of pair k of ws.overlaps proves a contact.
func (s *overlapWork) isSure(k int) bool { return k < len(s.found) && s.found[k].what == proven }

// findKnownOverlaps computes the overlaps of those of ws.overlaps that touched in the last step. Pairs whose
// features may still make the overlap are computed in batches by type; the others one by one.
func (c *overlapStage) findKnownOverlaps(ws *workspace) {
	sp, s := c.sp, &ws.known
	if s.thin, s.found = s.thin[:0], s.found[:0]; !sp.knownOverlaps {
		return
	}
	s.found = s.found[:len(ws.overlaps)]
	clear(s.found)
	ws.known.typed.Begin(&sp.Shapes, sp.poseRows)
	for k, i := range ws.overlaps {
		i, p := int(i), &sp.described[i]
		if !sp.isActive(i) {
			continue
		}
		var b *overlap.TypedBatch
		if c.hasGuess(i) {
			b = c.batchOf(k, i, p, ws)
		}
		if b == nil {
			ws.loadAs(c.sp, i, p)
			c.findOneOverlap(k, i, ws)
		} else if b.Full() {
			c.finishBatch(b, ws)
		}
	}
	for k := range ws.known.typed.All() {
		c.finishBatch(&ws.known.typed.All()[k], ws)
	}
	c.measure(ws)
}

// hasGuess reports whether any features are stored that may make the overlap of pair i,
// which has a row.
func (c *overlapStage) hasGuess(i int) bool {
	con, row := &c.sp.Contacts, c.sp.Pairs.Row[i]
	return con.Facet[row] != soa.FacetID{} || con.Prism[row].Sides > 0
}

// batchOf adds pair i, number k of ws.overlaps, to the batch of the type that its stored features
// suggest. It returns the batch, or nil if there is none.
func (c *overlapStage) batchOf(k, i int, p *tilePair, ws *workspace) *overlap.TypedBatch {
	sp := c.sp
	va, vb := sp.Shapes.View(p.ShapeA), sp.Shapes.View(p.ShapeB)
	if row := sp.Pairs.Row[i]; sp.pieceOdometer[sp.Pairs.A[i]]+sp.pieceOdometer[sp.Pairs.B[i]] < sp.Contacts.PrismHolds[row] {
		return ws.known.typed.AddHeld(uint32(k), p.PoseA, p.PoseB, va, vb, &sp.Contacts.Prism[row], sp.Contacts.PrismCoplanars[row])
	}
	guess, radius := c.guess(i), sp.Bodies.Radius[p.BodyA]
	if !vb.Kind.IsEndless() { // a plane does not turn
		radius = min(radius, sp.Bodies.Radius[p.BodyB])
	}
	return ws.known.typed.Add(uint32(k), p.PoseA, p.PoseB, va, vb, radius, &guess)
}

// finishBatch evaluates a batch of pairs of ws.overlaps. The kernels write overlaps directly to the rows
// that the law reads. A row that the law does not read there is dropped, and the last overlap takes
// its place. A pair whose features fail may add another contact to the law, so these pairs wait
// until all rows are done.
func (c *overlapStage) finishBatch(b *overlap.TypedBatch, ws *workspace) {
	if b.Len() == 0 {
		return
	}
	s := &ws.known
	s.failed = s.failed[:0]
	b.WriteTo(ws.lent.Into.Rows(overlap.BatchRows))
	b.Solve()
	for row := 0; row < b.Len(); {
		k := int(b.PairNumber(row))
		if !b.Known(row) {
			s.failed = append(s.failed, uint32(k))
			b.Drop(row)
			continue
		}
		c.holdPrism(b, row, k, ws)
		if c.lawInLanes(k, ws) {
			c.addFromRow(k, b.Thickness(row), ws)
			row++
			continue
		}
		var common overlap.Moments
		b.At(row, &common)
		b.Drop(row)
		c.addFromOverlap(k, &common, ws)
	}
	for _, k := range s.failed {
		i := int(ws.overlaps[k])
		guess := c.guess(i)
		s.found[k].tried = b.Tried(&guess)
		if b.Held() {
			c.sp.Contacts.PrismHolds[c.sp.Pairs.Row[i]] = 0 // two faces are no longer coplanar
		}
		ws.loadAs(c.sp, i, &c.sp.described[i])
		c.findOneOverlap(int(k), i, ws)
	}
	b.Clear()
}

// holdPrism stores how long row of a batch, number k of ws.overlaps, is proven to be its prism, if it
// is a prism.
func (c *overlapStage) holdPrism(b *overlap.TypedBatch, row, k int, ws *workspace) {
	sp, i := c.sp, int(ws.overlaps[k])
	at := sp.Pairs.Row[i]
	prism, holds := &sp.Contacts.Prism[at], &sp.Contacts.PrismHolds[at]
	if prism.Sides > 0 && !b.Held() {
		var budget float64
		budget, sp.Contacts.PrismCoplanars[at] = b.Budget(row)
		*holds = narrow.Expiry(budget, 0, sp.pieceOdometer[sp.Pairs.A[i]], sp.pieceOdometer[sp.Pairs.B[i]], sp.slack(i, &sp.described[i]))
	}
	if invariants.Enabled {
		known, until := *prism, *holds
		var common overlap.Moments
		b.At(row, &common)
		if c.reproveOverlap(i, &common, ws); *prism == known {
			*holds = until
		}
	}
}

// lawInLanes reports whether the law of pair k of ws.overlaps reads overlaps from the rows that kernels
// write.
func (c *overlapStage) lawInLanes(k int, ws *workspace) bool {
	return ws.lent.Into.InLanes(c.sp.described[ws.overlaps[k]].law)
}

// addFromRow makes pair k of ws.overlaps a contact. Its overlap, of the given thickness, is in the law's
// next row.
func (c *overlapStage) addFromRow(k int, thickness float64, ws *workspace) {
	sp, i := c.sp, int(ws.overlaps[k])
	p := &sp.described[i]
	ws.known.found[k].what = proven
	ws.counts.Overlap++
	row := (*contactStage)(c).activate(i, -thickness, narrow.ByFeature, ws)
	t := force.WrittenContact{A: p.BodyA, B: p.BodyB, Row: row, Law: p.law}
	a, b := sp.poses.Pos.At(int(p.PoseA)), sp.poses.Pos.At(int(p.PoseB))
	if p.offset {
		t.FromA, t.FromB = a.Sub(sp.Bodies.Pos.At(int(p.BodyA))), b.Sub(sp.placeOfB(row, p.BodyB))
	}
	t.Between = b.Sub(a)
	centroid, variance := ws.lent.Into.AddWritten(&t)
	gradient := vec.Vec3{}
	if variance > ws.lent.Thick {
		gradient = ws.lent.Into.WrittenGradient()
	}
	(*contactStage)(c).recordLocation(int(row), -thickness, a.Add(centroid), variance, gradient, ws)
}

// addFromOverlap makes pair k of ws.overlaps a contact with overlap o.
func (c *overlapStage) addFromOverlap(k int, o *overlap.Moments, ws *workspace) {
	ws.known.found[k].what = proven
	ws.counts.Overlap++
	c.addKnownOverlap(int(ws.overlaps[k]), o, ws)
}

// clearShare, times ws.sizes, is the thickness above which an overlap is certainly not rounding.
// Bodies with a thicker overlap also overlap by the narrow phase, so such a pair touches whatever
// features are stored.
// Smaller: contact of bodies a rounding apart may depend on memory. Larger: more gaps are computed.
const clearShare = 0x1p-30

// findOneOverlap computes the overlap of pair i, number k of ws.overlaps. Shapes and poses must be loaded
// in the workspace. For an overlap of no known type it finds the surface and leaves the moments to
// measure.
func (c *overlapStage) findOneOverlap(k, i int, ws *workspace) {
	if c.trySkeleton(k, i, ws) {
		return
	}
	s, common := &ws.known, overlap.Moments{}
	ws.found = s.found[k]
	switch c.find(i, ws, &common) {
	case overlap.NoOverlap:
		s.found[k].what = none
	case overlap.Computed:
		c.storeFeatures(i, ws)
		if invariants.Enabled {
			c.reproveOverlap(i, &common, ws)
		}
		c.addFromOverlap(k, &common, ws)
	case overlap.SurfaceFound:
		by := c.featuresOf(i, ws)
		ws.known.untyped.Add(uint32(len(s.surfaced)), ws.known.clipper)
		c.addUntyped(untypedPair{number: k, sizes: ws.sizes(), isNew: true, by: by}, ws)
	}
}

// trySkeleton is findOneOverlap for a pair whose stored skeleton is proven to be valid still, and
// that has no other features to try. Otherwise it returns false and changes nothing.
func (c *overlapStage) trySkeleton(k, i int, ws *workspace) bool {
	sp := c.sp
	row := int(sp.Pairs.Row[i])
	known, facet, prism, tried := sp.skeletons.at(row), sp.Contacts.Facet[row], &sp.Contacts.Prism[row], &ws.known.found[k].tried
	if known == nil || !known.Guesses(facet, prism) || tried.Facet != facet || tried.Prism != *prism {
		return false
	}
	of := uint32(len(ws.known.surfaced))
	odoA, odoB := sp.pieceOdometer[sp.Pairs.A[i]], sp.pieceOdometer[sp.Pairs.B[i]]
	if odoA+odoB < known.holds {
		ws.known.untyped.AddHeldSkeleton(of, &known.Skeleton, ws.va, ws.pa, ws.vb, ws.pb)
	} else {
		budget, ok := ws.known.untyped.AddSkeleton(of, &known.Skeleton, ws.va, ws.pa, ws.vb, ws.pb)
		if known.holds = 0; !ok {
			return false
		}
		known.holds = narrow.Expiry(budget, 0, odoA, odoB, sp.slack(i, &sp.described[i]))
	}
	c.addUntyped(untypedPair{number: k, sizes: ws.sizes()}, ws)
	return true
}

// addUntyped records the pair whose overlap is the last one in the batch of untyped overlaps.
func (c *overlapStage) addUntyped(of untypedPair, ws *workspace) {
	ws.known.surfaced = append(ws.known.surfaced, of)
	if ws.known.untyped.Full() {
		c.measure(ws)
	}
}

// untypedPair is a pair whose overlap is in the batch of untyped overlaps.
type untypedPair struct {
	number int // of ws.overlaps
	sizes  float64
	isNew  bool
	by     overlap.Features // features to store if isNew
}

// measure evaluates the batch of untyped overlaps.
func (c *overlapStage) measure(ws *workspace) {
	s, b := &ws.known, ws.known.untyped
	if b.Len() == 0 {
		return
	}
	b.WriteTo(ws.lent.Into.Rows(b.Len()))
	b.Solve()
	var common overlap.Moments
	for row := 0; row < b.Len(); {
		of := &s.surfaced[b.PairNumber(row)]
		k, isClear := of.number, b.Known(row) && b.Thickness(row) > float64(clearShare*of.sizes)
		if isClear && of.isNew {
			c.storeFeaturesAs(int(ws.overlaps[k]), of.by)
		}
		if invariants.Enabled && isClear {
			b.At(row, &common)
			c.reproveOverlap(int(ws.overlaps[k]), &common, ws)
		}
		if isClear && c.lawInLanes(k, ws) {
			c.addFromRow(k, b.Thickness(row), ws)
			row++
			continue
		}
		switch known := b.At(row, &common); {
		case !known:
			s.found[k].what = none
		case isClear:
			c.addFromOverlap(k, &common, ws)
		default:
			// The features that the narrow phase has stored remain.
			s.found[k].what, s.found[k].thin = maybeRounding, uint32(len(s.thin))
			s.thin = append(s.thin, common)
		}
		b.Drop(row)
	}
	b.Clear()
	s.surfaced = s.surfaced[:0]
}

// sizes returns the scale of a pair's rounding, m: the sum of both radii. For a block and a plane
// it returns the block's radius plus its distance from the plane's origin.
func (ws *workspace) sizes() float64 {
	if ws.vb.Kind.IsEndless() {
		return ws.va.Radius + ws.pa.Pos.Sub(ws.pb.Pos).MaxAbs()
	}
	return ws.va.Radius + ws.vb.Radius
}

// typed reports whether the last overlap is proven to be of a known type.
func (ws *workspace) typed() bool { return ws.known.clipper.Named() != overlap.Features{} }

// addKnownOverlap makes pair i a contact with overlap o.
func (c *overlapStage) addKnownOverlap(i int, o *overlap.Moments, ws *workspace) {
	sp, t, p := c.sp, &ws.contact, &c.sp.described[i]
	ws.needs = &ws.lent.Needs[p.law]
	(*contactStage)(c).startContact(i, p, -o.Thickness, o.Along, narrow.ByFeature, ws)
	t.Overlap = overlapOf(o)
	ws.pa.Pos, ws.pb.Pos = sp.poses.Pos.At(int(p.PoseA)), sp.poses.Pos.At(int(p.PoseB))
	(*contactStage)(c).addToLaw(t, o.Centroid, vec.Sym3{}, ws)
}

// useOverlapGap sets the gap and the normal of pair i to those of its overlap. Both are functions of the
// poses, whether or not the narrow phase was called.
func (c *overlapStage) useOverlapGap(i int, t *force.LawContact, thickness float64, along vec.Vec3, ws *workspace) {
	sp := c.sp
	t.Gap, sp.Contacts.Gap[t.Row], t.Normal = -thickness, -thickness, along
}

// known declares the accesses of overlapStage.findKnownOverlaps for pair i, number k of the list. It returns false if the
// overlap was not known.
func (t *tileWalk) known(k, i int) bool {
	sp, p := t.sp, &t.sp.described[i]
	t.overlap.Update(k)
	t.described.Read(i)
	t.pairs["Row"].Read(i)
	if !sp.knownOverlaps || sp.Pairs.Row[i] == soa.NoRow {
		return false
	}
	row := int(sp.Pairs.Row[i])
	t.contacts["Active"].Read(row)
	if !sp.Contacts.Active[row] {
		return false
	}
	by := overlap.Features{Facet: sp.Contacts.Facet[row], Prism: sp.Contacts.Prism[row]}
	t.contacts["Facet"].Read(row)
	t.contacts["Prism"].Read(row)
	t.contacts["PrismHolds"].Read(row)
	a, b := t.readOdometers(i)
	held := a+b < sp.Contacts.PrismHolds[row]
	if held {
		t.contacts["PrismCoplanars"].Read(row)
	} else {
		t.bodies["Radius"].Read(int(p.BodyA))
		t.bodies["Radius"].Read(int(p.BodyB))
	}
	poses := t.poses
	switch place := sp.skeletons.place[row]; {
	case t.ws.known.typed.Walk(t.w, k, &sp.Shapes, sp.poseRows, p.PoseA, p.PoseB, p.ShapeA, p.ShapeB, &by, held, sp.Contacts.PrismCoplanars[row]):
		t.contacts["Prism"].Read(row)
		if by.Prism.Sides > 0 && !held {
			t.readOdometers(i)
			t.contacts["PrismHolds"].Write(row)
			t.contacts["PrismCoplanars"].Write(row)
		}
	case place.number > 0:
		t.places.Read(row)
		t.load(i)
		s := sp.skeletons.at(row)
		access.Value(t.w, "skeletons", &s.holds).Read(0)
		s.Walk(t.w, &sp.Shapes, p.ShapeA, p.ShapeB)
	default:
		return false
	}
	t.activate(i)
	poses["Pos"].Read(int(p.PoseA))
	poses["Pos"].Read(int(p.PoseB))
	return true
}
