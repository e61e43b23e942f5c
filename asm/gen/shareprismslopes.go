package main

// The derivatives of a prism are sums over the faces of the body that does not have the top. These
// are among the base and all sides but the last: see asm.SharePrisms4.

// sum is a running sum: nil before the first term.
type sum[T any] struct{ of *T }

// plus adds v to a sum.
func plus[T any](s *sum[T], add func(a, b T) T, v T) {
	if s.of != nil {
		v = add(*s.of, v)
	}
	s.of = &v
}

// patch is the base or a side. Faces of the body with the top have the weight 0. corner lists the
// corners by number: numbers less than the number of sides are corners of low, the rest of high.
// The triangles fan out from the first corner.
type patch struct {
	n      vec3 // outward
	corner []int
	twice  []num // by triangle: twice its area, or 0 for a face of the body with the top
}

// at returns a corner by its number.
func (s *prism) at(corner int) vec3 {
	if m := len(s.low); corner >= m {
		return s.high[corner-m]
	}
	return s.low[corner]
}

// sideCorners returns the corners of side k, counter-clockwise seen from outside.
func (s *prism) sideCorners(k int) []int {
	m := len(s.side)
	j := (k + m - 1) % m
	return []int{k, j, m + j, m + k}
}

// baseCorners returns the corners of the base.
func (s *prism) baseCorners() (all []int) {
	for k := range s.side {
		all = append(all, k)
	}
	return all
}

// patches returns the base and all sides but the last.
func (p *program) patches(s *prism) (all []*patch) {
	add := func(f posedPlane, corner []int) {
		counts := p.abs(p.sub(f.ofA, s.top.ofA))
		o := &patch{n: f.n, corner: corner}
		first := s.at(corner[0])
		way := func(k int) vec3 { return p.sub3(s.at(corner[k]), first) }
		for k := 2; k < len(corner); k += 2 {
			across := p.cross(way(k), f.n)
			o.twice = append(o.twice, p.mul(counts, p.dot(way(k-1), across)))
			if k+1 < len(corner) {
				o.twice = append(o.twice, p.mul(counts, p.neg(p.dot(way(k+1), across))))
			}
		}
		all = append(all, o)
	}
	add(s.base, s.baseCorners())
	for k, f := range s.side[:len(s.side)-1] {
		add(f, s.sideCorners(k))
	}
	return all
}

// frameOf returns the rows of a frame in which thin overlaps keep their digits. z points along the
// summed area of the patches, and x towards a corner that is far across. The mask does not hold if
// the areas of the patches nearly cancel.
func (p *program) frameOf(s *prism, patches []*patch, known []mask) (to mat3, level mask) {
	zero := p.constant(0)
	var areas sum[vec3]
	var squares sum[num]
	for _, o := range patches {
		var whole sum[num]
		for _, t := range o.twice {
			plus(&whole, p.add, t)
			plus(&squares, p.add, p.mul(t, t))
		}
		plus(&areas, p.add3, p.scale(o.n, *whole.of))
	}
	area, all := *areas.of, *squares.of
	length2 := p.dot(area, area)
	level = p.compare(uint8(greater), length2, p.mul(p.constant(asmNumber("ShareNetArea")), all))
	for _, m := range known {
		level = p.and(level, m)
	}
	level = p.part(level)
	z := p.scale(area, p.div(p.constant(1), p.sqrt(length2)))
	x, most := vec3{zero, zero, zero}, zero
	m := len(s.low)
	for _, k := range []int{m - 1, m/2 - 1, m, m + m/2 - 1, m + m - 2} {
		v := s.at(k)
		v = p.addScaled(v, p.neg(p.dot(v, z)), z)
		d := p.dot(v, v)
		further := p.compare(uint8(greater), d, most)
		x, most = p.pickVec(further, v, x), p.pick(further, d, most)
	}
	x = p.scale(x, p.div(p.constant(1), p.sqrt(most)))
	y := p.cross(z, x)
	level = p.part(level)
	return mat3{x, y, z}, level
}

// prismSums is the moments of a prism about its last corner: six times the volume, and the sums
// that asm.ShareSolids explains.
type prismSums struct {
	six    sum[num]
	first  sum[vec3]
	second sum[sym3]
}

// prismVolume sums tetrahedra between the origin and the triangles of those faces that do not
// contain the origin. Corners are in the frame. With D six times the volume of a tetrahedron, and S
// the sum of its corners,
//
//	∫x = D/24 S,  ∫xxᵀ = D/120 (Σ xxᵀ + SSᵀ)
//
// Each corner has as weight the sum of D of its tetrahedra.
func (p *program) prismVolume(s *prism, at []vec3) (six num, first vec3, second sym3) {
	weight := make([]sum[num], len(at))
	var sums prismSums
	add := func(scaled, v vec3) {
		plus(&sums.second, p.addSym, sym3{
			p.mul(scaled[0], v[0]), p.mul(scaled[1], v[1]), p.mul(scaled[2], v[2]),
			p.mul(scaled[0], v[1]), p.mul(scaled[0], v[2]), p.mul(scaled[1], v[2]),
		})
	}
	faces := [][]int{s.baseCorners()}
	for k := 1; k < len(s.side)-1; k++ {
		faces = append(faces, s.sideCorners(k))
	}
	for _, corner := range faces {
		for k := 2; k < len(corner); k++ {
			a, b, c := corner[0], corner[k-1], corner[k]
			d := p.dot(at[b], p.cross(at[c], at[a]))
			whole := p.add3(p.add3(at[a], at[c]), at[b])
			scaled := p.scale(whole, d)
			plus(&sums.six, p.add, d)
			plus(&sums.first, p.add3, scaled)
			add(scaled, whole)
			for _, corner := range [3]int{a, b, c} {
				plus(&weight[corner], p.add, d)
			}
		}
	}
	for k, w := range weight {
		if w.of != nil {
			add(p.scale(at[k], *w.of), at[k])
		}
	}
	return *sums.six.of, *sums.first.of, *sums.second.of
}

// prismMoments stores a row.
func (p *program) prismMoments(s *prism, patches []*patch, to mat3, origin vec3, known mask) {
	zero, one := p.constant(0), p.constant(1)
	m := len(s.low)
	at := make([]vec3, 2*m) // in the frame
	for k := range at[:2*m-1] {
		at[k] = p.mulVec(to, s.at(k))
	}
	at[2*m-1] = vec3{zero, zero, zero}
	six, first, second := p.prismVolume(s, at[:2*m-1])
	known = p.part(known)
	known = p.and(known, p.compare(uint8(greater), six, zero))
	per := p.div(one, six)
	c := p.scale(first, p.mul(p.constant(0.25), per))
	spread := p.addSym(p.scaleSym(second, p.mul(p.constant(0.05), per)), p.dyad(c, p.constant(-1)))

	// The inverse, by way of the correlations, which are of order one.
	sx, sy, sz := p.div(one, p.sqrt(spread.xx)), p.div(one, p.sqrt(spread.yy)), p.div(one, p.sqrt(spread.zz))
	xy, xz, yz := p.mul(p.mul(spread.xy, sx), sy), p.mul(p.mul(spread.xz, sx), sz), p.mul(p.mul(spread.yz, sy), sz)
	less1 := func(v num) num { return p.sub(one, p.mul(v, v)) }
	cx, cxy, cxz := less1(yz), p.sub(p.mul(xz, yz), xy), p.sub(p.mul(xy, yz), xz)
	det := p.add(p.add(cx, p.mul(xy, cxy)), p.mul(xz, cxz))
	known = p.and(known, p.compare(uint8(greater), det, p.constant(asmNumber("ShareFlat"))))
	perDet := p.div(one, det)
	ix, iy, iz := p.mul(sx, perDet), p.mul(sy, perDet), p.mul(sz, perDet)
	inverse := sym3{
		xx: p.mul(p.mul(cx, ix), sx), yy: p.mul(p.mul(less1(xz), iy), sy), zz: p.mul(p.mul(less1(xy), iz), sz),
		xy: p.mul(p.mul(cxy, ix), sy), xz: p.mul(p.mul(cxz, ix), sz), yz: p.mul(p.mul(p.sub(p.mul(xy, xz), yz), iy), sz),
	}
	variance := p.varianceOf(inverse)
	known = p.part(known)
	o := &overlapOf{unit: one, to: to, variance: variance, spread: spread, volume: p.mul(six, p.constant(1.0/6)), inWorld: true}
	center := p.mulVecT(to, c)
	o.centroid = p.add3(origin, center)
	for k := range at {
		at[k] = p.sub3(at[k], c)
	}
	lever := make([]vec3, 2*m)
	for k := range lever {
		lever[k] = p.sub3(s.at(k), center)
	}
	j := p.scaleSym(inverse, variance)
	p.prismSlopes(o, patches, p.times(p.times(j, j), j), at, lever)

	// The derivatives by A's motion and by B's motion are opposite.
	sign := p.sub(one, p.add(s.top.ofA, s.top.ofA))
	perGradient := p.mul(p.mul(p.constant(0.05), per), sign)
	o.gradient, o.turn = p.scale(o.gradient, perGradient), p.scale(o.turn, perGradient)
	o.volumeGradient, o.volumeTurn = p.scale(o.volumeGradient, p.mul(p.constant(0.5), sign)), p.scale(o.volumeTurn, p.mul(p.constant(1.0/6), sign))
	p.shared(sharesOf("Answers"), o, known)
}

// prismSlopes sums the contributions of the patches to the derivatives. Corners x are relative to
// the centroid: at has them in the frame, lever in world axes. Over a triangle of twice the area t,
// let Q be the sum of q = xᵀGx over the corners, and E the sum of e = xᵀGy over the pairs:
//
//	∫p·x = t/120 Σ x·(2(Q + E) + 4q + 2e + 2e' - 20λ),  p(x) = xᵀGx - λ
//
// e and e' are those of the pairs with x. ∫p is the sum of the same weights. So each face needs one
// lever and one cross product.
func (p *program) prismSlopes(o *overlapOf, patches []*patch, g sym3, at, lever []vec3) {
	half, twice := p.constant(0.5), p.addSym(g, g)
	of20 := p.mul(p.constant(20), o.variance)
	gx := make([]vec3, len(at)) // 2Gx
	q := make([]num, len(at))   // 4q
	for k, x := range at {
		gx[k] = p.mulSym(twice, x)
		q[k] = p.dot(x, gx[k])
		q[k] = p.add(q[k], q[k])
	}
	pair := func(k, l int) num { return p.dot(at[min(k, l)], gx[max(k, l)]) } // 2e
	var gradient, turn, swell, swellTurn sum[vec3]
	for _, f := range patches {
		weight, share := make([]sum[num], len(f.corner)), make([]sum[num], len(f.corner))
		var whole, area sum[num]
		for j, t := range f.twice {
			three := [3]int{0, j + 1, j + 2}
			var e, h [3]num // e is of the other two corners
			for k := range three {
				e[k] = pair(f.corner[three[(k+1)%3]], f.corner[three[(k+2)%3]])
			}
			for k := range three {
				h[k] = p.add(q[f.corner[three[k]]], p.add(e[(k+1)%3], e[(k+2)%3]))
			}
			rest := p.sub(p.mul(half, p.add(p.add(h[0], h[1]), h[2])), of20)
			for k, c := range three {
				plus(&weight[c], p.add, p.mul(t, p.add(rest, h[k])))
				plus(&share[c], p.add, t)
			}
			plus(&area, p.add, t)
		}
		var moment, mean sum[vec3]
		for k, c := range f.corner {
			plus(&whole, p.add, *weight[k].of)
			plus(&moment, p.add3, p.scale(lever[c], *weight[k].of))
			plus(&mean, p.add3, p.scale(lever[c], *share[k].of))
		}
		plus(&gradient, p.add3, p.scale(f.n, *whole.of))
		plus(&turn, p.add3, p.cross(*moment.of, f.n))
		plus(&swell, p.add3, p.scale(f.n, *area.of))
		plus(&swellTurn, p.add3, p.cross(*mean.of, f.n))
	}
	o.gradient, o.turn, o.volumeGradient, o.volumeTurn = *gradient.of, *turn.of, *swell.of, *swellTurn.of
}
