package oracle

import (
	"math"
	"math/big"

	"github.com/scree-dem/scree/vec"
)

// realBits is the precision of ways and turns: their rounding is no matter beside that of a float64.
const realBits = 600

// Reals returns numbers as they are, for sums with what Way and Turn return.
func Reals(x ...float64) []*big.Float { return numbers(realBits, x...) }

// fourVector returns a quaternion over its norm.
func fourVector(q vec.Quat) exactPoint {
	r := exactPoint(Reals(q.W, q.X, q.Y, q.Z))
	return r.mul(over(Reals(1)[0], r.norm()))
}

// Way returns how far a point of a body, body frame, goes from one pose to another, quaternions taken for the rotation that they
// are over their norm.
func Way(p vec.Vec3, from, to vec.Pose) *big.Float {
	placed := func(at vec.Pose) exactPoint {
		q := Reals(at.Rot.W, at.Rot.X, at.Rot.Y, at.Rot.Z)
		return turned(q[0], q[1:], Reals(p.X, p.Y, p.Z)).add(Reals(at.Pos.X, at.Pos.Y, at.Pos.Z))
	}
	return placed(to).sub(placed(from)).norm()
}

// Turn returns the angle, rad, between two orientations, lowered by no more than 1e-13 of it: four times the arc sine of half
// the distance of two unit quaternions, by its series where that is small.
func Turn(from, to vec.Quat) *big.Float {
	p, q := fourVector(from), fourVector(to)
	if p.dot(q).Sign() < 0 {
		p = p.mul(Reals(-1)[0])
	}
	half := over(q.sub(p).norm(), Reals(2)[0])
	if s, _ := half.Float64(); s > 0x1p-10 {
		return Reals(4 * math.Asin(min(s, 1)) * (1 - 1e-14))[0]
	}
	// asin x = x + x³/6 + 3·x⁵/40 + …, all terms positive.
	x2 := times(half, half)
	sum := times(x2, plus(Reals(1.0 / 6.0000001)[0], times(x2, Reals(3.0 / 40.0001)[0])))
	return times(times(half, plus(Reals(1)[0], sum)), Reals(4)[0])
}
