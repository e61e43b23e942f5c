package main

// thicknessOf returns the column of asm.ThicknessLaw with a name.
var thicknessOf = layoutOf("ThicknessLaw").column

func thicknessPrograms() []*program {
	return []*program{applyThicknessProgram("applyThickness", false), applyThicknessProgram("applyThicknessByArea", true)}
}

// clamp is clamp of force.
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

// along returns one over the mass that a force along n with a moment of arm times the force
// accelerates, or 0 for a fixed body.
func (p *program) along(b *thicknessBody, n, arm vec3) num {
	t := p.rotateInv(b.rot, p.add3(p.cross(b.arm, n), arm))
	inverse := p.add(b.invMass, p.dot(t, p.mulSym(b.inverse, t)))
	return p.pick(p.compare(uint8(notEqual), b.invMass, p.constant(0)), inverse, p.constant(0))
}

// dampTilt is dampTilt of force. It returns the moment, and the normal of the middle plane.
func (p *program) dampTilt(w sym3, n, arm, spin, mean, before vec3, damping, least, dt num) (moment, middle vec3) {
	zero, one := p.constant(0), p.constant(1)
	minor := func(a, b, c, d num) num { return p.sub(p.mul(a, b), p.mul(c, d)) }
	adjugate := sym3{
		xx: minor(w.yy, w.zz, w.yz, w.yz), yy: minor(w.xx, w.zz, w.xz, w.xz), zz: minor(w.xx, w.yy, w.xy, w.xy),
		xy: minor(w.xz, w.yz, w.xy, w.zz), xz: minor(w.xy, w.yz, w.xz, w.yy), yz: minor(w.xy, w.xz, w.xx, w.yz),
	}
	middle = p.mulSym(adjugate, n)
	size := p.norm(middle)
	middle = p.scale(middle, p.pick(p.compare(uint8(greater), size, zero), p.div(one, size), size))

	u := p.cross(n, spin)
	cu := p.mulSym(w, u)
	whole := p.mul(dt, p.dot(u, cu))
	turned := p.dot(p.addScaled(p.sub3(middle, before), p.neg(dt), p.cross(mean, before)), cu)
	gate := p.sub(p.constant(3), p.mul(p.constant(8), p.div(p.abs(turned), whole)))
	known := p.and(p.anyNonzero(before[:]...), p.compare(uint8(greater), whole, zero))
	gate = p.pick(known, p.clamp(gate, zero, one), zero)

	d := p.cross(n, arm)
	long := p.dot(d, d)
	long = p.mul(p.load(thicknessOf("EdgeFactor")), p.mul(long, long))
	r := p.sqrt(p.div(p.mul(p.constant(3), long), p.add(p.mul(p.constant(4), p.dot(d, p.mulSym(w, d))), long)))
	r = p.pick(p.compare(uint8(greater), long, zero), r, zero)
	moment = p.scale(p.cross(cu, n), p.mul(p.constant(-tiltDamping), p.mul(gate, damping)))
	most := p.mul(p.atLeastZero(p.sub(one, r)), p.mul(least, p.sqrt(p.atLeastZero(p.trace(w)))))
	size = p.norm(moment)
	return p.scale(moment, p.pick(p.compare(uint8(greater), size, most), p.div(most, size), one)), middle
}

// tiltDamping is tiltDamping of force.
const tiltDamping = 1.5

// thicknessSprings is the state of the friction springs.
type thicknessSprings struct {
	slip         vec3
	angle, width num
	growth       num // 1 without an area exponent
}

// held returns the energy of the friction springs, as Held of force does.
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
