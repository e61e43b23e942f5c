package pair

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Expiry returns the sum of both odometers up to which a pair is proven farther apart than reach
// (certificate C1). It returns soa.Expired if the pair is not proven apart now. All arguments are
// in m. gap is the gap, or a lower bound of the gap, at odometer readings odoA and odoB. reach is
// the gap at which the pair starts to matter. allowance bounds the motion of points of the pieces
// that the odometers do not count.
//
// The result is rounded down: while odoA + odoB < Expiry in float64, the pair cannot have come
// within reach.
func Expiry(gap, reach, odoA, odoB, allowance float64) float64 {
	sum := odoA + odoB
	slack := gap - reach - allowance
	if !(slack > 0) {
		return soa.Expired
	}
	// Four roundings occur, here and in the caller's sum. Together they are less than the last
	// term.
	e := sum + slack - float64((math.Abs(gap)+math.Abs(reach)+math.Abs(allowance)+sum)*0x1p-50)
	if !(e > sum) {
		return soa.Expired
	}
	return e
}

// LowerGap returns a lower bound of the gap that any search would return, given the gap of one
// answer. Both are accurate to ProofTol. dx is the vector from A's origin to B's, and the radii are
// those of the pieces, all in m.
func LowerGap(gap float64, dx vec.Vec3, radiusA, radiusB float64) float64 {
	return gap - float64(2*ProofTol*max(radiusA, radiusB, dx.Norm()))
}

// AxisGap returns a lower bound of the gap of a pair along an axis of an earlier answer
// (certificate C2). It evaluates one support function of B. axis and support are Answer.Axis and
// Answer.AxisSupport: a unit vector in the frame of A, and the largest axis·a over the points a of
// A. The bound allows for the rounding of B and of a support that is not far smaller than A. That of
// a plate is: callers therefore compare the bound with a reach that is larger by AxisMargin. The
// bound is −∞ for the zero axis and for a pose that is not finite. B may be of any kind.
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
	if !b.Kind.IsRound() {
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

// AxisMargin returns the margin, m, by which a gap along an axis must exceed the reach so that every
// search also finds the pair out of reach. A search is accurate to ProofTol, and among facets that
// tie within TieTol it returns the one with the lowest id.
func AxisMargin(dx vec.Vec3, radiusA, radiusB float64) float64 {
	return float64((ProofTol + 2*TieTol) * max(radiusA, radiusB, 2*dx.MaxAbs()))
}

// AxisRounding returns a bound, m, of the rounding error of a gap along an axis. dx is the vector
// between the two origins, radius that of the second piece and support that of the first.
func AxisRounding(dx vec.Vec3, radius, support float64) float64 {
	return float64((dx.MaxAbs() + radius + math.Abs(support)) * RoundTol)
}
