package main

// shareCrossings computes the overlap of two crossing edges, a tetrahedron. asm.ShareCrossings has
// the formulas.
func shareCrossings() *program {
	p := newSharing("shareCrossings", 64)
	p.alone = true
	verts := p.indices(0, 4, ofShares.lastColumn("Verts"))
	rims := p.indices(4, 4, ofShares.lastColumn("Rims"))
	var e [2]edgeAndFaces
	for k := range e {
		e[k] = edgeAndFaces{
			pos: p.pos[k], at: p.at[k], tail: p.gather3(sharesOf("Verts"), verts[2*k]), head: p.gather3(sharesOf("Verts"), verts[2*k+1]),
			length: p.gather(sharesOf("Rims")+4, rims[2*k]),
		}
		for f, rim := range rims[2*k : 2*k+2] {
			e[k].faces[f] = faceStrip{
				p.gather3(sharesOf("Rims"), rim), p.gather(sharesOf("Rims")+5, rim), p.gather(sharesOf("Rims")+6, rim), p.gather(sharesOf("Rims")+7, rim),
			}
		}
	}
	o, known := p.shareCrossing(&e[0], &e[1], p.load(shareNumber("ShareClear")))
	p.shared(sharesOf("Answers"), o, known)
	return p.program
}

// edgeAndFaces is a body's pose and one of its edges, in the body frame: tail, head, length, and
// the edge's two faces, the left one first.
type edgeAndFaces struct {
	pos        vec3
	at         mat3
	tail, head vec3
	length     num
	faces      [2]faceStrip
}

// shareCrossing computes the overlap in a frame of its own. A is V of asm.TypedOverlaps, and B is G. The
// origin is the point of A's edge that is nearest to B's edge. The axes point along A's edge,
// across it, and along the common normal n from A to B. The unit of length is the depth of the
// crossing.
func (p *program) shareCrossing(a, b *edgeAndFaces, clear num) (o *overlapOf, known mask) {
	tailA, alongA, facesA := p.posed(a)
	tailB, alongB, facesB := p.posed(b)
	lengthA, lengthB := a.length, b.length
	zero, one := p.constant(0), p.constant(1)

	// The nearest points of the lines of both edges, as distances from the tails, and the depth.
	// between is a second difference: it is small, so its rounding is small too.
	apart := p.add3(p.sub3(b.pos, a.pos), p.sub3(tailB, tailA))
	n := p.cross(alongA, alongB)
	sine2 := p.dot(n, n)
	known = p.compare(uint8(greater), sine2, p.constant(asmNumber("ShareSine2")))
	per := p.div(one, sine2)
	onA := p.mul(p.dot(p.cross(apart, alongB), n), per)
	onB := p.mul(p.dot(p.cross(apart, alongA), n), per)
	between := p.addScaled(p.addScaled(apart, onB, alongB), p.neg(onA), alongA)
	inverse := p.div(one, p.sqrt(sine2))
	flip := p.compare(uint8(greater), p.dot(facesA[0].in, n), zero)
	n = p.scale(n, p.pick(flip, p.neg(inverse), inverse))
	depth := p.neg(p.dot(n, between))
	known = p.and(known, p.compare(uint8(greater), depth, clear))
	acrossA, acrossB := p.cross(n, alongA), p.cross(n, alongB)
	cosine, sine := p.dot(alongA, alongB), p.dot(alongB, acrossA)

	// The positions along B's edge, from the nearest point, at which the edge pierces A's faces;
	// those along A's edge at which that edge pierces B's faces; and how far inside of the faces
	// these points are.
	perSine := p.div(one, sine)
	var t, s, insideA, insideB [2]num
	for k := range t {
		inA, inB := facesA[k].in, facesB[k].in
		downA, downB := p.neg(p.dot(inA, n)), p.dot(inB, n)
		known = p.and(known, p.compare(uint8(greater), downA, zero))
		known = p.and(known, p.compare(uint8(greater), downB, zero))
		insideA[k], insideB[k] = p.div(one, downA), p.div(one, downB)
		t[k] = p.mul(p.mul(p.dot(inA, acrossA), insideA[k]), perSine)
		s[k] = p.neg(p.mul(p.mul(p.dot(inB, acrossB), insideB[k]), perSine))
	}
	wide := p.add(p.add(p.abs(s[0]), p.abs(s[1])), p.add(p.abs(t[0]), p.abs(t[1])))
	margin := p.mul(clear, p.add(one, wide))
	known = p.edgeHolds(known, &facesA, onA, depth, cosine, lengthA, s, t, insideA, margin)
	known = p.edgeHolds(known, &facesB, onB, depth, cosine, lengthB, t, s, insideB, margin)
	l, k := p.sub(s[0], s[1]), p.sub(t[0], t[1])
	narrow := p.constant(asmNumber("ShareNarrow"))
	known = p.and(known, p.compare(uint8(greater), p.abs(l), p.mul(narrow, p.add(p.abs(s[0]), p.abs(s[1])))))
	known = p.and(known, p.compare(uint8(greater), p.abs(k), p.mul(narrow, p.add(p.abs(t[0]), p.abs(t[1])))))

	// With h from the middle of A's part to the middle of B's part, C = (hhᵀ + l²/2·aaᵀ +
	// k²/2·bbᵀ)/20, with a and b along the edges. The inverse is a sum over the vectors that are
	// reciprocal to h, a and b.
	half := p.constant(0.5)
	sMid, tMid := p.mul(half, p.add(s[0], s[1])), p.mul(half, p.add(t[0], t[1]))
	h := vec3{p.sub(p.mul(tMid, cosine), sMid), p.mul(tMid, sine), p.constant(-1)}
	l2, k2 := p.mul(l, l), p.mul(k, k)
	forty := p.constant(40)
	ofA := p.dyad(vec3{one, p.neg(p.mul(cosine, perSine)), p.neg(sMid)}, p.div(forty, l2))
	ofB := p.dyad(vec3{zero, perSine, tMid}, p.div(forty, k2))
	inv := p.addSym(ofA, ofB)
	inv.zz = p.add(inv.zz, p.constant(20))
	variance, j := p.slopeOf(inv)
	g := p.times(p.times(j, j), j)

	o = &overlapOf{unit: depth, to: mat3{alongA, acrossA, n}, variance: variance}
	o.volume = p.mul(p.constant(1.0/6), p.abs(p.mul(p.mul(l, k), sine)))
	c := vec3{p.mul(half, p.add(sMid, p.mul(tMid, cosine))), p.mul(half, h[1]), p.neg(half)}
	o.centroid = p.add3(p.addScaled(tailA, onA, alongA), p.scale(p.combined(o.to, c), depth))
	beta := vec3{cosine, sine, zero}
	spread := p.addSym(p.dyad(h, one), p.dyad(beta, p.mul(half, k2)))
	spread.xx = p.add(spread.xx, p.mul(half, l2))
	o.spread = p.scaleSym(spread, p.constant(1.0/20))

	// A's part of the surface is two triangles. Their area vectors over the volume are
	// ±3/(k·sine)·(0, 1, t·sine).
	o.gradient, o.turn, o.volumeTurn = vec3{zero, zero, zero}, vec3{zero, zero, zero}, vec3{zero, zero, zero}
	x0, x1 := p.sub3(vec3{s[0], zero, zero}, c), p.sub3(vec3{s[1], zero, zero}, c)
	unit := p.div(p.constant(3), p.mul(k, sine))
	for i, factor := range []num{unit, p.neg(unit)} {
		tip := p.sub3(vec3{p.mul(t[i], cosine), p.mul(t[i], sine), p.constant(-1)}, c)
		normal := vec3{zero, factor, p.mul(factor, p.mul(t[i], sine))}
		p.addTriangle(o, g, [3]vec3{x0, x1, tip}, normal)
	}
	o.volumeGradient = vec3{zero, zero, p.mul(p.constant(3), o.volume)}
	o.volumeTurn = p.scale(o.volumeTurn, o.volume)
	return o, known
}

// faceStrip is a face as seen from one of its edges: the direction into the face, and numbers of
// soa.Rim.
type faceStrip struct {
	in                       vec3
	fromTail, fromHead, rise num
}

// posed turns an edge and its faces into world axes. The tail is relative to the position of the
// body.
func (p *program) posed(e *edgeAndFaces) (tail, along vec3, faces [2]faceStrip) {
	for k, f := range e.faces {
		f.in = p.mulVec(e.at, f.in)
		faces[k] = f
	}
	along = p.mulVec(e.at, p.scale(p.sub3(e.head, e.tail), p.div(p.constant(1), e.length)))
	return p.mulVec(e.at, e.tail), along, faces
}

// edgeHolds adds conditions to known. The edge must contain the points own that the faces of the
// other body make on it. Its two faces must contain the points that they make on the other edge,
// inside deep. Both own and inside are multiples of the depth.
func (p *program) edgeHolds(
	known mask, faces *[2]faceStrip, at, depth, cosine, length num, own, other, inside [2]num, margin num,
) mask {
	zero := p.constant(0)
	lies := func(x, lo, hi num) {
		known = p.and(known, p.compare(uint8(greater), p.sub(x, lo), margin))
		known = p.and(known, p.compare(uint8(greater), p.sub(hi, x), margin))
	}
	for k, f := range faces {
		lies(p.add(at, p.mul(depth, own[k])), zero, length)
		in := p.mul(depth, inside[k])
		known = p.and(known, p.compare(uint8(greater), p.sub(f.rise, in), margin))
		lo, hi := p.mul(in, f.fromTail), p.add(length, p.mul(in, f.fromHead))
		if k == 1 { // the edge of the right face runs the other way
			lo, hi = p.neg(p.mul(in, f.fromHead)), p.sub(length, p.mul(in, f.fromTail))
		}
		lies(p.add(at, p.mul(depth, p.mul(other[k], cosine))), lo, hi)
	}
	return known
}

// dyad returns s·vvᵀ.
func (p *program) dyad(v vec3, s num) sym3 {
	w := p.scale(v, s)
	return sym3{p.mul(w[0], v[0]), p.mul(w[1], v[1]), p.mul(w[2], v[2]), p.mul(w[0], v[1]), p.mul(w[0], v[2]), p.mul(w[1], v[2])}
}

func (p *program) addSym(a, b sym3) sym3 {
	return sym3{p.add(a.xx, b.xx), p.add(a.yy, b.yy), p.add(a.zz, b.zz), p.add(a.xy, b.xy), p.add(a.xz, b.xz), p.add(a.yz, b.yz)}
}

func (p *program) scaleSym(a sym3, s num) sym3 {
	return sym3{p.mul(a.xx, s), p.mul(a.yy, s), p.mul(a.zz, s), p.mul(a.xy, s), p.mul(a.xz, s), p.mul(a.yz, s)}
}

// addTriangle adds the contribution of a triangle of the surface to gradient, turn and volumeTurn;
// volumeTurn is over the volume. Corners are relative to the centroid. normal is the triangle's
// area vector over the volume. With y the mean of the corners x, u = x - y and q = uᵀGu of each,
//
//	mean of p   = Σq/12 + yᵀGy - λ
//	mean of p·x = y·mean + Σ u·(uᵀGy/6 + q/30)
func (p *program) addTriangle(o *overlapOf, g sym3, corners [3]vec3, normal vec3) {
	third := p.constant(1.0 / 3)
	y := p.scale(p.add3(p.add3(corners[0], corners[1]), corners[2]), third)
	gy := p.mulSym(g, y)
	sum := p.constant(0)
	moment := vec3{sum, sum, sum}
	for _, x := range corners {
		u := p.sub3(x, y)
		q := p.dot(u, p.mulSym(g, u))
		sum = p.add(sum, q)
		moment = p.addScaled(moment, p.add(p.mul(p.constant(1.0/6), p.dot(u, gy)), p.mul(p.constant(1.0/30), q)), u)
	}
	mean := p.sub(p.add(p.mul(p.constant(1.0/12), sum), p.dot(y, gy)), o.variance)
	moment = p.addScaled(moment, mean, y)
	o.gradient = p.addScaled(o.gradient, mean, normal)
	o.turn = p.add3(o.turn, p.cross(moment, normal))
	o.volumeTurn = p.add3(o.volumeTurn, p.cross(y, normal))
}
