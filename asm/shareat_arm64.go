//go:build !purego && !race

package asm

// A kernel leaves off where one overlap is left, or before two of which an index leads outside its
// table. The Go loop does the rest, and panics at that index.

func shareCornersAt4(s *SharesAt, lo, hi int) {
	if useNEON {
		lo = shareCornersAt4NEON(s, nil, lo, hi)
	}
	shareCornersAt4Generic(s, lo, hi)
}

func shareCornersAt8(s *SharesAt, lo, hi int) {
	if useNEON {
		lo = shareCornersAt8NEON(s, nil, lo, hi)
	}
	shareCornersAt8Generic(s, lo, hi)
}

func shareCrossingsAt(s *SharesAt, lo, hi int) {
	if useNEON {
		lo = shareCrossingsAtNEON(s, nil, lo, hi)
	}
	shareCrossingsAtGeneric(s, lo, hi)
}

// shareCornersAt4NEON is ShareCornersAt4 of the overlaps lo ≤ i < next, whose number is even. u is not used.
//
//go:noescape
func shareCornersAt4NEON(c *SharesAt, u *float64, lo, hi int) (next int)

// shareCornersAt8NEON is to ShareCornersAt8 what shareCornersAt4NEON is to ShareCornersAt4.
//
//go:noescape
func shareCornersAt8NEON(c *SharesAt, u *float64, lo, hi int) (next int)

// shareCrossingsAtNEON is to ShareCrossingsAt what shareCornersAt4NEON is to ShareCornersAt4.
//
//go:noescape
func shareCrossingsAtNEON(c *SharesAt, u *float64, lo, hi int) (next int)
