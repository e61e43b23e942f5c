//go:build !purego && !race

package asm

// The kernels leave off where fewer pairs than lanes are left, or before a register of pairs of which one has an
// index that is no row: the Go loop does the rest, and panics at that one.

func faceLowest(f *Lowest, lo, hi int) {
	if f.signed() {
		if useAVX512 {
			lo = faceLowestAVX512(f, nil, lo, hi)
		} else if useAVX2 {
			lo = faceLowestAVX2(f, nil, lo, hi)
		}
	}
	faceLowestGeneric(f, lo, hi)
}

func lowestFace(f *Lowest, lo, hi int) {
	if f.signed() {
		if useAVX512 {
			lo = lowestFaceAVX512(f, nil, lo, hi)
		} else if useAVX2 {
			lo = lowestFaceAVX2(f, nil, lo, hi)
		}
	}
	lowestFaceGeneric(f, lo, hi)
}

// faceLowestAVX2 is FaceLowest of the pairs lo ≤ i < next, whose number is a multiple of 4. It leaves off where fewer than
// four are left, or before four of which an index is no row. u is not used.
//
//go:noescape
func faceLowestAVX2(c *Lowest, u *float64, lo, hi int) (next int)

// faceLowestAVX512 is faceLowestAVX2 with eights instead of fours.
//
//go:noescape
func faceLowestAVX512(c *Lowest, u *float64, lo, hi int) (next int)

// lowestFaceAVX2 is to LowestFace what faceLowestAVX2 is to FaceLowest.
//
//go:noescape
func lowestFaceAVX2(c *Lowest, u *float64, lo, hi int) (next int)

// lowestFaceAVX512 is lowestFaceAVX2 with eights instead of fours.
//
//go:noescape
func lowestFaceAVX512(c *Lowest, u *float64, lo, hi int) (next int)
