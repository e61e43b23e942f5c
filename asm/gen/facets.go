package main

// Columns of asm.Facets.
var (
	ofFacets = layoutOf("Facets")

	facetPosOf  = ofFacets.column("PosX")
	facetRotOf  = ofFacets.column("RotW")
	planeOf     = ofFacets.column("NX")
	offsetOf    = ofFacets.column("D")
	pointOf     = ofFacets.column("X")
	bodyAOf     = ofFacets.column("A")
	bodyBOf     = ofFacets.column("B")
	featureAOf  = ofFacets.column("P")
	featureBOf  = ofFacets.column("Q")
	featureA1Of = ofFacets.column("P1")
	featureB1Of = ofFacets.column("Q1")
	signOf      = ofFacets.column("Sign")
	gapOf       = ofFacets.column("Gap")
	normalOf    = ofFacets.column("NormalX")
	armAOf      = ofFacets.column("ArmAX")
	armBOf      = ofFacets.column("ArmBX")
)

func facetPrograms() []*program {
	return []*program{faceVertex(), vertexFace(), edgeEdge(), vertexVertex(), vertexEdge(), edgeVertex()}
}

// relative returns the orientation of A, and the pose of B in the frame of A.
func (p *program) relative() (rotA quat, rot mat3, t vec3) {
	a, b := p.loadIndex(bodyAOf), p.loadIndex(bodyBOf)
	p.within(facetPosOf, a, b)
	rotA = p.gather4(facetRotOf, a)
	posA := p.gather3(facetPosOf, a)
	t = p.rotateInv(rotA, p.sub3(p.gather3(facetPosOf, b), posA))
	rot = p.matrix(p.mulQuat(p.conj(rotA), p.gather4(facetRotOf, b)))
	return rotA, rot, t
}

// answer writes a row from gap, normal and witness on A, in the frame of A.
func (p *program) answer(rotA quat, gap num, n, w, t vec3) {
	p.store(gapOf, p.add(gap, p.constant(0)))
	p.store3(normalOf, p.rotate(rotA, n))
	p.store3(armAOf, p.rotate(rotA, w))
	p.store3(armBOf, p.rotate(rotA, p.sub3(p.addScaled(w, gap, n), t)))
}

func faceVertex() *program {
	p := newProgram("faceVertex")
	p.window = 32
	face, vertex := p.loadIndex(featureAOf), p.loadIndex(featureBOf)
	p.within(planeOf, face)
	p.within(pointOf, vertex)
	rotA, rot, t := p.relative()
	b := p.add3(p.mulVec(rot, p.gather3(pointOf, vertex)), t)
	n, d := p.gather3(planeOf, face), p.gather(offsetOf, face)
	gap := p.sub(p.dot(n, b), d)
	p.answer(rotA, gap, n, p.add3(b, p.scale(n, p.neg(gap))), t)
	return p
}

func vertexFace() *program {
	p := newProgram("vertexFace")
	p.window = 32
	vertex, face := p.loadIndex(featureAOf), p.loadIndex(featureBOf)
	p.within(pointOf, vertex)
	p.within(planeOf, face)
	rotA, rot, t := p.relative()
	m, d := p.mulVec(rot, p.gather3(planeOf, face)), p.gather(offsetOf, face)
	a := p.gather3(pointOf, vertex)
	gap := p.sub(p.dot(m, a), p.add(d, p.dot(m, t)))
	p.answer(rotA, gap, p.neg3(m), a, t)
	return p
}

func edgeEdge() *program {
	p := newProgram("edgeEdge")
	p.window = 16
	from, to := p.loadIndex(featureAOf), p.loadIndex(featureA1Of)
	fromB, toB := p.loadIndex(featureBOf), p.loadIndex(featureB1Of)
	p.within(pointOf, from, to, fromB, toB)
	rotA, rot, t := p.relative()
	q := p.add3(p.mulVec(rot, p.gather3(pointOf, fromB)), t)
	q1 := p.add3(p.mulVec(rot, p.gather3(pointOf, toB)), t)
	a, a1 := p.gather3(pointOf, from), p.gather3(pointOf, to)
	e, g, w := p.sub3(a1, a), p.sub3(q1, q), p.sub3(q, a)
	c := p.cross(e, g)
	cc := p.dot(c, c)
	l := p.sqrt(cc)
	n := p.scale(vec3{p.div(c[0], l), p.div(c[1], l), p.div(c[2], l)}, p.load(signOf))
	at := p.div(p.dot(p.cross(w, g), c), cc)
	zero, one := p.constant(0), p.constant(1)
	at = p.pick(p.compare(uint8(greater), at, zero), at, zero)
	at = p.pick(p.compare(uint8(less), at, one), at, one)
	p.answer(rotA, p.dot(n, w), n, p.addScaled(a, at, e), t)
	return p
}

func vertexVertex() *program {
	p := newProgram("vertexVertex")
	at, atB := p.loadIndex(featureAOf), p.loadIndex(featureBOf)
	p.within(pointOf, at, atB)
	rotA, rot, t := p.relative()
	b := p.add3(p.mulVec(rot, p.gather3(pointOf, atB)), t)
	a := p.gather3(pointOf, at)
	d := p.sub3(b, a)
	l := p.norm(d)
	p.answer(rotA, l, vec3{p.div(d[0], l), p.div(d[1], l), p.div(d[2], l)}, a, t)
	return p
}

func vertexEdge() *program {
	p := newProgram("vertexEdge")
	at, fromB, toB := p.loadIndex(featureAOf), p.loadIndex(featureBOf), p.loadIndex(featureB1Of)
	p.within(pointOf, at, fromB, toB)
	rotA, rot, t := p.relative()
	q := p.add3(p.mulVec(rot, p.gather3(pointOf, fromB)), t)
	q1 := p.add3(p.mulVec(rot, p.gather3(pointOf, toB)), t)
	a := p.gather3(pointOf, at)
	d, _ := p.perpendicular(p.sub3(q, a), p.sub3(q1, q))
	l := p.norm(d)
	p.answer(rotA, l, vec3{p.div(d[0], l), p.div(d[1], l), p.div(d[2], l)}, a, t)
	return p
}

func edgeVertex() *program {
	p := newProgram("edgeVertex")
	from, to, atB := p.loadIndex(featureAOf), p.loadIndex(featureA1Of), p.loadIndex(featureBOf)
	p.within(pointOf, from, to, atB)
	rotA, rot, t := p.relative()
	b := p.add3(p.mulVec(rot, p.gather3(pointOf, atB)), t)
	a, a1 := p.gather3(pointOf, from), p.gather3(pointOf, to)
	e := p.sub3(a1, a)
	d, at := p.perpendicular(p.sub3(a, b), e)
	l := p.norm(d)
	zero, one := p.constant(0), p.constant(1)
	at = p.pick(p.compare(uint8(greater), at, zero), at, zero)
	at = p.pick(p.compare(uint8(less), at, one), at, one)
	n := p.neg3(vec3{p.div(d[0], l), p.div(d[1], l), p.div(d[2], l)})
	p.answer(rotA, l, n, p.addScaled(a, at, e), t)
	return p
}

// perpendicular returns the part of w at right angles to e, and t with w + t·e equal to it.
func (p *program) perpendicular(w, e vec3) (vec3, num) {
	ee := p.dot(e, e)
	t := p.div(p.neg(p.dot(w, e)), ee)
	w = p.addScaled(w, t, e)
	return p.addScaled(w, p.div(p.neg(p.dot(w, e)), ee), e), t
}
