package main

// Constants of asm.TetraFacet.
const (
	// tetraArcErr bounds the rounding of the height of two edges times the length of their normal.
	// It is a multiple of the fourth power of A's radius and the square of the length scale. It is
	// 16·8 for the four products of two normals of up to 4·radius² with heights of up to 4 length
	// scales, each accurate to 2⁻⁵⁰. As much again covers the direction of the edges' own product.
	tetraArcErr = 0x1p-39
	// tetraCorners is the first code of nearest corners and edges.
	tetraCorners = 257
)

// tetraEdges lists the edges of a tetrahedron from corner i to j. The face opposite corner left is
// on the left of the edge, and the face opposite corner right on its right.
var tetraEdges = [6]struct{ i, j, left, right int }{
	{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1},
}

// tetraSides lists the corners of the face opposite each corner, counter-clockwise seen from
// outside.
var tetraSides = [4][3]int{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}

// tetraSearch is a pair of tetrahedra, and its shallowest facet. a and b are the corners, n and m
// the normals of the faces.
type tetraSearch struct {
	*coldSearch
	a, b, n, m [4]vec3
	doubt      num
}

// tetraNormals returns the outward normals of the faces opposite the corners.
func (p *program) tetraNormals(v [4]vec3) [4]vec3 {
	e1, e2, e3 := p.sub3(v[1], v[0]), p.sub3(v[2], v[0]), p.sub3(v[3], v[0])
	return [4]vec3{
		p.cross(p.sub3(v[2], v[1]), p.sub3(v[3], v[1])), p.cross(e3, e2), p.cross(e1, e3), p.cross(e2, e1),
	}
}

// tetraFacet tries the faces of both bodies and the pairs of edges whose arcs cross, and proves the
// best facet.
func tetraFacet() *program {
	p := newProgram("tetraFacet")
	p.window = 32
	at := p.coldPlaces()
	rot, lengthScale := at.rot, at.lengthScale
	zero, one := p.constant(0), p.constant(1)
	var a, own, b [4]vec3
	for k := range a {
		a[k], own[k] = p.gather3(coldOf("Rows")+column(3*k), at.rowA), p.gather3(coldOf("Rows")+column(3*k), at.rowB)
		b[k] = p.add3(p.mulVec(rot, own[k]), at.t)
	}
	n, m := p.tetraNormals(a), p.tetraNormals(own)
	var over, under [4][4]num
	for f := range n {
		m[f] = p.mulVec(rot, m[f])
		offA, offB := p.dot(n[f], a[(f+1)%4]), p.dot(m[f], b[(f+1)%4])
		for k := range b {
			over[f][k], under[f][k] = p.sub(p.dot(n[f], b[k]), offA), p.sub(p.dot(m[f], a[k]), offB)
		}
	}

	// Try the faces, and find where the walks along the arcs of A's edges start.
	find := &tetraSearch{coldSearch: &coldSearch{program: p, places: at, zero: zero, one: one}, a: a, b: b, n: n, m: m}
	var first, corner [4]num
	var beside [4][4]num
	var square [4]num
	for f := range n {
		low, k := over[f][0], zero
		for g := range n {
			beside[f][g] = over[g][0]
		}
		for j := 1; j < 4; j++ {
			lower := p.compare(uint8(less), over[f][j], low)
			low, k = p.pick(lower, over[f][j], low), p.pick(lower, p.constant(float64(j)), k)
			for g := range n {
				if g != f {
					beside[f][g] = p.pick(lower, over[g][j], beside[f][g])
				}
			}
		}
		first[f], corner[f], square[f] = low, k, p.dot(n[f], n[f])
		find.offer(p.neg(low), square[f], float64(f), zero, zero)
	}
	for g := range m {
		low := under[g][0]
		for j := 1; j < 4; j++ {
			low = p.lesser(under[g][j], low)
		}
		find.offer(p.neg(low), p.dot(m[g], m[g]), float64(4+g), zero, zero)
	}

	r4 := p.mul(at.radA, at.radA)
	r4 = p.mul(r4, r4)
	find.doubt = p.mul(p.mul(r4, p.mul(lengthScale, lengthScale)), p.constant(tetraArcErr))
	for e, edge := range tetraEdges {
		l, r := edge.left, edge.right
		cosine := p.dot(n[l], n[r])
		cosine = p.add(cosine, cosine)
		xs, ys, s := first[l], beside[l][r], corner[l]
		yt, xt, t := first[r], beside[r][l], corner[r]
		offer := func(valid mask, d1, d2, x, y, k, l num) {
			height := p.sub(p.neg(p.add(p.mul(d2, x), p.mul(d1, y))), find.doubt)
			length := p.add(p.mul(d2, p.add(p.mul(d2, square[edge.left]), p.mul(d1, cosine))), p.mul(d1, p.mul(d1, square[r])))
			find.offer(p.pick(valid, height, p.constant(coldNever)), length, float64(8+e), k, l)
		}
		// The lowest corner of B changes at most three times along an arc. Offer the first change
		// as seen from the start, the last as seen from the end, and the one between.
		nine := p.constant(9)
		fx, fy, after := one, zero, nine
		bx, by, before := zero, one, nine
		for k := range b {
			x, y := over[l][k], over[r][k]
			dx, dy := p.sub(x, xs), p.sub(ys, y)
			next := p.compare(uint8(less), p.mul(dx, fy), p.mul(fx, dy))
			fx, fy, after = p.pick(next, dx, fx), p.pick(next, dy, fy), p.pick(next, p.constant(float64(k)), after)
			dx, dy = p.sub(xt, x), p.sub(y, yt)
			next = p.compare(uint8(less), p.mul(dy, bx), p.mul(by, dx))
			bx, by, before = p.pick(next, dx, bx), p.pick(next, dy, by), p.pick(next, p.constant(float64(k)), before)
		}
		offer(p.compare(uint8(greater), fy, zero), fx, fy, xs, ys, s, after)
		several := p.pick(p.compare(uint8(notEqual), after, t), bx, zero)
		offer(p.compare(uint8(greater), several, zero), bx, by, xt, yt, before, t)
		third := p.lesser(p.pick(p.compare(uint8(notEqual), after, before), several, zero), fy)
		offer(p.compare(uint8(greater), third, zero), p.sub(p.sub(p.sub(xt, xs), fx), bx), p.sub(p.sub(p.sub(ys, yt), fy), by),
			p.add(xs, fx), p.sub(ys, fy), after, before)
	}

	// Masks are computed where they are used, because they have few registers.
	best := find.decode()
	p.coldStore(at, best.nearest(best.proven()))
	return p
}
