package kernels

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
)

// GatherOdometers writes the odometer, m, of the body of each piece lo ≤ p < hi to out[p]. It is done once a step,
// so that the sweep, which runs over many more pairs than there are pieces, looks up one column and
// not two. A world whose bodies all have one piece of their own index has no need of it: there
// bodies.Odometer is that column.
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

// Sweep writes the indices lo ≤ i < hi of the candidate pairs that are no longer proven apart to out,
// in rising order, and returns how many there are (certificate C1): those where the odometers of both
// pieces' bodies do not sum to less than the expiry. A NaN counts as expired.
//
//	len(pieceOdometer) is the number of pieces, in m; len(out) >= hi - lo
func Sweep(pairs *soa.Pairs, pieceOdometer []float64, lo, hi int, out []uint32) int {
	return asm.OdometerSweep(words(pairs.A), words(pairs.B), pairs.Expiry, pieceOdometer, lo, hi, out)
}
