//go:build !purego && !race

package asm

// The kernel leaves off where one pair is left, or before two pairs of which one has an index that is no row: the Go
// loop does the rest, and panics at that one.

func tetraFacet(f *ColdPairs, lo, hi int) {
	if useNEON {
		lo = tetraFacetNEON(f, nil, lo, hi)
	}
	tetraFacetGeneric(f, lo, hi)
}

func brickFacet(f *ColdPairs, lo, hi int) {
	if useNEON {
		lo = brickFacetNEON(f, nil, lo, hi)
	}
	brickFacetGeneric(f, lo, hi)
}

// tetraFacetNEON is TetraFacet of the pairs lo ≤ i < next, whose number is even. It leaves off where fewer than two are
// left, or before two of which an index is no row. u is not used.
//
//go:noescape
func tetraFacetNEON(c *ColdPairs, u *float64, lo, hi int) (next int)

// brickFacetNEON is to BrickFacet what tetraFacetNEON is to TetraFacet.
//
//go:noescape
func brickFacetNEON(c *ColdPairs, u *float64, lo, hi int) (next int)
