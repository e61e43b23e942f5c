package main

import (
	"math"
)

// posedPlane is n·x = d in world axes, relative to A's position; ofA is 1 where it is one of A's
// faces, and else 0.
type posedPlane struct {
	n      vec3
	d, ofA num
}

// prism is an overlap between two planes and up to len(side) others. Corner i of its base lies on
// sides i and i+1, and an edge leads from there to top i. Where there are fewer sides the last
// corner is repeated.
type prism struct {
	base, top posedPlane
	side      []posedPlane
	spare     []num // by side: 0, or where there is none so large a height that nothing is outside; the first three are there
	low, high []vec3
}

// sharePrisms is the overlap of two faces, or of an edge and a face; asm.SharePrisms4 has the
// formulas.
func sharePrisms(name string, sides int) *program {
	p := newSharing(name)
	clear := p.load(shareClearOf)
	apart := p.sub3(p.pos[1], p.pos[0])
	zero, one := p.constant(0), p.constant(1)
	var planes []posedPlane
	for k, at := range p.indices(0, bricksFaces+1, shareBodiesOf-1) {
		flag := p.load(shareOfGOf + column(k))
		ofG := p.compare(uint8(greater), flag, zero)
		var turn mat3
		for i := range turn {
			turn[i] = p.pickVec(ofG, p.at[1][i], p.at[0][i])
		}
		n, d := p.mulVec(turn, p.gather3(sharePlanesOf, at)), p.gather(sharePlanesOf+3, at)
		planes = append(planes, posedPlane{n, p.pick(ofG, p.add(d, p.dot(n, apart)), d), p.sub(one, flag)})
	}
	s := &prism{base: planes[0], top: planes[1], side: planes[2 : 2+sides], spare: make([]num, sides)}
	for k := 3; k < sides; k++ {
		s.spare[k] = p.load(shareOfGOf + column(bricksFaces+1+k-3))
	}
	known := p.corners(s, planes[2+sides:], clear)

	// From here on relative to the base's first corner.
	origin := s.low[0]
	for k := range s.low {
		s.low[k], s.high[k] = p.sub3(s.low[k], origin), p.sub3(s.high[k], origin)
	}
	to, level := p.frameOf(s)
	known = p.and(known, level)
	for k := range s.low {
		s.low[k], s.high[k] = p.mulVec(to, s.low[k]), p.mulVec(to, s.high[k])
	}
	p.prismMoments(s, to, origin, known)
	return p.program
}

// corners solves the corners, and proves that each lies inside all planes but its three: then they
// are corners of the overlap, and as every edge of the prism leads from one to another, there are
// no more. A plane of G that is that of one of V's faces but for rounding may pass through the
// face's corners; see asm.SharePrisms4.
func (p *program) corners(s *prism, others []posedPlane, clear num) (known mask) {
	known = p.compare(uint8(greater), clear, p.constant(0))
	one, sides := p.constant(1), len(s.side)
	inside := func(f posedPlane, x vec3, margin num, spare ...num) {
		height := p.sub(f.d, p.dot(f.n, x))
		for _, s := range spare {
			height = p.add(height, s)
		}
		known = p.and(known, p.compare(uint8(greater), height, margin))
	}
	level, none := p.mul(clear, p.constant(shareFlush)), p.constant(-1)
	flush := make([][]num, len(others)) // by other plane and face: how far from it the face's corners may be
	for o, f := range others {
		for k := range sides + 2 {
			face := s.face(k)
			turn := p.sub3(f.n, face.n)
			same := p.compare(uint8(lessOrEqual), p.dot(turn, turn), p.constant(shareTurn2))
			same = p.and(same, p.compare(uint8(greater), face.ofA, f.ofA))
			flush[o] = append(flush[o], p.pick(same, level, none))
		}
	}
	for i := range s.side {
		from, to := s.side[i], s.side[(i+1)%sides]
		edge := p.cross(from.n, to.n)
		low, perLow := p.corner(s.base, from, to, edge, nil)
		high, perHigh := p.corner(s.top, from, to, edge, &low)
		margin := p.mul(clear, p.add(p.add(one, p.abs(perLow)), p.abs(perHigh)))
		if i >= 3 {
			there := p.compare(uint8(less), s.spare[i], one)
			low, high = p.choose3(there, low, s.low[i-1]), p.choose3(there, high, s.high[i-1])
			margin = p.pick(there, margin, p.constant(-math.MaxFloat64))
		}
		s.low, s.high = append(s.low, low), append(s.high, high)
		inside(s.top, low, margin)
		inside(s.base, high, margin)
		for _, x := range []vec3{low, high} {
			for k, f := range s.side {
				switch {
				case k == i || k == (i+1)%sides:
				case k == 0 && i >= 2: // which follows the last of fewer sides
					inside(f, x, margin, s.spare[i+1])
				case k >= 3:
					inside(f, x, margin, s.spare[k])
				default:
					inside(f, x, margin)
				}
			}
		}
		for o, f := range others {
			may := p.greater(flush[o][2+i], flush[o][2+(i+1)%sides])
			for end, x := range []vec3{low, high} {
				height := p.sub(f.d, p.dot(f.n, x))
				under := p.compare(uint8(greater), height, margin)
				along := p.compare(uint8(lessOrEqual), p.abs(height), p.greater(may, flush[o][end]))
				known = p.and(known, p.or(under, along))
			}
		}
	}
	return known
}

// corner returns where an edge between two sides meets an end of the prism, and one over the
// product of the three normals. start is a point of the edge, if one is known.
//
// The direction of the edge between sides that are nearly parallel has lost digits, and so has any
// point that is solved from it. What the planes miss of that point is small, and takes the loss
// across them away.
func (p *program) corner(end, from, to posedPlane, edge vec3, start *vec3) (x vec3, per num) {
	ofFrom, ofTo := p.cross(to.n, end.n), p.cross(end.n, from.n)
	per = p.div(p.constant(1), p.dot(end.n, edge))
	meet := func(end, from, to num) vec3 {
		x := p.addScaled(p.addScaled(p.scale(edge, end), from, ofFrom), to, ofTo)
		return p.scale(x, per)
	}
	missed := func(f posedPlane) num { return p.sub(f.d, p.dot(f.n, x)) }
	if start != nil {
		x = *start
		x = p.addScaled(x, p.mul(missed(end), per), edge)
	} else {
		x = meet(end.d, from.d, to.d)
	}
	return p.add3(x, meet(missed(end), missed(from), missed(to))), per
}

// face is one of base, top and sides.
func (s *prism) face(k int) posedPlane {
	switch k {
	case 0:
		return s.base
	case 1:
		return s.top
	}
	return s.side[k-2]
}

// faces calls do for the triangles of the surface, outward ones, in the order base, top, sides.
func (s *prism) faces(do func(face int, x [3]vec3)) {
	m := len(s.side)
	for k := 2; k < m; k++ {
		do(0, [3]vec3{s.low[0], s.low[k-1], s.low[k]})
		do(1, [3]vec3{s.high[0], s.high[k], s.high[k-1]})
	}
	for k := range s.side {
		j := (k + m - 1) % m
		do(2+k, [3]vec3{s.low[k], s.low[j], s.high[j]})
		do(2+k, [3]vec3{s.low[k], s.high[j], s.high[k]})
	}
}

// frameOf returns the rows of a frame in which thin overlaps keep their digits: z along the area
// of A's part of the surface, x along the way to the corner furthest across. It fails where A's
// part closes in on itself.
func (p *program) frameOf(s *prism) (to mat3, level mask) {
	zero := p.constant(0)
	area, all := vec3{zero, zero, zero}, zero
	m := len(s.side)
	add := func(face int, diagonal, other vec3) {
		n := p.cross(diagonal, other)
		area = p.addScaled(area, s.face(face).ofA, n)
		all = p.add(all, p.mul(s.face(face).ofA, p.dot(n, n)))
	}
	for k := 2; k < m; k++ {
		add(0, p.sub3(s.low[k-1], s.low[0]), p.sub3(s.low[k], s.low[0]))
		add(1, p.sub3(s.high[k], s.high[0]), p.sub3(s.high[k-1], s.high[0]))
	}
	for k := range s.side {
		j := (k + m - 1) % m
		add(2+k, p.sub3(s.high[j], s.low[k]), p.sub3(s.high[k], s.low[j]))
	}
	length2 := p.dot(area, area)
	level = p.compare(uint8(greater), length2, p.mul(p.constant(shareLevel), all))
	z := p.scale(area, p.div(p.constant(1), p.sqrt(length2)))
	x, most := vec3{zero, zero, zero}, zero
	for _, v := range append(append([]vec3{}, s.low[1:]...), s.high...) {
		v = p.addScaled(v, p.neg(p.dot(v, z)), z)
		d := p.dot(v, v)
		further := p.compare(uint8(greater), d, most)
		x, most = p.choose3(further, v, x), p.pick(further, d, most)
	}
	x = p.scale(x, p.div(p.constant(1), p.sqrt(most)))
	return mat3{x, p.cross(z, x), z}, level
}

// prismMoments writes a row. The formulas are those of solid in engine/overlap.
func (p *program) prismMoments(s *prism, to mat3, origin vec3, known mask) {
	zero, one := p.constant(0), p.constant(1)
	six, first := zero, vec3{zero, zero, zero}
	second := sym3{zero, zero, zero, zero, zero, zero}
	s.faces(func(face int, x [3]vec3) {
		if face == 0 || face == 2 || face == 3 {
			return // through the origin
		}
		d := p.dot(x[0], p.cross(x[1], x[2]))
		sum := p.add3(p.add3(x[0], x[1]), x[2])
		six = p.add(six, d)
		first = p.addScaled(first, d, sum)
		dyads := p.addSym(p.addSym(p.dyad(x[0], one), p.dyad(x[1], one)), p.addSym(p.dyad(x[2], one), p.dyad(sum, one)))
		second = p.addSym(second, p.scaleSym(dyads, d))
	})
	known = p.and(known, p.compare(uint8(greater), six, zero))
	per := p.div(one, six)
	c := p.scale(first, p.mul(p.constant(0.25), per))
	spread := p.addSym(p.scaleSym(second, p.mul(p.constant(0.05), per)), p.dyad(c, p.constant(-1)))

	// The inverse by the correlations, which are of order one.
	sx, sy, sz := p.div(one, p.sqrt(spread.xx)), p.div(one, p.sqrt(spread.yy)), p.div(one, p.sqrt(spread.zz))
	xy, xz, yz := p.mul(p.mul(spread.xy, sx), sy), p.mul(p.mul(spread.xz, sx), sz), p.mul(p.mul(spread.yz, sy), sz)
	less1 := func(v num) num { return p.sub(one, p.mul(v, v)) }
	cx, cxy, cxz := less1(yz), p.sub(p.mul(xz, yz), xy), p.sub(p.mul(xy, yz), xz)
	det := p.add(p.add(cx, p.mul(xy, cxy)), p.mul(xz, cxz))
	known = p.and(known, p.compare(uint8(greater), det, p.constant(shareFlat)))
	perDet := p.div(one, det)
	ix, iy, iz := p.mul(sx, perDet), p.mul(sy, perDet), p.mul(sz, perDet)
	variance, j := p.slopeOf(sym3{
		xx: p.mul(p.mul(cx, ix), sx), yy: p.mul(p.mul(less1(xz), iy), sy), zz: p.mul(p.mul(less1(xy), iz), sz),
		xy: p.mul(p.mul(cxy, ix), sy), xz: p.mul(p.mul(cxz, ix), sz), yz: p.mul(p.mul(p.sub(p.mul(xy, xz), yz), iy), sz),
	})
	g := p.times(p.times(j, j), j)

	o := &overlapOf{unit: one, to: to, variance: variance, spread: spread, volume: p.mul(six, p.constant(1.0/6))}
	o.centroid = p.add3(origin, p.mulVecT(to, c))
	none := vec3{zero, zero, zero}
	o.push, o.turn, o.volumePush, o.volumeTurn = none, none, none, none
	for k := range s.low {
		s.low[k], s.high[k] = p.sub3(s.low[k], c), p.sub3(s.high[k], c)
	}
	// Over a triangle of corners x the mean of p is (Q + E)/6 - λ, with Q the sum of q = xᵀGx over the
	// corners and E that of e = xᵀGy over the pairs, and that of p·x is Σ x·((Q + E + 2q + e + e')/30 - λ/3).
	s.faces(func(face int, x [3]vec3) {
		normal := p.scale(p.cross(p.sub3(x[1], x[0]), p.sub3(x[2], x[0])), p.mul(p.constant(0.5), s.face(face).ofA))
		var q, e [3]num // e is of the two others
		for k := range q {
			q[k] = p.product(g, x[k], x[k])
			e[k] = p.product(g, x[(k+1)%3], x[(k+2)%3])
		}
		whole := p.add(p.add(p.add(q[0], q[1]), q[2]), p.add(p.add(e[0], e[1]), e[2]))
		mean := p.sub(p.mul(p.constant(1.0/6), whole), variance)
		moment := none
		for k := range q {
			inner := p.add(p.add(q[k], q[k]), p.add(e[(k+1)%3], e[(k+2)%3]))
			weight := p.sub(p.mul(p.constant(1.0/30), p.add(whole, inner)), p.mul(p.constant(1.0/3), variance))
			moment = p.addScaled(moment, weight, x[k])
		}
		third := p.scale(p.add3(p.add3(x[0], x[1]), x[2]), p.constant(1.0/3))
		o.push = p.addScaled(o.push, mean, normal)
		o.turn = p.add3(o.turn, p.cross(moment, normal))
		o.volumePush = p.add3(o.volumePush, normal)
		o.volumeTurn = p.add3(o.volumeTurn, p.cross(third, normal))
	})
	perVolume := p.mul(p.constant(6), per)
	o.push, o.turn = p.scale(o.push, perVolume), p.scale(o.turn, perVolume)
	p.shared(shareAnswersOf, o, known)
}

// product is xᵀGy, the same value for y and x.
func (p *program) product(g sym3, x, y vec3) num {
	if y[0] < x[0] {
		x, y = y, x
	}
	return p.dot(x, p.mulSym(g, y))
}
