package main

// Columns of asm.FaceFaces, in its order.
const (
	facedPosOf    column = 0
	facedRotOf    column = 3
	quadsOf       column = 7
	lastQuadOf    column = 46
	facedAOf      column = 47
	facedBOf      column = 48
	quadAOf       column = 49
	quadBOf       column = 50
	facedGapOf    column = 51
	facedNormalOf column = 52
	facedArmAOf   column = 55
	facedArmBOf   column = 58
	facedVertexOf column = 61
	facedOfBOf    column = 62
	facedKnownOf  column = 63
)

// Places in a row of quads, and constants of asm.FaceFace.
const (
	quadOffset = 3
	quadU      = 4
	quadV      = 7
	quadCorner = 10
	quadFlat   = 22
	quadLength = 30
	quadVertex = 34
	quadRadius = 38

	faceLevel = 0x1p-48
	faceFoot  = 0.125
	faceInset = 0x1p-30
	faceBroad = 8
	faceHinge = 1.25 / 2
	faceRound = 0x1p-44
	flatTol   = 0x1p-48
	never     = 1e300
)

// faceFaces writes the answers of pairs that touch with a face each.
func faceFaces(avx2, avx512 *lanes) { compilePrograms(avx2, avx512, faceFacePrograms()...) }

func faceFacePrograms() []*program { return []*program{faceFace()} }

// faceFace is the Go loop of asm of this name, line by line.
func faceFace() *program {
	p := newProgram("faceFace")
	ia, ib := p.loadIndex(facedAOf), p.loadIndex(facedBOf)
	p.within(facedPosOf, ia, ib)
	qa, qb := p.loadIndex(quadAOf), p.loadIndex(quadBOf)
	p.within(lastQuadOf, qa, qb) // the shortest of the table's columns
	zero, one := p.constant(0), p.constant(1)
	rotA := p.gather4(facedRotOf, ia)
	dx := p.sub3(p.gather3(facedPosOf, ib), p.gather3(facedPosOf, ia))
	rot := p.matrix(p.mulQuat(p.conj(rotA), p.gather4(facedRotOf, ib)))
	t := p.rotateInv(rotA, dx)
	n, d := p.gather3(quadsOf, qa), p.gather(quadsOf+quadOffset, qa)
	m := p.mulVec(rot, p.gather3(quadsOf, qb))
	e := p.add(p.gather(quadsOf+quadOffset, qb), p.dot(m, t))

	var a, b [4]vec3
	var overA, overB [4]num
	for k := range a {
		a[k] = p.gather3(quadsOf+column(quadCorner+3*k), qa)
		b[k] = p.add3(p.mulVec(rot, p.gather3(quadsOf+column(quadCorner+3*k), qb)), t)
		overA[k], overB[k] = p.dot(n, b[k]), p.dot(m, a[k])
	}
	lowA, lowB, highA, highB := overA[0], overB[0], overA[0], overB[0]
	for k := 1; k < 4; k++ {
		lowA, lowB = p.lesser(overA[k], lowA), p.lesser(overB[k], lowB)
		highA, highB = p.greater(overA[k], highA), p.greater(overB[k], highB)
	}
	unit := p.greater(p.gather(quadsOf+quadRadius, qa), p.gather(quadsOf+quadRadius, qb))
	unit = p.greater(p.greater(p.abs(t[0]), p.greater(p.abs(t[1]), p.abs(t[2]))), unit)
	level := p.mul(unit, p.constant(faceLevel))
	over := p.sub(p.sub(d, lowA), p.sub(e, lowB))
	ofB := p.compare(uint8(greater), over, p.mul(level, p.constant(8)))
	known := p.or(p.compare(uint8(lessOrEqual), over, level), ofB)

	q := &flatQuads{unit: unit}
	first, height, tip := zero, zero, vec3{}
	tied, doubtful, joined := zero, zero, zero
	var use [4]num
	wide := p.mul(level, p.constant(16))
	for k := range use {
		above := p.pick(ofB, p.sub(overB[k], lowB), p.sub(overA[k], lowA))
		index := p.pick(ofB, p.gather(quadsOf+column(quadVertex+k), qa), p.gather(quadsOf+column(quadVertex+k), qb))
		h := p.pick(ofB, overB[k], overA[k])
		corner := p.choose3(ofB, a[k], b[k])
		use[k] = p.pick(p.compare(uint8(lessOrEqual), above, level), one, zero)
		doubtful = p.add(doubtful, p.pick(p.compare(uint8(lessOrEqual), above, wide), one, zero))
		tied = p.add(tied, use[k])
		q.useA[k], q.useB[k] = p.pick(ofB, use[k], one), p.pick(ofB, one, use[k])
		key := p.add(index, p.mul(p.sub(one, use[k]), p.constant(never)))
		if k == 0 {
			first, height, tip = key, h, corner
			continue
		}
		before := p.compare(uint8(less), key, first)
		height, tip = p.pick(before, h, height), p.choose3(before, corner, tip)
		first = p.pick(before, key, first)
	}
	for k := range use {
		joined = p.add(joined, p.mul(use[k], use[(k+1)%4]))
	}
	known = p.and(known, p.compare(uint8(equal), doubtful, tied))
	known = p.and(known, p.compare(uint8(notEqual), tied, p.constant(3)))
	known = p.and(known, p.compare(uint8(lessOrEqual), p.sub(tied, joined), one))
	gap := p.sub(height, p.pick(ofB, e, d))
	out := p.choose3(ofB, p.neg3(m), n)
	spread := p.pick(ofB, p.sub(highB, lowB), p.sub(highA, lowA))

	u, v := p.gather3(quadsOf+quadU, qa), p.gather3(quadsOf+quadV, qa)
	down := p.scale(out, p.neg(gap))
	ux, vx := p.pick(ofB, p.dot(u, down), zero), p.pick(ofB, p.dot(v, down), zero)
	for k := range b {
		flat := quadsOf + column(quadFlat+2*k)
		q.a[k] = vec2{p.gather(flat, qa), p.gather(flat+1, qa)}
		q.b[k] = vec2{p.add(p.dot(u, b[k]), ux), p.add(p.dot(v, b[k]), vx)}
		q.lengthA[k] = p.gather(quadsOf+column(quadLength+k), qa)
		q.lengthB[k] = p.gather(quadsOf+column(quadLength+k), qb)
	}
	// Each mask is made where it is used, as they have few registers.
	s := p.flatSides(q)
	rho := p.flatFoot(q, s, p.neg(gap), spread)
	known = p.and(known, p.compare(uint8(greaterOrEqual), p.flatInset(q, s, rho), zero))
	x, y, count := p.flatMean(q, s)
	alone := p.compare(uint8(equal), tied, one)
	known = p.and(known, p.or(p.compare(uint8(greater), count, zero), alone))
	lifted := p.div(p.sub(p.sub(height, p.mul(x, p.dot(m, u))), p.mul(y, p.dot(m, v))), p.dot(m, n))
	w := p.addScaled(p.addScaled(p.scale(u, x), y, v), p.pick(ofB, lifted, d), n)
	w = p.choose3(alone, p.choose3(ofB, tip, p.add3(tip, down)), w)

	p.store(facedGapOf, p.add(gap, zero))
	p.store3(facedNormalOf, p.rotate(rotA, out))
	p.store3(facedArmAOf, p.rotate(rotA, w))
	p.store3(facedArmBOf, p.rotate(rotA, p.sub3(p.addScaled(w, gap, out), t)))
	p.store(facedVertexOf, first)
	p.store(facedOfBOf, p.pick(ofB, one, zero))
	p.store(facedKnownOf, p.pick(known, one, zero))
	return p
}

// choose3 returns a where m holds and b elsewhere.
func (p *program) choose3(m mask, a, b vec3) vec3 {
	return vec3{p.pick(m, a[0], b[0]), p.pick(m, a[1], b[1]), p.pick(m, a[2], b[2])}
}

// flatQuads and flatSides are what asm's FlatQuads and sides are.
type flatQuads struct {
	a, b             [4]vec2
	lengthA, lengthB [4]num
	useA, useB       [4]num
	unit             num
}

type flatSides struct {
	a, b         [4][4]num
	edgeA, edgeB [4]num
	fullA, fullB num
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
		s.edgeA[e], s.edgeB[e] = p.mul(q.useA[e], q.useA[n]), p.mul(q.useB[e], q.useB[n])
	}
	s.fullA, s.fullB = p.mul(s.edgeA[0], s.edgeA[2]), p.mul(s.edgeB[0], s.edgeB[2])
	return s
}

func (p *program) flatMean(q *flatQuads, s *flatSides) (x, y, count num) {
	zero := p.constant(0)
	tol := p.mul(q.unit, p.constant(flatTol))
	var ta, tb [4]num
	for k := range ta {
		ta[k], tb[k] = p.mul(tol, q.lengthA[k]), p.mul(tol, q.lengthB[k])
	}
	x, y, count = zero, zero, zero
	add := func(w, px, py num) {
		x, y, count = p.add(x, p.mul(w, px)), p.add(y, p.mul(w, py)), p.add(count, w)
	}
	corners := func(side *[4][4]num, tol, use *[4]num, full num, at *[4]vec2) {
		for k := range 4 {
			least := p.add(side[0][k], tol[0])
			for e := 1; e < 4; e++ {
				least = p.lesser(p.add(side[e][k], tol[e]), least)
			}
			inside := p.compare(uint8(greaterOrEqual), least, zero)
			add(p.pick(inside, p.mul(use[k], full), zero), at[k][0], at[k][1])
		}
	}
	corners(&s.a, &ta, &q.useB, s.fullA, &q.b)
	corners(&s.b, &tb, &q.useA, s.fullB, &q.a)
	for e := range 4 {
		for f := range 4 {
			g, h := (e+1)%4, (f+1)%4
			s0, s1, r0, r1 := s.a[e][f], s.a[e][h], s.b[f][e], s.b[f][g]
			hit := p.compare(uint8(less), p.lesser(s0, s1), p.neg(ta[e]))
			hit = p.and(hit, p.compare(uint8(greater), p.greater(s0, s1), ta[e]))
			hit = p.and(hit, p.compare(uint8(less), p.lesser(r0, r1), p.neg(tb[f])))
			hit = p.and(hit, p.compare(uint8(greater), p.greater(r0, r1), tb[f]))
			w := p.pick(hit, p.mul(s.edgeA[e], s.edgeB[f]), zero)
			at := p.pick(hit, p.div(s0, p.sub(s0, s1)), zero)
			add(w, p.add(q.b[f][0], p.mul(at, p.sub(q.b[h][0], q.b[f][0]))),
				p.add(q.b[f][1], p.mul(at, p.sub(q.b[h][1], q.b[f][1]))))
		}
	}
	return p.div(x, count), p.div(y, count), count
}

func (p *program) flatFoot(q *flatQuads, s *flatSides, depth, spread num) num {
	in, length := p.flatWhole(q, s)
	inset := p.mul(q.unit, p.constant(faceInset))
	broad := p.constant(faceBroad)
	rho := p.add(inset, p.mul(depth, p.constant(faceFoot)))
	bound := p.mul(p.greater(p.greater(p.mul(spread, broad), p.mul(depth, broad)), inset), length)
	near := p.div(p.mul(p.mul(p.mul(spread, p.constant(faceHinge)), depth), length), in)
	near = p.lesser(p.add(p.mul(q.unit, p.constant(faceRound)), near), rho)
	return p.pick(p.compare(uint8(greaterOrEqual), in, bound), near, rho)
}

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

func (p *program) flatInset(q *flatQuads, s *flatSides, rho num) num {
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
	oneAgainst(&s.a, &s.edgeA, &q.lengthA, &q.useB, s.fullA)
	oneAgainst(&s.b, &s.edgeB, &q.lengthB, &q.useA, s.fullB)
	return least
}
