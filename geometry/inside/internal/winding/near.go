package winding

import (
	"math"

	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/vec"
)

// Half returns half the signed solid angle of the triangle a, b, c about x, and whether x lies on the
// triangle: the angle is 0 then. It is right to rounding however near x is.
func Half(a, b, c, x vec.Vec3) (half float64, on bool) { return near(&corner{a: a, b: b, c: c}, x) }

// near returns half the signed solid angle of a triangle about the point x, and whether x lies on
// the triangle: its angle is 0 then, as that of every triangle whose plane holds x. The sign is
// exact. The two numbers whose quotient is the tangent are computed in twice the precision of
// float64, so that the angle is right to rounding for a point 2^-40 of the size from an edge.
func near(k *corner, x vec.Vec3) (half float64, on bool) {
	if x == k.a || x == k.b || x == k.c {
		return 0, true // as the exact sign below finds, at many times the cost
	}
	side := vec.Orient3D(x, k.a, k.b, k.c)
	if side == 0 {
		return 0, tri.InPlane(k.a, k.b, k.c, x)
	}
	// The angle depends on the directions alone.
	a, b, c := difference(k.a, x).level(), difference(k.b, x).level(), difference(k.c, x).level()
	la, lb, lc := a.norm(), b.norm(), c.norm()
	volume := a.dot(b.cross(c))
	all := la.mul(lb).mul(lc)
	p := all.add(a.dot(b).mul(lc)).add(b.dot(c).mul(la)).add(c.dot(a).mul(lb))
	v := math.Abs(volume.hi)
	half = vec.Atan2(v, p.hi)
	if max(v, math.Abs(p.hi)) <= float64(antipodal*all.hi) {
		if l, is := lune(&a, &b, &c); is {
			half = l
		}
	}
	if side < 0 {
		half = -half
	}
	return half, false
}

// antipodal is the sine up to which two corners lie in opposite directions: x is next to their edge. Smaller: the tangent's two
// numbers have lost their digits before. Larger: what a lune leaves out matters.
const antipodal = 0x1p-54

// lune returns half the solid angle of a triangle next to whose edge x lies: of a lune, whose angle is that between the planes
// through the edge and x, and the edge and the triangle. False: x is next to no edge.
func lune(a, b, c *doubles) (half float64, is bool) {
	for range 3 {
		n := a.cross(*b)
		if n.largest() <= float64(antipodal*a.largest()*b.largest()) && a.dot(*b).hi < 0 && n.largest() > 0 {
			m := b.cross(*c).plus(c.cross(*a)).level() // the edge's direction, times the way to the third corner
			n = n.level()
			return vec.Atan2(n.cross(m).norm().hi, -n.dot(m).hi), true
		}
		a, b, c = b, c, a
	}
	return 0, false
}

// double is a sum of two float64 that do not overlap.
type double struct{ hi, lo float64 }

func twoSum(a, b float64) double {
	s := a + b
	p := s - a
	return double{s, (a - (s - p)) + (b - p)}
}

func (a double) add(b double) double {
	s := twoSum(a.hi, b.hi)
	return twoSum(s.hi, s.lo+(a.lo+b.lo))
}

func (a double) neg() double { return double{-a.hi, -a.lo} }

func (a double) mul(b double) double {
	p := float64(a.hi * b.hi)
	e := math.FMA(a.hi, b.hi, -p)
	return twoSum(p, e+(float64(a.hi*b.lo)+float64(a.lo*b.hi)))
}

func (a double) sqrt() double {
	if a.hi <= 0 {
		return double{}
	}
	r := math.Sqrt(a.hi)
	rest := a.add(double{-float64(r * r), -math.FMA(r, r, -float64(r*r))})
	return twoSum(r, rest.hi/float64(2*r))
}

// doubles is a vector.
type doubles struct{ x, y, z double }

// difference returns p - q, without error.
func difference(p, q vec.Vec3) doubles {
	return doubles{twoSum(p.X, -q.X), twoSum(p.Y, -q.Y), twoSum(p.Z, -q.Z)}
}

// level returns the vector times a power of two, such that products of three keep their digits: its largest component lies between
// 2^99 and 2^330, or is 2^-74 or more of the least vectors. So only vectors beyond 2^330 are scaled down, and may lose components.
func (a doubles) level() doubles {
	_, e := math.Frexp(a.largest())
	if e >= 100 && e <= 330 {
		return a
	}
	s := math.Ldexp(1, min(100-e, 1000))
	by := func(d double) double { return double{float64(d.hi * s), float64(d.lo * s)} }
	return doubles{by(a.x), by(a.y), by(a.z)}
}

func (a doubles) largest() float64 { return max(math.Abs(a.x.hi), math.Abs(a.y.hi), math.Abs(a.z.hi)) }

func (a doubles) plus(b doubles) doubles { return doubles{a.x.add(b.x), a.y.add(b.y), a.z.add(b.z)} }

func (a doubles) dot(b doubles) double { return a.x.mul(b.x).add(a.y.mul(b.y)).add(a.z.mul(b.z)) }

func (a doubles) cross(b doubles) doubles {
	return doubles{
		a.y.mul(b.z).add(a.z.mul(b.y).neg()),
		a.z.mul(b.x).add(a.x.mul(b.z).neg()),
		a.x.mul(b.y).add(a.y.mul(b.x).neg()),
	}
}

func (a doubles) norm() double { return a.dot(a).sqrt() }
