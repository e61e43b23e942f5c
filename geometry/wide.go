package geometry

import "github.com/scree-dem/scree/vec"

// Twofold precision: a value is the unevaluated sum hi + lo with |lo| ≤ ulp(hi)/2, 106 bits in all
// (Dekker 1971; error-free sums of Knuth). Mass properties and face normals are evaluated in it, so
// that a body far from the origin, or thin as a sheet, keeps its digits. The error of one
// operation is below 2⁻¹⁰⁰ of its larger operand or product. Products are split by Veltkamp instead of math.FMA: the same bits
// everywhere, and no slow path on processors without FMA. Operands must be below 1e290.

type wide struct{ hi, lo float64 }

// sum2 returns a + b exactly.
func sum2(a, b float64) wide {
	s := a + b
	t := s - a
	return wide{s, (a - (s - t)) + (b - t)}
}

// quickSum2 returns a + b exactly for |a| ≥ |b|.
func quickSum2(a, b float64) wide {
	s := a + b
	return wide{s, b - (s - a)}
}

// diff2 returns a - b exactly.
func diff2(a, b float64) wide { return sum2(a, -b) }

// split cuts a into two halves of 26 bits.
func split(a float64) (hi, lo float64) {
	c := float64(134217729 * a)
	hi = c - (c - a)
	return hi, a - hi
}

// prod2 returns a·b exactly, unless it underflows.
func prod2(a, b float64) wide {
	p := float64(a * b)
	ah, al := split(a)
	bh, bl := split(b)
	e := float64(ah*bh) - p
	e += float64(ah * bl)
	e += float64(al * bh)
	e += float64(al * bl)
	return wide{p, e}
}

// add returns a + b with an error of 2⁻¹⁰⁰ of the larger operand: enough for sums whose terms carry as
// much, at half the cost of an error relative to the sum.
func (a wide) add(b wide) wide {
	s := sum2(a.hi, b.hi)
	return quickSum2(s.hi, s.lo+(a.lo+b.lo))
}

func (a wide) neg() wide { return wide{-a.hi, -a.lo} }

func (a wide) sub(b wide) wide { return a.add(b.neg()) }

func (a wide) mul(b wide) wide {
	p := prod2(a.hi, b.hi)
	return quickSum2(p.hi, p.lo+(float64(a.hi*b.lo)+float64(a.lo*b.hi)))
}

// div returns a/b to twofold precision by one correction of the quotient.
func (a wide) div(b wide) wide {
	q := a.hi / b.hi
	r := a.sub(b.mul(wide{q, 0}))
	return quickSum2(q, r.hi/b.hi)
}

func (a wide) float() float64 { return a.hi + a.lo }

// wideVec is a vector of twofold precision.
type wideVec struct{ x, y, z wide }

// diffVec returns a - b exactly.
func diffVec(a, b vec.Vec3) wideVec {
	return wideVec{diff2(a.X, b.X), diff2(a.Y, b.Y), diff2(a.Z, b.Z)}
}

func (a wideVec) add(b wideVec) wideVec {
	return wideVec{a.x.add(b.x), a.y.add(b.y), a.z.add(b.z)}
}

func (a wideVec) dot(b wideVec) wide {
	return a.x.mul(b.x).add(a.y.mul(b.y)).add(a.z.mul(b.z))
}

func (a wideVec) cross(b wideVec) wideVec {
	return wideVec{
		a.y.mul(b.z).sub(a.z.mul(b.y)),
		a.z.mul(b.x).sub(a.x.mul(b.z)),
		a.x.mul(b.y).sub(a.y.mul(b.x)),
	}
}

func (a wideVec) float() vec.Vec3 { return vec.Vec3{X: a.x.float(), Y: a.y.float(), Z: a.z.float()} }
