package tri

import (
	"cmp"
	"math"

	"github.com/scree-dem/scree/vec"
)

// Crossings of lines and triangles are decided exactly. A reference point q, or the line along x
// through q, is displaced by an infinitesimal vector (ε³, ε, ε²). The displaced point lies in no
// plane of a triangle, and the displaced line meets no edge (Edelsbrunner and Mücke 1990).
// Determinants are linear in q. So if a determinant is 0, its sign is that of its first nonzero
// coefficient, in the order y, z, x.

// CrossX returns how the half-line from x along +x crosses a triangle: 1 if it crosses outwards, -1
// if it crosses inwards, 0 if it does not cross. on reports whether x lies on the triangle. For a
// closed surface that does not contain x, the sum of the results is the winding number.
//
// The half-line is displaced by (ε³, ε, ε²).
func CrossX(a, b, c, x vec.Vec3) (crossing int, on bool) {
	// The half-line is strictly beside or beyond the triangle's box: no crossing.
	if max(a.X, b.X, c.X) < x.X || max(a.Y, b.Y, c.Y) < x.Y || min(a.Y, b.Y, c.Y) > x.Y ||
		max(a.Z, b.Z, c.Z) < x.Z || min(a.Z, b.Z, c.Z) > x.Z {
		return 0, false
	}
	side := vec.Orient3D(a, b, c, x)
	if side == 0 && InPlane(a, b, c, x) {
		return 0, true
	}
	turn := LineCrosses(a, b, c, x.Y, x.Z)
	if turn == 0 {
		return 0, false
	}
	if side == 0 {
		side = normalSign(a, b, c)
	}
	// The plane lies ahead if x is on its inner side and the plane faces +x, or if x is on its outer
	// side and the plane faces -x.
	if side == -turn {
		return turn, false
	}
	return 0, false
}

// LineCrosses returns 1 if the line along x through (y+ε, z+ε²) crosses the triangle outwards
// towards +x, -1 if it crosses inwards, and 0 if they do not meet.
func LineCrosses(a, b, c vec.Vec3, y, z float64) int {
	// The three determinants, with the filter of vec.Orient2D for all of them at once.
	ay, az, by, bz, cy, cz := a.Y-y, a.Z-z, b.Y-y, b.Z-z, c.Y-y, c.Z-z
	l, m, n := float64(ay*bz), float64(by*cz), float64(cy*az)
	o, p, q := float64(az*by), float64(bz*cy), float64(cz*ay)
	u, v, w := l-o, m-p, n-q
	bound := float64(lineBound*(max(math.Abs(l), math.Abs(m), math.Abs(n))+max(math.Abs(o), math.Abs(p), math.Abs(q)))) + 0x1p-1000
	low, high := min(u, v, w), max(u, v, w)
	switch {
	case low > bound:
		return 1
	case high < -bound:
		return -1
	case low < -bound && high > bound:
		return 0
	}
	s := LineSide(a, b, y, z)
	if s == 0 || s != LineSide(b, c, y, z) || s != LineSide(c, a, y, z) {
		return 0
	}
	return s
}

// lineBound, times the sum of the absolute products, exceeds the error of a determinant: two
// differences, a product and a difference have the error 4·2^-53, plus a margin. With a smaller
// value, a crossing may be wrong. With a larger one, more calls use exact arithmetic.
const lineBound = 5 * 0x1p-53

// LineSide returns the sign of (p-q)×(b-q), seen along the x axis, for the displaced point p =
// (y+ε, z+ε²) and the edge from a to b. The sign is 1 if p lies to the left of the edge. It is 0
// only if the edge is parallel to the x axis.
func LineSide(a, b vec.Vec3, y, z float64) int {
	if s := vec.Orient2D(a.Y, a.Z, b.Y, b.Z, y, z); s != 0 {
		return s
	}
	// Displaced by (ε, ε²), the determinant grows by ε·(a.Z-b.Z) + ε²·(b.Y-a.Y).
	return cmp.Or(cmp.Compare(a.Z, b.Z), cmp.Compare(b.Y, a.Y))
}

// SideMoved returns the side of triangle a, b, c on which the displaced point q lies: 1 on the side
// from which the corners run counter-clockwise, -1 on the other side. It returns 0 only for a
// triangle without area.
func SideMoved(a, b, c, q vec.Vec3) int {
	if s := vec.Orient3D(a, b, c, q); s != 0 {
		return s
	}
	return normalSign(a, b, c)
}

// normalSign returns the sign of the first nonzero component of (b-a)×(c-a), in the order y, z, x.
func normalSign(a, b, c vec.Vec3) int {
	if s := vec.Orient2D(a.Z, a.X, b.Z, b.X, c.Z, c.X); s != 0 {
		return s
	}
	if s := vec.Orient2D(a.X, a.Y, b.X, b.Y, c.X, c.Y); s != 0 {
		return s
	}
	return vec.Orient2D(a.Y, a.Z, b.Y, b.Z, c.Y, c.Z)
}

// edgeBound, times the largest component of the segment and the squared largest component of the
// corners relative to the segment's start, exceeds the error of a determinant. Each of the six
// products of three has four roundings, and the sum has five: 9·6·2^-53 in all. With a smaller
// value, a crossing may be wrong. With a larger one, more calls use exact arithmetic.
const edgeBound = 0x1p-47

// SegmentPasses reports whether the line from p to the displaced point q passes through triangle a,
// b, c. The caller must ensure that p and q lie on different sides of its plane and p off the
// plane. The line then crosses the triangle.
func SegmentPasses(a, b, c, p, q vec.Vec3) bool {
	u, v, w, d := a.Sub(p), b.Sub(p), c.Sub(p), q.Sub(p)
	reach := max(u.MaxAbs(), v.MaxAbs(), w.MaxAbs())
	bound := float64(float64(float64(edgeBound*d.MaxAbs())*reach)*reach) + 0x1p-1000
	du, dv := d.Cross(u), d.Cross(v)
	ab, bc, ca := du.Dot(v), dv.Dot(w), -du.Dot(w)
	low, high := min(ab, bc, ca), max(ab, bc, ca)
	if low < -bound && high > bound {
		return false
	}
	if low > bound || high < -bound {
		return true
	}
	s := SideMoved(p, a, b, q)
	return s == SideMoved(p, b, c, q) && s == SideMoved(p, c, a, q)
}
