package main

// facetsOf returns the column of asm.FacetColumns with a name.
var facetsOf = layoutOf("FacetColumns").column

func facetPrograms() []*program {
	return []*program{faceVertex(), vertexFace(), edgeEdge(), vertexVertex(), vertexEdge(), edgeVertex()}
}

// relative returns the orientation of A, and the pose of B in the frame of A.
func (p *program) relative() (rotA quat, rot mat3, t vec3) {
	a, b := p.loadIndex(facetsOf("A")), p.loadIndex(facetsOf("B"))
	p.within(facetsOf("Pos"), a, b)
	rotA = p.gather4(facetsOf("Rot"), a)
	posA := p.gather3(facetsOf("Pos"), a)
	t = p.rotateInv(rotA, p.sub3(p.gather3(facetsOf("Pos"), b), posA))
	rot = p.matrix(p.mulQuat(p.conj(rotA), p.gather4(facetsOf("Rot"), b)))
	return rotA, rot, t
}

// storeResult stores a row from the gap, the normal n, and the witness point w on A, all in the
// frame of A.
func (p *program) storeResult(rotA quat, gap num, n, w, t vec3) {
	p.store(facetsOf("Gap"), p.add(gap, p.constant(0)))
	p.store3(facetsOf("Normal"), p.rotate(rotA, n))
	p.store3(facetsOf("ArmA"), p.rotate(rotA, w))
	p.store3(facetsOf("ArmB"), p.rotate(rotA, p.sub3(p.addScaled(w, gap, n), t)))
}

func faceVertex() *program {
	p := newProgram("faceVertex")
	p.window = 32
	face, vertex := p.loadIndex(facetsOf("P")), p.loadIndex(facetsOf("Q"))
	p.within(facetsOf("NX"), face)
	p.within(facetsOf("X"), vertex)
	rotA, rot, t := p.relative()
	b := p.add3(p.mulVec(rot, p.gather3(facetsOf("X"), vertex)), t)
	n, d := p.gather3(facetsOf("NX"), face), p.gather(facetsOf("D"), face)
	gap := p.sub(p.dot(n, b), d)
	p.storeResult(rotA, gap, n, p.add3(b, p.scale(n, p.neg(gap))), t)
	return p
}

func vertexFace() *program {
	p := newProgram("vertexFace")
	p.window = 32
	vertex, face := p.loadIndex(facetsOf("P")), p.loadIndex(facetsOf("Q"))
	p.within(facetsOf("X"), vertex)
	p.within(facetsOf("NX"), face)
	rotA, rot, t := p.relative()
	m, d := p.mulVec(rot, p.gather3(facetsOf("NX"), face)), p.gather(facetsOf("D"), face)
	a := p.gather3(facetsOf("X"), vertex)
	gap := p.sub(p.dot(m, a), p.add(d, p.dot(m, t)))
	p.storeResult(rotA, gap, p.neg3(m), a, t)
	return p
}

func edgeEdge() *program {
	p := newProgram("edgeEdge")
	p.window = 16
	from, to := p.loadIndex(facetsOf("P")), p.loadIndex(facetsOf("P1"))
	fromB, toB := p.loadIndex(facetsOf("Q")), p.loadIndex(facetsOf("Q1"))
	p.within(facetsOf("X"), from, to, fromB, toB)
	rotA, rot, t := p.relative()
	q := p.add3(p.mulVec(rot, p.gather3(facetsOf("X"), fromB)), t)
	q1 := p.add3(p.mulVec(rot, p.gather3(facetsOf("X"), toB)), t)
	a, a1 := p.gather3(facetsOf("X"), from), p.gather3(facetsOf("X"), to)
	e, g, w := p.sub3(a1, a), p.sub3(q1, q), p.sub3(q, a)
	c := p.cross(e, g)
	cc := p.dot(c, c)
	l := p.sqrt(cc)
	n := p.scale(vec3{p.div(c[0], l), p.div(c[1], l), p.div(c[2], l)}, p.load(facetsOf("Sign")))
	at := p.div(p.dot(p.cross(w, g), c), cc)
	zero, one := p.constant(0), p.constant(1)
	at = p.pick(p.compare(uint8(greater), at, zero), at, zero)
	at = p.pick(p.compare(uint8(less), at, one), at, one)
	p.storeResult(rotA, p.dot(n, w), n, p.addScaled(a, at, e), t)
	return p
}

func vertexVertex() *program {
	p := newProgram("vertexVertex")
	at, atB := p.loadIndex(facetsOf("P")), p.loadIndex(facetsOf("Q"))
	p.within(facetsOf("X"), at, atB)
	rotA, rot, t := p.relative()
	b := p.add3(p.mulVec(rot, p.gather3(facetsOf("X"), atB)), t)
	a := p.gather3(facetsOf("X"), at)
	d := p.sub3(b, a)
	l := p.norm(d)
	p.storeResult(rotA, l, vec3{p.div(d[0], l), p.div(d[1], l), p.div(d[2], l)}, a, t)
	return p
}

func vertexEdge() *program {
	p := newProgram("vertexEdge")
	at, fromB, toB := p.loadIndex(facetsOf("P")), p.loadIndex(facetsOf("Q")), p.loadIndex(facetsOf("Q1"))
	p.within(facetsOf("X"), at, fromB, toB)
	rotA, rot, t := p.relative()
	q := p.add3(p.mulVec(rot, p.gather3(facetsOf("X"), fromB)), t)
	q1 := p.add3(p.mulVec(rot, p.gather3(facetsOf("X"), toB)), t)
	a := p.gather3(facetsOf("X"), at)
	d, _ := p.perpendicular(p.sub3(q, a), p.sub3(q1, q))
	l := p.norm(d)
	p.storeResult(rotA, l, vec3{p.div(d[0], l), p.div(d[1], l), p.div(d[2], l)}, a, t)
	return p
}

func edgeVertex() *program {
	p := newProgram("edgeVertex")
	from, to, atB := p.loadIndex(facetsOf("P")), p.loadIndex(facetsOf("P1")), p.loadIndex(facetsOf("Q"))
	p.within(facetsOf("X"), from, to, atB)
	rotA, rot, t := p.relative()
	b := p.add3(p.mulVec(rot, p.gather3(facetsOf("X"), atB)), t)
	a, a1 := p.gather3(facetsOf("X"), from), p.gather3(facetsOf("X"), to)
	e := p.sub3(a1, a)
	d, at := p.perpendicular(p.sub3(a, b), e)
	l := p.norm(d)
	zero, one := p.constant(0), p.constant(1)
	at = p.pick(p.compare(uint8(greater), at, zero), at, zero)
	at = p.pick(p.compare(uint8(less), at, one), at, one)
	n := p.neg3(vec3{p.div(d[0], l), p.div(d[1], l), p.div(d[2], l)})
	p.storeResult(rotA, l, n, p.addScaled(a, at, e), t)
	return p
}

// perpendicular returns the part of w at right angles to e. It also returns t, for which w + t·e is
// that part.
func (p *program) perpendicular(w, e vec3) (vec3, num) {
	ee := p.dot(e, e)
	t := p.div(p.neg(p.dot(w, e)), ee)
	w = p.addScaled(w, t, e)
	return p.addScaled(w, p.div(p.neg(p.dot(w, e)), ee), e), t
}
