package oracle

import (
	"math"
	"math/big"

	"github.com/scree-dem/scree/vec"
)

// reals is a vector of numbers with so many bits that their rounding is no matter beside that of a float64.
type reals []*big.Float

const realBits = 600

// Reals returns numbers as they are, for sums with what Way and Turn return.
func Reals(x ...float64) []*big.Float {
	r := make(reals, len(x))
	for i := range x {
		r[i] = new(big.Float).SetPrec(realBits).SetFloat64(x[i])
	}
	return r
}

func (a reals) dot(b reals) *big.Float {
	sum := Reals(0)[0]
	for i := range a {
		sum.Add(sum, new(big.Float).Mul(a[i], b[i]))
	}
	return sum
}

func (a reals) addScaled(s *big.Float, b reals) reals {
	sum := make(reals, len(a))
	for i := range a {
		sum[i] = new(big.Float).Mul(s, b[i])
		sum[i].Add(sum[i], a[i])
	}
	return sum
}

func (a reals) sub(b reals) reals { return a.addScaled(Reals(-1)[0], b) }

func (a reals) norm() *big.Float { return new(big.Float).Sqrt(a.dot(a)) }

func (a reals) cross(b reals) reals {
	c := make(reals, 3)
	for i := range c {
		j, k := (i+1)%3, (i+2)%3
		c[i] = new(big.Float).Mul(a[j], b[k])
		c[i].Sub(c[i], new(big.Float).Mul(a[k], b[j]))
	}
	return c
}

// versor returns a quaternion over its norm, vector part first.
func versor(q vec.Quat) reals {
	r := reals(Reals(q.X, q.Y, q.Z, q.W))
	return make4().addScaled(new(big.Float).Quo(Reals(1)[0], r.norm()), r)
}

func make4() reals { return Reals(0, 0, 0, 0) }

// placed returns a point of a body at a pose: v + 2w(u×v) + 2u×(u×v) + Pos, of the quaternion over its norm.
func (v reals) placed(at vec.Pose) reals {
	q := versor(at.Rot)
	u, two := q[:3], Reals(2)[0]
	t := u.cross(v)
	v = v.addScaled(new(big.Float).Mul(two, q[3]), t).addScaled(two, u.cross(t))
	return v.addScaled(Reals(1)[0], Reals(at.Pos.X, at.Pos.Y, at.Pos.Z))
}

// Way returns how far a point of a body, body frame, goes from one pose to another, quaternions taken for the rotation that they
// are over their norm.
func Way(p vec.Vec3, from, to vec.Pose) *big.Float {
	v := reals(Reals(p.X, p.Y, p.Z))
	return v.placed(to).sub(v.placed(from)).norm()
}

// Turn returns the angle, rad, between two orientations, lowered by no more than 1e-13 of it: four times the arc sine of half
// the distance of two unit quaternions, by its series where that is small.
func Turn(from, to vec.Quat) *big.Float {
	p, q := versor(from), versor(to)
	if p.dot(q).Sign() < 0 {
		p = make4().sub(p)
	}
	half := new(big.Float).Quo(q.sub(p).norm(), Reals(2)[0])
	if s, _ := half.Float64(); s > 0x1p-10 {
		return Reals(4 * math.Asin(min(s, 1)) * (1 - 1e-14))[0]
	}
	// asin x = x + x³/6 + 3·x⁵/40 + …, all terms positive.
	x2 := new(big.Float).Mul(half, half)
	sum := new(big.Float).Mul(x2, Reals(3.0 / 40.0001)[0])
	sum.Mul(sum.Add(sum, Reals(1.0 / 6.0000001)[0]), x2)
	sum.Mul(sum.Add(sum, Reals(1)[0]), half)
	return sum.Mul(sum, Reals(4)[0])
}
