package main

// Constants of asm.BrickFacet.
const (
	// brickErr, times the two radii and the length scale, bounds the rounding of the height of two
	// edges times the length of their normal. It covers six products of three lengths, each
	// accurate to 2⁻⁵⁰, and as much again for the direction of the edges' own product.
	brickErr = 0x1p-44
	// brickFlip is added to a code if the product of two edges points from B to A.
	brickFlip = 729
)

// brickPair is two bricks in the frame of A. u and w are the half edges of A and B.
type brickPair struct {
	*coldSearch
	u, w [3]vec3
	t    vec3 // from A's centre to B's
}

// brickFacet tries the faces of both bricks and the pairs of edges, and proves the best facet.
func brickFacet() *program {
	p := newProgram("brickFacet")
	p.window = 32
	places := p.coldPlaces()
	b := &brickPair{coldSearch: &coldSearch{program: p, places: places, zero: p.constant(0), one: p.constant(1)}}
	row := func(k int, of idx) vec3 { return p.gather3(coldOf("Rows")+column(3*k), of) }
	b.t = p.sub3(p.add3(p.mulVec(places.rot, row(0, places.rowB)), places.t), row(0, places.rowA))
	for k := range b.u {
		b.u[k], b.w[k] = row(k+1, places.rowA), p.mulVec(places.rot, row(k+1, places.rowB))
	}
	var n, m [3]vec3
	for k := range n {
		n[k], m[k] = p.cross(b.u[(k+1)%3], b.u[(k+2)%3]), p.cross(b.w[(k+1)%3], b.w[(k+2)%3])
	}
	var across, along [3][3]num // B's half edges over A's faces; A's half edges over B's faces
	for k := range n {
		for j := range m {
			across[k][j], along[j][k] = p.abs(p.dot(n[k], b.w[j])), p.abs(p.dot(m[j], b.u[k]))
		}
	}
	offer := func(height, square num) { b.offer(height, square, float64(len(b.tried)), b.zero, b.zero) }
	face := func(n vec3, volume num, over [3]num) {
		height := p.add(volume, p.add(p.add(over[0], over[1]), over[2]))
		offer(p.sub(height, p.abs(p.dot(n, b.t))), p.dot(n, n))
	}
	volA, volB := p.abs(p.dot(b.u[0], n[0])), p.abs(p.dot(b.w[0], m[0]))
	for k := range n {
		face(n[k], volA, across[k])
	}
	for j := range m {
		face(m[j], volB, along[j])
	}
	doubt := p.mul(p.mul(p.mul(places.radA, places.radB), places.lengthScale), p.constant(brickErr))
	for i := range n {
		for j := range m {
			c := p.cross(b.u[i], b.w[j])
			height := p.add(p.add(across[(i+1)%3][j], across[(i+2)%3][j]), p.add(along[(j+1)%3][i], along[(j+2)%3][i]))
			offer(p.sub(p.sub(height, p.abs(p.dot(c, b.t))), doubt), p.dot(c, c))
		}
	}
	p.coldStore(places, b.proven(doubt))
	return p
}

// brickCorner is the corner, edge or face of a brick that is highest along a direction: for each
// half edge 1, -1, or 0 if both ends are equally high.
type brickCorner [3]num

// highest returns the features of A that are highest along d, and those of B that are lowest. The
// ends of a half edge count as equally high if twice its height is at most drop. sum is the sum of
// the absolute heights of all half edges.
func (b *brickPair) highest(d vec3, drop func(sum num) num) (ofA, ofB brickCorner, sum num) {
	p := b.program
	var over, under [3]num
	for k := range over {
		over[k], under[k] = p.dot(d, b.u[k]), p.dot(d, b.w[k])
	}
	total := func(h [3]num) num { return p.add(p.add(p.abs(h[0]), p.abs(h[1])), p.abs(h[2])) }
	sum = p.add(total(over), total(under))
	limit := drop(sum)
	end := func(h, high num) num {
		twice := p.abs(h)
		sign := p.pick(p.compare(uint8(greater), h, b.zero), high, p.neg(high))
		return p.pick(p.compare(uint8(lessOrEqual), p.add(twice, twice), limit), b.zero, sign)
	}
	for k := range over {
		ofA[k], ofB[k] = end(over[k], b.one), end(under[k], p.constant(-1))
	}
	return ofA, ofB, sum
}

// free returns how many half edges have the value 0.
func (b *brickPair) free(c brickCorner) num {
	p := b.program
	return p.sub(p.constant(3), p.add(p.add(p.abs(c[0]), p.abs(c[1])), p.abs(c[2])))
}

// code returns the number of two features: see asm.BrickFacet.
func (b *brickPair) code(ofA, ofB brickCorner) num {
	p := b.program
	sum := p.constant(1 + 13 + 27*13)
	for k, scale := range [3]float64{1, 3, 9} {
		sum = p.add(sum, p.add(p.mul(ofA[k], p.constant(scale)), p.mul(ofB[k], p.constant(27*scale))))
	}
	return sum
}

// proven returns the code of the best facet, or of the nearest features on its rim, or 0 if neither
// is proven.
func (b *brickPair) proven(doubt num) num {
	p, zero, one, at := b.program, b.zero, b.one, b.at
	is := func(k float64) mask { return p.compare(uint8(equal), at, p.constant(k)) }
	from := func(k float64) mask { return p.compare(uint8(greater), at, p.constant(k-0.5)) }
	// The two half edges that span the facet.
	i, q, row := b.u[0], b.w[0], p.constant(6)
	for k := 1; k < 3; k++ {
		here := from(float64(6 + 3*k))
		i, row = p.pickVec(here, b.u[k], i), p.pick(here, p.constant(float64(6+3*k)), row)
	}
	column := p.sub(at, row)
	for k := 1; k < 3; k++ {
		q = p.pickVec(p.compare(uint8(equal), column, p.constant(float64(k))), b.w[k], q)
	}
	s := i
	for k := range 6 {
		v := b.u
		if k > 2 {
			v = b.w
		}
		here := is(float64(k))
		s, q = p.pickVec(here, v[(k+1)%3], s), p.pickVec(here, v[(k+2)%3], q)
	}
	normal := p.cross(s, q)
	back := p.compare(uint8(less), p.dot(normal, b.t), zero)
	normal = p.pickVec(back, p.neg3(normal), normal)
	toward, nn := p.dot(normal, b.t), p.dot(normal, normal)
	length := p.sqrt(nn)
	margin := p.mul(p.mul(b.places.lengthScale, p.constant(coldMargin)), length)
	var height, depth, gap num
	var apart mask
	ofA, ofB, _ := b.highest(normal, func(sum num) num {
		height = p.sub(sum, toward)
		depth = p.div(height, length)
		gap = p.neg(depth)
		apart = p.compare(uint8(less), height, zero)
		return p.greater(p.pick(apart, p.coldRoom(b.places, gap, length, nn), zero), margin)
	})
	count := p.add(p.mul(b.free(ofA), p.constant(10)), b.free(ofB))
	wanted := p.pick(from(6), p.constant(11), p.pick(from(3), p.constant(2), p.constant(20)))

	// The vector from the middle of A's features to the middle of B's.
	way := b.t
	for k := range ofA {
		way = p.add3(way, p.sub3(p.scale(b.w[k], ofB[k]), p.scale(b.u[k], ofA[k])))
	}
	inset := p.mul(p.coldInset(b.places, gap), nn)
	beyond := func(in, square num) num { return p.sub(p.mul(in, p.abs(in)), p.mul(inset, square)) }
	ss, qq := p.dot(s, s), p.dot(q, q)
	inS, inQ := p.dot(p.cross(way, q), normal), p.dot(p.cross(way, s), normal)
	within := p.lesser(beyond(p.sub(nn, p.abs(inS)), qq), beyond(p.sub(nn, p.abs(inQ)), ss))
	limit := p.add(p.add(depth, p.mul(b.places.lengthScale, p.constant(coldMargin))), p.div(p.add(doubt, doubt), length))
	proof := b.proof(apart, within, limit)
	far := p.mul(b.places.lengthScale, p.pick(apart, p.constant(coldApart), p.constant(coldClose)))
	known := p.and(p.compare(uint8(greater), proof, zero), p.compare(uint8(equal), count, wanted))
	known = p.and(known, p.compare(uint8(greater), p.abs(depth), far))
	known = p.and(known, p.compare(uint8(greater), toward, margin))
	known = p.and(known, p.compare(uint8(greater), nn, p.pick(from(6), p.coldWide(ss, qq), p.constant(-1))))
	code := p.add(b.code(ofA, ofB), p.pick(back, p.constant(brickFlip), zero))
	facet := p.pick(known, code, zero)

	// The nearest points along the side of the facet beyond which the projection lies.
	inS, inQ = p.pick(back, p.neg(inS), inS), p.pick(back, p.neg(inQ), inQ)
	side := func(in num, high, low float64, p0, p1 vec3, square num) (vec3, num, num) {
		end := p.pick(p.compare(uint8(greater), in, zero), p.constant(high), p.constant(low))
		rest := p.addScaled(way, p.neg(end), p0)
		t := p.lesser(p.greater(p.div(p.dot(rest, p1), square), p.constant(-1)), one)
		rest = p.addScaled(rest, p.neg(t), p1)
		return rest, p.dot(rest, rest), t
	}
	r, rr, t := side(inS, 1, -1, s, q, qq)
	r2, rr2, t2 := side(inQ, -1, 1, q, s, ss)
	other := p.compare(uint8(less), rr2, rr)
	r, rr, t = p.pickVec(other, r2, r), p.pick(other, rr2, rr), p.pick(other, t2, t)
	square := p.pick(other, ss, qq)
	gap = p.sqrt(rr)
	slack := p.mul(p.mul(b.places.lengthScale, p.constant(coldMargin)), gap)
	ofA, ofB, sum := b.highest(r, func(num) num { return p.greater(p.coldRoom(b.places, gap, gap, rr), slack) })
	in := p.sub(one, p.abs(t))
	inner := p.compare(uint8(greater), in, zero)
	foot := p.pick(inner, p.sub(p.mul(p.mul(in, in), square), p.coldInset(b.places, gap)), one)
	known = p.and(p.compare(uint8(greater), foot, zero), p.compare(uint8(equal), p.add(b.free(ofA), b.free(ofB)), p.pick(inner, one, zero)))
	known = p.and(known, p.compare(uint8(greaterOrEqual), p.sub(p.dot(r, b.t), sum), p.sub(rr, slack)))
	known = p.and(known, p.compare(uint8(greater), gap, p.mul(b.places.lengthScale, p.constant(coldApart))))
	known = p.and(known, apart)
	return p.pick(p.compare(uint8(greater), facet, zero), facet, p.pick(known, b.code(ofA, ofB), zero))
}
