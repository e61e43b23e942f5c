package pair

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Expiry returns the sum of both odometers up to which a pair is proven farther apart than reach
// (certificate C1), or soa.Expired if it is not now. gap is the gap, or a lower bound of it, when the
// odometers stood at odoA and odoB; reach is the gap at which the pair starts to matter; allowance
// is by how much points of the pieces may move that the odometers do not count. All in m. The result is
// rounded down: while odoA + odoB < Expiry, in float64, nothing can have come within reach.
func Expiry(gap, reach, odoA, odoB, allowance float64) float64 {
	sum := odoA + odoB
	slack := gap - reach - allowance
	if !(slack > 0) {
		return soa.Expired
	}
	// Four roundings, here and in the caller's sum, none larger than this.
	e := sum + slack - float64((math.Abs(gap)+math.Abs(reach)+math.Abs(allowance)+sum)*0x1p-50)
	if !(e > sum) {
		return soa.Expired
	}
	return e
}

// LowerGap returns a lower bound of what any search says of the gap of two pieces from the one of an answer: both are right to
// ProofTol. dx is from A's origin to B's, the radii are those of the pieces, all in m.
func LowerGap(gap float64, dx vec.Vec3, radiusA, radiusB float64) float64 {
	return gap - float64(2*ProofTol*max(radiusA, radiusB, dx.Norm()))
}

// AxisGap is certificate C2: a lower bound of the gap of a pair along an axis kept from an earlier
// answer, by one support evaluation on B. axis and support are Answer.Axis and Answer.AxisSupport: unit, in
// the frame of A, and the largest axis·a over A. The bound allows for rounding; it is −∞ for
// the zero axis or a pose that is not finite. B may be of any kind.
func AxisGap(pa vec.Pose, b *soa.View, pb vec.Pose, axis vec.Vec3, support float64) float64 {
	return GapAlong(pa, b, pb, axis, support+b.Round)
}

// GapAlong is AxisGap for the core of B.
func GapAlong(pa vec.Pose, b *soa.View, pb vec.Pose, axis vec.Vec3, support float64) float64 {
	if axis == (vec.Vec3{}) {
		return math.Inf(-1)
	}
	n := pa.Rot.Rotate(axis)
	dx := pb.Pos.Sub(pa.Pos)
	low := -b.Radius
	if b.Kind != soa.Ball {
		_, high := Highest(b.X[:b.NVerts], b.Y, b.Z, pb.Rot.RotateInv(n).Neg())
		low = -high
	}
	gap := dx.Dot(n) + low - support
	gap -= AxisRounding(dx, b.Radius, support)
	if !(gap == gap) {
		return math.Inf(-1)
	}
	return gap
}

// AxisSure is by how much, m, a gap along an axis has to exceed the reach of a pair for every search to find it out of reach: what a
// search says is right to ProofTol, and of facets that tie it names the lowest.
func AxisSure(dx vec.Vec3, radiusA, radiusB float64) float64 {
	return float64((ProofTol + 2*TieTol) * max(radiusA, radiusB, 2*dx.MaxAbs()))
}

// AxisRounding returns, m, by how much rounding may have raised the gap along an axis between two pieces that are dx
// apart, the second of the given radius, the first of the given support.
func AxisRounding(dx vec.Vec3, radius, support float64) float64 {
	return float64((dx.MaxAbs() + radius + math.Abs(support)) * RoundTol)
}
