package asm

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// Advance returns the odometer of a body after its stored pose has gone from one to another. It grows by at least the way of
// every point within radius of the body's origin, and by at least radius times the angle that the body turned.
//
//	d    = |to.Rot − from.Rot|
//	θ    = d·(2 + d²·2/7)
//	way  = |to.Pos − from.Pos| + radius·θ
//	next = (odometer + way·wayUp)·roundUp, or odometer where way is 0
//
// The poses are those stored, never velocity times time: far from the origin a position goes by whole units in its last place,
// or not at all, and a quaternion that turns by less than its own rounding goes by that rounding.
//
// With α half the angle of the turn, 2·sin(α/2) is the distance of the two orientations as points of the unit sphere of
// quaternions. So α = 2·asin(d/2), and asin(x)/x is convex in x² with the values 1 at 0 and π/2 at 1. Hence
// α ≤ d·(1 + (π/2 − 1)·d²/4) ≤ d·(1 + d²/7). A point goes by no more than its distance from the origin times 2α = θ. Of q and −q,
// which are one orientation, the other would only make d larger.
//
// Exact, each product rounded. Unit: that of odometer, radius and positions. NaN and infinities go into the sum.
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
	// wayUp makes the way that Advance computes at least the way gone. In units of 2⁻⁵³: the way has 9 roundings
	// along its longest line, the radius of a body 5; the norms of two quaternions are within 5 of 1; the
	// rounding of the poses of a body's pieces grows by 2 of the way. That is 21 of 64. What underflows in a
	// square is not counted: it is below 2⁻⁵³⁰ of 1 m and of the radius.
	wayUp = 1 + 0x1p-47
	// roundUp makes the sum of an odometer and a way at least that, whatever its two roundings.
	roundUp = 1 + 4.0/(1<<52)
)
