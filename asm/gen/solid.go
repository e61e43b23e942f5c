package main

import "math"

// The columns of a solid, by the names of polyhedronState of package asm, and of a part of its surface.
// All columns of a kind are in one slice, solidRows of each number.
var (
	ofSolid     = layoutOf("polyhedronState")
	solidOf     = ofSolid.column
	solidPartOf = column(len(ofSolid.fields)) // the first column of the part
)

// solidRows is how many solids there are, and solidTriangles how many triangles of each solid a
// kernel reads in one call.
var (
	solidRows      = int(asmWhole("SolidRows"))
	solidTriangles = int(asmWhole("SolidCells"))
)

func solidPrograms() []*program {
	return []*program{
		solidArea(), solidUpright(), solidReach(), solidAxes(), solidMoments(), solidSlopes(), solidGradient(), solidShared(),
	}
}

// newSolidProgram returns an empty program on the columns of asm.Polyhedra.
func newSolidProgram(name string) *program {
	p := newProgram(name)
	p.place = func(c column) (slice, offset int) {
		if c < solidPartOf {
			return 0, solidRows * int(c)
		}
		return 1, solidRows * int(c-solidPartOf)
	}
	return p
}

// solidTriangle loads triangle k of the part, relative to a corner of the solid.
func (p *program) solidTriangle(k int) (x [3]vec3) {
	first := p.load3(solidOf("First"))
	for i := range x {
		x[i] = p.sub3(p.load3(solidPartOf+column(9*k+3*i)), first)
	}
	return x
}

// solidArea adds the triangles of chosen faces to twice their area vector and to the sum of its
// squares, and finds the largest.
func solidArea() *program {
	p := newSolidProgram("solidArea")
	area, squares, widest, most := p.load3(solidOf("Area")), p.load(solidOf("Squares")), p.load3(solidOf("Widest")), p.load(solidOf("WidestSquare"))
	for k := range solidTriangles {
		x := p.solidTriangle(k)
		n := p.cross(p.sub3(x[1], x[0]), p.sub3(x[2], x[0]))
		square := p.dot(n, n)
		area, squares = p.add3(area, n), p.add(squares, square)
		wider := p.compare(uint8(greater), square, most)
		widest, most = p.pickVec(wider, n, widest), p.pick(wider, square, most)
	}
	p.store3(solidOf("Area"), area)
	p.store(solidOf("Squares"), squares)
	p.store3(solidOf("Widest"), widest)
	p.store(solidOf("WidestSquare"), most)
	return p
}

// solidUpright finds the third axis: the normal of the chosen faces, or that of their largest
// triangle if their areas nearly cancel. The areas cancel if the body of the chosen faces goes
// through the other body, and at the rim of a thin plate.
func solidUpright() *program {
	p := newSolidProgram("solidUpright")
	area := p.load3(solidOf("Area"))
	level := p.compare(uint8(greater), p.dot(area, area), p.mul(p.constant(asmNumber("ShareNetArea")), p.load(solidOf("Squares"))))
	up := p.pickVec(level, area, p.load3(solidOf("Widest")))
	p.store3(solidOf("Upright"), p.scale(up, p.div(p.constant(1), p.norm(up))))
	p.clear(solidOf("Reach"), 4)
	return p
}

// clear sets n columns to zero.
func (p *program) clear(first column, n int) {
	for k := range n {
		p.store(first+column(k), p.constant(0))
	}
}

// solidReach finds the corner of chosen faces that is farthest across. Consecutive triangles of a
// face share two corners, so the third corner of every other triangle is enough.
func solidReach() *program {
	p := newSolidProgram("solidReach")
	z, x, most := p.load3(solidOf("Upright")), p.load3(solidOf("Reach")), p.load(solidOf("ReachSquare"))
	for k := range solidTriangles {
		for i, v := range p.solidTriangle(k) {
			if k > 0 && i < 2 {
				continue
			}
			v = p.addScaled(v, p.neg(p.dot(v, z)), z)
			d := p.dot(v, v)
			further := p.compare(uint8(greater), d, most)
			x, most = p.pickVec(further, v, x), p.pick(further, d, most)
		}
	}
	p.store3(solidOf("Reach"), x)
	p.store(solidOf("ReachSquare"), most)
	return p
}

// solidAxes computes the frame.
func solidAxes() *program {
	p := newSolidProgram("solidAxes")
	z := p.load3(solidOf("Upright"))
	x := p.scale(p.load3(solidOf("Reach")), p.div(p.constant(1), p.sqrt(p.load(solidOf("ReachSquare")))))
	for k, axis := range []vec3{x, p.cross(z, x), z} {
		p.store3(solidOf("Axes")+column(3*k), axis)
	}
	p.clear(solidOf("Six"), 10)
	return p
}

func (p *program) solidAxes() mat3 {
	return mat3{p.load3(solidOf("Axes")), p.load3(solidOf("Axes") + 3), p.load3(solidOf("Axes") + 6)}
}

// solidMoments adds the tetrahedra between the first corner, which is the origin, and the triangles
// of the surface.
func solidMoments() *program {
	p := newSolidProgram("solidMoments")
	to := p.solidAxes()
	six, mean, dyads := p.load(solidOf("Six")), p.load3(solidOf("Mean")), p.loadSym(solidOf("Dyads"))
	for k := range solidTriangles {
		t := p.solidTriangle(k)
		x, y, z := p.mulVec(to, t[0]), p.mulVec(to, t[1]), p.mulVec(to, t[2])
		d := p.dot(x, p.cross(y, z))
		u, v, w := p.add3(x, y), p.add3(y, z), p.add3(z, x)
		six, mean = p.add(six, d), p.addScaled(mean, d, p.add3(u, z))
		sum := p.addSym(p.addSym(p.ownDyad(u), p.ownDyad(v)), p.ownDyad(w))
		dyads = p.addSym(dyads, p.scaleSym(sum, d))
	}
	p.store(solidOf("Six"), six)
	p.store3(solidOf("Mean"), mean)
	p.storeSym(solidOf("Dyads"), dyads)
	return p
}

// ownDyad returns vvᵀ.
func (p *program) ownDyad(v vec3) sym3 {
	return sym3{p.mul(v[0], v[0]), p.mul(v[1], v[1]), p.mul(v[2], v[2]), p.mul(v[0], v[1]), p.mul(v[0], v[2]), p.mul(v[1], v[2])}
}

// solidSlopes computes λ and its gradient λ³C⁻³. It inverts the covariance C by way of the
// correlations, which are of order one for any extents, and these by their Cholesky factor L: C⁻¹ =
// (L⁻¹)ᵀL⁻¹.
func solidSlopes() *program {
	p := newSolidProgram("solidSlopes")
	zero, one := p.constant(0), p.constant(1)
	per := p.div(one, p.load(solidOf("Six")))
	c := p.scale(p.load3(solidOf("Mean")), p.mul(p.constant(0.25), per))
	spread := p.addSym(p.scaleSym(p.loadSym(solidOf("Dyads")), p.mul(p.constant(0.05), per)), p.dyad(c, p.constant(-1)))
	sx, sy, sz := p.div(one, p.sqrt(spread.xx)), p.div(one, p.sqrt(spread.yy)), p.div(one, p.sqrt(spread.zz))
	xy, xz, yz := p.mul(p.mul(spread.xy, sx), sy), p.mul(p.mul(spread.xz, sx), sz), p.mul(p.mul(spread.yz, sy), sz)
	my := p.div(one, p.sqrt(p.sub(one, p.mul(xy, xy))))
	lzy := p.mul(p.sub(yz, p.mul(xz, xy)), my)
	mz := p.div(one, p.sqrt(p.sub(p.sub(one, p.mul(xz, xz)), p.mul(lzy, lzy))))
	myx := p.neg(p.mul(xy, my))
	mzy := p.neg(p.mul(p.mul(lzy, my), mz))
	mzx := p.neg(p.mul(p.add(xz, p.mul(lzy, myx)), mz))
	ax, ay, az := vec3{sx, zero, zero}, vec3{p.mul(myx, sx), p.mul(my, sy), zero}, vec3{p.mul(mzx, sx), p.mul(mzy, sy), p.mul(mz, sz)}
	variance, j := p.slopeOf(sym3{
		xx: p.add(p.add(p.mul(ax[0], ax[0]), p.mul(ay[0], ay[0])), p.mul(az[0], az[0])),
		yy: p.add(p.mul(ay[1], ay[1]), p.mul(az[1], az[1])), zz: p.mul(az[2], az[2]),
		xy: p.add(p.mul(ay[0], ay[1]), p.mul(az[0], az[1])), xz: p.mul(az[0], az[2]), yz: p.mul(az[1], az[2]),
	})
	p.store3(solidOf("Center"), c)
	p.store(solidOf("Lambda"), variance)
	p.storeSym(solidOf("Spread"), spread)
	p.storeSym(solidOf("Slope"), p.times(p.times(j, j), j))
	p.clear(solidOf("Gradient"), 9)
	return p
}

// solidGradient adds the contributions of the chosen faces' triangles to the derivatives. With n
// twice the area vector of a triangle, x its corners relative to the centroid, s their sum, h =
// xᵀG(s + x) of each corner, and H the sum of these h,
//
//	n·(H - 12λ),  (s·(H - 20λ) + 2 Σ h·x) × n,  s × n
//
// These are 24, 120 and 6 times the integrals of p, x·p and x over the triangle, with p(x) = xᵀGx -
// λ.
func solidGradient() *program {
	p := newSolidProgram("solidGradient")
	to, c, g := p.solidAxes(), p.load3(solidOf("Center")), p.loadSym(solidOf("Slope"))
	lambda := p.load(solidOf("Lambda"))
	of12, of20 := p.mul(p.constant(12), lambda), p.mul(p.constant(20), lambda)
	gradient, turn, swell := p.load3(solidOf("Gradient")), p.load3(solidOf("Moment")), p.load3(solidOf("Swell"))
	for k := range solidTriangles {
		x := p.solidTriangle(k)
		for i := range x {
			x[i] = p.sub3(p.mulVec(to, x[i]), c)
		}
		n := p.cross(p.sub3(x[1], x[0]), p.sub3(x[2], x[0]))
		s := p.add3(p.add3(x[0], x[1]), x[2])
		var h [3]num
		for i := range x {
			h[i] = p.dot(x[i], p.mulSym(g, p.add3(s, x[i])))
		}
		whole := p.add(p.add(h[0], h[1]), h[2])
		moment := p.addScaled(p.addScaled(p.scale(x[0], h[0]), h[1], x[1]), h[2], x[2])
		moment = p.add3(p.scale(s, p.sub(whole, of20)), p.add3(moment, moment))
		gradient = p.addScaled(gradient, p.sub(whole, of12), n)
		turn = p.add3(turn, p.cross(moment, n))
		swell = p.add3(swell, p.cross(s, n))
	}
	p.store3(solidOf("Gradient"), gradient)
	p.store3(solidOf("Moment"), turn)
	p.store3(solidOf("Swell"), swell)
	return p
}

// solidShared turns the results into world axes.
func solidShared() *program {
	p := newSolidProgram("solidShared")
	one, sign := p.constant(1), p.load(solidOf("Sign"))
	world, axes := p.matrix(p.load4(solidOf("Turn"))), p.solidAxes()
	o := &overlapOf{unit: one, variance: p.load(solidOf("Lambda")), spread: p.loadSym(solidOf("Spread"))}
	for k := range axes {
		o.to[k] = p.mulVec(world, axes[k])
	}
	six := p.load(solidOf("Six"))
	o.volume = p.mul(p.constant(1.0/6), six)
	o.centroid = p.add3(p.add3(p.load3(solidOf("Origin")), p.mulVec(world, p.load3(solidOf("First")))), p.combined(o.to, p.load3(solidOf("Center"))))
	per := p.div(sign, six)
	o.gradient = p.scale(p.load3(solidOf("Gradient")), p.mul(p.constant(6.0/24), per))
	o.turn = p.scale(p.load3(solidOf("Moment")), p.mul(p.constant(6.0/120), per))
	o.volumeGradient = p.scale(p.mulVec(axes, p.load3(solidOf("Area"))), p.mul(p.constant(0.5), sign))
	o.volumeTurn = p.scale(p.load3(solidOf("Swell")), p.mul(p.constant(1.0/6), sign))

	// A derivative that exceeds those of all overlaps is made of rounding.
	steepest := asmNumber("SolidGrowth")
	most2 := p.mul(p.constant(steepest*steepest*12.0/36), o.variance)
	arm := p.load(solidOf("Arm"))
	known := p.compare(uint8(less), o.variance, p.constant(math.MaxFloat64))
	known = p.and(known, p.compare(uint8(lessOrEqual), p.dot(o.gradient, o.gradient), most2))
	known = p.and(known, p.compare(uint8(lessOrEqual), p.dot(o.turn, o.turn), p.mul(most2, p.mul(arm, arm))))
	p.shared(0, o, known)
	return p
}
