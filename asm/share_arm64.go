//go:build !purego && !race

package asm

// A kernel leaves off where one overlap is left, or before two of which an index leads outside its
// table. The Go loop does the rest, and panics at that index.

func shareCorners4(s *Shares, lo, hi int) {
	if useNEON {
		lo = shareCorners4NEON(s, nil, lo, hi)
	}
	shareCorners4Generic(s, lo, hi)
}

func shareCorners8(s *Shares, lo, hi int) {
	if useNEON {
		lo = shareCorners8NEON(s, nil, lo, hi)
	}
	shareCorners8Generic(s, lo, hi)
}

func shareCrossings(s *Shares, lo, hi int) {
	if useNEON {
		lo = shareCrossingsNEON(s, nil, lo, hi)
	}
	shareCrossingsGeneric(s, lo, hi)
}

func sharePrisms4(s *Shares, lo, hi int) {
	if useNEON {
		lo = sharePrisms4NEON(s, nil, lo, hi)
	}
	sharePrisms4Generic(s, lo, hi)
}

func sharePrisms6(s *Shares, lo, hi int) {
	if useNEON {
		lo = sharePrisms6NEON(s, nil, lo, hi)
	}
	sharePrisms6Generic(s, lo, hi)
}

func sharePrisms8(s *Shares, lo, hi int) {
	if useNEON {
		lo = sharePrisms8NEON(s, nil, lo, hi)
	}
	sharePrisms8Generic(s, lo, hi)
}

// shareCorners4NEON is ShareCorners4 of the overlaps lo ≤ i < next, whose number is even. u is not used.
//
//go:noescape
func shareCorners4NEON(c *Shares, u *float64, lo, hi int) (next int)

// shareCorners8NEON is to ShareCorners8 what shareCorners4NEON is to ShareCorners4.
//
//go:noescape
func shareCorners8NEON(c *Shares, u *float64, lo, hi int) (next int)

// shareCrossingsNEON is to ShareCrossings what shareCorners4NEON is to ShareCorners4.
//
//go:noescape
func shareCrossingsNEON(c *Shares, u *float64, lo, hi int) (next int)

// sharePrisms4NEON is to SharePrisms4 what shareCorners4NEON is to ShareCorners4.
//
//go:noescape
func sharePrisms4NEON(c *Shares, u *float64, lo, hi int) (next int)

// sharePrisms6NEON is to SharePrisms6 what shareCorners4NEON is to ShareCorners4.
//
//go:noescape
func sharePrisms6NEON(c *Shares, u *float64, lo, hi int) (next int)

// sharePrisms8NEON is to SharePrisms8 what shareCorners4NEON is to ShareCorners4.
//
//go:noescape
func sharePrisms8NEON(c *Shares, u *float64, lo, hi int) (next int)
