//go:build !purego && !race

package asm

// A kernel leaves off where one overlap is left: the Go loop does the rest.

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

// sharePrisms4NEON is SharePrisms4 of the overlaps lo ≤ i < next, whose number is even. u is not used.
//
//go:noescape
func sharePrisms4NEON(c *Shares, u *float64, lo, hi int) (next int)

// sharePrisms6NEON is to SharePrisms6 what sharePrisms4NEON is to SharePrisms4.
//
//go:noescape
func sharePrisms6NEON(c *Shares, u *float64, lo, hi int) (next int)

// sharePrisms8NEON is to SharePrisms8 what sharePrisms4NEON is to SharePrisms4.
//
//go:noescape
func sharePrisms8NEON(c *Shares, u *float64, lo, hi int) (next int)
