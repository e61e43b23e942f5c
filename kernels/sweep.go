package kernels

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
)

// GatherOdometers writes the odometer, m, of the body of each piece lo ≤ p < hi to out[p]. The
// caller does this once a step. The sweep runs over many more pairs than there are pieces, and then
// looks up one column instead of two. If every body has one piece with its own index,
// bodies.Odometer is already that column.
//
//	len(out) == pieces.Len()
func GatherOdometers(pieces *soa.Pieces, bodies *soa.Bodies, lo, hi int, out []float64) {
	if len(out) != pieces.Len() {
		panic("kernels: GatherOdometers: out is not one row a piece")
	}
	odometer := bodies.Odometer
	own := out[lo:hi]
	for p, b := range pieces.Body[lo:hi] {
		own[p] = odometer[b]
	}
}

// Sweep finds the candidate pairs lo ≤ i < hi that are no longer proven apart (certificate C1): the
// odometers of both pieces' bodies do not sum to less than the expiry. It writes their indices to
// out in rising order, and returns how many there are. A NaN counts as expired.
//
//	len(pieceOdometer) is the number of pieces, in m; len(out) >= hi - lo
func Sweep(pairs *soa.Pairs, pieceOdometer []float64, lo, hi int, out []uint32) int {
	return asm.OdometerSweep(words(pairs.A), words(pairs.B), pairs.Expiry, pieceOdometer, lo, hi, out)
}
