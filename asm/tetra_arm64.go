//go:build !purego && !race

package asm

// The kernel leaves off where one pair is left, or before two pairs of which one has an index that is no row: the Go
// loop does the rest, and panics at that one.

func tetraFacet(f *Tetras, lo, hi int) {
	if useNEON {
		lo = tetraFacetNEON(f, nil, lo, hi)
	}
	tetraFacetGeneric(f, lo, hi)
}

// tetraFacetNEON is TetraFacet of the pairs lo ≤ i < next, whose number is even. It leaves off where fewer than two are
// left, or before two of which an index is no row. u is not used.
//
//go:noescape
func tetraFacetNEON(c *Tetras, u *float64, lo, hi int) (next int)

// TetraLanes is how many pairs TetraFacet works on at a time.
func TetraLanes() int {
	if useNEON {
		return 2
	}
	return 1
}
