package oracle

import (
	"math"
	"math/big"

	"github.com/scree-dem/scree/vec"
)

// realBits is the precision of Way and Turn. Their rounding errors are negligible beside those of
// float64.
const realBits = 600

// Reals returns the numbers x exactly, with the precision of the results of Way and Turn.
func Reals(x ...float64) []*big.Float { return numbers(realBits, x...) }

// fourVector returns a quaternion divided by its norm.
func fourVector(q vec.Quat) exactPoint {
	r := exactPoint(Reals(q.W, q.X, q.Y, q.Z))
	return r.mul(over(Reals(1)[0], r.norm()))
}

// Way returns the distance between the positions of a body point p, body frame, at two poses.
// Quaternions are divided by their norm.
func Way(p vec.Vec3, from, to vec.Pose) *big.Float {
	placed := func(at vec.Pose) exactPoint {
		q := Reals(at.Rot.W, at.Rot.X, at.Rot.Y, at.Rot.Z)
		return turned(q[0], q[1:], Reals(p.X, p.Y, p.Z)).add(Reals(at.Pos.X, at.Pos.Y, at.Pos.Z))
	}
	return placed(to).sub(placed(from)).norm()
}

// Turn returns the angle, rad, between two orientations. The result may be too small by a relative
// error of at most 1e-13. It is four times the arc sine of half the distance of two unit
// quaternions; for small angles the arc sine is computed by its series.
func Turn(from, to vec.Quat) *big.Float {
	p, q := fourVector(from), fourVector(to)
	if p.dot(q).Sign() < 0 {
		p = p.mul(Reals(-1)[0])
	}
	half := over(q.sub(p).norm(), Reals(2)[0])
	if s, _ := half.Float64(); s > 0x1p-10 {
		return Reals(4 * math.Asin(min(s, 1)) * (1 - 1e-14))[0]
	}
	// asin x = x + x³/6 + 3·x⁵/40 + …, where all terms are positive.
	x2 := times(half, half)
	sum := times(x2, plus(Reals(1.0 / 6.0000001)[0], times(x2, Reals(3.0 / 40.0001)[0])))
	return times(times(half, plus(Reals(1)[0], sum)), Reals(4)[0])
}
