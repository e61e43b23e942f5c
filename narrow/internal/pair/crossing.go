package pair

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// Length returns |v| and v/|v| without overflow or loss of digits. Both are zero for the zero
// vector.
func Length(v vec.Vec3) (float64, vec.Vec3) {
	m := v.MaxAbs()
	if m == 0 {
		return 0, vec.Vec3{}
	}
	_, e := math.Frexp(m)
	if e > -exponentRange && e < exponentRange {
		d := v.Norm()
		return d, vec.Vec3{X: v.X / d, Y: v.Y / d, Z: v.Z / d}
	}
	w := v.Ldexp(-e)
	d := w.Norm()
	return math.Ldexp(d, e), vec.Vec3{X: w.X / d, Y: w.Y / d, Z: w.Z / d}
}

// WideSine is the sine of the angle between two edges above which Crossing uses the plain cross
// product. The direction of that product errs by a rounding divided by the sine: at WideSine by a
// quarter of a tie. At smaller sines a facet of K that separates the bodies could fail the test
// that its vertices are the support along its own normal, and be left out. Smaller: such facets are
// missed. Larger: needless work, and edge pairs without a motion budget.
const WideSine = 1.0 / (1 << 6)

// Crossing returns the unit vector perpendicular to the edges from p to p1 and from q to q1. It
// returns false if the edges are parallel. For nearly parallel edges it computes the product in
// twofold precision, so the result is accurate to the last digits for any sine.
func Crossing(p, p1, q, q1 vec.Vec3) (vec.Vec3, bool) {
	e, f := p1.Sub(p), q1.Sub(q)
	c := e.Cross(f)
	cc, ef := c.Norm2(), e.Norm2()*f.Norm2()
	if !(cc > MinSine*MinSine*ef) {
		return vec.Vec3{}, false
	}
	if cc < WideSine*WideSine*ef {
		if c = CrossOfDifferences(p, p1, q, q1); c == (vec.Vec3{}) {
			return c, false
		}
		cc = c.Norm2()
	}
	l := math.Sqrt(cc)
	return vec.Vec3{X: c.X / l, Y: c.Y / l, Z: c.Z / l}, true
}

// CrossOfDifferences returns (p1−p)×(q1−q). The error is about 2⁻¹⁰⁴ of the product of the two
// lengths.
func CrossOfDifferences(p, p1, q, q1 vec.Vec3) vec.Vec3 {
	e, f := vec.Difference(p1, p), vec.Difference(q1, q)
	return vec.Vec3{X: minor(e.Y, e.Z, f.Y, f.Z), Y: minor(e.Z, e.X, f.Z, f.X), Z: minor(e.X, e.Y, f.X, f.Y)}
}

// minor returns a·d − b·c.
func minor(a, b, c, d vec.Twofold) float64 {
	p, pLow := product(a, d)
	q, qLow := product(b, c)
	hi, lo := vec.TwoSum(p, -q)
	return hi + (lo + (pLow - qLow))
}

// product returns a·b as the rounded product p and its rounding error low.
func product(a, b vec.Twofold) (p, low float64) {
	p, low = vec.TwoProduct(a.Hi, b.Hi)
	return p, low + (float64(a.Hi*b.Lo) + float64(a.Lo*b.Hi))
}
