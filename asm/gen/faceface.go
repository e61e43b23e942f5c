package main

// facedOf returns the column of asm.FaceFaceColumns with a name.
var (
	ofFaceFaces = layoutOf("FaceFaceColumns")
	facedOf     = ofFaceFaces.column
)

// Places in a row of quads, as in package soa.
const (
	quadOffset = 3
	quadU      = 4
	quadV      = 7
	quadCorner = 10
	quadFlat   = 22
	quadLength = 30
	quadVertex = 34
	quadRadius = 38
)

// Constants of asm.FaceFace. Lengths are multiples of the pair's length scale, as in narrow:
// the largest of both radii and of the distances of the bodies along the axes of A's frame. K is
// the Minkowski difference.
const (
	// faceTie is TieTol of narrow: the result is A's face unless A's face is deeper than B's
	// by more than a tie. Another value: kernel and search name different faces.
	faceTie = 0x1p-46
	// faceSurely, in ties, is how much deeper A's face must be for B's face to be certain. Between
	// one tie and faceSurely the pair is too close to call. Smaller: rounding would decide.
	faceSurely = 1.125
	// faceLevel is the largest height difference of corners that count as coplanar in the disc that
	// they make with the face: a quarter of a tie.
	// Smaller: more pairs declined. Larger: a search may find no tie.
	faceLevel = faceTie / 4
	// faceHalfAngle and faceInset say how far the projection of the origin must lie inside of a
	// part of K: the part that the coplanar corners make with the face. The projection must be
	// inside by the depth times faceHalfAngle, plus faceInset. faceHalfAngle is the tangent of half
	// the largest angle between the normals of this part and of another facet of both faces. See
	// narrow.Search.Budget.
	// Smaller: a crossing of edges may be shallower. Larger: more pairs declined.
	faceHalfAngle = 0.125
	faceInset     = 0x1p-30
	// faceBroad, faceHinge and faceRound serve a projection next to a side of the part of K that
	// the coplanar corners make, such as for bricks end to end. Let R be the distance of the
	// projection from the sides of all of K. If R is at least faceBroad times depth and faceBroad
	// times spread, a smaller distance from the side of the part is enough: 5/4 of spread·depth/2R.
	// The quarter covers omitted squares, and the change of R by a tilt. faceRound, a length,
	// covers rounding.
	// Smaller: a crossing of edges may be shallower. Larger: more pairs declined.
	faceBroad = 8
	faceHinge = 1.25 / 2
	faceRound = 0x1p-44
	// faceSlip is by how much a facet may be shallower than the resulting face: an eighth of a tie.
	// Two opposite coplanar corners account for at most half a tie, and the error of a search for a
	// quarter. Larger: a search may find that the face does not tie with that facet.
	faceSlip = faceTie / 8
)

// Constants of asm.FlatQuads.
var (
	flatTol  = asmNumber("flatTol")
	flatMiss = asmNumber("flatMiss")
	never    = asmNumber("never")
)

func faceFacePrograms() []*program { return []*program{faceFace()} }

// faceFace is asm.FaceFace.
func faceFace() *program {
	p := newProgram("faceFace")
	p.window = 16
	ia, ib := p.loadIndex(facedOf("A")), p.loadIndex(facedOf("B"))
	p.within(facedOf("Pos"), ia, ib)
	qa, qb := p.loadIndex(facedOf("QuadA")), p.loadIndex(facedOf("QuadB"))
	p.within(ofFaceFaces.lastColumn("Quads"), qa, qb) // the shortest column of the table
	zero, one := p.constant(0), p.constant(1)
	rotA := p.gather4(facedOf("Rot"), ia)
	dx := p.sub3(p.gather3(facedOf("Pos"), ib), p.gather3(facedOf("Pos"), ia))
	rot := p.matrix(p.mulQuat(p.conj(rotA), p.gather4(facedOf("Rot"), ib)))
	t := p.rotateInv(rotA, dx)
	n, d := p.gather3(facedOf("Quads"), qa), p.gather(facedOf("Quads")+quadOffset, qa)
	m := p.mulVec(rot, p.gather3(facedOf("Quads"), qb))
	e := p.add(p.gather(facedOf("Quads")+quadOffset, qb), p.dot(m, t))

	var a, b [4]vec3
	var overA, overB [4]num
	for k := range a {
		a[k] = p.gather3(facedOf("Quads")+column(quadCorner+3*k), qa)
		b[k] = p.add3(p.mulVec(rot, p.gather3(facedOf("Quads")+column(quadCorner+3*k), qb)), t)
		overA[k], overB[k] = p.dot(n, b[k]), p.dot(m, a[k])
	}
	lowA, lowB, highA, highB := overA[0], overB[0], overA[0], overB[0]
	for k := 1; k < 4; k++ {
		lowA, lowB = p.lesser(overA[k], lowA), p.lesser(overB[k], lowB)
		highA, highB = p.greater(overA[k], highA), p.greater(overB[k], highB)
	}
	lengthScale := p.greater(p.gather(facedOf("Quads")+quadRadius, qa), p.gather(facedOf("Quads")+quadRadius, qb))
	lengthScale = p.greater(p.greater(p.abs(t[0]), p.greater(p.abs(t[1]), p.abs(t[2]))), lengthScale)
	level, tie := p.mul(lengthScale, p.constant(faceLevel)), p.mul(lengthScale, p.constant(faceTie))
	depthA, depthB := p.sub(d, lowA), p.sub(e, lowB)
	over := p.sub(depthA, depthB)
	ofB := p.compare(uint8(greater), over, p.mul(tie, p.constant(faceSurely)))
	known := p.or(p.compare(uint8(lessOrEqual), over, tie), ofB)

	low := p.pick(ofB, lowB, lowA)
	limit := p.pick(ofB, p.add(p.sub(e, depthB), tie), p.add(p.sub(d, depthA), tie))
	first, height, tip := zero, zero, vec3{}
	var above [4]num
	for k := range above {
		above[k] = p.pick(ofB, overB[k], overA[k])
		index := p.pick(ofB, p.gather(facedOf("Quads")+column(quadVertex+k), qa), p.gather(facedOf("Quads")+column(quadVertex+k), qb))
		corner := p.pickVec(ofB, a[k], b[k])
		index = p.pick(p.compare(uint8(lessOrEqual), above[k], limit), index, p.add(index, p.constant(never)))
		if k == 0 {
			first, height, tip = index, above[k], corner
			continue
		}
		before := p.compare(uint8(less), index, first)
		height, tip = p.pick(before, above[k], height), p.pickVec(before, corner, tip)
		first = p.pick(before, index, first)
	}
	use := p.coplanarCorners(&above, p.add(height, p.mul(tie, p.constant(2))))
	strict := p.coplanarCorners(&above, p.add(low, level))
	gap := p.sub(height, p.pick(ofB, e, d))
	out := p.pickVec(ofB, p.neg3(m), n)
	spread := p.pick(ofB, p.sub(highB, lowB), p.sub(highA, lowA))

	u, v := p.gather3(facedOf("Quads")+quadU, qa), p.gather3(facedOf("Quads")+quadV, qa)
	down := p.scale(out, p.neg(gap))
	ux, vx := p.pick(ofB, p.dot(u, down), zero), p.pick(ofB, p.dot(v, down), zero)
	q := &flatQuads{slope: vec2{p.dot(m, u), p.dot(m, v)}, lengthScale: lengthScale}
	for k := range b {
		flat := facedOf("Quads") + column(quadFlat+2*k)
		q.a[k] = vec2{p.gather(flat, qa), p.gather(flat+1, qa)}
		q.b[k] = vec2{p.add(p.dot(u, b[k]), ux), p.add(p.dot(v, b[k]), vx)}
		q.lengthA[k] = p.gather(facedOf("Quads")+column(quadLength+k), qa)
		q.lengthB[k] = p.gather(facedOf("Quads")+column(quadLength+k), qb)
	}
	// Masks are computed where they are used, because they have few registers.
	s := p.flatSides(q)
	play, least := p.flatPlay(ofB, use), p.flatPlay(ofB, strict)
	c := p.flatCommon(q, s, play, ofB)
	meets := p.compare(uint8(greater), c.count, zero)
	x, y := p.pick(meets, p.div(c.x, c.count), c.low[0]), p.pick(meets, p.div(c.y, c.count), c.low[1])
	lifted := p.div(p.sub(p.sub(height, p.mul(x, p.dot(m, u))), p.mul(y, p.dot(m, v))), p.dot(m, n))
	w := p.addScaled(p.addScaled(p.scale(u, x), y, v), p.pick(ofB, lifted, d), n)
	tied := p.add(p.add(p.add(use[0], use[1]), use[2]), use[3])
	alone := p.and(p.compare(uint8(equal), tied, one), meets)
	w = p.pickVec(alone, p.pickVec(ofB, tip, p.add3(tip, down)), w)
	known = p.and(known, p.or(meets, p.compare(uint8(lessOrEqual), c.higher, p.mul(lengthScale, p.constant(flatMiss)))))
	known = p.and(known, p.flatProven(q, s, least, p.neg(gap), spread, c.higher))

	p.store(facedOf("Gap"), p.add(gap, zero))
	p.store3(facedOf("Normal"), p.rotate(rotA, out))
	p.store3(facedOf("ArmA"), p.rotate(rotA, w))
	p.store3(facedOf("ArmB"), p.rotate(rotA, p.sub3(p.addScaled(w, gap, out), t)))
	p.store(facedOf("Vertex"), first)
	p.store(facedOf("OfB"), p.pick(ofB, one, zero))
	p.store(facedOf("Known"), p.pick(known, one, zero))
	return p
}

// coplanarCorners marks the corners whose heights are at most limit. If two opposite corners are
// marked, it marks all.
func (p *program) coplanarCorners(above *[4]num, limit num) (use [4]num) {
	for k, h := range above {
		use[k] = p.pick(p.compare(uint8(lessOrEqual), h, limit), p.constant(1), p.constant(0))
	}
	across := p.greater(p.mul(use[0], use[2]), p.mul(use[1], use[3]))
	for k := range use {
		use[k] = p.greater(use[k], across)
	}
	return use
}

// flatQuads, flatSides, flatPlay and flatCommon are FlatQuads, sides, inPlay and common of package
// asm.
type flatQuads struct {
	a, b             [4]vec2
	lengthA, lengthB [4]num
	slope            vec2
	lengthScale      num
}

type flatSides struct{ a, b [4][4]num }

type flatPlay struct {
	a, b         [4]num
	edgeA, edgeB [4]num
	fullA, fullB num
}

type flatCommon struct {
	x, y, count num
	low         vec2
	higher      num
}

func (p *program) flatSides(q *flatQuads) *flatSides {
	s := &flatSides{}
	for e := range 4 {
		n := (e + 1) % 4
		ex, ey := p.sub(q.a[n][0], q.a[e][0]), p.sub(q.a[n][1], q.a[e][1])
		fx, fy := p.sub(q.b[n][0], q.b[e][0]), p.sub(q.b[n][1], q.b[e][1])
		for k := range 4 {
			s.a[e][k] = p.sub(p.mul(ex, p.sub(q.b[k][1], q.a[e][1])), p.mul(ey, p.sub(q.b[k][0], q.a[e][0])))
			s.b[e][k] = p.sub(p.mul(fy, p.sub(q.a[k][0], q.b[e][0])), p.mul(fx, p.sub(q.a[k][1], q.b[e][1])))
		}
	}
	return s
}

// flatPlay is playing of package asm. All corners of the quadrangle with the face count, and of the
// other those in use.
func (p *program) flatPlay(ofB mask, use [4]num) *flatPlay {
	f, one := &flatPlay{}, p.constant(1)
	for k := range 4 {
		f.a[k], f.b[k] = p.pick(ofB, use[k], one), p.pick(ofB, one, use[k])
	}
	for e := range 4 {
		n := (e + 1) % 4
		f.edgeA[e], f.edgeB[e] = p.mul(f.a[e], f.a[n]), p.mul(f.b[e], f.b[n])
	}
	f.fullA, f.fullB = p.mul(f.edgeA[0], f.edgeA[2]), p.mul(f.edgeB[0], f.edgeB[2])
	return f
}

func (p *program) flatCommon(q *flatQuads, s *flatSides, f *flatPlay, ofB mask) *flatCommon {
	zero := p.constant(0)
	tol := p.mul(q.lengthScale, p.constant(flatTol))
	height := func(at vec2) num { return p.add(p.mul(at[0], q.slope[0]), p.mul(at[1], q.slope[1])) }
	var ta, tb, highA, highB [4]num
	for k := range ta {
		ta[k], tb[k] = p.mul(tol, q.lengthA[k]), p.mul(tol, q.lengthB[k])
		highA[k], highB[k] = height(q.a[k]), height(q.b[k])
	}
	c := &flatCommon{x: zero, y: zero, count: zero, low: vec2{zero, zero}}
	low := p.constant(never)
	add := func(found mask, w num, at vec2, high num) {
		w = p.pick(found, w, zero)
		c.x, c.y, c.count = p.add(c.x, p.mul(w, at[0])), p.add(c.y, p.mul(w, at[1])), p.add(c.count, w)
		lower := p.and(found, p.compare(uint8(less), high, low))
		low = p.pick(lower, high, low)
		c.low = vec2{p.pick(lower, at[0], c.low[0]), p.pick(lower, at[1], c.low[1])}
	}
	corners := func(side *[4][4]num, tol, use *[4]num, full num, at *[4]vec2, high *[4]num) {
		for k := range 4 {
			least := p.add(side[0][k], tol[0])
			for e := 1; e < 4; e++ {
				least = p.lesser(p.add(side[e][k], tol[e]), least)
			}
			add(p.compare(uint8(greaterOrEqual), least, zero), p.mul(use[k], full), at[k], high[k])
		}
	}
	corners(&s.a, &ta, &f.b, f.fullA, &q.b, &highB)
	corners(&s.b, &tb, &f.a, f.fullB, &q.a, &highA)
	for e := range 4 {
		for k := range 4 {
			g, h := (e+1)%4, (k+1)%4
			s0, s1, r0, r1 := s.a[e][k], s.a[e][h], s.b[k][e], s.b[k][g]
			hit := p.compare(uint8(less), p.lesser(s0, s1), p.neg(ta[e]))
			hit = p.and(hit, p.compare(uint8(greater), p.greater(s0, s1), ta[e]))
			hit = p.and(hit, p.compare(uint8(less), p.lesser(r0, r1), p.neg(tb[k])))
			hit = p.and(hit, p.compare(uint8(greater), p.greater(r0, r1), tb[k]))
			along := p.pick(hit, p.div(s0, p.sub(s0, s1)), zero)
			at := vec2{p.add(q.b[k][0], p.mul(along, p.sub(q.b[h][0], q.b[k][0]))),
				p.add(q.b[k][1], p.mul(along, p.sub(q.b[h][1], q.b[k][1])))}
			add(hit, p.mul(f.edgeA[e], f.edgeB[k]), at, height(at))
		}
	}
	lowest := func(h *[4]num) num { return p.lesser(p.lesser(h[0], h[1]), p.lesser(h[2], h[3])) }
	c.higher = p.sub(low, p.pick(ofB, lowest(&highA), lowest(&highB)))
	return c
}

// flatProven reports whether every facet that the two quadrangles make is at most faceSlip
// shallower than depth. The lowest corners have this depth. K, the Minkowski difference of both
// whole quadrangles, is less deep by at most spread. f marks the corners that are coplanar with the
// lowest.
//
// Let τ be the tangent of half the angle between the normal of a facet and that of the plane. Discs
// and points of K about the projection of the origin bound the depth of facets:
//
//	a disc of radius rho at this depth                 proves all facets with τ ≤ rho/depth
//	a disc of radius R, less deep by spread            proves facets with 2Rτ ≥ spread + (2·depth - spread)τ²
//	the point over the projection, less deep by higher proves that a facet is shallower by at most higher + 2·depth·τ²
//
// No facet of the two quadrangles has τ ≥ faceHalfAngle, so rho = depth·faceHalfAngle proves all
// facets. A smaller rho is enough if no facet is left between the first and the second bound. The
// second begins at a τ₁ that follows from R, with all of K as its disc. Otherwise the third bound
// is tested at τ₁.
func (p *program) flatProven(q *flatQuads, s *flatSides, f *flatPlay, depth, spread, higher num) mask {
	in, length := p.flatWhole(q, s)
	inset := p.mul(q.lengthScale, p.constant(faceInset))
	eight := p.constant(faceBroad)
	rho := p.add(inset, p.mul(depth, p.constant(faceHalfAngle)))
	bound := p.mul(p.greater(p.greater(p.mul(spread, eight), p.mul(depth, eight)), inset), length)
	first := p.mul(p.add(spread, p.mul(q.lengthScale, p.constant(faceLevel))), p.constant(faceHinge))
	first = p.div(p.mul(first, length), in)
	near := p.lesser(p.add(p.mul(q.lengthScale, p.constant(faceRound)), p.mul(first, depth)), rho)
	rho = p.pick(p.compare(uint8(greaterOrEqual), in, bound), near, rho)
	inside := p.compare(uint8(greaterOrEqual), p.flatInset(q, s, f, rho), p.constant(0))
	loss := p.mul(p.mul(p.mul(p.constant(2), p.abs(depth)), first), first)
	over := p.compare(uint8(lessOrEqual), p.add(higher, loss), p.mul(q.lengthScale, p.constant(faceSlip)))
	return p.or(inside, p.and(p.compare(uint8(greaterOrEqual), in, bound), over))
}

// flatWhole returns how far the projection lies inside of the nearest side of K, as in/length: in
// is that distance times the length of the side.
func (p *program) flatWhole(q *flatQuads, s *flatSides) (in, length num) {
	in, length = p.constant(never), p.constant(1)
	nearest := func(side *[4][4]num, lengths *[4]num) {
		for e := range 4 {
			high := p.greater(p.greater(side[e][0], side[e][1]), p.greater(side[e][2], side[e][3]))
			closer := p.compare(uint8(less), p.mul(high, length), p.mul(in, lengths[e]))
			in, length = p.pick(closer, high, in), p.pick(closer, lengths[e], length)
		}
	}
	nearest(&s.a, &q.lengthA)
	nearest(&s.b, &q.lengthB)
	return in, length
}

// flatInset returns how far the projection lies inside of the part of K that f marks, minus rho,
// for the side at which that is least. The result is times the length of that side.
func (p *program) flatInset(q *flatQuads, s *flatSides, f *flatPlay, rho num) num {
	one, big := p.constant(1), p.constant(never)
	least := big
	oneAgainst := func(side *[4][4]num, edge, length, use *[4]num, full num) {
		for e := range 4 {
			high, low := p.add(side[e][0], p.mul(p.sub(use[0], one), big)), side[e][0]
			for k := 1; k < 4; k++ {
				high = p.greater(p.add(side[e][k], p.mul(p.sub(use[k], one), big)), high)
				low = p.lesser(side[e][k], low)
			}
			need := p.sub(p.mul(p.sub(one, edge[e]), big), p.mul(rho, length[e]))
			least = p.lesser(p.add(high, need), least)
			least = p.lesser(p.add(p.sub(p.mul(full, big), low), need), least)
		}
	}
	oneAgainst(&s.a, &f.edgeA, &q.lengthA, &f.b, f.fullA)
	oneAgainst(&s.b, &f.edgeB, &q.lengthB, &f.a, f.fullB)
	return least
}
