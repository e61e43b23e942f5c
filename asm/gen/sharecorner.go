package main

// shareCorners computes the overlap of a corner of up to so many edges with a face.
// asm.ShareCorners4 has the formulas.
func shareCorners(name string, edges, window int) *program {
	p := newSharing(name, window)
	p.alone = true
	v := p.indices(0, 1, ofShares.lastColumn("Corners"))[0]
	sides := p.indices(1, 4, ofShares.lastColumn("Rims"))
	c := cornerOnFace{
		posV: p.pos[0], at: p.at[0], posG: p.pos[1], on: p.at[1],
		tip: p.gather3(sharesOf("Corners"), v), face: p.load3(shareNumber("ShareFace")), offset: p.load(shareNumber("ShareFace") + 3),
		cot: p.load(shareNumber("ShareFace") + 4), deepest: p.load(shareNumber("ShareFace") + 5), clear: p.load(shareNumber("ShareClear")),
	}
	for k, side := range sides {
		c.in[k], c.inOffset[k] = p.gather3(sharesOf("Rims"), side), p.gather(sharesOf("Rims")+3, side)
	}
	for k := range edges {
		c.edges = append(c.edges, p.gather3(sharesOf("Corners")+column(3+3*k), v))
	}
	o, known := p.shareCorner(&c)
	o.seen = &seenFrom{p.load(shareNumber("ShareSign")), p.sub3(c.posV, c.posG)}
	p.shared(sharesOf("Answers"), o, known)
	return p.program
}

// cornerOnFace is a corner of V on a face of G: the poses of both, and the features and numbers
// that asm.ShareCorners4 reads.
type cornerOnFace struct {
	posV, posG          vec3
	at, on              mat3
	tip, face           vec3
	offset              num
	in                  [4]vec3
	inOffset            [4]num
	cot, deepest, clear num
	edges               []vec3
}

// shareCorner computes the overlap in a frame of its own. The origin is the corner's tip, the third
// axis is the normal of the face, and the unit of length is the tip's depth.
func (p *program) shareCorner(c *cornerOnFace) (o *overlapOf, known mask) {
	zero, one := p.constant(0), p.constant(1)

	at, on := c.at, c.on
	n := p.mulVec(on, c.face)
	u, w := p.axes(n)
	ofTip := p.mulVec(at, c.tip)
	tip := p.add3(p.sub3(c.posV, c.posG), ofTip)
	depth := p.sub(c.offset, p.dot(n, tip))
	known = p.and(p.compare(uint8(greater), depth, c.clear), p.compare(uint8(lessOrEqual), depth, c.deepest))

	// The points at which the edges pierce the face.
	nV, uV, wV := p.mulVecT(at, n), p.mulVecT(at, u), p.mulVecT(at, w)
	least := p.add(depth, c.clear)
	q := make([]vec2, len(c.edges))
	reach2 := zero
	for k, e := range c.edges {
		rise := p.dot(nV, e)
		known = p.and(known, p.compare(uint8(greater), rise, least))
		s := p.div(one, rise)
		q[k] = vec2{p.mul(p.dot(uV, e), s), p.mul(p.dot(wV, e), s)}
		reach2 = p.greater(p.add(p.mul(q[k][0], q[k][0]), p.mul(q[k][1], q[k][1])), reach2)
	}
	reach := p.sqrt(reach2)
	room := p.add(p.mul(depth, p.add(reach, c.cot)), p.mul(c.clear, p.add(one, reach)))
	foot := p.mulVecT(on, tip)
	for k := range c.in {
		known = p.and(known, p.compare(uint8(greaterOrEqual), p.sub(p.dot(c.in[k], foot), c.inOffset[k]), room))
	}

	// The base: its area, and its moments about its centroid, up to the third, over the area.
	b := p.base(q)
	size := p.add(p.add(p.add(b.xx, b.yy), p.mul(b.x, b.x)), p.mul(b.y, b.y))
	known = p.and(known, p.compare(uint8(greater), b.twice, p.mul(p.constant(asmNumber("ShareSlender")), size)))
	gx, gy := p.add(q[0][0], b.x), p.add(q[0][1], b.y)

	// The inverse of C = [0.6·B + κ·ggᵀ, κg; κgᵀ, κ] is [P, -Pg; -gᵀP, 1/κ + gᵀPg], with P =
	// (0.6·B)⁻¹.
	scale := p.div(one, p.mul(p.constant(0.6), p.sub(p.mul(b.xx, b.yy), p.mul(b.xy, b.xy))))
	pxx, pyy, pxy := p.mul(b.yy, scale), p.mul(b.xx, scale), p.neg(p.mul(b.xy, scale))
	pgx, pgy := p.add(p.mul(pxx, gx), p.mul(pxy, gy)), p.add(p.mul(pxy, gx), p.mul(pyy, gy))
	variance, j := p.slopeOf(sym3{
		xx: pxx, yy: pyy, zz: p.add(p.constant(80.0/3), p.add(p.mul(gx, pgx), p.mul(gy, pgy))),
		xy: pxy, xz: p.neg(pgx), yz: p.neg(pgy),
	})

	// ∂λ/∂C is J³. Relative to the centroid of the overlap, the base's centroid is y = (g, 1)/4.
	// C⁻¹(g, 1) = (0, 0, 1/κ).
	j2 := p.times(j, j)
	rows, of := j2.rows(), j.rows()
	axx, axy, ayy := p.dot(rows[0], of[0]), p.dot(rows[0], of[1]), p.dot(rows[1], of[1])
	k := p.mul(variance, p.constant(20.0/3))
	jx, jy, jz := p.mul(k, j2.xz), p.mul(k, j2.yz), p.mul(k, j2.zz) // J³y
	quarter, two, three := p.constant(0.25), p.constant(2), p.constant(3)
	yjy := p.mul(quarter, p.add(p.add(p.mul(gx, jx), p.mul(gy, jy)), jz))
	ab := p.add(p.add(p.mul(axx, b.xx), p.mul(ayy, b.yy)), p.mul(two, p.mul(axy, b.xy)))
	mean := p.sub(p.add(yjy, ab), variance)
	axy2 := p.mul(two, axy)
	third := func(xx, xy, yy num) num { return p.add(p.add(p.mul(axx, xx), p.mul(axy2, xy)), p.mul(ayy, yy)) }
	mx := p.add(p.add(p.mul(p.mul(quarter, gx), mean), p.mul(two, p.add(p.mul(b.xx, jx), p.mul(b.xy, jy)))), third(b.xxx, b.xxy, b.xyy))
	my := p.add(p.add(p.mul(p.mul(quarter, gy), mean), p.mul(two, p.add(p.mul(b.xy, jx), p.mul(b.yy, jy)))), third(b.xxy, b.xyy, b.yyy))

	kappa := p.constant(3.0 / 80)
	area := p.mul(p.constant(0.5), b.twice)
	centroid := vec3{p.mul(p.constant(0.75), gx), p.mul(p.constant(0.75), gy), p.constant(0.75)}
	o = &overlapOf{unit: depth, to: mat3{u, w, n}, variance: variance, volume: p.mul(area, p.constant(1.0/3))}
	o.centroid = p.add3(ofTip, p.scale(p.combined(o.to, centroid), depth))
	wide := p.constant(0.6)
	o.spread = sym3{
		xx: p.add(p.mul(wide, b.xx), p.mul(kappa, p.mul(gx, gx))), yy: p.add(p.mul(wide, b.yy), p.mul(kappa, p.mul(gy, gy))), zz: kappa,
		xy: p.add(p.mul(wide, b.xy), p.mul(kappa, p.mul(gx, gy))), xz: p.mul(kappa, gx), yz: p.mul(kappa, gy),
	}
	// The base moves out along n with the body of the face. The results are derivatives by the
	// corner's motion, which has the opposite sign.
	o.gradient = vec3{zero, zero, p.neg(p.mul(three, mean))}
	o.turn = vec3{p.neg(p.mul(three, my)), p.mul(three, mx), zero}
	o.volumeGradient = vec3{zero, zero, p.neg(area)}
	lever := p.mul(quarter, area)
	o.volumeTurn = vec3{p.neg(p.mul(lever, gy)), p.mul(lever, gx), zero}
	return o, known
}

// polygonBase is twice the area of a polygon, its centroid relative to its first corner, and its
// moments about the centroid over the area.
type polygonBase struct{ twice, x, y, xx, xy, yy, xxx, xxy, xyy, yyy num }

// base sums the triangles that fan out from the first corner. For a triangle with corners 0, a and
// b, twice its area t, and s = a + b,
//
//	∫x = t/6 sx,  ∫xy = t/24 (sx·sy + ax·ay + bx·by),  ∫xxy = t/60 (sx²·sy + 2(ax²·ay + bx²·by))
func (p *program) base(q []vec2) polygonBase {
	two := p.constant(2)
	sums := make([]num, 10)
	for k := range sums {
		sums[k] = p.constant(0)
	}
	a := vec2{p.sub(q[1][0], q[0][0]), p.sub(q[1][1], q[0][1])}
	for _, corner := range q[2:] {
		b := vec2{p.sub(corner[0], q[0][0]), p.sub(corner[1], q[0][1])}
		t := p.sub(p.mul(a[0], b[1]), p.mul(a[1], b[0]))
		sx, sy := p.add(a[0], b[0]), p.add(a[1], b[1])
		axx, axy, ayy := p.mul(a[0], a[0]), p.mul(a[0], a[1]), p.mul(a[1], a[1])
		bxx, bxy, byy := p.mul(b[0], b[0]), p.mul(b[0], b[1]), p.mul(b[1], b[1])
		sxx, sxy, syy := p.mul(sx, sx), p.mul(sx, sy), p.mul(sy, sy)
		third := func(s, sz, a, az, b, bz num) num {
			return p.add(p.mul(s, sz), p.mul(two, p.add(p.mul(a, az), p.mul(b, bz))))
		}
		for k, term := range []num{
			sx, sy,
			p.add(sxx, p.add(axx, bxx)), p.add(sxy, p.add(axy, bxy)), p.add(syy, p.add(ayy, byy)),
			third(sxx, sx, axx, a[0], bxx, b[0]), third(sxx, sy, axx, a[1], bxx, b[1]),
			third(syy, sx, ayy, a[0], byy, b[0]), third(syy, sy, ayy, a[1], byy, b[1]),
		} {
			sums[1+k] = p.add(sums[1+k], p.mul(t, term))
		}
		sums[0] = p.add(sums[0], t)
		a = b
	}
	per := p.div(p.constant(1), sums[0])
	per3, per12, per30 := p.mul(per, p.constant(1.0/3)), p.mul(per, p.constant(1.0/12)), p.mul(per, p.constant(1.0/30))
	x, y := p.mul(sums[1], per3), p.mul(sums[2], per3)
	xx, xy, yy := p.mul(sums[3], per12), p.mul(sums[4], per12), p.mul(sums[5], per12)
	three := p.constant(3)
	x2, y2 := p.mul(x, x), p.mul(y, y)
	// Moments about the centroid, from moments about the first corner.
	cube := func(raw, x, xx, x2 num) num {
		return p.add(p.sub(raw, p.mul(three, p.mul(x, xx))), p.mul(two, p.mul(x2, x)))
	}
	mixed := func(raw, x, y, xx, xy, x2 num) num {
		return p.add(p.sub(p.sub(raw, p.mul(two, p.mul(x, xy))), p.mul(y, xx)), p.mul(two, p.mul(x2, y)))
	}
	return polygonBase{
		twice: p.abs(sums[0]), x: x, y: y,
		xx: p.sub(xx, x2), xy: p.sub(xy, p.mul(x, y)), yy: p.sub(yy, y2),
		xxx: cube(p.mul(sums[6], per30), x, xx, x2), xxy: mixed(p.mul(sums[7], per30), x, y, xx, xy, x2),
		xyy: mixed(p.mul(sums[8], per30), y, x, yy, xy, y2), yyy: cube(p.mul(sums[9], per30), y, yy, y2),
	}
}
