package main

// tetraBest is the best facet of a tetraSearch, and its features.
type tetraBest struct {
	*tetraSearch
	edges, ofB    mask // the facet is of two edges; is of two edges, or of a face of B
	normal        vec3
	from, to      vec3 // for two edges: the ends of both edges, and the numbers of A's ends
	fromB, toB    vec3
	fromAt, toAt  num
	side          [3]vec3 // for a face: its corners, counter-clockwise seen from outside, and their numbers
	sideAt        [3]num
	point         vec3 // for a face: the corner that meets it
	pointAt       num
	apart         mask
	overA, overB  [4]num
	height, depth num
	topAt, lowAt  num
}

// decode looks up the features of the best facet.
func (f *tetraSearch) decode() *tetraBest {
	p, at := f.program, f.at
	t := &tetraBest{tetraSearch: f}
	is := func(k float64) mask { return p.compare(uint8(equal), at, p.constant(k)) }
	number := func(k int) num { return p.constant(float64(k)) }
	t.from, t.fromAt = f.a[0], f.zero
	for k, above := range []float64{10.5, 12.5} {
		here := p.compare(uint8(greater), at, p.constant(above))
		t.from, t.fromAt = p.pickVec(here, f.a[k+1], t.from), p.pick(here, number(k+1), t.fromAt)
	}
	t.to, t.toAt = f.a[3], number(3)
	for _, e := range []int{0, 1, 3} {
		here, k := is(float64(8+e)), tetraEdges[e].j
		t.to, t.toAt = p.pickVec(here, f.a[k], t.to), p.pick(here, number(k), t.toAt)
	}
	named := func(k num) vec3 {
		v := f.b[0]
		for j := 1; j < 4; j++ {
			v = p.pickVec(p.compare(uint8(equal), k, number(j)), f.b[j], v)
		}
		return v
	}
	t.fromB, t.toB = named(f.k), named(f.l)
	t.normal = f.n[0]
	decode := func(v [4]vec3, first int, normals func(k int) vec3) (side [3]vec3, sideAt [3]num) {
		usual := [3]int{0, 2, 3}
		for c, k := range usual {
			side[c], sideAt[c] = v[k], number(k)
		}
		for k := range v {
			here := is(float64(first + k))
			t.normal = p.pickVec(here, normals(k), t.normal)
			for c, j := range tetraSides[k] {
				if j != usual[c] {
					side[c], sideAt[c] = p.pickVec(here, v[j], side[c]), p.pick(here, number(j), sideAt[c])
				}
			}
		}
		return side, sideAt
	}
	sideA, atA := decode(f.a, 0, func(k int) vec3 { return f.n[k] })
	sideB, atB := decode(f.b, 4, func(k int) vec3 { return p.neg3(f.m[k]) })
	t.edges, t.ofB = p.compare(uint8(greater), at, p.constant(7.5)), p.compare(uint8(greater), at, p.constant(3.5))
	for c := range sideA {
		t.side[c], t.sideAt[c] = p.pickVec(t.ofB, sideB[c], sideA[c]), p.pick(t.ofB, atB[c], atA[c])
	}
	t.normal = p.pickVec(t.edges, p.cross(p.sub3(t.to, t.from), p.sub3(t.toB, t.fromB)), t.normal)
	return t
}

// standing counts corners near the features. Each corner of A that is at most drop below the
// highest corner of A counts 10. Each corner of B that is at most drop above the lowest corner of B
// counts 1.
func (t *tetraBest) standing(overA, overB [4]num, top, low, drop num) num {
	p, count := t.program, t.zero
	for k := range overA {
		count = p.add(count, p.pick(p.compare(uint8(lessOrEqual), p.sub(top, overA[k]), drop), p.constant(10), t.zero))
		count = p.add(count, p.pick(p.compare(uint8(lessOrEqual), p.sub(overB[k], low), drop), t.one, t.zero))
	}
	return count
}

// proven returns the code of the facet, or 0 if it is not proven.
func (t *tetraBest) proven() num {
	p := t.program
	top, low, tip, foot := t.zero, t.zero, t.a[0], t.b[0]
	t.topAt, t.lowAt = t.zero, t.zero
	for k := range t.a {
		t.overA[k], t.overB[k] = p.dot(t.normal, t.a[k]), p.dot(t.normal, t.b[k])
		if k == 0 {
			top, low = t.overA[0], t.overB[0]
			continue
		}
		index := p.constant(float64(k))
		higher := p.compare(uint8(greater), t.overA[k], top)
		top, t.topAt, tip = p.pick(higher, t.overA[k], top), p.pick(higher, index, t.topAt), p.pickVec(higher, t.a[k], tip)
		lower := p.compare(uint8(less), t.overB[k], low)
		low, t.lowAt, foot = p.pick(lower, t.overB[k], low), p.pick(lower, index, t.lowAt), p.pickVec(lower, t.b[k], foot)
	}
	t.point, t.pointAt = p.pickVec(t.ofB, tip, foot), p.pick(t.ofB, t.topAt, t.lowAt)
	t.height = p.sub(top, low)
	nn := p.dot(t.normal, t.normal)
	length := p.sqrt(nn)
	t.depth = p.div(t.height, length)
	gap := p.neg(t.depth)
	t.apart = p.compare(uint8(less), t.height, t.zero)
	margin := p.mul(t.places.lengthScale, p.constant(coldMargin))
	drop := p.greater(p.pick(t.apart, p.coldRoom(t.places, gap, length, nn), t.zero), p.mul(margin, length))
	count := t.standing(t.overA, t.overB, top, low, drop)
	wanted := p.pick(t.edges, p.constant(22), p.pick(t.ofB, p.constant(13), p.constant(31)))

	// If the bodies are apart, the projection must lie inside of the facet.
	inset := p.mul(p.coldInset(t.places, gap), nn)
	beyond := func(in, square num) num { return p.sub(p.mul(in, p.abs(in)), p.mul(inset, square)) }
	e, f, w := p.sub3(t.to, t.from), p.sub3(t.toB, t.fromB), p.sub3(t.fromB, t.from)
	inA, inB := p.dot(p.cross(w, f), t.normal), p.dot(p.cross(w, e), t.normal)
	crossed := p.lesser(beyond(p.lesser(inA, p.sub(nn, inA)), p.dot(f, f)), beyond(p.lesser(inB, p.sub(nn, inB)), p.dot(e, e)))
	out, within := p.pickVec(t.ofB, p.neg3(t.normal), t.normal), t.zero
	for k := range t.side {
		u := p.sub3(t.side[(k+1)%3], t.side[k])
		in := beyond(p.dot(p.cross(out, u), p.sub3(t.point, t.side[k])), p.dot(u, u))
		if k == 0 {
			within = in
			continue
		}
		within = p.lesser(in, within)
	}
	within = p.pick(t.edges, crossed, within)

	// If they overlap, no other facet may be as shallow.
	limit := p.add(p.add(t.depth, margin), p.div(p.add(t.doubt, t.doubt), length))
	proof := t.proof(t.apart, within, limit)
	far := p.mul(t.places.lengthScale, p.pick(t.apart, p.constant(coldApart), p.constant(coldClose)))
	known := p.and(p.compare(uint8(greater), proof, t.zero), p.compare(uint8(equal), count, wanted))
	known = p.and(known, p.compare(uint8(greater), p.abs(t.depth), far))
	wide := p.pick(t.edges, p.coldWide(p.dot(e, e), p.dot(f, f)), p.constant(-1))
	known = p.and(known, p.compare(uint8(greater), nn, wide))
	k := p.pick(t.edges, t.k, t.pointAt)
	code := p.add(p.add(p.mul(t.at, p.constant(16)), p.mul(k, p.constant(4))), p.add(t.l, t.one))
	return p.pick(known, code, t.zero)
}

// nearest returns the code facet if that is not 0. Else, for bodies that are apart, it finds the
// nearest corner or edges on the rim of the facet. It returns their code, or 0 if they are not
// certain.
func (t *tetraBest) nearest(facet num) num {
	p := t.program
	zero, one := t.zero, t.one
	var r vec3
	var rr, along, uu, own, at, at0, at1 num
	ofA := p.pick(t.ofB, one, zero)
	for c := range 4 {
		j := c % 3
		q, q0, q1, own1 := t.from, t.fromB, t.toB, one
		i, i0, i1 := t.fromAt, t.k, t.l
		switch c {
		case 1:
			q, i = t.to, t.toAt
		case 2, 3:
			q, q0, q1, own1 = t.fromB, t.from, t.to, zero
			i, i0, i1 = t.k, t.fromAt, t.toAt
			if c == 3 {
				q, i = t.toB, t.l
			}
		}
		q = p.pickVec(t.edges, q, t.point)
		q0, q1 = p.pickVec(t.edges, q0, t.side[j]), p.pickVec(t.edges, q1, t.side[(j+1)%3])
		i, own1 = p.pick(t.edges, i, t.pointAt), p.pick(t.edges, own1, ofA)
		i0, i1 = p.pick(t.edges, i0, t.sideAt[j]), p.pick(t.edges, i1, t.sideAt[(j+1)%3])
		u, v := p.sub3(q1, q0), p.sub3(q, q0)
		square := p.dot(u, u)
		at2 := p.lesser(p.greater(p.div(p.dot(v, u), square), zero), one)
		way := p.addScaled(v, p.neg(at2), u)
		ways := p.dot(way, way)
		if c == 0 {
			r, rr, along, uu, own, at, at0, at1 = way, ways, at2, square, own1, i, i0, i1
			continue
		}
		nearer := p.compare(uint8(less), ways, rr)
		r, rr = p.pickVec(nearer, way, r), p.pick(nearer, ways, rr)
		along, uu, own = p.pick(nearer, at2, along), p.pick(nearer, square, uu), p.pick(nearer, own1, own)
		at, at0, at1 = p.pick(nearer, i, at), p.pick(nearer, i0, at0), p.pick(nearer, i1, at1)
	}
	isOwn := p.compare(uint8(greater), own, p.constant(0.5))
	r = p.pickVec(isOwn, p.neg3(r), r)
	var overA, overB [4]num
	for k := range overA {
		overA[k], overB[k] = p.dot(r, t.a[k]), p.dot(r, t.b[k])
	}
	top, low := overA[0], overB[0]
	for k := 1; k < 4; k++ {
		top, low = p.greater(overA[k], top), p.lesser(overB[k], low)
	}
	gap := p.sqrt(rr)
	slack := p.mul(p.mul(t.places.lengthScale, p.constant(coldMargin)), gap)
	count := t.standing(overA, overB, top, low, p.greater(p.coldRoom(t.places, gap, gap, rr), slack))
	inner := p.and(p.compare(uint8(greater), along, zero), p.compare(uint8(less), along, one))
	wanted := p.pick(inner, p.pick(isOwn, p.constant(12), p.constant(21)), p.constant(11))
	in := p.lesser(along, p.sub(one, along))
	foot := p.sub(p.mul(p.mul(in, in), uu), p.coldInset(t.places, gap))
	known := p.and(p.compare(uint8(greater), p.pick(inner, foot, one), zero), p.compare(uint8(equal), count, wanted))
	known = p.and(known, p.compare(uint8(greaterOrEqual), p.sub(low, top), p.sub(rr, slack)))
	known = p.and(known, p.compare(uint8(greater), gap, p.mul(t.places.lengthScale, p.constant(coldApart))))
	known = p.and(known, t.apart)
	first := p.pick(p.compare(uint8(greaterOrEqual), along, one), at1, at0)
	second := p.pick(p.compare(uint8(lessOrEqual), along, zero), at0, at1)
	five := p.constant(5) // a code has the number of a corner twice: 1 + 4
	point, edge := p.mul(at, five), p.add(first, p.mul(second, p.constant(4)))
	sixteen := p.constant(16)
	code := p.pick(isOwn, p.add(point, p.mul(edge, sixteen)), p.add(edge, p.mul(point, sixteen)))
	code = p.pick(known, p.add(code, p.constant(tetraCorners)), zero)
	return p.pick(p.compare(uint8(greater), facet, zero), facet, code)
}
