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

	// From here on relative to the last corner of the top. The top and two sides go through it.
	origin := s.high[sides-1]
	for k := range s.low {
		s.low[k], s.high[k] = p.sub3(s.low[k], origin), p.sub3(s.high[k], origin)
	}
	patches := p.patches(s)
	to, level := p.frameOf(s, patches)
	p.prismMoments(s, patches, to, origin, p.and(known, level))
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
