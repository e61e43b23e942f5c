package main

// anglePrograms returns the programs that multiply the numbers of triangles into products.
func anglePrograms() []*program { return []*program{fanAngles(), triangleAngles()} }

// turning is a product of complex numbers, and the count of its turns: see asm.Angles.
type turning struct{ re, im, turns num }

var ofAngles = layoutOf("Angles")

func (p *program) loadTurning() turning {
	at := func(name string) num { return p.load(ofAngles.column(name)) }
	return turning{at("Re"), at("Im"), at("Turns")}
}

// turn multiplies by den + i·num.
func (p *program) turn(t turning, num, den num) turning {
	zero, one := p.constant(0), p.constant(1)
	re := p.sub(p.mul(t.re, den), p.mul(t.im, num))
	im := p.add(p.mul(t.re, num), p.mul(t.im, den))
	negative, right, now := p.compare(uint8(less), t.im, zero), p.compare(uint8(less), num, zero), p.compare(uint8(less), im, zero)
	up := p.and(p.and(p.not(negative), p.not(right)), now)
	down := p.and(p.and(negative, right), p.not(now))
	turns := p.add(t.turns, p.pick(up, one, p.pick(down, p.constant(-1), zero)))
	return turning{re, im, turns}
}

func (p *program) storeTurning(t turning) {
	length := p.add(p.abs(t.re), p.abs(t.im))
	kept := p.compare(uint8(less), p.constant(asmNumber("leastProduct")), length)
	s := p.div(p.constant(1), p.pick(kept, length, p.constant(0)))
	p.store(ofAngles.column("Re"), p.mul(t.re, s))
	p.store(ofAngles.column("Im"), p.mul(t.im, s))
	p.store(ofAngles.column("Turns"), t.turns)
}

// uniform3 returns the vector of element j of three arrays, or of three numbers.
func (p *program) uniform3(u *layout, x, y, z string, j int) vec3 {
	var v vec3
	for i, name := range []string{x, y, z} {
		v[i] = p.uniform(int(u.column(name)) + j)
	}
	return v
}

func fanAngles() *program {
	p, u := newProgram("fanAngles"), layoutOf("FanRun")
	x := p.load3(ofAngles.column("X"))
	t := p.loadTurning()
	q := p.sub3(p.uniform3(u, "ApexX", "ApexY", "ApexZ", 0), x)
	nq := p.norm(q)
	var a vec3
	var na, qa num
	for j := range 5 {
		b := p.sub3(p.uniform3(u, "CX", "CY", "CZ", j), x)
		nb, qb := p.norm(b), p.dot(q, b)
		if j > 0 {
			num := p.dot(p.uniform3(u, "NX", "NY", "NZ", j-1), q)
			den := p.add(p.add(p.mul(p.mul(nq, na), nb), p.mul(qa, nb)), p.add(p.mul(qb, na), p.mul(p.dot(a, b), nq)))
			t = p.turn(t, num, den)
		}
		a, na, qa = b, nb, qb
	}
	p.storeTurning(t)
	return p
}

func triangleAngles() *program {
	p, u := newProgram("triangleAngles"), layoutOf("FourTriangles")
	x := p.load3(ofAngles.column("X"))
	t := p.loadTurning()
	doubt := p.load(ofAngles.column("Doubt"))
	for j := range 4 {
		a := p.sub3(p.uniform3(u, "AX", "AY", "AZ", j), x)
		b := p.sub3(p.uniform3(u, "BX", "BY", "BZ", j), x)
		c := p.sub3(p.uniform3(u, "CX", "CY", "CZ", j), x)
		na, nb, nc := p.norm(a), p.norm(b), p.norm(c)
		num := p.dot(p.uniform3(u, "NX", "NY", "NZ", j), a)
		all := p.mul(p.mul(na, nb), nc)
		den := p.add(p.add(all, p.mul(p.dot(a, b), nc)), p.add(p.mul(p.dot(a, c), nb), p.mul(p.dot(b, c), na)))
		rounding := p.mul(p.uniform(int(u.column("Tol"))+j), na)
		share := p.mul(p.constant(asmNumber("doubtfulDen")), all)
		flat := p.compare(uint8(lessOrEqual), p.abs(num), rounding)
		holds := p.and(flat, p.compare(uint8(lessOrEqual), den, share))
		edge := p.and(p.compare(uint8(lessOrEqual), p.abs(num), share), p.compare(uint8(lessOrEqual), p.abs(den), share))
		next := p.compare(uint8(less), p.mul(p.constant(asmNumber("doubtfulNum")), all), rounding)
		zero, one := p.constant(0), p.constant(1)
		left := p.or(p.or(holds, edge), next)
		t = p.turn(t, p.pick(left, zero, num), p.pick(left, one, den))
		doubt = p.add(doubt, p.pick(left, one, zero))
	}
	p.storeTurning(t)
	p.store(ofAngles.column("Doubt"), doubt)
	return p
}
