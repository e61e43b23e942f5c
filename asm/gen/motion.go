package main

// motionOf returns the column of asm.MotionColumns with a name.
var motionOf = layoutOf("MotionColumns").column

// motionPrograms returns the programs of both halves of a time step.
func motionPrograms() []*program { return []*program{drift(), kick()} }

// kicked returns velocity and angular momentum after half a step. u has the part of gravity.
func (p *program) kicked(half num, u *layout) (v, l vec3) {
	gravity := vec3{p.uniformOf(u, "kickX"), p.uniformOf(u, "kickY"), p.uniformOf(u, "kickZ")}
	v = p.add3(p.load3(motionOf("Vel")), gravity)
	v = p.addScaled(v, p.mul(half, p.load(motionOf("InvMass"))), p.load3(motionOf("Force")))
	l = p.addScaled(p.load3(motionOf("AngMom")), half, p.load3(motionOf("Torque")))
	return v, l
}

// spun returns the angular velocity, in the world frame, for the angular momentum l.
func (p *program) spun(q quat, l vec3, inverse sym3) vec3 {
	r := p.matrix(q)
	return p.mulVec(r, p.mulSym(inverse, p.mulVecT(r, l)))
}

// smallTurn is the largest square of half an angle for which the series of drift are exact. The
// first omitted term, x⁴/725760 of the sine's series, is less than 2⁻⁵³ up to x = 0.003.
// Smaller: more bodies are moved one by one. Larger: the quaternion errs.
const smallTurn = 1e-3

// drift is one stage of the Magnus expansion to fourth order. The derivatives of ω follow from
// Euler's equations ℓ' = ℓ×ω, ω = I⁻¹ℓ in the body frame:
//
//	Ω = h·ω + h²/2·ω' + h³/6·ω'' + h⁴/24·ω''' + h³/12·ω×ω' + h⁴/24·ω×ω''
func drift() *program {
	p, u := newProgram("drift"), layoutOf("driftUniforms")
	dt, half, turn2 := p.uniformOf(u, "dt"), p.uniformOf(u, "half"), p.uniformOf(u, "turn2")
	first, second, third, cross1 := p.uniformOf(u, "first"), p.uniformOf(u, "second"), p.uniformOf(u, "third"), p.uniformOf(u, "cross1")
	v, l := p.kicked(half, u)
	q, inverse := p.load4(motionOf("Rot")), p.loadSym(motionOf("Inv"))

	l0 := p.rotateInv(q, l)
	w0 := p.mulSym(inverse, l0)
	slow := p.compare(uint8(lessOrEqual), p.mul(p.mul(p.dot(w0, w0), dt), dt), turn2)
	free := p.compare(uint8(notEqual), p.load(motionOf("InvMass")), p.constant(0))
	p.require(p.and(slow, free))
	l1 := p.cross(l0, w0)
	w1 := p.mulSym(inverse, l1)
	l2 := p.add3(p.cross(l1, w0), p.cross(l0, w1))
	w2 := p.mulSym(inverse, l2)
	l3 := p.add3(p.addScaled(p.cross(l2, w0), p.constant(2), p.cross(l1, w1)), p.cross(l0, w2))
	w3 := p.mulSym(inverse, l3)
	turn := p.addScaled(p.scale(w0, dt), first, w1)
	turn = p.addScaled(turn, second, w2)
	turn = p.addScaled(turn, third, w3)
	turn = p.addScaled(turn, cross1, p.cross(w0, w1))
	turn = p.addScaled(turn, third, p.cross(w0, w2))

	x := p.mul(p.constant(0.25), p.dot(turn, turn))
	p.require(p.compare(uint8(less), x, p.constant(smallTurn)))
	// series returns k[0] - x·(k[1] - x·(k[2] - …)).
	series := func(k ...float64) num {
		sum := p.constant(k[len(k)-1])
		for i := len(k) - 2; i >= 0; i-- {
			sum = p.sub(p.constant(k[i]), p.mul(x, sum))
		}
		return sum
	}
	// sin(√x)/√x / 2 and cos(√x).
	s := series(0.5, 1.0/12, 1.0/240, 1.0/10080)
	c := series(1, 0.5, 1.0/24, 1.0/720, 1.0/40320)
	q = p.mulQuat(q, quat{c, p.mul(s, turn[0]), p.mul(s, turn[1]), p.mul(s, turn[2])})
	// One step of Newton for the norm, which differs from 1 only by rounding.
	k := p.sub(p.constant(1.5), p.mul(p.constant(0.5), p.dotQuat(q, q)))
	q = quat{p.mul(q.w, k), p.mul(q.x, k), p.mul(q.y, k), p.mul(q.z, k)}

	pos := p.addScaled(p.load3(motionOf("Pos")), dt, v)
	p.store(motionOf("Odometer"), p.advance(pos, q))
	p.store3(motionOf("Pos"), pos)
	p.store3(motionOf("Vel"), v)
	p.store3(motionOf("AngMom"), l)
	p.storeAll(motionOf("Rot"), q.w, q.x, q.y, q.z)
	p.store3(motionOf("Spin"), p.spun(q, l, inverse))
	return p
}

// advance is asm.Advance from the pose in the columns to the pose (pos, q).
func (p *program) advance(pos vec3, q quat) num {
	was := p.load4(motionOf("Rot"))
	d := quat{p.sub(q.w, was.w), p.sub(q.x, was.x), p.sub(q.y, was.y), p.sub(q.z, was.z)}
	d2 := p.dotQuat(d, d)
	turn := p.mul(p.sqrt(d2), p.add(p.constant(2), p.mul(d2, p.constant(2.0/7))))
	way := p.add(p.norm(p.sub3(pos, p.load3(motionOf("Pos")))), p.mul(p.load(motionOf("Radius")), turn))
	next := p.mul(p.add(p.load(motionOf("Odometer")), p.mul(way, p.constant(asmNumber("wayUp")))), p.constant(asmNumber("roundUp")))
	return p.pick(p.compare(uint8(equal), way, p.constant(0)), p.load(motionOf("Odometer")), next)
}

func kick() *program {
	p, u := newProgram("kick"), layoutOf("kickUniforms")
	v, l := p.kicked(p.uniformOf(u, "half"), u)
	s := p.spun(p.load4(motionOf("Rot")), l, p.loadSym(motionOf("Inv")))
	sum := func(a vec3) num { return p.add(p.add(a[0], a[1]), a[2]) }
	x := p.add(p.add(p.add(sum(v), sum(l)), sum(p.load3(motionOf("Pos")))), sum(s))
	finite := p.compare(uint8(equal), p.sub(x, x), p.constant(0))
	free := p.compare(uint8(notEqual), p.load(motionOf("InvMass")), p.constant(0))
	p.require(p.and(finite, free))
	p.store3(motionOf("Vel"), v)
	p.store3(motionOf("AngMom"), l)
	p.store3(motionOf("Spin"), s)
	return p
}
