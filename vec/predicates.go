package vec

import "math"

// The predicates return the exact sign of a determinant. A filter in plain float64 decides nearly
// all calls. If the filter cannot decide, the determinant is computed without error as an
// expansion, which is a sum of float64 that do not overlap (Shewchuk 1997). The predicates do not
// allocate, except in predicates_wide.go for coordinates whose exponents differ too much for
// expansions.

// Bounds of the filters. Let ε = 2^-53. Let the permanent be the determinant with every difference
// and product replaced by its absolute value and every minus sign by a plus.
//
// In 3D the longest chain of roundings of a term is: three differences (3ε), product and difference
// of the minor (2ε), product with the third factor (ε), two sums (2ε). This is 8ε of the permanent
// to first order. The computed permanent is too low by at most 8ε of itself. So 9ε is a bound, with
// a reserve for the second order. In 2D the chain is two differences, a product and a difference:
// 4ε, so 5ε is a bound.
// Smaller: wrong sign. Larger: more exact arithmetic.
const (
	orient3DBound = 9 * 0x1p-53
	orient2DBound = 5 * 0x1p-53
	// An underflowing product has an error of at most 2^-1075, independent of the permanent. In 3D,
	// six such errors may be multiplied by the third factor, and three more added.
	// Smaller: wrong sign near zero.
	underflowBound = 0x1p-1070
)

// Orient3D returns the sign of (b-a)×(c-a)·(d-a). It is +1 if d lies on the side of the plane abc
// from which a, b, c are counter-clockwise. It is -1 if d lies on the other side, and 0 if the four
// points are coplanar. The sign is exact for all finite points; otherwise it is undefined.
func Orient3D(a, b, c, d Vec3) int {
	ux, uy, uz := b.X-a.X, b.Y-a.Y, b.Z-a.Z
	vx, vy, vz := c.X-a.X, c.Y-a.Y, c.Z-a.Z
	wx, wy, wz := d.X-a.X, d.Y-a.Y, d.Z-a.Z
	yz, zy := float64(uy*vz), float64(uz*vy)
	zx, xz := float64(uz*vx), float64(ux*vz)
	xy, yx := float64(ux*vy), float64(uy*vx)
	det := float64((yz-zy)*wx) + float64((zx-xz)*wy) + float64((xy-yx)*wz)
	ax, ay, az := math.Abs(wx), math.Abs(wy), math.Abs(wz)
	permanent := float64((math.Abs(yz)+math.Abs(zy))*ax) +
		float64((math.Abs(zx)+math.Abs(xz))*ay) + float64((math.Abs(xy)+math.Abs(yx))*az)
	bound := float64(orient3DBound*permanent) + float64(underflowBound*(1+ax+ay+az))
	// After an overflow, the bound is infinite or NaN, and both comparisons are false.
	if det > bound {
		return 1
	}
	if det < -bound {
		return -1
	}
	return orient3DExact(a, b, c, d)
}

// Orient2D returns the sign of (b-a)×(c-a). It is +1 if a, b, c are counter-clockwise, -1 if they
// are clockwise, and 0 if they lie on one line. The sign is exact for all finite points.
func Orient2D(ax, ay, bx, by, cx, cy float64) int {
	l := float64((bx - ax) * (cy - ay))
	r := float64((by - ay) * (cx - ax))
	det := l - r
	bound := float64(orient2DBound*(math.Abs(l)+math.Abs(r))) + underflowBound
	if det > bound {
		return 1
	}
	if det < -bound {
		return -1
	}
	return orient2DExact(ax, ay, bx, by, cx, cy)
}

// Collinear reports whether three points lie on one line. This is so exactly if their projections
// onto all three coordinate planes do. The result is exact for all finite points.
func Collinear(a, b, c Vec3) bool {
	// A projection may be degenerate, for example for triangles perpendicular to its plane. Then
	// the filter of another projection usually decides.
	u, v := b.Sub(a), c.Sub(a)
	sure := func(p, q float64) bool {
		return math.Abs(p-q) > float64(orient2DBound*(math.Abs(p)+math.Abs(q)))+underflowBound
	}
	if sure(float64(u.X*v.Y), float64(u.Y*v.X)) || sure(float64(u.Y*v.Z), float64(u.Z*v.Y)) || sure(float64(u.Z*v.X), float64(u.X*v.Z)) {
		return false
	}
	return Orient2D(a.X, a.Y, b.X, b.Y, c.X, c.Y) == 0 &&
		Orient2D(a.Y, a.Z, b.Y, b.Z, c.Y, c.Z) == 0 &&
		Orient2D(a.Z, a.X, b.Z, b.X, c.Z, c.X) == 0
}

// Coordinates that are zero or whose magnitudes lie in [wideMin, wideMax] keep every term of the
// expansions in range. Three factors of at most 2^301 stay below 2^910. Three factors whose lowest
// bit is 2^-352 end at 2^-1056, above the smallest float64.
// Smaller wideMin: expansions lose bits. Larger wideMax: expansions overflow.
const (
	wideMin = 0x1p-300
	wideMax = 0x1p300
)

// magnitudes returns the smallest non-zero and the largest absolute value of x. It returns 0, 0 if
// all values are zero.
func magnitudes(x []float64) (lo, hi float64) {
	for _, v := range x {
		v = math.Abs(v)
		if v > 0 && (lo == 0 || v < lo) {
			lo = v
		}
		hi = max(hi, v)
	}
	return lo, hi
}

// scaleInto multiplies x by a power of two so that all magnitudes lie in [wideMin, wideMax]. If the
// magnitudes differ too much for that, it returns false.
func scaleInto(x []float64) (ok bool) {
	lo, hi := magnitudes(x)
	if lo == 0 || lo >= wideMin && hi <= wideMax {
		return true
	}
	_, e := math.Frexp(hi)
	shift := 300 - e
	if math.Ldexp(lo, shift) < wideMin {
		return false
	}
	for i, v := range x {
		x[i] = math.Ldexp(v, shift)
	}
	return true
}

// orient3DExact is Orient3D without the filter.
func orient3DExact(a, b, c, d Vec3) int {
	p := [12]float64{a.X, a.Y, a.Z, b.X, b.Y, b.Z, c.X, c.Y, c.Z, d.X, d.Y, d.Z}
	if !scaleInto(p[:]) {
		return orient3DWide(a, b, c, d)
	}
	var u, v, w [3][2]float64
	for k := range 3 {
		u[k] = exactDifference(p[3+k], p[k])
		v[k] = exactDifference(p[6+k], p[k])
		w[k] = exactDifference(p[9+k], p[k])
	}
	var sum, next [192]float64
	n := 0
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		var minor [16]float64
		m := exactMinor(u[i], v[j], u[j], v[i], &minor)
		// minor·w = minor·w[1] + minor·w[0], 32 terms each.
		var lo, hi [32]float64
		var term [64]float64
		nLo := scaleExpansion(minor[:m], w[k][1], lo[:])
		nHi := scaleExpansion(minor[:m], w[k][0], hi[:])
		nTerm := addExpansions(lo[:nLo], hi[:nHi], term[:])
		n = addExpansions(sum[:n], term[:nTerm], next[:])
		sum, next = next, sum
	}
	return expansionSign(sum[:n])
}

// orient2DExact is Orient2D without the filter.
func orient2DExact(ax, ay, bx, by, cx, cy float64) int {
	p := [6]float64{ax, ay, bx, by, cx, cy}
	if !scaleInto(p[:]) {
		return orient2DWide(ax, ay, bx, by, cx, cy)
	}
	ux, uy := exactDifference(p[2], p[0]), exactDifference(p[3], p[1])
	vx, vy := exactDifference(p[4], p[0]), exactDifference(p[5], p[1])
	var minor [16]float64
	return expansionSign(minor[:exactMinor(ux, vy, uy, vx, &minor)])
}

// exactDifference returns a - b as low and high part.
func exactDifference(a, b float64) [2]float64 {
	s, e := TwoSum(a, -b)
	return [2]float64{e, s}
}

// exactMinor writes a·d - b·c to h and returns the number of terms.
func exactMinor(a, d, b, c [2]float64, h *[16]float64) int {
	var l, r [8]float64
	nL, nR := exactProduct(a, d, &l), exactProduct(b, c, &r)
	for i := range r {
		r[i] = -r[i]
	}
	return addExpansions(l[:nL], r[:nR], h[:])
}

// exactProduct writes a·b to h and returns the number of terms.
func exactProduct(a, b [2]float64, h *[8]float64) int {
	var lo, hi [4]float64
	nLo := scaleExpansion(a[:], b[0], lo[:])
	nHi := scaleExpansion(a[:], b[1], hi[:])
	return addExpansions(lo[:nLo], hi[:nHi], h[:])
}

// scaleExpansion writes e·b to h and returns the number of terms. h must have room for twice the
// terms of e. Terms are in ascending order of magnitude; zeros are omitted.
func scaleExpansion(e []float64, b float64, h []float64) int {
	if b == 0 {
		return 0
	}
	n, q := 0, 0.0
	for _, t := range e {
		p, pl := TwoProduct(t, b)
		s, r := TwoSum(q, pl)
		if r != 0 {
			h[n] = r
			n++
		}
		q, r = fastTwoSum(p, s)
		if r != 0 {
			h[n] = r
			n++
		}
	}
	if q != 0 {
		h[n] = q
		n++
	}
	return n
}

// addExpansions writes e + f to h and returns the number of terms. h must have room for the terms
// of e and f. It merges the terms by magnitude and adds them from small to large.
func addExpansions(e, f, h []float64) int {
	n, q := 0, 0.0
	for len(e) > 0 || len(f) > 0 {
		var t float64
		if len(f) == 0 || len(e) > 0 && math.Abs(e[0]) < math.Abs(f[0]) {
			t, e = e[0], e[1:]
		} else {
			t, f = f[0], f[1:]
		}
		var r float64
		q, r = TwoSum(q, t)
		if r != 0 {
			h[n] = r
			n++
		}
	}
	if q != 0 {
		h[n] = q
		n++
	}
	return n
}

// expansionSign returns the sign of e, which is the sign of its last and largest term.
func expansionSign(e []float64) int {
	switch {
	case len(e) == 0:
		return 0
	case e[len(e)-1] > 0:
		return 1
	}
	return -1
}
