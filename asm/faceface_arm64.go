//go:build !purego && !race

package asm

// The kernel leaves off where one pair is left, or before two pairs of which one has an index that is no row: the Go
// loop does the rest, and panics at that one.

func faceFace(f *FaceFaces, lo, hi int) {
	if useNEON {
		lo = faceFaceNEON(f, nil, lo, hi)
	}
	faceFaceGeneric(f, lo, hi)
}

// faceFaceNEON is FaceFace of the pairs lo ≤ i < next, whose number is even. It leaves off where fewer than two are
// left, or before two of which an index is no row. u is not used.
//
//go:noescape
func faceFaceNEON(c *FaceFaces, u *float64, lo, hi int) (next int)
