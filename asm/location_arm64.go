//go:build !purego && !race

package asm

// The kernel leaves off where one pair is left, or before two pairs of which one has an index that is no row: the Go
// loop does the rest, and panics at that one.

func locate(l *Locations, lo, hi int) {
	if useNEON {
		lo = locateNEON(l, nil, lo, hi)
	}
	locateGeneric(l, lo, hi)
}

func locateCrossings(c *Crossings, lo, hi int) {
	if useNEON {
		lo = locateCrossingsNEON(c, nil, lo, hi)
	}
	locateCrossingsGeneric(c, lo, hi)
}

func locateCorners(c *Corners, lo, hi int) {
	if useNEON {
		lo = locateCornersNEON(c, nil, lo, hi)
	}
	locateCornersGeneric(c, lo, hi)
}

// locateNEON is Locate of the pairs lo ≤ i < next, whose number is even. It leaves off where fewer than two are
// left, or before two of which an index is no row. u is not used.
//
//go:noescape
func locateNEON(c *Locations, u *float64, lo, hi int) (next int)

// locateCrossingsNEON is to LocateCrossings what locateNEON is to Locate.
//
//go:noescape
func locateCrossingsNEON(c *Crossings, u *float64, lo, hi int) (next int)

// locateCornersNEON is to LocateCorners what locateNEON is to Locate.
//
//go:noescape
func locateCornersNEON(c *Corners, u *float64, lo, hi int) (next int)
