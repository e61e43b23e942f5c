//go:build !purego && !race

package asm

// A kernel leaves off where fewer overlaps are left than a register has lanes, or before a register of
// which an index leads outside its table. The Go loop does the rest, and panics at that index.

func shareCorners4(s *Shares, lo, hi int) {
	if useAVX512 {
		lo = shareCorners4AVX512(s, nil, lo, hi)
	} else if useAVX2 {
		lo = shareCorners4AVX2(s, nil, lo, hi)
	}
	shareCorners4Generic(s, lo, hi)
}

func shareCorners8(s *Shares, lo, hi int) {
	if useAVX512 {
		lo = shareCorners8AVX512(s, nil, lo, hi)
	} else if useAVX2 {
		lo = shareCorners8AVX2(s, nil, lo, hi)
	}
	shareCorners8Generic(s, lo, hi)
}

func shareCrossings(s *Shares, lo, hi int) {
	if useAVX512 {
		lo = shareCrossingsAVX512(s, nil, lo, hi)
	} else if useAVX2 {
		lo = shareCrossingsAVX2(s, nil, lo, hi)
	}
	shareCrossingsGeneric(s, lo, hi)
}

func sharePrisms4(s *Shares, lo, hi int) {
	if useAVX512 {
		lo = sharePrisms4AVX512(s, nil, lo, hi)
	} else if useAVX2 {
		lo = sharePrisms4AVX2(s, nil, lo, hi)
	}
	sharePrisms4Generic(s, lo, hi)
}

func sharePrisms6(s *Shares, lo, hi int) {
	if useAVX512 {
		lo = sharePrisms6AVX512(s, nil, lo, hi)
	} else if useAVX2 {
		lo = sharePrisms6AVX2(s, nil, lo, hi)
	}
	sharePrisms6Generic(s, lo, hi)
}

func sharePrisms8(s *Shares, lo, hi int) {
	if useAVX512 {
		lo = sharePrisms8AVX512(s, nil, lo, hi)
	} else if useAVX2 {
		lo = sharePrisms8AVX2(s, nil, lo, hi)
	}
	sharePrisms8Generic(s, lo, hi)
}

// shareCorners4AVX2 is ShareCorners4 of the overlaps lo ≤ i < next, whose number is a multiple of 4. u is not
// used.
//
//go:noescape
func shareCorners4AVX2(c *Shares, u *float64, lo, hi int) (next int)

// shareCorners4AVX512 is shareCorners4AVX2 with eights instead of fours.
//
//go:noescape
func shareCorners4AVX512(c *Shares, u *float64, lo, hi int) (next int)

// shareCorners8AVX2 is to ShareCorners8 what shareCorners4AVX2 is to ShareCorners4.
//
//go:noescape
func shareCorners8AVX2(c *Shares, u *float64, lo, hi int) (next int)

// shareCorners8AVX512 is shareCorners8AVX2 with eights instead of fours.
//
//go:noescape
func shareCorners8AVX512(c *Shares, u *float64, lo, hi int) (next int)

// shareCrossingsAVX2 is to ShareCrossings what shareCorners4AVX2 is to ShareCorners4.
//
//go:noescape
func shareCrossingsAVX2(c *Shares, u *float64, lo, hi int) (next int)

// shareCrossingsAVX512 is shareCrossingsAVX2 with eights instead of fours.
//
//go:noescape
func shareCrossingsAVX512(c *Shares, u *float64, lo, hi int) (next int)

// sharePrisms4AVX2 is to SharePrisms4 what shareCorners4AVX2 is to ShareCorners4.
//
//go:noescape
func sharePrisms4AVX2(c *Shares, u *float64, lo, hi int) (next int)

// sharePrisms4AVX512 is sharePrisms4AVX2 with eights instead of fours.
//
//go:noescape
func sharePrisms4AVX512(c *Shares, u *float64, lo, hi int) (next int)

// sharePrisms6AVX2 is to SharePrisms6 what shareCorners4AVX2 is to ShareCorners4.
//
//go:noescape
func sharePrisms6AVX2(c *Shares, u *float64, lo, hi int) (next int)

// sharePrisms6AVX512 is sharePrisms6AVX2 with eights instead of fours.
//
//go:noescape
func sharePrisms6AVX512(c *Shares, u *float64, lo, hi int) (next int)

// sharePrisms8AVX2 is to SharePrisms8 what shareCorners4AVX2 is to ShareCorners4.
//
//go:noescape
func sharePrisms8AVX2(c *Shares, u *float64, lo, hi int) (next int)

// sharePrisms8AVX512 is sharePrisms8AVX2 with eights instead of fours.
//
//go:noescape
func sharePrisms8AVX512(c *Shares, u *float64, lo, hi int) (next int)
