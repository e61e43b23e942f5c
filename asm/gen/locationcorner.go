package main

// Columns of asm.Corners.
var (
	ofCorners = layoutOf("Corners")

	corneredPosOf    = ofCorners.column("PosX")
	corneredRotOf    = ofCorners.column("RotW")
	fansOf           = ofCorners.column("Fans")
	lastOfFan        = ofCorners.lastColumn("Fans")
	sideRimsOf       = ofCorners.column("Rims")
	lastOfSide       = ofCorners.lastColumn("Rims")
	corneredAOf      = ofCorners.column("A")
	corneredBOf      = ofCorners.column("B")
	vertexBodyOf     = ofCorners.column("V")
	faceBodyOf       = ofCorners.column("G")
	fanOf            = ofCorners.column("Fan")
	sidesOf          = ofCorners.column("Sides")
	radiusVOf        = ofCorners.column("RadiusV")
	radiusGOf        = ofCorners.column("RadiusG")
	faceNormalOf     = ofCorners.column("FaceX")
	cotOf            = ofCorners.column("Cot")
	deepestOf        = ofCorners.column("Deepest")
	vertexSignOf     = ofCorners.column("Sign")
	corneredGapOf    = ofCorners.column("Gap")
	corneredNormalOf = ofCorners.column("NormalX")
	corneredArmAOf   = ofCorners.column("ArmAX")
	corneredArmBOf   = ofCorners.column("ArmBX")
	cornerOf         = ofCorners.column("X")
	corneredWidthOf  = ofCorners.column("XX")
	corneredKnownOf  = ofCorners.column("Known")
)

const fanEdges = 8

func locateCornerPrograms() []*program { return []*program{locateCorners()} }

// locateCorners does what methods onFace, corner, sum, holds and place of engine/overlap do, in their order; its
// constants are those of locate and of locateCrossings.
func locateCorners() *program {
	p := newProgram("locateCorners")
	a, b, v, g := p.loadIndex(corneredAOf), p.loadIndex(corneredBOf), p.loadIndex(vertexBodyOf), p.loadIndex(faceBodyOf)
	p.within(corneredPosOf, a, b, v, g)
	fan := p.loadIndex(fanOf)
	p.within(lastOfFan, fan) // the shortest of the table's columns
	var sides [4]idx
	for k := range sides {
		sides[k] = p.loadIndex(sidesOf + column(k))
	}
	p.within(lastOfSide, sides[:]...)
	zero, one, half := p.constant(0), p.constant(1), p.constant(0.5)
	normal, armA, armB := p.load3(corneredNormalOf), p.load3(corneredArmAOf), p.load3(corneredArmBOf)
	apart := p.sub3(p.gather3(corneredPosOf, b), p.gather3(corneredPosOf, a))
	mid := p.addScaled(armA, half, p.sub3(p.add3(apart, armB), armA))
	ofA := p.compare(uint8(greater), p.load(vertexSignOf), zero)
	var posV, posG vec3
	for k, x := range apart {
		posV[k], posG[k] = p.pick(ofA, zero, x), p.pick(ofA, x, zero)
	}
	u, w := p.axes(normal)
	out := p.scale(normal, p.load(vertexSignOf))
	at, on := p.matrix(p.gather4(corneredRotOf, v)), p.matrix(p.gather4(corneredRotOf, g))
	known := p.aimed(on, out)
	gap := p.mul(half, p.abs(p.load(corneredGapOf)))
	depth := p.greater(p.mul(p.constant(locationDepth), p.load(radiusVOf)), gap)
	outV, uV, wV := p.mulVecT(at, out), p.mulVecT(at, u), p.mulVecT(at, w)

	// The outline at depth 1.
	var q [fanEdges]vec2
	deepest, reach2 := zero, zero
	for k := range q {
		e := p.gather3(fansOf+3+column(3*k), fan)
		drop := p.neg(p.dot(outV, e))
		known = p.and(known, p.compare(uint8(greaterOrEqual), drop, depth))
		deepest = p.greater(drop, deepest)
		s := p.div(one, drop)
		q[k] = vec2{p.mul(p.dot(uV, e), s), p.mul(p.dot(wV, e), s)}
		reach2 = p.greater(p.add(p.mul(q[k][0], q[k][0]), p.mul(q[k][1], q[k][1])), reach2)
	}
	known = p.and(known, p.compare(uint8(greaterOrEqual), deepest, p.mul(p.constant(2), depth)))

	// Its moments.
	s := &sectionSum{zero, zero, zero, zero, zero, zero}
	o := q[0]
	from := vec2{p.sub(q[1][0], o[0]), p.sub(q[1][1], o[1])}
	for _, c := range q[2:] {
		to := vec2{p.sub(c[0], o[0]), p.sub(c[1], o[1])}
		p.addSide(s, from, to)
		from = to
	}
	known = p.and(known, p.compare(uint8(greater), p.abs(s.twice), p.mul(p.constant(crossingSlender), reach2)))
	third := p.div(one, p.mul(p.constant(3), s.twice))
	x, y := p.mul(s.mx, third), p.mul(s.my, third)
	sixth := p.mul(half, third)
	xx := p.sub(p.mul(s.xx, sixth), p.mul(x, x))
	xy := p.sub(p.mul(s.xy, sixth), p.mul(x, y))
	yy := p.sub(p.mul(s.yy, sixth), p.mul(y, y))

	// The face under it.
	tip := p.add3(posV, p.mulVec(at, p.gather3(fansOf, fan)))
	depthG := p.greater(p.mul(p.constant(locationDepth), p.load(radiusGOf)), gap)
	known = p.and(known, p.compare(uint8(lessOrEqual), depthG, p.load(deepestOf)))
	margin := p.add(p.mul(p.sqrt(reach2), depth), p.mul(depthG, p.load(cotOf)))
	foot := p.mulVecT(on, p.sub3(tip, posG))
	for _, side := range sides {
		clear := p.sub(p.dot(p.gather3(sideRimsOf, side), foot), p.gather(sideRimsOf+3, side))
		known = p.and(known, p.compare(uint8(greaterOrEqual), clear, margin))
	}

	tip = p.sub3(tip, mid)
	x = p.add(p.dot(u, tip), p.mul(depth, p.add(o[0], x)))
	y = p.add(p.dot(w, tip), p.mul(depth, p.add(o[1], y)))
	place := p.addScaled(p.addScaled(mid, x, u), y, w)
	for _, c := range place {
		known = p.and(known, p.compare(uint8(equal), p.sub(c, c), zero))
	}
	p.store3(cornerOf, place)
	xx = p.pick(p.compare(uint8(less), xx, zero), zero, xx)
	yy = p.pick(p.compare(uint8(less), yy, zero), zero, yy)
	k := p.mul(depth, depth)
	p.storeWidth(corneredWidthOf, u, w, p.mul(xx, k), p.mul(xy, k), p.mul(yy, k))
	p.store(corneredKnownOf, p.pick(known, one, zero))
	return p
}

// aimed says whether the face's normal is the contact's.
func (p *program) aimed(on mat3, out vec3) (known mask) {
	for k, x := range p.add3(p.mulVecT(on, out), p.load3(faceNormalOf)) {
		near := p.compare(uint8(lessOrEqual), p.abs(x), p.constant(crossingAim))
		if k == 0 {
			known = near
		} else {
			known = p.and(known, near)
		}
	}
	return known
}
