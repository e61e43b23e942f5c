package winding

import (
	"math"

	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/vec"
)

// Half returns half the signed solid angle of the triangle a, b, c about x, and whether x lies on
// the triangle; the angle is then 0. The result is accurate to rounding however near x is.
func Half(a, b, c, x vec.Vec3) (half float64, on bool) { return near(&corner{a: a, b: b, c: c}, x) }

// near returns half the signed solid angle of a triangle about the point x, and whether x lies on
// the triangle. The angle is 0 if the plane of the triangle contains x. The sign is exact. The
// numerator and denominator of the tangent are computed in twice the precision of float64. So the
// angle is accurate to rounding even for a point 2^-40 of the size from an edge.
func near(k *corner, x vec.Vec3) (half float64, on bool) {
	if x == k.a || x == k.b || x == k.c {
		return 0, true // the exact sign below has the same result, at many times the cost
	}
	side := vec.Orient3D(x, k.a, k.b, k.c)
	if side == 0 {
		return 0, tri.InPlane(k.a, k.b, k.c, x)
	}
	// The angle depends only on the directions.
	a, b, c := rescaled(vec.Difference(k.a, x)), rescaled(vec.Difference(k.b, x)), rescaled(vec.Difference(k.c, x))
	la, lb, lc := norm(a), norm(b), norm(c)
	volume := a.Dot(b.Cross(c))
	all := la.Mul(lb).Mul(lc)
	p := all.Add(a.Dot(b).Mul(lc)).Add(b.Dot(c).Mul(la)).Add(c.Dot(a).Mul(lb))
	v := math.Abs(volume.Hi)
	half = vec.Atan2(v, p.Hi)
	if max(v, math.Abs(p.Hi)) <= float64(antipodal*all.Hi) {
		if l, is := needle(&a, &b, &c); is {
			half = l - v/float64(4*all.Hi)
		} else if l, is := lune(&a, &b, &c); is {
			half = l
		}
	}
	if side < 0 {
		half = -half
	}
	return half, false
}

// antipodal is the sine up to which the directions to two corners count as opposite: x is next to
// their edge. With a smaller value, the numerator and denominator of the tangent lose their digits
// first. With a larger one, the error of a lune becomes significant.
const antipodal = 0x1p-54

// thin is the sine up to which the directions to two corners count as opposite for a needle. If it
// is larger for one of two corners, the tangent is off by at most 2^-41, and a lune by 2^-49. With a
// smaller value, needles count as lunes, whose plane has another direction. With a larger one,
// corners that are not opposite count as such.
const thin = 0x1p-5

// needle returns half the solid angle of a lune. One corner is seen nearly opposite to both others,
// and the lune is bounded by the half-planes through the line to that corner and the others. The
// triangle fills the lune up to the triangle of the others and the opposite of the corner, which the
// caller subtracts. is is false if there is no such corner.
func needle(a, b, c *vec.Twofold3) (half float64, is bool) {
	opposite := func(n *vec.Twofold3, a, b *vec.Twofold3) bool {
		return a.Dot(*b).Hi < 0 && largest(*n) > 0 && largest(*n) <= float64(thin*largest(*a)*largest(*b))
	}
	for range 3 {
		n, m := a.Cross(*b), a.Cross(*c)
		if opposite(&n, a, b) && opposite(&m, a, c) {
			n, m = rescaled(n), rescaled(m)
			return vec.Atan2(norm(n.Cross(m)).Hi, n.Dot(m).Hi), true
		}
		a, b, c = b, c, a
	}
	return 0, false
}

// lune returns half the solid angle of a triangle if x lies next to one of its edges. The triangle
// is then seen as a lune. Half its solid angle is the angle between two planes: the plane through
// the edge and x, and the plane of the triangle. is is false if x is next to no edge.
func lune(a, b, c *vec.Twofold3) (half float64, is bool) {
	for range 3 {
		n := a.Cross(*b)
		if largest(n) <= float64(antipodal*largest(*a)*largest(*b)) && a.Dot(*b).Hi < 0 && largest(n) > 0 {
			m := rescaled(b.Cross(*c).Add(c.Cross(*a))) // direction of the edge, times the vector to the third corner
			n = rescaled(n)
			return vec.Atan2(norm(n.Cross(m)).Hi, -n.Dot(m).Hi), true
		}
		a, b, c = b, c, a
	}
	return 0, false
}

// sqrt returns the square root of a, or 0 if a is not positive.
func sqrt(a vec.Twofold) vec.Twofold {
	if a.Hi <= 0 {
		return vec.Twofold{}
	}
	r := math.Sqrt(a.Hi)
	square, low := vec.TwoProduct(r, r)
	rest := a.Sub(vec.Twofold{Hi: square, Lo: low})
	return vec.NewTwofold(r, rest.Hi/float64(2*r))
}

// rescaled returns a vector times a power of two, such that products of three such vectors keep their
// digits. The largest component is then between 2^99 and 2^330, or at least 2^-74 for the smallest
// vectors. Only vectors beyond 2^330 are scaled down, and may lose small components.
func rescaled(a vec.Twofold3) vec.Twofold3 {
	_, e := math.Frexp(largest(a))
	if e >= 100 && e <= 330 {
		return a
	}
	return a.Ldexp(min(100-e, 1000))
}

func largest(a vec.Twofold3) float64 {
	return max(math.Abs(a.X.Hi), math.Abs(a.Y.Hi), math.Abs(a.Z.Hi))
}

// norm returns the length of a. The cross product of two rescaled vectors may be so long that its
// square overflows.
func norm(a vec.Twofold3) vec.Twofold {
	if _, e := math.Frexp(largest(a)); e > 500 {
		return norm(a.Ldexp(-e)).Ldexp(e)
	}
	return sqrt(a.Dot(a))
}
