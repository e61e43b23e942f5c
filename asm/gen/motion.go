package main

// Columns of asm.Motion, in its order.
const (
	posOf      column = 0
	rotOf      column = 3
	velOf      column = 7
	angMomOf   column = 10
	spinOf     column = 13
	forceOf    column = 16
	torqueOf   column = 19
	inverseOf  column = 22
	invMassOf  column = 28
	odometerOf column = 29
	radiusOf   column = 30
)

// motion writes the halves of a time step of free bodies.
func motion(avx2, avx512 *lanes) { compilePrograms(avx2, avx512, motionPrograms()...) }

func motionPrograms() []*program { return []*program{drift(), kick()} }

// kicked returns velocity and angular momentum half a step on. Uniform g and the two behind it are what
// gravity adds.
func (p *program) kicked(half num, g int) (v, l vec3) {
	gravity := vec3{p.uniform(g), p.uniform(g + 1), p.uniform(g + 2)}
	v = p.add3(p.load3(velOf), gravity)
	v = p.addScaled(v, p.mul(half, p.load(invMassOf)), p.load3(forceOf))
	l = p.addScaled(p.load3(angMomOf), half, p.load3(torqueOf))
	return v, l
}

func (p *program) inverse() sym3 {
	c := inverseOf
	return sym3{p.load(c), p.load(c + 1), p.load(c + 2), p.load(c + 3), p.load(c + 4), p.load(c + 5)}
}

// spun returns the angular velocity, world frame, of angular momentum l.
func (p *program) spun(q quat, l vec3, inverse sym3) vec3 {
	r := p.matrix(q)
	return p.mulVec(r, p.mulSym(inverse, p.mulVecT(r, l)))
}

// drift is driftGeneric of asm, line by line.
func drift() *program {
	p := newProgram("drift")
	dt, half := p.uniform(0), p.uniform(1)
	first, second, third, cross1, turn2 := p.uniform(5), p.uniform(6), p.uniform(7), p.uniform(8), p.uniform(9)
	v, l := p.kicked(half, 2)
	q, inverse := p.load4(rotOf), p.inverse()

	l0 := p.rotateInv(q, l)
	w0 := p.mulSym(inverse, l0)
	slow := p.compare(uint8(lessOrEqual), p.mul(p.mul(p.dot(w0, w0), dt), dt), turn2)
	free := p.compare(uint8(notEqual), p.load(invMassOf), p.constant(0))
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
	p.require(p.compare(uint8(less), x, p.constant(1e-3)))
	// series returns k[0] - x·(k[1] - x·(k[2] - …)).
	series := func(k ...float64) num {
		sum := p.constant(k[len(k)-1])
		for i := len(k) - 2; i >= 0; i-- {
			sum = p.sub(p.constant(k[i]), p.mul(x, sum))
		}
		return sum
	}
	s := series(0.5, 1.0/12, 1.0/240, 1.0/10080)
	c := series(1, 0.5, 1.0/24, 1.0/720, 1.0/40320)
	q = p.mulQuat(q, quat{c, p.mul(s, turn[0]), p.mul(s, turn[1]), p.mul(s, turn[2])})
	k := p.sub(p.constant(1.5), p.mul(p.constant(0.5), p.dotQuat(q, q)))
	q = quat{p.mul(q.w, k), p.mul(q.x, k), p.mul(q.y, k), p.mul(q.z, k)}

	pos := p.addScaled(p.load3(posOf), dt, v)
	p.store(odometerOf, p.advance(pos, q))
	p.store3(posOf, pos)
	p.store3(velOf, v)
	p.store3(angMomOf, l)
	for i, component := range []num{q.w, q.x, q.y, q.z} {
		p.store(rotOf+column(i), component)
	}
	p.store3(spinOf, p.spun(q, l, inverse))
	return p
}

// advance is Advance of asm from the pose that the columns hold to another.
func (p *program) advance(pos vec3, q quat) num {
	was := p.load4(rotOf)
	d := quat{p.sub(q.w, was.w), p.sub(q.x, was.x), p.sub(q.y, was.y), p.sub(q.z, was.z)}
	d2 := p.dotQuat(d, d)
	turn := p.mul(p.sqrt(d2), p.add(p.constant(2), p.mul(d2, p.constant(2.0/7))))
	way := p.add(p.norm(p.sub3(pos, p.load3(posOf))), p.mul(p.load(radiusOf), turn))
	const wayUp, roundUp = 1 + 0x1p-47, 1 + 4.0/(1<<52)
	next := p.mul(p.add(p.load(odometerOf), p.mul(way, p.constant(wayUp))), p.constant(roundUp))
	return p.pick(p.compare(uint8(equal), way, p.constant(0)), p.load(odometerOf), next)
}

// kick is kickGeneric of asm, line by line.
func kick() *program {
	p := newProgram("kick")
	v, l := p.kicked(p.uniform(0), 1)
	s := p.spun(p.load4(rotOf), l, p.inverse())
	sum := func(a vec3) num { return p.add(p.add(a[0], a[1]), a[2]) }
	x := p.add(p.add(p.add(sum(v), sum(l)), sum(p.load3(posOf))), sum(s))
	finite := p.compare(uint8(equal), p.sub(x, x), p.constant(0))
	free := p.compare(uint8(notEqual), p.load(invMassOf), p.constant(0))
	p.require(p.and(finite, free))
	p.store3(velOf, v)
	p.store3(angMomOf, l)
	p.store3(spinOf, s)
	return p
}
