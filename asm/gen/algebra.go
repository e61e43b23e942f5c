package main

// vec2, vec3, quat, mat3 and sym3 are vectors, quaternions, matrices and symmetric matrices of a
// program's values. Methods round in the order of the functions of package vec with the same names.
type (
	vec2 [2]num
	vec3 [3]num
	quat struct{ w, x, y, z num }
	mat3 [3]vec3
	sym3 struct{ xx, yy, zz, xy, xz, yz num }
)

func (p *program) load3(first column) vec3 {
	return vec3{p.load(first), p.load(first + 1), p.load(first + 2)}
}

func (p *program) load4(first column) quat {
	return quat{p.load(first), p.load(first + 1), p.load(first + 2), p.load(first + 3)}
}

func (p *program) loadSym(first column) sym3 {
	at := func(i column) num { return p.load(first + i) }
	return sym3{at(0), at(1), at(2), at(3), at(4), at(5)}
}

func (p *program) gather3(first column, i idx) vec3 {
	return vec3{p.gather(first, i), p.gather(first+1, i), p.gather(first+2, i)}
}

func (p *program) gather4(first column, i idx) quat {
	return quat{p.gather(first, i), p.gather(first+1, i), p.gather(first+2, i), p.gather(first+3, i)}
}

func (p *program) gatherSym(first column, i idx) sym3 {
	at := func(k column) num { return p.gather(first+k, i) }
	return sym3{at(0), at(1), at(2), at(3), at(4), at(5)}
}

func (p *program) store3(first column, v vec3) { p.storeAll(first, v[:]...) }

func (p *program) storeSym(first column, s sym3) {
	p.storeAll(first, s.xx, s.yy, s.zz, s.xy, s.xz, s.yz)
}

// storeAll stores values to consecutive columns.
func (p *program) storeAll(first column, values ...num) {
	for i, v := range values {
		p.store(first+column(i), v)
	}
}

func (p *program) add3(a, b vec3) vec3 {
	return vec3{p.add(a[0], b[0]), p.add(a[1], b[1]), p.add(a[2], b[2])}
}

func (p *program) sub3(a, b vec3) vec3 {
	return vec3{p.sub(a[0], b[0]), p.sub(a[1], b[1]), p.sub(a[2], b[2])}
}

// pickVec returns a if m holds, else b.
func (p *program) pickVec(m mask, a, b vec3) vec3 {
	return vec3{p.pick(m, a[0], b[0]), p.pick(m, a[1], b[1]), p.pick(m, a[2], b[2])}
}

func (p *program) neg3(a vec3) vec3 { return vec3{p.neg(a[0]), p.neg(a[1]), p.neg(a[2])} }

func (p *program) scale(a vec3, s num) vec3 {
	return vec3{p.mul(a[0], s), p.mul(a[1], s), p.mul(a[2], s)}
}

func (p *program) addScaled(a vec3, s num, b vec3) vec3 { return p.add3(a, p.scale(b, s)) }

func (p *program) dot(a, b vec3) num {
	return p.add(p.add(p.mul(a[0], b[0]), p.mul(a[1], b[1])), p.mul(a[2], b[2]))
}

func (p *program) norm(a vec3) num { return p.sqrt(p.dot(a, a)) }

func (p *program) cross(a, b vec3) vec3 {
	return vec3{
		p.sub(p.mul(a[1], b[2]), p.mul(a[2], b[1])),
		p.sub(p.mul(a[2], b[0]), p.mul(a[0], b[2])),
		p.sub(p.mul(a[0], b[1]), p.mul(a[1], b[0])),
	}
}

func (p *program) conj(q quat) quat { return quat{q.w, p.neg(q.x), p.neg(q.y), p.neg(q.z)} }

func (p *program) mulQuat(a, b quat) quat {
	term := func(first num, signs string, rest ...num) num {
		for i, r := range rest {
			if signs[i] == '-' {
				first = p.sub(first, r)
			} else {
				first = p.add(first, r)
			}
		}
		return first
	}
	return quat{
		w: term(p.mul(a.w, b.w), "---", p.mul(a.x, b.x), p.mul(a.y, b.y), p.mul(a.z, b.z)),
		x: term(p.mul(a.w, b.x), "++-", p.mul(a.x, b.w), p.mul(a.y, b.z), p.mul(a.z, b.y)),
		y: term(p.mul(a.w, b.y), "-++", p.mul(a.x, b.z), p.mul(a.y, b.w), p.mul(a.z, b.x)),
		z: term(p.mul(a.w, b.z), "+-+", p.mul(a.x, b.y), p.mul(a.y, b.x), p.mul(a.z, b.w)),
	}
}

func (p *program) dotQuat(a, b quat) num {
	return p.add(p.add(p.add(p.mul(a.w, b.w), p.mul(a.x, b.x)), p.mul(a.y, b.y)), p.mul(a.z, b.z))
}

func (p *program) rotate(q quat, v vec3) vec3 {
	u := vec3{q.x, q.y, q.z}
	t := p.cross(u, v)
	t = p.add3(t, t)
	return p.add3(p.addScaled(v, q.w, t), p.cross(u, t))
}

func (p *program) rotateInv(q quat, v vec3) vec3 { return p.rotate(p.conj(q), v) }

func (p *program) matrix(q quat) mat3 {
	one := p.constant(1)
	x2, y2, z2 := p.add(q.x, q.x), p.add(q.y, q.y), p.add(q.z, q.z)
	xx, yy, zz := p.mul(q.x, x2), p.mul(q.y, y2), p.mul(q.z, z2)
	xy, xz, yz := p.mul(q.x, y2), p.mul(q.x, z2), p.mul(q.y, z2)
	wx, wy, wz := p.mul(q.w, x2), p.mul(q.w, y2), p.mul(q.w, z2)
	return mat3{
		{p.sub(one, p.add(yy, zz)), p.sub(xy, wz), p.add(xz, wy)},
		{p.add(xy, wz), p.sub(one, p.add(xx, zz)), p.sub(yz, wx)},
		{p.sub(xz, wy), p.add(yz, wx), p.sub(one, p.add(xx, yy))},
	}
}

func (p *program) mulVec(m mat3, v vec3) vec3 {
	return vec3{p.dot(m[0], v), p.dot(m[1], v), p.dot(m[2], v)}
}

func (p *program) mulVecT(m mat3, v vec3) vec3 {
	t := mat3{{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}}
	return p.mulVec(t, v)
}

func (p *program) mulSym(s sym3, v vec3) vec3 {
	return p.mulVec(mat3{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}, v)
}

func (p *program) trace(s sym3) num { return p.add(p.add(s.xx, s.yy), s.zz) }

// axes returns two unit vectors at right angles to n and to each other.
func (p *program) axes(n vec3) (u, w vec3) {
	one, zero := p.constant(1), p.constant(0)
	sign := p.pick(p.compare(uint8(less), n[2], zero), p.constant(-1), one)
	a := p.div(p.constant(-1), p.add(sign, n[2]))
	b := p.mul(p.mul(n[0], n[1]), a)
	u = vec3{p.add(one, p.mul(p.mul(sign, n[0]), p.mul(n[0], a))), p.mul(sign, b), p.mul(p.neg(sign), n[0])}
	w = vec3{b, p.add(sign, p.mul(p.mul(n[1], n[1]), a)), p.neg(n[1])}
	return u, w
}
