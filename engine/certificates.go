package engine

import (
	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/soa"
)

// posedRounding of |position| + radius of a body bounds how far a point of one of its pieces moves between two times
// beyond the body's odometer, because the pose of the piece is rounded at each: see soa.Pieces.Pose. |position| is the
// largest coordinate. In units of 2⁻⁵³, at either time:
//
//	the sum at the world coordinate      √3 of position and radius
//	the rotation of the piece's place    22 of its distance from the body's origin
//	the norm of the body's quaternion    20 of it
//	the product of two quaternions       16 of the piece's radius
//
// Together 2 of the position and 44 of the radius; twice that is less than 128. What the position grows by, the odometer
// counts with it (asm.Advance). Smaller: a piece of a clump may come within reach unseen.
const posedRounding = 0x1p-46

// posedRoom returns posedRounding for piece p, m: 0 for one whose pose is its body's.
func (w *World) posedRoom(p soa.Piece) float64 {
	if !w.pieces.Offset[p] {
		return 0
	}
	body := int(w.pieces.Body[p])
	return float64(posedRounding * (w.bodies.Pos.At(body).MaxAbs() + w.bodies.Radius[body]))
}

// expiry is certificate C1 of pair i. The odometers are rounded up as they advance, so that they need no
// allowance of their own; what they do not count is how the poses of pieces round that have a place of their own.
func (w *World) expiry(i int, gap, reach float64) float64 {
	a, b := w.pairs.A[i], w.pairs.B[i]
	return narrow.Expiry(gap, reach, w.pieceOdometer[a], w.pieceOdometer[b], w.posedRoom(a)+w.posedRoom(b))
}

// turn is by how much angle, rad/m, a body of the pair turns at most while its odometer advances.
func (w *World) turn(a, b soa.Body) float64 { return 1 / min(w.bodies.Radius[a], w.bodies.Radius[b]) }
