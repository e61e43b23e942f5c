package main

// applyThicknessProgram is Thickness.Apply of force, line by line, with the velocities,
// torques and normal that a batch adds. A branch that leaves a number as it is becomes a factor of
// 1, or a pick between both results. Without byArea, the program omits what only laws with an area
// exponent need.
func applyThicknessProgram(name string, byArea bool) *program {
	p := newProgram(name)
	dt, share := p.uniform(0), p.uniform(1)
	zero, one, half, two := p.constant(0), p.constant(1), p.constant(0.5), p.constant(2)
	a, b := p.loadIndex(thicknessOf("A")), p.loadIndex(thicknessOf("B"))
	row, law := p.loadIndex(thicknessOf("Row")), p.loadIndex(thicknessOf("Law"))
	p.within(thicknessOf("InvMass"), a, b)
	p.within(thicknessOf("Relief"), row)
	p.within(thicknessOf("Stiffness"), law)

	// The gradient of the potential.
	variance := p.load(thicknessOf("Variance"))
	s := p.sqrt(p.mul(p.constant(12), variance))
	forgiven := p.mul(p.gather(thicknessOf("Relief"), row), share)
	depth := p.sub(s, forgiven)
	felt := p.sub(one, p.div(forgiven, s))
	deep := p.compare(uint8(greater), depth, zero)
	patch := thicknessPatch{grown: one, oldGrowth: one}
	if byArea {
		p.growth(&patch, row, law, s, deep)
	}
	k := p.pick(deep, p.mul(p.gather(thicknessOf("Stiffness"), law), patch.grown), zero)
	loaded := p.compare(uint8(greater), k, zero)
	stored := p.pick(loaded, p.mul(p.mul(half, p.mul(k, depth)), depth), zero)
	scale := p.mul(p.constant(6), p.mul(k, p.div(depth, s)))
	along, turn := p.load3(thicknessOf("VarianceGradient")), p.load3(thicknessOf("VarianceTurn"))
	if byArea {
		swells, swell := p.and(patch.grows, loaded), p.mul(patch.exponent, depth)
		scale = p.pick(swells, p.mul(scale, p.sub(one, p.div(p.mul(half, swell), s))), scale)
		part := p.div(p.mul(half, p.mul(p.mul(k, swell), p.div(depth, patch.volume))), scale)
		along = p.pickVec(swells, p.addScaled(along, part, p.load3(thicknessOf("VolumeGradient"))), along)
		turn = p.pickVec(swells, p.addScaled(turn, part, p.load3(thicknessOf("VolumeTurn"))), turn)
	}
	slope := p.norm(along)
	acts := p.and(loaded, p.compare(uint8(greater), slope, zero))
	p.store(thicknessOf("Stored"), stored)

	// The dashpot along the gradient, and that of the tilt.
	n, normalForce, arm := p.scale(along, p.div(one, slope)), p.mul(scale, slope), p.scale(turn, p.div(one, slope))
	onA, onB := p.thicknessBody(a, "ArmA"), p.thicknessBody(b, "ArmB")
	mass := p.div(one, p.add(p.along(&onA, n, arm), p.along(&onB, n, arm)))
	zeta, velocity, spin := p.gather(thicknessOf("Zeta"), law), p.sub3(onA.velocity, onB.velocity), p.sub3(onA.spin, onB.spin)
	stiffness := p.div(p.mul(normalForce, normalForce), p.mul(two, stored))
	damping := p.mul(two, p.mul(zeta, p.sqrt(p.mul(mass, stiffness))))
	dashpot := p.clamp(p.mul(damping, p.add(p.dot(velocity, n), p.dot(spin, arm))), p.neg(normalForce), normalForce)
	spread, mean := p.loadSym(thicknessOf("Spread")), p.scale(p.add3(onA.spin, onB.spin), half)
	least := p.add(normalForce, p.pick(p.compare(uint8(less), dashpot, zero), dashpot, zero))
	tilting, middle := p.dampTilt(spread, n, arm, spin, mean, p.gather3(thicknessOf("OldMiddle"), row), damping, least, dt)
	moment := p.add3(p.scale(arm, p.neg(dashpot)), tilting)
	drag := p.scale(n, p.neg(dashpot))

	// Friction.
	tangential, friction := p.gather(thicknessOf("Tangential"), law), p.gather(thicknessOf("Friction"), law)
	old := thicknessSprings{
		p.gather3(thicknessOf("OldSlip"), row), p.gather(thicknessOf("OldAngle"), row), p.gather(thicknessOf("OldWidth"), row),
		patch.oldGrowth,
	}
	before := p.held(&old, tangential)
	oldNormal := p.gather3(thicknessOf("OldNormal"), row)
	r := rubbing{
		old: old, known: p.anyNonzero(oldNormal[:]...), n: n, velocity: velocity, spin: spin,
		slip:  p.turnSlip(old.slip, oldNormal, n, p.mul(p.dot(mean, n), dt)),
		since: p.sinceMet(variance, felt, p.load3(thicknessOf("VarianceGradient")), p.load3(thicknessOf("VarianceTurn")), velocity, spin, dt),
		about: p.atLeastZero(p.sub(p.trace(spread), p.dot(n, p.mulSym(spread, n)))),
		grown: patch.grown, tangential: tangential, limit: p.mul(friction, p.add(normalForce, dashpot)),
		damping: p.mul(zeta, p.sqrt(p.mul(mass, p.mul(tangential, patch.grown)))),
	}
	p.rub(&r)
	rubs := p.compare(uint8(greater), friction, zero)
	now := p.pickSprings(rubs, &r.now, &old)
	drag = p.pickVec(rubs, p.add3(drag, r.drag), drag)
	moment = p.pickVec(rubs, p.addScaled(moment, p.neg(r.brake), n), moment)
	rub, rubMoment := p.pick3(rubs, r.friction), p.pick3(rubs, p.scale(n, p.neg(r.twist)))
	force := p.add3(p.add3(p.scale(along, p.neg(scale)), drag), rub)
	torque := p.add3(p.add3(p.scale(turn, p.neg(scale)), moment), rubMoment)

	// If no force acts, only Stored remains.
	store3 := func(name string, v vec3) { p.store3(thicknessOf(name), p.pick3(acts, v)) }
	shear := p.held(&now, tangential)
	p.store(thicknessOf("Shear"), p.pick(acts, shear, zero))
	p.store(thicknessOf("ShearRise"), p.pick(acts, p.sub(shear, before), p.neg(before)))
	store3("Slip", now.slip)
	p.store(thicknessOf("Angle"), p.pick(acts, now.angle, zero))
	p.store(thicknessOf("Width"), p.pick(acts, now.width, zero))
	store3("Middle", middle)
	if byArea {
		p.store(thicknessOf("Growth"), p.pick(p.and(acts, patch.grows), now.growth, zero))
	}
	store3("Damping", drag)
	store3("Moment", moment)
	store3("Rub", rub)
	store3("RubMoment", rubMoment)
	force, torque = p.pick3(acts, force), p.pick3(acts, torque)
	p.store3(thicknessOf("Force"), force)
	p.store3(thicknessOf("TorqueA"), p.add3(p.cross(onA.arm, force), torque))
	p.store3(thicknessOf("TorqueB"), p.neg3(p.add3(p.cross(onB.arm, force), torque)))
	turns := p.and(acts, p.anyNonzero(n[:]...))
	p.store3(thicknessOf("NewNormal"), p.pickVec(turns, n, p.load3(thicknessOf("Normal"))))
	return p
}

// thicknessPatch is how much stiffer springs are than those of a patch of 1 m².
type thicknessPatch struct {
	grown, oldGrowth num
	grows            mask // the law has an area exponent
	exponent, volume num
}

// growth is growth of force, for an overlap of thickness s.
func (p *program) growth(patch *thicknessPatch, row, law idx, s num, deep mask) {
	one := p.constant(1)
	patch.exponent = p.gather(thicknessOf("AreaExponent"), law)
	patch.volume = p.load(thicknessOf("Volume"))
	patch.grows = p.compare(uint8(greater), patch.exponent, p.constant(0))
	area := p.div(patch.volume, s)
	grown := p.pick(p.compare(uint8(equal), patch.exponent, one), area, p.sqrt(area))
	patch.grown = p.pick(p.and(deep, patch.grows), grown, one)
	patch.oldGrowth = p.pick(patch.grows, p.gather(thicknessOf("OldGrowth"), row), one)
}

// sinceMet is sinceMet of force. felt is the part of the thickness above what relief forgives.
func (p *program) sinceMet(variance, felt num, gradient, turn, velocity, spin vec3, dt num) num {
	grows := p.add(p.dot(gradient, velocity), p.dot(turn, spin))
	twice := p.mul(p.mul(p.constant(2), variance), felt)
	return p.pick(p.compare(uint8(less), twice, p.mul(grows, dt)), p.div(twice, grows), dt)
}

// rubbing is what friction reads (above the blank line), and its results.
type rubbing struct {
	old               thicknessSprings
	known             mask // the contact is not new
	n, velocity, spin vec3
	slip              vec3 // the old slip, turned to the new normal
	since             num  // time since the bodies met, s
	about             num  // second moment of the patch about n
	grown, tangential num
	limit, damping    num

	now            thicknessSprings
	friction, drag vec3
	twist, brake   num
}

// rub is rub of force.
func (p *program) rub(r *rubbing) {
	zero, one, two := p.constant(0), p.constant(1), p.constant(2)
	k, spread := p.mul(r.tangential, r.grown), p.mul(r.grown, r.about)
	ratio := func(old, now num) num {
		if now == old {
			return one
		}
		rises := p.and(r.known, p.compare(uint8(greater), now, old))
		return p.pick(rises, p.sqrt(p.div(old, now)), one)
	}
	slip := p.scale(r.slip, ratio(r.old.growth, r.grown))
	angle := p.mul(p.pick(r.known, r.old.angle, zero), ratio(r.old.width, spread))
	tangential := p.addScaled(r.velocity, p.neg(p.dot(r.velocity, r.n)), r.n)
	slip = p.addScaled(slip, r.since, tangential)
	slip = p.addScaled(slip, p.neg(p.dot(slip, r.n)), r.n)
	spin := p.dot(r.spin, r.n)
	angle = p.add(angle, p.mul(spin, r.since))

	pull := p.mul(k, p.norm(slip))
	sliding := p.compare(uint8(greater), pull, r.limit)
	slip = p.scale(slip, p.pick(sliding, p.div(r.limit, pull), one))
	r.friction = p.scale(slip, p.neg(k))
	r.drag = p.cutDrag(p.not(sliding), r.friction, p.scale(tangential, p.neg(p.mul(two, r.damping))), r.limit)

	stiffness := p.mul(r.tangential, spread)
	twist, most := p.mul(stiffness, angle), p.mul(r.limit, p.sqrt(r.about))
	turning := p.compare(uint8(greater), p.abs(twist), most)
	brake := p.mul(two, p.mul(r.damping, p.mul(r.about, spin)))
	brake = p.clamp(brake, p.sub(p.neg(most), twist), p.sub(most, twist))
	r.brake = p.pick(turning, zero, brake)
	angle = p.pick(turning, p.copysign(p.div(most, stiffness), twist), angle)
	r.twist = p.pick(turning, p.copysign(most, twist), twist)
	r.now = thicknessSprings{slip, angle, spread, r.grown}
}
