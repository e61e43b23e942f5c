package contact

import (
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// posedRounding bounds the rounding of the poses of pieces: see soa.Pieces.Pose. Between two times
// a point of a piece may move farther than the body's odometer advances, because the piece's pose
// is rounded at each time. The excess is at most posedRounding·(|position| + radius) of the body,
// where |position| is the largest coordinate. The terms, in units of 2⁻⁵³, for each of the two
// times:
//
//	the sum at the world coordinate      √3 of position and radius
//	the rotation of the piece's place    22 of its distance from the body's origin
//	the norm of the body's quaternion    20 of that distance
//	the product of two quaternions       16 of the piece's radius
//
// Together they are at most 2 of the position and 44 of the radius; twice that is less than 128.
// The odometer itself counts the growth of the position (asm.Advance). With a smaller constant, a
// piece of a clump could come within reach unnoticed.
const posedRounding = 0x1p-46

// posedAllowance returns the bound of posedRounding for piece p, m. It is 0 for a piece whose pose is
// that of its body.
func (sp *Space) posedAllowance(p soa.Piece) float64 {
	if !sp.Pieces.Offset[p] {
		return 0
	}
	body := int(sp.Pieces.Body[p])
	return float64(posedRounding * (sp.Bodies.Pos.At(body).MaxAbs() + sp.Bodies.Radius[body]))
}

// slack returns the allowance of pair i, described by p, for pieces with a pose of their own and places of images, m.
func (sp *Space) slack(i int, p *tilePair) float64 {
	if !p.offset && !sp.cell.periodic {
		return 0
	}
	return sp.pairAllowance(i)
}

// pairAllowance is slack. The place of an image rounds by three units of 2⁻⁵³ of its position and its displacement.
func (sp *Space) pairAllowance(i int) float64 {
	a, b := sp.Pairs.A[i], sp.Pairs.B[i]
	allowance := sp.posedAllowance(a) + sp.posedAllowance(b)
	if shift := sp.shiftOf(i); shift != (vec.Vec3{}) {
		allowance += float64(posedRounding * (sp.Bodies.Pos.At(int(sp.Pieces.Body[b])).MaxAbs() + shift.MaxAbs()))
	}
	return allowance
}

// expiry returns certificate C1 of pair i. The odometers are rounded up as they advance, so they
// need no allowance. Only pieces with a pose of their own need one: see posedRounding.
func (sp *Space) expiry(i int, gap, reach float64) float64 {
	a, b := sp.Pairs.A[i], sp.Pairs.B[i]
	return narrow.Expiry(gap, reach, sp.pieceOdometer[a], sp.pieceOdometer[b], sp.pairAllowance(i))
}

// turn returns the largest angle, rad/m, by which a body of the pair, and each of its pieces, turns while its odometer
// advances by one metre.
func (sp *Space) turn(a, b soa.Body) float64 {
	return 1 / min(sp.Bodies.Radius[a], sp.Bodies.Radius[b])
}
