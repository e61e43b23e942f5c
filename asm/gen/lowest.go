package main

// Columns of asm.Lowest.
var (
	ofLowest = layoutOf("Lowest")

	othersOf       = ofLowest.column("Others")
	lowestRadiusOf = ofLowest.column("Radius")
	lowestVertexOf = ofLowest.column("Vertex")
	lowestKnownOf  = ofLowest.column("Known")
)

// lowestClear is by how much, in units of the larger of the two radii and the distance of the bodies along an axis of A's
// frame, the lowest vertex must lie below the others to be known for it.
const lowestClear = 0x1p-36

func lowestPrograms() []*program { return []*program{faceLowest(), lowestFace()} }

func faceLowest() *program {
	p := newProgram("faceLowest")
	face := p.loadIndex(featureAOf)
	p.within(planeOf, face)
	v := p.vertices(p.loadIndex(featureBOf))
	rotA, rot, t := p.relative()
	n, d := p.gather3(planeOf, face), p.gather(offsetOf, face)
	var b [4]vec3
	var over [4]num
	for k := range v {
		b[k] = p.add3(p.mulVec(rot, v[k]), t)
		over[k] = p.dot(n, b[k])
	}
	low, w, vertex, known := p.choose(&v, &b, &over, t)
	gap := p.sub(low, d)
	p.answer(rotA, gap, n, p.add3(w, p.scale(n, p.neg(gap))), t)
	p.store(lowestVertexOf, vertex)
	p.store(lowestKnownOf, known)
	return p
}

func lowestFace() *program {
	p := newProgram("lowestFace")
	face := p.loadIndex(featureBOf)
	p.within(planeOf, face)
	v := p.vertices(p.loadIndex(featureAOf))
	rotA, rot, t := p.relative()
	m, d := p.mulVec(rot, p.gather3(planeOf, face)), p.gather(offsetOf, face)
	var over [4]num
	for k := range v {
		over[k] = p.dot(m, v[k])
	}
	low, a, vertex, known := p.choose(&v, &v, &over, t)
	p.answer(rotA, p.sub(low, p.add(d, p.dot(m, t))), p.neg3(m), a, t)
	p.store(lowestVertexOf, vertex)
	p.store(lowestKnownOf, known)
	return p
}

// vertices looks up the points to choose from.
func (p *program) vertices(first idx) (v [4]vec3) {
	at := [4]idx{first, p.loadIndex(othersOf), p.loadIndex(othersOf + 1), p.loadIndex(othersOf + 2)}
	p.within(pointOf, at[:]...)
	for k := range v {
		v[k] = p.gather3(pointOf, at[k])
	}
	return v
}

// choose returns the least of the heights, its place, number, and whether it is known. The vertices v are at w.
func (p *program) choose(v, w *[4]vec3, over *[4]num, t vec3) (low num, at vec3, vertex, known num) {
	low, at, vertex = over[0], w[0], p.constant(0)
	own := v[0]
	for k := 1; k < 4; k++ {
		lower := p.compare(uint8(less), over[k], low)
		low, at = p.pick(lower, over[k], low), p.choose3(lower, w[k], at)
		own, vertex = p.choose3(lower, v[k], own), p.pick(lower, p.constant(float64(k)), vertex)
	}
	unit := p.greater(p.greater(p.abs(t[0]), p.greater(p.abs(t[1]), p.abs(t[2]))), p.load(lowestRadiusOf))
	clear := p.mul(unit, p.constant(lowestClear))
	one, zero := p.constant(1), p.constant(0)
	known = one
	for k := range v {
		same := p.compare(uint8(equal), v[k][0], own[0])
		for j := 1; j < 3; j++ {
			same = p.and(same, p.compare(uint8(equal), v[k][j], own[j]))
		}
		known = p.pick(p.or(p.compare(uint8(greater), p.sub(over[k], low), clear), same), known, zero)
	}
	return low, at, vertex, known
}
