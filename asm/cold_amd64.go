//go:build !purego && !race

package asm

// The kernels leave off where fewer pairs than lanes are left, or before a register of pairs of which one has an
// index that is no row: the Go loop does the rest, and panics at that one.

func tetraFacet(f *ColdPairs, lo, hi int) {
	if max(len(f.PosX), len(f.Rows[0])) <= 1<<31 { // which the look-ups take as signed
		if useAVX512 {
			lo = tetraFacetAVX512(f, nil, lo, hi)
		} else if useAVX2 {
			lo = tetraFacetAVX2(f, nil, lo, hi)
		}
	}
	tetraFacetGeneric(f, lo, hi)
}

func brickFacet(f *ColdPairs, lo, hi int) {
	if max(len(f.PosX), len(f.Rows[0])) <= 1<<31 { // which the look-ups take as signed
		if useAVX512 {
			lo = brickFacetAVX512(f, nil, lo, hi)
		} else if useAVX2 {
			lo = brickFacetAVX2(f, nil, lo, hi)
		}
	}
	brickFacetGeneric(f, lo, hi)
}

// tetraFacetAVX2 is TetraFacet of the pairs lo ≤ i < next, whose number is a multiple of 4. It leaves off where fewer than
// four are left, or before four of which an index is no row. u is not used.
//
//go:noescape
func tetraFacetAVX2(c *ColdPairs, u *float64, lo, hi int) (next int)

// tetraFacetAVX512 is tetraFacetAVX2 with eights instead of fours.
//
//go:noescape
func tetraFacetAVX512(c *ColdPairs, u *float64, lo, hi int) (next int)

// brickFacetAVX2 is to BrickFacet what tetraFacetAVX2 is to TetraFacet.
//
//go:noescape
func brickFacetAVX2(c *ColdPairs, u *float64, lo, hi int) (next int)

// brickFacetAVX512 is to BrickFacet what tetraFacetAVX512 is to TetraFacet.
//
//go:noescape
func brickFacetAVX512(c *ColdPairs, u *float64, lo, hi int) (next int)
