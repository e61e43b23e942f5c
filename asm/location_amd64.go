//go:build !purego && !race

package asm

// The kernels leave off where fewer pairs than lanes are left, or before a register of pairs of which one has an
// index that is no row: the Go loop does the rest, and panics at that one.

func locate(l *Locations, lo, hi int) {
	if max(len(l.PosX), len(l.Crowns[0])) <= 1<<31 { // which the look-ups take as signed
		if useAVX512 {
			lo = locateAVX512(l, nil, lo, hi)
		} else if useAVX2 {
			lo = locateAVX2(l, nil, lo, hi)
		}
	}
	locateGeneric(l, lo, hi)
}

func locateCrossings(c *Crossings, lo, hi int) {
	if max(len(c.PosX), len(c.X), len(c.Rims[0])) <= 1<<31 {
		if useAVX512 {
			lo = locateCrossingsAVX512(c, nil, lo, hi)
		} else if useAVX2 {
			lo = locateCrossingsAVX2(c, nil, lo, hi)
		}
	}
	locateCrossingsGeneric(c, lo, hi)
}

func locateCorners(c *Corners, lo, hi int) {
	if max(len(c.PosX), len(c.Fans[0]), len(c.Rims[0])) <= 1<<31 {
		if useAVX512 {
			lo = locateCornersAVX512(c, nil, lo, hi)
		} else if useAVX2 {
			lo = locateCornersAVX2(c, nil, lo, hi)
		}
	}
	locateCornersGeneric(c, lo, hi)
}

// locateAVX2 is Locate of the pairs lo ≤ i < next, whose number is a multiple of 4. It leaves off where fewer than
// four are left, or before four of which an index is no row. u is not used.
//
//go:noescape
func locateAVX2(c *Locations, u *float64, lo, hi int) (next int)

// locateAVX512 is locateAVX2 with eights instead of fours.
//
//go:noescape
func locateAVX512(c *Locations, u *float64, lo, hi int) (next int)

// locateCrossingsAVX2 is to LocateCrossings what locateAVX2 is to Locate.
//
//go:noescape
func locateCrossingsAVX2(c *Crossings, u *float64, lo, hi int) (next int)

// locateCrossingsAVX512 is locateCrossingsAVX2 with eights instead of fours.
//
//go:noescape
func locateCrossingsAVX512(c *Crossings, u *float64, lo, hi int) (next int)

// locateCornersAVX2 is to LocateCorners what locateAVX2 is to Locate.
//
//go:noescape
func locateCornersAVX2(c *Corners, u *float64, lo, hi int) (next int)

// locateCornersAVX512 is locateCornersAVX2 with eights instead of fours.
//
//go:noescape
func locateCornersAVX512(c *Corners, u *float64, lo, hi int) (next int)
