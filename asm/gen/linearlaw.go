package main

// linearOf returns the column of asm.LinearLaw with a name.
var linearOf = layoutOf("LinearLaw").column

// linearLawPrograms returns the program of the linear contact law, one contact a lane.
func linearLawPrograms() []*program { return []*program{applyLinearProgram()} }

// atLeastZero returns max(v, 0) of Go: NaN for a NaN, and never a negative zero.
func (p *program) atLeastZero(v num) num {
	zero := p.constant(0)
	return p.pick(p.compare(uint8(lessOrEqual), v, zero), zero, v)
}

// atMostOne returns min(v, 1) of Go.
func (p *program) atMostOne(v num) num {
	one := p.constant(1)
	return p.pick(p.compare(uint8(greaterOrEqual), v, one), one, v)
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

// applyLinearProgram is the law of engine/force.Linear. A branch of the law that leaves a vector as
// it is becomes a factor of 1, which changes no bit. A branch that drops a vector becomes a pick,
// because 0 times a vector keeps signs.
func applyLinearProgram() *program {
	p := newProgram("applyLinear")
	p.window = 128
	u := layoutOf("lawUniforms")
	dt, share := p.uniformOf(u, "dt"), p.uniformOf(u, "share")
	zero, one, half := p.constant(0), p.constant(1), p.constant(0.5)
	a, b, row, law := p.loadIndex(linearOf("A")), p.loadIndex(linearOf("B")), p.loadIndex(linearOf("Row")), p.loadIndex(linearOf("Law"))
	p.within(linearOf("InvMass"), a, b)
	p.within(linearOf("Relief"), row)
	p.within(linearOf("Kn"), law)
	n, armA, armB := p.load3(linearOf("Normal")), p.load3(linearOf("ArmA")), p.load3(linearOf("ArmB"))

	spinA := p.gather3(linearOf("Spin"), a)
	velA := p.add3(p.gather3(linearOf("Vel"), a), p.cross(spinA, armA))
	invMassA := p.gather(linearOf("InvMass"), a)
	spinB := p.gather3(linearOf("Spin"), b)
	velB := p.add3(p.gather3(linearOf("Vel"), b), p.cross(spinB, armB))
	mass := p.div(one, p.add(invMassA, p.gather(linearOf("InvMass"), b)))
	velocity := p.sub3(velA, velB)
	angle := p.mul(p.mul(half, p.dot(p.add3(spinA, spinB), n)), dt)
	spin := p.sub3(spinA, spinB)
	closing := p.dot(velocity, n)
	tangential := p.addScaled(velocity, p.neg(closing), n)

	kn, ratio := p.gather(linearOf("Kn"), law), p.gather(linearOf("Ratio"), law)
	critical := p.mul(ratio, p.sqrt(p.mul(kn, mass)))
	d := p.pick(p.compare(uint8(greaterOrEqual), ratio, zero), p.add(critical, critical), p.gather(linearOf("Dn"), law))
	relief := p.mul(p.gather(linearOf("Relief"), row), share)
	overlap := p.sub(p.gather(linearOf("ReferenceGap"), law), p.add(p.load(linearOf("Gap")), relief))
	spring, dashpot := p.mul(kn, overlap), p.mul(d, closing)
	clipped := p.compare(uint8(less), p.add(spring, dashpot), p.gather(linearOf("LeastNormal"), law))
	dashpot = p.pick(clipped, p.neg(spring), dashpot)
	normalForce := p.atLeastZero(p.add(spring, dashpot))
	slipping := p.pick(p.compare(uint8(less), overlap, p.mul(closing, dt)), p.div(overlap, closing), dt)
	limit := p.mul(p.gather(linearOf("Mu"), law), normalForce)
	touching := p.compare(uint8(greater), overlap, zero)

	moment := p.pick3(touching, p.spreadDashpot(p.loadSym(linearOf("Width")), n, spin, d, normalForce))
	p.store3(linearOf("Moment"), moment)
	p.store(linearOf("Stored"), p.pick(touching, p.mul(half, p.mul(spring, overlap)), zero))

	kt := p.gather(linearOf("Kt"), law)
	oldSlip := p.gather3(linearOf("OldSlip"), row)
	slip := p.turnSlip(oldSlip, p.gather3(linearOf("OldNormal"), row), n, angle)
	slip = p.addScaled(slip, slipping, tangential)
	slip = p.addScaled(slip, p.neg(p.dot(slip, n)), n)
	slip = p.pick3(p.compare(uint8(greater), kt, zero), slip)
	pull := p.mul(kt, p.norm(slip))
	sliding := p.compare(uint8(greater), pull, limit)
	slip = p.scale(slip, p.pick(sliding, p.div(limit, pull), one))
	p.store3(linearOf("Slip"), p.pick3(touching, slip))
	held := p.mul(half, p.mul(kt, p.dot(oldSlip, oldSlip)))
	shear := p.mul(half, p.mul(kt, p.dot(slip, slip)))
	p.store(linearOf("ShearRise"), p.pick(touching, p.sub(shear, held), p.neg(held)))
	p.store(linearOf("Shear"), p.pick(touching, shear, zero))
	friction := p.scale(slip, p.neg(kt))
	coefficient := p.gather(linearOf("Dt"), law)
	dragging := p.and(p.compare(uint8(greater), coefficient, zero), p.not(sliding))
	drag := p.cutDrag(dragging, friction, p.scale(tangential, p.neg(coefficient)), limit)

	damping := p.addScaled(drag, p.neg(dashpot), n)
	force := p.pick3(touching, p.add3(p.addScaled(friction, p.neg(spring), n), damping))
	p.store3(linearOf("Damping"), p.pick3(touching, damping))
	p.store3(linearOf("Force"), force)
	p.store3(linearOf("TorqueA"), p.add3(p.cross(armA, force), moment))
	p.store3(linearOf("TorqueA")+3, p.neg3(p.add3(p.cross(armB, force), moment)))
	return p
}

// spreadDashpot returns the moment on A of a dashpot d that is spread over a section with second
// moments w. The moment is at most normalForce times the width of the section.
func (p *program) spreadDashpot(w sym3, n, spin vec3, d, normalForce num) vec3 {
	some := p.anyNonzero(w.xx, w.yy, w.zz, w.xy, w.xz, w.yz)
	spread := p.and(some, p.compare(uint8(notEqual), d, p.constant(0)))
	m := p.mulSym(w, p.cross(n, spin))
	m = p.scale(p.cross(m, n), p.neg(d))
	most := p.mul(normalForce, p.sqrt(p.atLeastZero(p.trace(w))))
	size := p.norm(m)
	m = p.scale(m, p.pick(p.compare(uint8(greater), size, most), p.div(most, size), p.constant(1)))
	return p.pick3(spread, m)
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
