//go:build !purego && !race

package asm

// A kernel leaves off where one contact is left, or before two of which an index leads outside
// the columns. The Go loop does the rest, and panics at that index.

func pushThickness(l *ThicknessLaw, u *lawUniforms, lo, hi int) {
	if useNEON {
		lo = pushThicknessNEON(l, u, lo, hi)
	}
	pushThicknessGeneric(l, u, lo, hi)
}

func pushThicknessByArea(l *ThicknessLaw, u *lawUniforms, lo, hi int) {
	if useNEON {
		lo = pushThicknessByAreaNEON(l, u, lo, hi)
	}
	pushThicknessByAreaGeneric(l, u, lo, hi)
}

// pushThicknessNEON is PushThickness of the contacts lo ≤ k < next, whose number is even: it
// leaves off where one is left, or before two of which an index is not less than the number of
// rows it looks up.
//
//go:noescape
func pushThicknessNEON(c *ThicknessLaw, u *lawUniforms, lo, hi int) (next int)

// pushThicknessByAreaNEON is to PushThicknessByArea what pushThicknessNEON is to PushThickness.
//
//go:noescape
func pushThicknessByAreaNEON(c *ThicknessLaw, u *lawUniforms, lo, hi int) (next int)
