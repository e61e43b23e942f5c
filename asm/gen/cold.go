package main

// coldOf returns the column of asm.ColdPairs with a name.
var (
	ofColdPairs = layoutOf("ColdPairs")
	coldOf      = ofColdPairs.column
)

// Constants of asm.TetraFacet and BrickFacet. Lengths are multiples of the pair's length scale, as
// in engine/narrow: the largest of both radii and of the distances of the bodies along the axes of
// A's frame.
const (
	// coldMargin is how much deeper all other facets must be, and how far below the features all
	// other corners must lie. It is eight times provenBy of engine/narrow, because faces are known
	// here by their corners, to 2⁻⁴⁴ length scales.
	coldMargin = 0x1p-40
	// coldSure and coldClear are sureSine and clearGap of engine/narrow. coldSure says how large
	// the angles between the nearest features and other features must be, and how far inside its
	// feature a projection must lie. coldClear is the least distance of the bodies.
	coldSure  = 0x1p-36
	coldClear = 0x1p-28
	// coldApart and coldClose are the least gap and depth that rounding cannot decide: twice
	// clearGap, and sixteen times CloseTol of engine/narrow.
	coldApart = 0x1p-27
	coldClose = 0x1p-38
	// coldWide is the least squared sine of two edges: twice that of wideSine of engine/narrow. For
	// a smaller sine the order of a product decides bits, and kernels.Facets has only one order.
	coldWide = 0x1p-11
	// coldRange is the largest length scale, and 1/coldRange the smallest. Beyond this range,
	// products of ten lengths could overflow or underflow.
	coldRange = 0x1p60
	// coldNever is larger than any height.
	coldNever = 1e100
)

func coldPrograms() []*program { return []*program{tetraFacet(), brickFacet()} }

// coldPlaces is the placement of a pair. q and rot are the relative orientation, and t is the
// position of B, in the frame of A. rowA and rowB are the rows of the table. radius is the larger
// one of both radii.
type coldPlaces struct {
	q                               quat
	rot                             mat3
	t                               vec3
	rowA, rowB                      idx
	radA, radB, radius, lengthScale num
}

func (p *program) coldPlaces() *coldPlaces {
	c := &coldPlaces{}
	ia, ib := p.loadIndex(coldOf("A")), p.loadIndex(coldOf("B"))
	p.within(coldOf("Pos"), ia, ib)
	c.rowA, c.rowB = p.loadIndex(coldOf("RowA")), p.loadIndex(coldOf("RowB"))
	p.within(ofColdPairs.lastColumn("Rows"), c.rowA, c.rowB) // the shortest column of the table
	rotA := p.gather4(coldOf("Rot"), ia)
	dx := p.sub3(p.gather3(coldOf("Pos"), ib), p.gather3(coldOf("Pos"), ia))
	c.q = p.mulQuat(p.conj(rotA), p.gather4(coldOf("Rot"), ib))
	c.rot, c.t = p.matrix(c.q), p.rotateInv(rotA, dx)
	c.radA, c.radB = p.gather(ofColdPairs.lastColumn("Rows"), c.rowA), p.gather(ofColdPairs.lastColumn("Rows"), c.rowB)
	c.radius = p.greater(c.radA, c.radB)
	c.lengthScale = p.greater(p.greater(p.abs(c.t[0]), p.greater(p.abs(c.t[1]), p.abs(c.t[2]))), c.radius)
	return c
}

// coldStore stores a code, or 0 if sizes or poses are outside of the range for which the proofs
// hold.
func (p *program) coldStore(c *coldPlaces, code num) {
	known := p.compare(uint8(greater), p.mul(p.lesser(c.radA, c.radB), p.constant(16)), c.lengthScale)
	known = p.and(known, p.compare(uint8(greater), c.lengthScale, p.constant(1/coldRange)))
	known = p.and(known, p.compare(uint8(less), c.lengthScale, p.constant(coldRange)))
	known = p.and(known, p.compare(uint8(greater), p.dotQuat(c.q, c.q), p.constant(0.5)))
	p.store(coldOf("Facet"), p.pick(known, code, p.constant(0)))
}

// coldRoom returns how far below the features of a gap all other corners must lie. Heights are
// along a direction with that length, whose square is given.
func (p *program) coldRoom(c *coldPlaces, gap, length, square num) num {
	across := p.add(c.radius, c.radius)
	return p.sqrt(p.div(p.mul(p.mul(p.mul(c.lengthScale, p.constant(coldSure)), p.mul(across, across)), square), gap))
}

// coldWide returns the least square of the cross product of two edges, whose squares are given.
func (p *program) coldWide(ee, ff num) num { return p.mul(p.mul(ee, ff), p.constant(coldWide)) }

// coldInset returns the square of how far inside their features the projections of a gap must lie.
func (p *program) coldInset(c *coldPlaces, gap num) num {
	clear := p.mul(c.lengthScale, p.constant(coldClear))
	return p.add(p.mul(gap, p.mul(c.lengthScale, p.constant(coldSure))), p.mul(clear, clear))
}

// coldSearch is a pair, and the shallowest of the facets that were tried.
type coldSearch struct {
	*program
	places    *coldPlaces
	zero, one num
	tried     []coldTried
	best      coldTried
	at, k, l  num // the arguments with which the best facet was offered
}

// coldTried is the depth of a facet as two numbers: the signed square of its height, and the square
// of its normal.
type coldTried struct{ depth, square num }

// offer tries a facet. height is its depth times the length of its normal, whose square is given.
func (f *coldSearch) offer(height, square num, at float64, k, l num) {
	t := coldTried{f.mul(height, f.abs(height)), square}
	if f.tried = append(f.tried, t); len(f.tried) == 1 {
		f.best, f.at, f.k, f.l = t, f.constant(at), k, l
		return
	}
	better := f.compare(uint8(less), f.mul(t.depth, f.best.square), f.mul(f.best.depth, square))
	f.best = coldTried{f.pick(better, t.depth, f.best.depth), f.pick(better, square, f.best.square)}
	f.at, f.k, f.l = f.pick(better, f.constant(at), f.at), f.pick(better, k, f.k), f.pick(better, l, f.l)
}

// proof is positive if the best facet is proven. If the bodies are apart, within must be positive:
// the projection lies within the facet. Else no other facet may be less than limit deep.
func (f *coldSearch) proof(apart mask, within, limit num) num {
	limit = f.mul(limit, f.abs(limit))
	rivals := f.zero
	for _, t := range f.tried {
		rival := f.compare(uint8(less), t.depth, f.mul(limit, t.square))
		rivals = f.add(rivals, f.pick(rival, f.one, f.zero))
	}
	return f.pick(apart, within, f.sub(f.constant(1.5), rivals))
}
