package asm

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// Advance returns the odometer of a body after its stored pose has changed. The odometer increases
// by at least the path length of every point within radius of the body's origin. It also increases
// by at least radius times the angle that the body turned.
//
//	d    = |to.Rot − from.Rot|
//	θ    = d·(2 + d²·2/7)
//	way  = |to.Pos − from.Pos| + radius·θ
//	next = (odometer + way·wayUp)·roundUp, or odometer if way is 0
//
// Advance uses the stored poses, never velocity times time. Far from the origin a position moves by
// whole units in its last place, or not at all. And a quaternion that turns by less than its
// rounding error moves by that error.
//
// Proof of θ: Let α be half the angle of the turn. Then 2·sin(α/2) is the distance of the two
// orientations as points of the unit sphere of quaternions, so α = 2·asin(d/2). asin(x)/x is convex
// in x², with the values 1 at 0 and π/2 at 1. Hence α ≤ d·(1 + (π/2 − 1)·d²/4) ≤ d·(1 + d²/7). A
// point moves by at most its distance from the origin times 2α ≤ θ. The quaternions q and −q are
// one orientation; the opposite sign only makes d larger.
//
// Exact: each product is rounded. odometer, radius and positions share one unit. NaN and infinities
// enter the sum.
func Advance(odometer, radius float64, from, to vec.Pose) float64 {
	q := vec.Quat{W: to.Rot.W - from.Rot.W, X: to.Rot.X - from.Rot.X, Y: to.Rot.Y - from.Rot.Y, Z: to.Rot.Z - from.Rot.Z}
	d2 := q.Dot(q)
	turn := float64(math.Sqrt(d2) * (2 + float64(d2*(2.0/7))))
	way := to.Pos.Sub(from.Pos).Norm() + float64(radius*turn)
	if way == 0 {
		return odometer
	}
	return float64((odometer + float64(way*wayUp)) * roundUp)
}

const (
	// wayUp makes the computed way at least the real path length. In units of 2⁻⁵³: the way has 9
	// roundings along its longest chain of operations, and the radius of a body has 5. The norms of
	// the two quaternions differ from 1 by at most 5. The rounding of the poses of a body's pieces
	// adds 2 of the way. These 21 are less than the 64 of wayUp. Underflow of squares is not
	// counted: it is below 2⁻⁵³⁰ of 1 m and of the radius.
	// Smaller: an odometer may be no bound.
	wayUp = 1 + 0x1p-47
	// roundUp makes the rounded sum of an odometer and a way at least the exact sum, in spite of
	// its two roundings.
	// Smaller: an odometer may be no bound.
	roundUp = 1 + 4.0/(1<<52)
)
