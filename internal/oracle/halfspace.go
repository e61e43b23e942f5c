package oracle

import (
	"math"
	"math/big"

	"github.com/scree-dem/scree/vec"
)

// bits is the precision of Overlap: five times that of float64. No cancellation in a thin overlap
// is visible, nor in a difference quotient over 1e-10 of its depth.
const bits = 256

// num is a number of any precision, and exactPoint a point or a vector. A result has the higher
// precision of its operands.
type num = *big.Float

type exactPoint []num

// numbers returns the numbers x exactly, with the given precision in bits.
func numbers(bits uint, x ...float64) exactPoint {
	r := make(exactPoint, len(x))
	for i := range x {
		r[i] = new(big.Float).SetPrec(bits).SetFloat64(x[i])
	}
	return r
}

func number(x float64) num          { return numbers(bits, x)[0] }
func zero() num                     { return number(0) }
func plus(a, b num) num             { return new(big.Float).Add(a, b) }
func minus(a, b num) num            { return new(big.Float).Sub(a, b) }
func times(a, b num) num            { return new(big.Float).Mul(a, b) }
func over(a, b num) num             { return new(big.Float).Quo(a, b) }
func pointOf(v vec.Vec3) exactPoint { return numbers(bits, v.X, v.Y, v.Z) }

// each returns the exactPoint with coordinates of(a[i], b[i]).
func (a exactPoint) each(b exactPoint, of func(x, y num) num) exactPoint {
	c := make(exactPoint, len(a))
	for i := range a {
		c[i] = of(a[i], b[i])
	}
	return c
}

func (a exactPoint) add(b exactPoint) exactPoint { return a.each(b, plus) }
func (a exactPoint) sub(b exactPoint) exactPoint { return a.each(b, minus) }
func (a exactPoint) mul(s num) exactPoint {
	return a.each(a, func(x, _ num) num { return times(x, s) })
}

func (a exactPoint) dot(b exactPoint) num {
	sum := times(a[0], b[0])
	for i := 1; i < len(a); i++ {
		sum = plus(sum, times(a[i], b[i]))
	}
	return sum
}

func (a exactPoint) cross(b exactPoint) exactPoint {
	return exactPoint{
		minus(times(a[1], b[2]), times(a[2], b[1])),
		minus(times(a[2], b[0]), times(a[0], b[2])),
		minus(times(a[0], b[1]), times(a[1], b[0])),
	}
}

func (a exactPoint) norm() num { return new(big.Float).Sqrt(a.dot(a)) }

// halfSpace is the set of all x with n·x ≤ d. corners are three points of its boundary plane.
type halfSpace struct {
	n       exactPoint
	d       num
	corners [3]exactPoint

	near  vec.Vec3 // n, rounded
	nearD float64  // d, rounded
}

// corner is a corner of a polygon, exact and rounded.
type corner struct {
	at   exactPoint
	near vec.Vec3
}

func cornerOf(at exactPoint) corner { return corner{at, at.rounded()} }

func (a exactPoint) rounded() vec.Vec3 {
	x, _ := a[0].Float64()
	y, _ := a[1].Float64()
	z, _ := a[2].Float64()
	return vec.Vec3{X: x, Y: y, Z: z}
}

// turned returns q·v·q*/|q|² for the quaternion q = (w, u).
func turned(w num, u, v exactPoint) exactPoint {
	// v + 2 u×(u×v + w v)/|q|²
	inner := u.cross(v).add(v.mul(w))
	norm2 := plus(times(w, w), u.dot(u))
	return v.add(u.cross(inner).mul(over(number(2), norm2)))
}

// shifted returns the half-space translated by the vector by.
func (s halfSpace) shifted(by exactPoint) halfSpace {
	for k, c := range s.corners {
		s.corners[k] = c.add(by)
	}
	s.d = plus(s.d, s.n.dot(by))
	s.nearD, _ = s.d.Float64()
	return s
}

// through returns the half-space below the plane through three points, which are counter-clockwise
// seen from above.
func through(p, q, r exactPoint) halfSpace {
	n := q.sub(p).cross(r.sub(p))
	n = n.mul(over(number(1), n.norm()))
	d := n.dot(p)
	near, _ := d.Float64()
	return halfSpace{n, d, [3]exactPoint{p, q, r}, n.rounded(), near}
}

// same reports whether two half-spaces are equal. A common face then counts for A only.
func same(s, t halfSpace) bool {
	return s.d.Cmp(t.d) == 0 && s.n[0].Cmp(t.n[0]) == 0 && s.n[1].Cmp(t.n[1]) == 0 && s.n[2].Cmp(t.n[2]) == 0
}

// enlarged returns a triangle in the plane: that of its corners, enlarged 2^20 times about its
// centre.
func (s *halfSpace) enlarged() []corner {
	far := number(0x1p20)
	mid := s.corners[0].add(s.corners[1]).add(s.corners[2]).mul(over(number(1), number(3)))
	var p []corner
	for _, c := range s.corners {
		p = append(p, cornerOf(mid.add(c.sub(mid).mul(far))))
	}
	return p
}

// heightError bounds the error of a height above a plane in float64, relative to the sum of the
// absolute values of its terms. Each term has three roundings, and their sum three.
const heightError = 0x1p-50

// side reports whether rounded numbers prove that a polygon lies strictly inside the half-space, or
// strictly outside.
func (s *halfSpace) side(p []corner) (inside, outside bool) {
	inside, outside = true, true
	for i := range p {
		x, y, z := float64(s.near.X*p[i].near.X), float64(s.near.Y*p[i].near.Y), float64(s.near.Z*p[i].near.Z)
		h := x + y + z - s.nearD
		sure := heightError * (math.Abs(x) + math.Abs(y) + math.Abs(z) + math.Abs(s.nearD))
		inside, outside = inside && h < -sure, outside && h > sure
	}
	return inside, outside
}

// cut returns the part of a polygon that lies in the half-space, or nil if none is set.
func (s *halfSpace) cut(p []corner, none bool) []corner {
	if none || len(p) == 0 {
		return nil
	}
	switch inside, outside := s.side(p); {
	case inside:
		return p
	case outside:
		return nil
	}
	heights := make([]num, len(p))
	for i, x := range p {
		heights[i] = minus(s.n.dot(x.at), s.d)
	}
	var left []corner
	for i, x := range p {
		j := (i + 1) % len(p)
		if heights[i].Sign() <= 0 {
			left = append(left, x)
		}
		if heights[i].Sign() <= 0 != (heights[j].Sign() <= 0) {
			t := over(heights[i], minus(heights[i], heights[j]))
			left = append(left, cornerOf(x.at.add(p[j].at.sub(x.at).mul(t))))
		}
	}
	return left
}
