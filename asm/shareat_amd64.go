//go:build !purego && !race

package asm

// A kernel leaves off where fewer overlaps are left than a register has lanes, or before a register of
// which an index leads outside its table. The Go loop does the rest, and panics at that index.

func shareCornersAt4(s *SharesAt, lo, hi int) {
	if useAVX512 {
		lo = shareCornersAt4AVX512(s, nil, lo, hi)
	} else if useAVX2 {
		lo = shareCornersAt4AVX2(s, nil, lo, hi)
	}
	shareCornersAt4Generic(s, lo, hi)
}

func shareCornersAt8(s *SharesAt, lo, hi int) {
	if useAVX512 {
		lo = shareCornersAt8AVX512(s, nil, lo, hi)
	} else if useAVX2 {
		lo = shareCornersAt8AVX2(s, nil, lo, hi)
	}
	shareCornersAt8Generic(s, lo, hi)
}

func shareCrossingsAt(s *SharesAt, lo, hi int) {
	if useAVX512 {
		lo = shareCrossingsAtAVX512(s, nil, lo, hi)
	} else if useAVX2 {
		lo = shareCrossingsAtAVX2(s, nil, lo, hi)
	}
	shareCrossingsAtGeneric(s, lo, hi)
}

// shareCornersAt4AVX2 is ShareCornersAt4 of the overlaps lo ≤ i < next, whose number is a multiple of 4. u is not
// used.
//
//go:noescape
func shareCornersAt4AVX2(c *SharesAt, u *float64, lo, hi int) (next int)

// shareCornersAt4AVX512 is shareCornersAt4AVX2 with eights instead of fours.
//
//go:noescape
func shareCornersAt4AVX512(c *SharesAt, u *float64, lo, hi int) (next int)

// shareCornersAt8AVX2 is to ShareCornersAt8 what shareCornersAt4AVX2 is to ShareCornersAt4.
//
//go:noescape
func shareCornersAt8AVX2(c *SharesAt, u *float64, lo, hi int) (next int)

// shareCornersAt8AVX512 is shareCornersAt8AVX2 with eights instead of fours.
//
//go:noescape
func shareCornersAt8AVX512(c *SharesAt, u *float64, lo, hi int) (next int)

// shareCrossingsAtAVX2 is to ShareCrossingsAt what shareCornersAt4AVX2 is to ShareCornersAt4.
//
//go:noescape
func shareCrossingsAtAVX2(c *SharesAt, u *float64, lo, hi int) (next int)

// shareCrossingsAtAVX512 is shareCrossingsAtAVX2 with eights instead of fours.
//
//go:noescape
func shareCrossingsAtAVX512(c *SharesAt, u *float64, lo, hi int) (next int)
