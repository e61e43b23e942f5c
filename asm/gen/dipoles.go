package main

func dipolePrograms() []*program {
	p, of, u := newProgram("dipoleAngles"), layoutOf("Dipoles"), layoutOf("DipoleCluster")
	at := func(name string) []num {
		first, last := int(u.column(name)), int(u.lastColumn(name))
		var all []num
		for k := first; k <= last; k++ {
			all = append(all, p.uniform(k))
		}
		return all
	}
	n, q, t := at("N"), at("Q"), at("T")
	r := p.sub3(p.uniform3(u, "CX", "CY", "CZ", 0), p.load3(of.column("X")))
	x, y, z := r[0], r[1], r[2]
	zz := p.mul(z, z)
	w := p.div(p.constant(1), p.dot(r, r))
	sum2 := func(a, u, b, v num) num { return p.add(p.mul(a, u), p.mul(b, v)) }
	square := func(c []num) num {
		return p.add(p.mul(x, p.add(sum2(c[0], x, c[1], y), p.mul(c[2], z))), p.add(p.mul(y, sum2(c[3], y, c[4], z)), p.mul(c[5], zz)))
	}
	rest := p.add(p.mul(y, p.add(p.mul(y, sum2(t[6], y, t[7], z)), p.mul(t[8], zz))), p.mul(t[9], p.mul(z, zz)))
	cube := p.add(p.mul(x, square(t[:6])), rest)
	inner := p.add(p.dot(vec3{n[0], n[1], n[2]}, r), p.mul(w, p.add(square(q), p.mul(w, cube))))
	sum := of.column("Sum")
	p.store(sum, p.add(p.load(sum), p.mul(p.mul(w, p.sqrt(w)), inner)))
	return []*program{p}
}
