package main

import (
	"math"
)

// posedPlane is a plane n·x = d in world axes, relative to A's position. ofA is 1 if it is a plane
// of a face of A, else 0. In the programs of overlaps, A is V of asm.TypedOverlaps, and B is G.
type posedPlane struct {
	n      vec3
	d, ofA num
}

// prism is an overlap between two planes, base and top, and at most len(side) other planes. Corner
// i of the base lies on sides i and i+1, and an edge leads from there to corner i of the top. If
// there are fewer sides, the last corner is repeated.
type prism struct {
	base, top posedPlane
	side      []posedPlane
	spare     []num // by side: 0, or if there is no such side a number so large that nothing is outside; the first three sides exist
	low, high []vec3
}

// sharePrisms computes the overlap of two faces, or of an edge and a face. asm.SharePrisms4 has the
// formulas.
func sharePrisms(name string, sides int) *program {
	p := newSharing(name, 0) // No other order: spilled values would cost what it gains.
	clear := p.load(shareNumber("ShareClear"))
	planes := p.posedPlanes(int(asmWhole("SharePlanes")))
	s := p.prismOf(planes[:2+sides])
	proof := &prismProof{clear: clear, radius: p.load(shareNumber("ShareRadius")), others: planes[2+sides:]}
	p.corners(s, proof)
	p.store(sharesOf("Budget"), proof.budget)
	p.store(sharesOf("Coplanars"), p.coplanars(proof))
	p.prismAnswers(s, proof.known)
	return p.program
}

// sharePrismsHeld does the same as sharePrisms for held prisms: it computes the same corners, and
// reads no other plane.
func sharePrismsHeld(name string, sides int) *program {
	p := newSharing(name, 16)
	s := p.prismOf(p.posedPlanes(2 + sides))
	p.corners(s, nil)
	p.prismAnswers(s)
	return p.program
}

// sharePrismsCoplanar does the same as sharePrismsHeld for prisms with some other planes that are
// coplanar with the prism's faces. For these planes it proves all that sharePrisms proves.
func sharePrismsCoplanar(name string, sides int) *program {
	p := newSharing(name, 16)
	planes := p.posedPlanes(2 + sides + int(asmWhole("ShareCoplanars")))
	s := p.prismOf(planes[:2+sides])
	proof := &prismProof{clear: p.load(shareNumber("ShareClear")), others: planes[2+sides:], again: true}
	p.corners(s, proof)
	p.prismAnswers(s, proof.known)
	return p.program
}

// posedPlanes looks up the first n planes of a row.
func (p *sharing) posedPlanes(n int) (planes []posedPlane) {
	apart := p.sub3(p.pos[1], p.pos[0])
	zero, one := p.constant(0), p.constant(1)
	for k, at := range p.indices(0, n, ofShares.lastColumn("Planes")) {
		flag := p.load(shareNumber("ShareOfG") + column(k))
		ofG := p.compare(uint8(greater), flag, zero)
		var turn mat3
		for i := range turn {
			turn[i] = p.pickVec(ofG, p.at[1][i], p.at[0][i])
		}
		n, d := p.mulVec(turn, p.gather3(sharesOf("Planes"), at)), p.gather(sharesOf("Planes")+3, at)
		planes = append(planes, posedPlane{n, p.pick(ofG, p.add(d, p.dot(n, apart)), d), p.sub(one, flag)})
	}
	return planes
}

// prismOf returns the prism of base, top and sides.
func (p *sharing) prismOf(planes []posedPlane) *prism {
	s := &prism{base: planes[0], top: planes[1], side: planes[2:]}
	s.spare = make([]num, len(s.side))
	for k := 3; k < len(s.side); k++ {
		s.spare[k] = p.load(shareNumber("ShareAbsent") + column(k-3))
	}
	return s
}

// prismAnswers stores a row, once the corners are known.
func (p *sharing) prismAnswers(s *prism, known ...mask) {
	// From here on, corners are relative to the last corner of the top. The top and two sides
	// contain it.
	origin := s.high[len(s.high)-1]
	for k := range s.low {
		s.low[k], s.high[k] = p.sub3(s.low[k], origin), p.sub3(s.high[k], origin)
	}
	patches := p.patches(s)
	to, level := p.frameOf(s, patches, known)
	p.prismMoments(s, patches, to, origin, level)
}

// prismProof is the state of the proof of a prism, and the motion that the proof allows.
type prismProof struct {
	clear    num
	radius   num // the smaller radius of both bodies
	others   []posedPlane
	again    bool    // the prism is held: prove only the other planes
	coplanar [][]num // by other plane and face: the largest distance of the face's corners from the plane
	level    num     // the largest of these distances
	lowest   []num   // by other plane: the least height of a corner under it
	known    mask
	budget   num
}

// corners computes the corners. With a proof it also proves that each corner lies inside of all
// planes but its own three. Then they are the corners of the overlap. There are no others, because
// each edge of the prism leads from one of them to another. If a plane of G is coplanar with one of
// V's faces, within rounding, it may contain the corners of that face: see asm.SharePrisms4.
func (p *program) corners(s *prism, proof *prismProof) {
	if proof != nil {
		p.beginProof(s, proof)
	}
	one, sides := p.constant(1), len(s.side)
	for i := range s.side {
		from, to := s.side[i], s.side[(i+1)%sides]
		edge := p.cross(from.n, to.n)
		low, perLow := p.corner(s.base, from, to, edge, nil)
		high, perHigh := p.corner(s.top, from, to, edge, &low)
		var there mask
		if i >= 3 {
			there = p.compare(uint8(less), s.spare[i], one)
			low, high = p.pickVec(there, low, s.low[i-1]), p.pickVec(there, high, s.high[i-1])
		}
		s.low, s.high = append(s.low, low), append(s.high, high)
		if proof != nil {
			p.proveCorners(s, proof, i, there, p.abs(perLow), p.abs(perHigh))
		}
	}
}

// beginProof finds those other planes of B that are coplanar with one of A's faces of the prism.
func (p *program) beginProof(s *prism, proof *prismProof) {
	proof.known = p.compare(uint8(greater), proof.clear, p.constant(0))
	proof.budget = p.constant(math.MaxFloat64)
	level, none := p.mul(proof.clear, p.constant(asmNumber("ShareCoplanar"))), p.constant(-1)
	proof.level = level
	for range proof.others {
		proof.lowest = append(proof.lowest, proof.budget)
	}
	proof.coplanar = make([][]num, len(proof.others))
	for o, f := range proof.others {
		for k := range len(s.side) + 2 {
			face := s.face(k)
			turn := p.sub3(f.n, face.n)
			same := p.compare(uint8(lessOrEqual), p.dot(turn, turn), p.constant(asmNumber("ShareTurn2")))
			same = p.and(same, p.compare(uint8(greater), face.ofA, f.ofA))
			proof.coplanar[o] = append(proof.coplanar[o], p.pick(same, level, none))
		}
	}
}

// proveCorners proves corner i of the base and of the top. It also computes how far the bodies may
// move before this proof expires: see asm.SharePrismsHeld4. there is false if the corner is a
// repetition.
func (p *program) proveCorners(s *prism, proof *prismProof, i int, there mask, perLow, perHigh num) {
	one, sides := p.constant(1), len(s.side)
	low, high := s.low[i], s.high[i]
	margin := p.mul(proof.clear, p.add(p.add(one, perLow), perHigh))
	if i >= 3 {
		margin = p.pick(there, margin, p.constant(-math.MaxFloat64))
	}
	least := p.constant(math.MaxFloat64)
	inside := func(f posedPlane, x vec3, spare ...num) (height num) {
		height = p.sub(f.d, p.dot(f.n, x))
		for _, s := range spare {
			height = p.add(height, s)
		}
		least = p.lesser(height, least)
		return height
	}
	under := func(height num) mask { return p.compare(uint8(greater), height, margin) }
	must := func(m mask) { proof.known = p.and(proof.known, m) }
	lowest := p.proveOthers(s, proof, i, under, must)
	if proof.again {
		return
	}
	for _, height := range lowest {
		least = p.lesser(height, least)
	}
	must(under(inside(s.top, low)))
	must(under(inside(s.base, high)))
	for _, x := range []vec3{low, high} {
		for k, f := range s.side {
			switch {
			case k == i || k == (i+1)%sides:
			case k == 0 && i >= 2: // Side 0 follows the last side if there are fewer.
				must(under(inside(f, x, s.spare[i+1])))
			case k >= 3:
				must(under(inside(f, x, s.spare[k])))
			default:
				must(under(inside(f, x)))
			}
		}
	}
	slack := p.lesser(p.sub(least, p.mul(p.constant(asmNumber("ShareHeldMargin")), margin)), p.mul(p.constant(asmNumber("ShareHeldTurn")), proof.radius))
	budget := p.div(slack, p.add(one, p.mul(p.constant(asmNumber("ShareHeldSlope")), p.greater(perLow, perHigh))))
	if i >= 3 {
		budget = p.pick(there, budget, p.constant(math.MaxFloat64))
	}
	proof.budget = p.lesser(budget, proof.budget)
}

// proveOthers proves that corner i of the base and of the top lies inside of the other planes. It
// returns, by plane, the least height of both corners under the plane, or a large number if a
// corner lies in the plane.
func (p *program) proveOthers(s *prism, proof *prismProof, i int, under func(num) mask, must func(mask)) (lowest []num) {
	for o, f := range proof.others {
		may := p.greater(proof.coplanar[o][2+i], proof.coplanar[o][2+(i+1)%len(s.side)])
		var height [2]num
		for end, x := range []vec3{s.low[i], s.high[i]} {
			h := p.sub(f.d, p.dot(f.n, x))
			along := p.compare(uint8(lessOrEqual), p.abs(h), p.greater(may, proof.coplanar[o][end]))
			must(p.or(under(h), along))
			height[end] = h
		}
		least := p.lesser(height[0], height[1])
		proof.lowest[o] = p.lesser(least, proof.lowest[o])
		lowest = append(lowest, p.pick(p.compare(uint8(greater), least, proof.level), least, p.constant(math.MaxFloat64)))
	}
	return lowest
}

// coplanars sums 2ᵒ of the other planes o in which a corner lies.
func (p *program) coplanars(proof *prismProof) num {
	sum := p.constant(0)
	for o, lowest := range proof.lowest {
		coplanar := p.compare(uint8(lessOrEqual), lowest, proof.level)
		sum = p.add(sum, p.pick(coplanar, p.constant(math.Ldexp(1, o)), p.constant(0)))
	}
	return sum
}

// corner returns the point at which an edge between two sides meets an end of the prism. per is one
// over the product of the three normals. start is a point of the edge, if one is known.
//
// If two sides are nearly parallel, the direction of their edge has lost digits, and so has every
// point that is computed from it. The distances of that point from the planes are small. A second
// step with these distances corrects the loss across the planes.
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

// face returns the base, the top or a side.
func (s *prism) face(k int) posedPlane {
	switch k {
	case 0:
		return s.base
	case 1:
		return s.top
	}
	return s.side[k-2]
}
