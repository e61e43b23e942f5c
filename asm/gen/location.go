package main

import "math"

// Columns of asm.Locations.
var (
	ofLocations = layoutOf("Locations")

	locatedPosOf    = ofLocations.column("PosX")
	locatedRotOf    = ofLocations.column("RotW")
	crownsOf        = ofLocations.column("Crowns")
	crownRadiusOf   = ofLocations.lastColumn("Crowns")
	locatedAOf      = ofLocations.column("A")
	locatedBOf      = ofLocations.column("B")
	crownAOf        = ofLocations.column("CrownA")
	crownBOf        = ofLocations.column("CrownB")
	locatedGapOf    = ofLocations.column("Gap")
	locatedNormalOf = ofLocations.column("NormalX")
	locatedArmAOf   = ofLocations.column("ArmAX")
	locatedArmBOf   = ofLocations.column("ArmBX")
	locationOf      = ofLocations.column("X")
	widthOf         = ofLocations.column("XX")
	knownOf         = ofLocations.column("Known")
)

// Constants of asm.Locate; engine/overlap says what they mean.
const (
	locationDepth  = 0x1p-26 // tolSection
	locationBeside = 0x1p-42 // tolBeside
	locationLevel  = 0x1p-20 // tolLevel, squared
	locationClear  = 0x1p-44 // tolClear
	locationSmall  = 0x1p-12 // tolSmall
)

func locatePrograms() []*program { return []*program{locate()} }

type vec2 [2]num

// locate answers from the crowns that a plane leaves of both bodies.
func locate() *program {
	p := newProgram("locate")
	a, b := p.loadIndex(locatedAOf), p.loadIndex(locatedBOf)
	p.within(locatedPosOf, a, b)
	crownA, crownB := p.loadIndex(crownAOf), p.loadIndex(crownBOf)
	p.within(crownRadiusOf, crownA, crownB) // the shortest of the table's columns
	zero, half := p.constant(0), p.constant(0.5)
	normal, armA, armB := p.load3(locatedNormalOf), p.load3(locatedArmAOf), p.load3(locatedArmBOf)
	apart := p.sub3(p.gather3(locatedPosOf, b), p.gather3(locatedPosOf, a))
	mid := p.addScaled(armA, half, p.sub3(p.add3(apart, armB), armA))
	u, w := p.axes(normal)
	depth := p.mul(half, p.abs(p.load(locatedGapOf)))
	pp, radiusA, knownA := p.section(a, crownA, normal, u, w, p.sub3(vec3{zero, zero, zero}, mid), depth)
	q, radiusB, knownB := p.section(b, crownB, p.neg3(normal), u, w, p.sub3(apart, mid), depth)
	q[0], q[1], q[2], q[3] = q[3], q[2], q[1], q[0]
	size := p.add(radiusA, radiusB)
	known := p.and(knownA, knownB)
	s := p.commonSection(&pp, &q, p.mul(p.mul(p.constant(locationBeside), size), size), &known)
	p.located(mid, u, w, s, known)
	return p
}

// axes is two unit vectors at right angles to n and each other.
func (p *program) axes(n vec3) (u, w vec3) {
	one, zero := p.constant(1), p.constant(0)
	sign := p.pick(p.compare(uint8(less), n[2], zero), p.constant(-1), one)
	a := p.div(p.constant(-1), p.add(sign, n[2]))
	b := p.mul(p.mul(n[0], n[1]), a)
	u = vec3{p.add(one, p.mul(p.mul(sign, n[0]), p.mul(n[0], a))), p.mul(sign, b), p.mul(p.neg(sign), n[0])}
	w = vec3{b, p.add(sign, p.mul(p.mul(n[1], n[1]), a)), p.neg(n[1])}
	return u, w
}

// section is where the legs of a crown meet the plane.
func (p *program) section(body, crown idx, out, u, w, from vec3, half num) (corners [4]vec2, radius num, ok mask) {
	m := p.matrix(p.gather4(locatedRotOf, body))
	out = p.mulVecT(m, out)
	ub, wb := p.mulVecT(m, u), p.mulVecT(m, w)
	x0, y0 := p.dot(u, from), p.dot(w, from)
	radius = p.gather(crownRadiusOf, crown)
	least := p.mul(p.constant(locationDepth), radius)
	depth := p.greater(half, least)
	below, clear := p.neg(least), p.mul(p.constant(locationClear), radius)
	var tails [4]vec3
	var heights [4]num
	best := p.constant(math.Inf(-1))
	for k := range corners {
		tails[k] = p.gather3(crownsOf+column(6*k), crown)
		heights[k] = p.dot(out, tails[k])
		best = p.greater(heights[k], best)
	}
	for k := range corners {
		way := p.gather3(crownsOf+column(6*k+3), crown)
		above := p.add(p.sub(heights[k], best), depth)
		fall := p.dot(out, way)
		through := p.and(p.compare(uint8(greater), above, clear),
			p.compare(uint8(less), p.add(above, fall), below))
		if k == 0 {
			ok = through
		} else {
			ok = p.and(ok, through)
		}
		at := p.addScaled(tails[k], p.neg(p.div(above, fall)), way)
		corners[k] = vec2{p.add(x0, p.dot(ub, at)), p.add(y0, p.dot(wb, at))}
	}
	return corners, radius, ok
}

// sectionSum is what asm's of this name is.
type sectionSum struct{ twice, mx, my, xx, yy, xy num }

// commonSection sums up the common part of two quadrangles.
func (p *program) commonSection(a, b *[4]vec2, margin num, known *mask) *sectionSum {
	zero, one := p.constant(0), p.constant(1)
	var e, f [4]vec2
	var ee, ff [4]num
	for k := range e {
		n := (k + 1) % 4
		e[k] = vec2{p.sub(a[n][0], a[k][0]), p.sub(a[n][1], a[k][1])}
		f[k] = vec2{p.sub(b[n][0], b[k][0]), p.sub(b[n][1], b[k][1])}
		ee[k] = p.mul(p.constant(locationLevel), p.add(p.mul(e[k][0], e[k][0]), p.mul(e[k][1], e[k][1])))
		ff[k] = p.add(p.mul(f[k][0], f[k][0]), p.mul(f[k][1], f[k][1]))
	}
	var from, to [8]num
	for k := range from {
		from[k], to[k] = zero, one
	}
	s := &sectionSum{zero, zero, zero, zero, zero, zero}
	for i := range a {
		for j := range b {
			wx, wy := p.sub(a[i][0], b[j][0]), p.sub(a[i][1], b[j][1])
			inQ := p.sub(p.mul(f[j][0], wy), p.mul(f[j][1], wx))
			inP := p.sub(p.mul(e[i][1], wx), p.mul(e[i][0], wy))
			*known = p.and(*known, p.compare(uint8(greater), p.abs(inQ), margin))
			*known = p.and(*known, p.compare(uint8(greater), p.abs(inP), margin))
			c := p.sub(p.mul(f[j][0], e[i][1]), p.mul(f[j][1], e[i][0]))
			*known = p.and(*known, p.compare(uint8(greater), p.mul(c, c), p.mul(ee[i], ff[j])))
			r := p.div(one, c)
			t, u := p.neg(p.mul(inQ, r)), p.mul(inP, r)
			in := p.compare(uint8(greater), c, zero)
			from[i] = p.pick(in, p.greater(t, from[i]), from[i])
			to[4+j] = p.pick(in, p.lesser(u, to[4+j]), to[4+j])
			to[i] = p.pick(in, to[i], p.lesser(t, to[i]))
			from[4+j] = p.pick(in, from[4+j], p.greater(u, from[4+j]))
		}
		p.addPart(s, a[i], e[i], from[i], to[i])
	}
	for j := range b {
		p.addPart(s, b[j], f[j], from[4+j], to[4+j])
	}
	return s
}

// addPart adds the part from t0 to t1 of the side e, or nothing.
func (p *program) addPart(s *sectionSum, at, e vec2, t0, t1 num) {
	zero := p.constant(0)
	there := p.compare(uint8(less), t0, t1)
	t0, t1 = p.pick(there, t0, zero), p.pick(there, t1, zero)
	ax, ay := p.add(at[0], p.mul(t0, e[0])), p.add(at[1], p.mul(t0, e[1]))
	bx, by := p.add(at[0], p.mul(t1, e[0])), p.add(at[1], p.mul(t1, e[1]))
	p.addSide(s, vec2{ax, ay}, vec2{bx, by})
}

// addSide adds the side from a to b.
func (p *program) addSide(s *sectionSum, a, b vec2) {
	ax, ay, bx, by := a[0], a[1], b[0], b[1]
	axby, aybx := p.mul(ax, by), p.mul(ay, bx)
	t := p.sub(axby, aybx)
	sx, sy := p.add(ax, bx), p.add(ay, by)
	s.twice = p.add(s.twice, t)
	s.mx = p.add(s.mx, p.mul(t, sx))
	s.my = p.add(s.my, p.mul(t, sy))
	s.xx = p.add(s.xx, p.mul(t, p.sub(p.mul(sx, sx), p.mul(ax, bx))))
	s.yy = p.add(s.yy, p.mul(t, p.sub(p.mul(sy, sy), p.mul(ay, by))))
	s.xy = p.add(s.xy, p.mul(t, p.sub(p.mul(sx, sy), p.mul(p.constant(0.5), p.add(axby, aybx)))))
}

// located writes a row.
func (p *program) located(mid, u, w vec3, s *sectionSum, known mask) {
	zero, one := p.constant(0), p.constant(1)
	third := p.div(one, p.mul(p.constant(3), s.twice))
	x, y := p.mul(s.mx, third), p.mul(s.my, third)
	half := p.mul(p.constant(0.5), third)
	xx2, yy2 := p.mul(x, x), p.mul(y, y)
	xx, yy := p.sub(p.mul(s.xx, half), xx2), p.sub(p.mul(s.yy, half), yy2)
	xy := p.sub(p.mul(s.xy, half), p.mul(x, y))
	size := p.add(p.add(p.add(xx, yy), xx2), yy2)
	known = p.and(known, p.compare(uint8(greater), s.twice, p.mul(p.constant(locationSmall), size)))
	p.store3(locationOf, p.addScaled(p.addScaled(mid, x, u), y, w))
	xx = p.pick(p.compare(uint8(less), xx, zero), zero, xx)
	yy = p.pick(p.compare(uint8(less), yy, zero), zero, yy)
	p.storeWidth(widthOf, u, w, xx, xy, yy)
	p.store(knownOf, p.pick(known, one, zero))
}

// storeWidth writes second moments on the axes u and w as a matrix in world axes, from column first on.
func (p *program) storeWidth(first column, u, w vec3, xx, xy, yy num) {
	a := p.addScaled(p.scale(u, xx), xy, w)
	b := p.addScaled(p.scale(u, xy), yy, w)
	for k, ij := range [6][2]int{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}} {
		i, j := ij[0], ij[1]
		p.store(first+column(k), p.add(p.mul(a[i], u[j]), p.mul(b[i], w[j])))
	}
}
