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
	p := newSharing(name, 0) // Spilled values would cost what the order gains.
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

// sharePrismsHeld is sharePrisms of prisms that are known to be what they are called: it solves
// the same corners, and looks at no other plane.
func sharePrismsHeld(name string, sides int) *program {
	p := newSharing(name, 16)
	s := p.prismOf(p.posedPlanes(2 + sides))
	p.corners(s, nil)
	p.prismAnswers(s)
	return p.program
}

// sharePrismsCoplanar is sharePrismsHeld of prisms beside which some planes are those of their faces: of
// these it proves all that sharePrisms does.
func sharePrismsCoplanar(name string, sides int) *program {
	p := newSharing(name, 16)
	planes := p.posedPlanes(2 + sides + int(asmWhole("ShareCoplanars")))
	s := p.prismOf(planes[:2+sides])
	proof := &prismProof{clear: p.load(shareNumber("ShareClear")), others: planes[2+sides:], again: true}
	p.corners(s, proof)
	p.prismAnswers(s, proof.known)
	return p.program
}

// posedPlanes looks up the first planes of a row.
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

// prismOf is the prism of base, top and sides.
func (p *sharing) prismOf(planes []posedPlane) *prism {
	s := &prism{base: planes[0], top: planes[1], side: planes[2:]}
	s.spare = make([]num, len(s.side))
	for k := 3; k < len(s.side); k++ {
		s.spare[k] = p.load(shareNumber("ShareSpare") + column(k-3))
	}
	return s
}

// prismAnswers writes a row of corners that are solved.
func (p *sharing) prismAnswers(s *prism, known ...mask) {
	// From here on relative to the last corner of the top. The top and two sides go through it.
	origin := s.high[len(s.high)-1]
	for k := range s.low {
		s.low[k], s.high[k] = p.sub3(s.low[k], origin), p.sub3(s.high[k], origin)
	}
	patches := p.patches(s)
	to, level := p.frameOf(s, patches, known)
	p.prismMoments(s, patches, to, origin, level)
}

// prismProof is what the proof of a prism reads beside it, and the motion that it allows.
type prismProof struct {
	clear    num
	radius   num // the smaller one of both bodies
	others   []posedPlane
	again    bool    // the prism is held but for the others
	coplanar [][]num // by other plane and face: how far from it the face's corners may be
	level    num     // the largest of these
	lowest   []num   // by other plane: the least height of a corner under it
	known    mask
	budget   num
}

// corners solves the corners. With a proof it proves that each lies inside all planes but its
// three: then they are corners of the overlap, and as every edge of the prism leads from one to
// another, there are no more. A plane of G that is that of one of V's faces but for rounding may
// pass through the face's corners; see asm.SharePrisms4.
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

// beginProof finds the planes of either body that lie in one plane.
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

// proveCorners proves corner i of the base and of the top, and says by how much the bodies may
// move with that proof: see asm.SharePrisms4. there says that the corner is no repetition.
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
			case k == 0 && i >= 2: // which follows the last of fewer sides
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

// proveOthers proves corner i of the base and of the top inside the other planes. It returns by plane the
// least height of both corners under it, and a large one where a corner lies in it.
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

// coplanars sums 2ᵒ of the other planes o that a corner lies in.
func (p *program) coplanars(proof *prismProof) num {
	sum := p.constant(0)
	for o, lowest := range proof.lowest {
		coplanar := p.compare(uint8(lessOrEqual), lowest, proof.level)
		sum = p.add(sum, p.pick(coplanar, p.constant(math.Ldexp(1, o)), p.constant(0)))
	}
	return sum
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
