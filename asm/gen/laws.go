package main

// Parts of the programs of contact laws.

// atMostOne returns min(v, 1) of Go.
func (p *program) atMostOne(v num) num {
	one := p.constant(1)
	return p.pick(p.compare(uint8(greaterOrEqual), v, one), one, v)
}

// atLeastZero returns max(v, 0) of Go: NaN for a NaN, and never a negative zero.
func (p *program) atLeastZero(v num) num {
	zero := p.constant(0)
	return p.pick(p.compare(uint8(lessOrEqual), v, zero), zero, v)
}

// pick3 returns a if m holds, else zero.
func (p *program) pick3(m mask, a vec3) vec3 {
	zero := p.constant(0)
	return p.pickVec(m, a, vec3{zero, zero, zero})
}

// anyNonzero holds if one of the values is not zero.
func (p *program) anyNonzero(values ...num) mask {
	var any mask
	for i, v := range values {
		m := p.compare(uint8(notEqual), v, p.constant(0))
		if i == 0 {
			any = m
		} else {
			any = p.or(any, m)
		}
	}
	return any
}

// turnSlip moves a slip from the plane of normal n0 to that of n1, and turns it by an angle about
// n1. It keeps the length.
func (p *program) turnSlip(s, n0, n1 vec3, angle num) vec3 {
	zero, one := p.constant(0), p.constant(1)
	c := p.dot(n0, n1)
	carried := p.and(p.anyNonzero(n0[:]...), p.not(p.compare(uint8(lessOrEqual), c, zero)))
	length := p.dot(s, s)
	s = p.addScaled(s, p.div(p.neg(p.dot(s, n1)), p.add(one, c)), p.add3(n0, n1))
	s = p.addScaled(s, angle, p.cross(n1, s))
	now := p.dot(s, s)
	s = p.scale(s, p.pick(p.compare(uint8(greater), now, zero), p.sqrt(p.div(length, now)), one))
	return p.pick3(carried, s)
}

// cutDrag shortens drag until friction and drag together do not exceed a limit. It returns zero if
// dragging does not hold.
func (p *program) cutDrag(dragging mask, friction, drag vec3, limit num) vec3 {
	limit2 := p.mul(limit, limit)
	both := p.add3(friction, drag)
	whole := p.compare(uint8(lessOrEqual), p.dot(both, both), limit2)
	d2 := p.dot(drag, drag)
	some := p.or(whole, p.compare(uint8(greater), d2, p.constant(0)))
	half := p.div(p.dot(friction, drag), d2)
	rest := p.div(p.sub(p.dot(friction, friction), limit2), d2)
	root := p.sub(p.sqrt(p.atLeastZero(p.sub(p.mul(half, half), rest))), half)
	part := p.atMostOne(p.atLeastZero(root))
	return p.pick3(p.and(dragging, some), p.scale(drag, p.pick(whole, p.constant(1), part)))
}
