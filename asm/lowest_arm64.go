//go:build !purego && !race

package asm

// The kernels leave off where one pair is left, or before two pairs of which one has an index that is no row: the Go
// loop does the rest, and panics at that one.

func faceLowest(f *Lowest, lo, hi int) {
	if useNEON {
		lo = faceLowestNEON(f, nil, lo, hi)
	}
	faceLowestGeneric(f, lo, hi)
}

func lowestFace(f *Lowest, lo, hi int) {
	if useNEON {
		lo = lowestFaceNEON(f, nil, lo, hi)
	}
	lowestFaceGeneric(f, lo, hi)
}

// faceLowestNEON is FaceLowest of the pairs lo ≤ i < next, whose number is even. It leaves off where fewer than two are
// left, or before two of which an index is no row. u is not used.
//
//go:noescape
func faceLowestNEON(c *Lowest, u *float64, lo, hi int) (next int)

// lowestFaceNEON is to LowestFace what faceLowestNEON is to FaceLowest.
//
//go:noescape
func lowestFaceNEON(c *Lowest, u *float64, lo, hi int) (next int)
