package main

// thicknessOf returns the column of asm.ThicknessLaw with a name.
var thicknessOf = layoutOf("ThicknessLaw").column

func thicknessPrograms() []*program {
	return []*program{applyThicknessProgram("applyThickness", false), applyThicknessProgram("applyThicknessByArea", true)}
}

// clamp is clamp of engine/force.
func (p *program) clamp(v, low, high num) num {
	v = p.pick(p.compare(uint8(less), v, low), low, v)
	return p.pick(p.compare(uint8(greater), v, high), high, v)
}

// thicknessBody is what a contact reads of one of its bodies.
type thicknessBody struct {
	spin, arm vec3
	velocity  vec3 // at the location
	invMass   num
	inverse   sym3
	rot       quat
}

func (p *program) thicknessBody(i idx, arm string) (b thicknessBody) {
	b.arm = p.load3(thicknessOf(arm))
	b.spin = p.gather3(thicknessOf("Spin"), i)
	b.velocity = p.add3(p.gather3(thicknessOf("Vel"), i), p.cross(b.spin, b.arm))
	b.invMass = p.gather(thicknessOf("InvMass"), i)
	b.inverse = p.gatherSym(thicknessOf("Inverse"), i)
	b.rot = p.gather4(thicknessOf("Rot"), i)
	return b
}

// along returns one over the mass that a force along n accelerates, or 0 for a fixed body.
func (p *program) along(b *thicknessBody, n vec3) num {
	t := p.rotateInv(b.rot, p.cross(b.arm, n))
	inverse := p.add(b.invMass, p.dot(t, p.mulSym(b.inverse, t)))
	return p.pick(p.compare(uint8(notEqual), b.invMass, p.constant(0)), inverse, p.constant(0))
}

// thicknessSprings is the state of the friction springs.
type thicknessSprings struct {
	slip         vec3
	angle, width num
	growth       num // 1 without an area exponent
}

// held returns the energy of the friction springs, as Held of engine/force does.
func (p *program) held(s *thicknessSprings, tangential num) num {
	slip := p.mul(p.dot(s.slip, s.slip), s.growth)
	twist := p.mul(p.mul(s.angle, s.angle), s.width)
	return p.mul(p.mul(p.constant(0.5), tangential), p.add(slip, twist))
}

// pickSprings returns a if m holds, else b.
func (p *program) pickSprings(m mask, a, b *thicknessSprings) thicknessSprings {
	return thicknessSprings{
		p.pickVec(m, a.slip, b.slip), p.pick(m, a.angle, b.angle), p.pick(m, a.width, b.width), p.pick(m, a.growth, b.growth),
	}
}

// copysign returns |v| with the sign of a number that is not 0.
func (p *program) copysign(v, sign num) num {
	v = p.abs(v)
	return p.pick(p.compare(uint8(less), sign, p.constant(0)), p.neg(v), v)
}
