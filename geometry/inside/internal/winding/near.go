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
	a, b, c := level(vec.Difference(k.a, x)), level(vec.Difference(k.b, x)), level(vec.Difference(k.c, x))
	la, lb, lc := norm(a), norm(b), norm(c)
	volume := a.Dot(b.Cross(c))
	all := la.Mul(lb).Mul(lc)
	p := all.Add(a.Dot(b).Mul(lc)).Add(b.Dot(c).Mul(la)).Add(c.Dot(a).Mul(lb))
	v := math.Abs(volume.Hi)
	half = vec.Atan2(v, p.Hi)
	if max(v, math.Abs(p.Hi)) <= float64(antipodal*all.Hi) {
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
func lune(a, b, c *vec.Twofold3) (half float64, is bool) {
	for range 3 {
		n := a.Cross(*b)
		if largest(n) <= float64(antipodal*largest(*a)*largest(*b)) && a.Dot(*b).Hi < 0 && largest(n) > 0 {
			m := level(b.Cross(*c).Add(c.Cross(*a))) // the edge's direction, times the way to the third corner
			n = level(n)
			return vec.Atan2(norm(n.Cross(m)).Hi, -n.Dot(m).Hi), true
		}
		a, b, c = b, c, a
	}
	return 0, false
}

// sqrt returns the root of a sum, 0 of one that is not positive.
func sqrt(a vec.Twofold) vec.Twofold {
	if a.Hi <= 0 {
		return vec.Twofold{}
	}
	r := math.Sqrt(a.Hi)
	square, low := vec.TwoProduct(r, r)
	rest := a.Sub(vec.Twofold{Hi: square, Lo: low})
	return vec.NewTwofold(r, rest.Hi/float64(2*r))
}

// level returns the vector times a power of two, such that products of three keep their digits: its largest component lies between
// 2^99 and 2^330, or is 2^-74 or more of the least vectors. So only vectors beyond 2^330 are scaled down, and may lose components.
func level(a vec.Twofold3) vec.Twofold3 {
	_, e := math.Frexp(largest(a))
	if e >= 100 && e <= 330 {
		return a
	}
	return a.Ldexp(min(100-e, 1000))
}

func largest(a vec.Twofold3) float64 {
	return max(math.Abs(a.X.Hi), math.Abs(a.Y.Hi), math.Abs(a.Z.Hi))
}

func norm(a vec.Twofold3) vec.Twofold { return sqrt(a.Dot(a)) }
