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
	s := scaleOf(k, x)
	a, b, c := difference(k.a, x, s), difference(k.b, x, s), difference(k.c, x, s)
	la, lb, lc := a.norm(), b.norm(), c.norm()
	volume := a.dot(b.cross(c))
	p := la.mul(lb).mul(lc).add(a.dot(b).mul(lc)).add(b.dot(c).mul(la)).add(c.dot(a).mul(lb))
	v := math.Abs(volume.hi)
	if side < 0 {
		v = -v
	}
	return vec.Atan2(v, p.hi), false
}

// scaleOf returns a power of two that keeps products of the vectors from x to the corners in range.
// It scales down only the largest: a coordinate that is the least above 0 would vanish.
func scaleOf(k *corner, x vec.Vec3) float64 {
	_, e := math.Frexp(max(k.a.Sub(x).MaxAbs(), k.b.Sub(x).MaxAbs(), k.c.Sub(x).MaxAbs()))
	if e > 0 && e < 200 {
		return 1
	}
	return math.Ldexp(1, -max(e, -1000))
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

// difference returns s·(p - q), without error.
func difference(p, q vec.Vec3, s float64) doubles {
	return doubles{scaled(p.X, q.X, s), scaled(p.Y, q.Y, s), scaled(p.Z, q.Z, s)}
}

func scaled(p, q, s float64) double {
	d := twoSum(p, -q)
	return double{float64(d.hi * s), float64(d.lo * s)}
}

func (a doubles) dot(b doubles) double { return a.x.mul(b.x).add(a.y.mul(b.y)).add(a.z.mul(b.z)) }

func (a doubles) cross(b doubles) doubles {
	return doubles{
		a.y.mul(b.z).add(a.z.mul(b.y).neg()),
		a.z.mul(b.x).add(a.x.mul(b.z).neg()),
		a.x.mul(b.y).add(a.y.mul(b.x).neg()),
	}
}

func (a doubles) norm() double { return a.dot(a).sqrt() }
