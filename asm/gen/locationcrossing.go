package main

// Columns of asm.Crossings.
var (
	ofCrossings = layoutOf("Crossings")

	crossedPosOf    = ofCrossings.column("PosX")
	crossedRotOf    = ofCrossings.column("RotW")
	crossedPointOf  = ofCrossings.column("X")
	rimsOf          = ofCrossings.column("Rims")
	rimRiseOf       = ofCrossings.lastColumn("Rims")
	crossedAOf      = ofCrossings.column("A")
	crossedBOf      = ofCrossings.column("B")
	tailAOf         = ofCrossings.column("TailA")
	tailBOf         = ofCrossings.column("TailB")
	nearAOf         = ofCrossings.column("NearA")
	nearBOf         = ofCrossings.column("NearB")
	radiusAOf       = ofCrossings.column("RadiusA")
	radiusBOf       = ofCrossings.column("RadiusB")
	crossedGapOf    = ofCrossings.column("Gap")
	crossedNormalOf = ofCrossings.column("NormalX")
	crossedArmAOf   = ofCrossings.column("ArmAX")
	crossedArmBOf   = ofCrossings.column("ArmBX")
	crossingOf      = ofCrossings.column("LocationX")
	crossedWidthOf  = ofCrossings.column("XX")
	crossedKnownOf  = ofCrossings.column("Known")
)

// Constants of asm.LocateCrossings; engine/overlap says what they mean.
const (
	crossingAim     = 0x1p-46 // tolAim
	crossingSlender = 0x1p-32 // tolSlender
)

// edgeStrip is the section of a body along an edge; see strip of engine/overlap.
type edgeStrip struct {
	along, tail vec3
	y, lo, hi   vec2
}

func locateCrossingPrograms() []*program { return []*program{locateCrossings()} }

// locateCrossings answers from the strips along the edges of both bodies.
func locateCrossings() *program {
	p := newProgram("locateCrossings")
	a, b := p.loadIndex(crossedAOf), p.loadIndex(crossedBOf)
	p.within(crossedPosOf, a, b)
	tailA, headA := p.loadIndex(tailAOf), p.loadIndex(tailAOf+1)
	tailB, headB := p.loadIndex(tailBOf), p.loadIndex(tailBOf+1)
	p.within(crossedPointOf, tailA, headA, tailB, headB)
	nearA, farA, nearB, farB := p.loadIndex(nearAOf), p.loadIndex(nearAOf+1), p.loadIndex(nearBOf), p.loadIndex(nearBOf+1)
	p.within(rimRiseOf, nearA, farA, nearB, farB) // the shortest of the table's columns
	half, zero := p.constant(0.5), p.constant(0)
	normal, armA, armB := p.load3(crossedNormalOf), p.load3(crossedArmAOf), p.load3(crossedArmBOf)
	apart := p.sub3(p.gather3(crossedPosOf, b), p.gather3(crossedPosOf, a))
	mid := p.addScaled(armA, half, p.sub3(p.add3(apart, armB), armA))
	depth := p.mul(half, p.abs(p.load(crossedGapOf)))
	s, knownA := p.strip(a, tailA, headA, nearA, farA, vec3{zero, zero, zero}, normal, true, depth, p.load(radiusAOf))
	q, knownB := p.strip(b, tailB, headB, nearB, farB, apart, normal, false, depth, p.load(radiusBOf))
	p.cross2(&s, &q, normal, mid, p.and(knownA, knownB))
	return p
}

// strip is the strip of an edge; flip says that the normal points out of the body.
func (p *program) strip(body, tail, head, near, far idx, pos, normal vec3, flip bool, half, radius num) (s edgeStrip, known mask) {
	m := p.matrix(p.gather4(crossedRotOf, body))
	length, rise, riseFar := p.gather(rimsOf+4, near), p.gather(rimsOf+7, near), p.gather(rimsOf+7, far)
	from := p.gather3(crossedPointOf, tail)
	along := p.scale(p.sub3(p.gather3(crossedPointOf, head), from), p.div(p.constant(1), length))
	n := p.mulVecT(m, normal)
	depth := p.greater(p.mul(p.constant(locationDepth), radius), half)
	in, inFar := p.gather3(rimsOf, near), p.gather3(rimsOf, far)
	side := func(v vec3) num {
		if flip {
			return p.neg(p.dot(n, v))
		}
		return p.dot(n, v)
	}
	t0, t1 := p.div(depth, side(in)), p.div(depth, side(inFar))
	zero, two := p.constant(0), p.constant(2)
	known = p.compare(uint8(lessOrEqual), p.abs(p.dot(n, along)), p.constant(crossingAim))
	known = p.and(known, p.compare(uint8(greater), t0, zero))
	known = p.and(known, p.compare(uint8(greater), t1, zero))
	known = p.and(known, p.compare(uint8(lessOrEqual), t0, rise))
	known = p.and(known, p.compare(uint8(lessOrEqual), t1, riseFar))
	known = p.and(known, p.or(p.compare(uint8(lessOrEqual), p.mul(two, t0), rise),
		p.compare(uint8(lessOrEqual), p.mul(two, t1), riseFar)))
	across := p.cross(n, along)
	s.y = vec2{p.mul(t0, p.dot(across, in)), p.mul(t1, p.dot(across, inFar))}
	s.lo = vec2{p.mul(t0, p.gather(rimsOf+5, near)), p.mul(p.neg(t1), p.gather(rimsOf+6, far))}
	s.hi = vec2{p.add(length, p.mul(t0, p.gather(rimsOf+6, near))), p.sub(length, p.mul(t1, p.gather(rimsOf+5, far)))}
	s.along = p.mulVec(m, along)
	s.tail = p.add3(pos, p.mulVec(m, from))
	return s, known
}

// cross2 writes a row from both strips.
func (p *program) cross2(a, b *edgeStrip, normal, mid vec3, known mask) {
	zero, half := p.constant(0), p.constant(0.5)
	leftA, leftB := p.cross(normal, a.along), p.cross(normal, b.along)
	slope := p.dot(leftA, b.along)
	inverse := p.div(p.constant(1), slope)
	cosine := p.dot(a.along, b.along)
	d := p.sub3(a.tail, b.tail)
	atA, atB := p.mul(p.dot(d, leftB), inverse), p.mul(p.dot(d, leftA), inverse)
	alpha := vec2{p.mul(p.neg(b.y[0]), inverse), p.mul(p.neg(b.y[1]), inverse)}
	beta := vec2{p.mul(a.y[0], inverse), p.mul(a.y[1], inverse)}
	known = p.spans(known, a, atA, cosine, beta, alpha)
	known = p.spans(known, b, atB, cosine, alpha, beta)
	l := p.mul(half, p.abs(p.sub(alpha[1], alpha[0])))
	m := p.mul(half, p.abs(p.sub(beta[1], beta[0])))
	lm := p.mul(p.mul(l, m), p.abs(slope))
	long := p.add(l, m)
	known = p.and(known, p.compare(uint8(greater), lm, p.mul(p.mul(p.constant(crossingSlender), long), long)))
	at := p.addScaled(a.tail, p.add(atA, p.mul(half, p.add(alpha[0], alpha[1]))), a.along)
	at = p.addScaled(at, p.mul(half, p.add(beta[0], beta[1])), b.along)
	at = p.addScaled(at, p.dot(normal, p.sub3(mid, at)), normal)
	for _, x := range at {
		known = p.and(known, p.compare(uint8(equal), p.sub(x, x), zero))
	}
	p.store3(crossingOf, at)
	u, w := a.along, b.along
	third := p.constant(1.0 / 3)
	xx, yy := p.mul(p.mul(l, l), third), p.mul(p.mul(m, m), third)
	p.storeWidth(crossedWidthOf, u, w, xx, zero, yy)
	p.store(crossedKnownOf, p.pick(known, p.constant(1), zero))
}

// spans narrows known to where both lines of the strip hold their side of the parallelogram.
func (p *program) spans(known mask, s *edgeStrip, at, cosine num, other, own vec2) mask {
	low, high := p.lesser(own[0], own[1]), p.greater(own[0], own[1])
	for k := range other {
		from := p.add(at, p.mul(other[k], cosine))
		known = p.and(known, p.compare(uint8(greaterOrEqual), p.add(from, low), s.lo[k]))
		known = p.and(known, p.compare(uint8(lessOrEqual), p.add(from, high), s.hi[k]))
	}
	return known
}
