//go:build !purego && !race

package asm

// A kernel leaves off where fewer contacts than a register holds are left, or before a register
// of which an index leads outside the columns. The Go loop does the rest, and panics at that
// index.

func pushThickness(l *ThicknessLaw, u *lawUniforms, lo, hi int) {
	if useAVX512 {
		lo = pushThicknessAVX512(l, u, lo, hi)
	} else if useAVX2 {
		lo = pushThicknessAVX2(l, u, lo, hi)
	}
	pushThicknessGeneric(l, u, lo, hi)
}

func pushThicknessByArea(l *ThicknessLaw, u *lawUniforms, lo, hi int) {
	if useAVX512 {
		lo = pushThicknessByAreaAVX512(l, u, lo, hi)
	} else if useAVX2 {
		lo = pushThicknessByAreaAVX2(l, u, lo, hi)
	}
	pushThicknessByAreaGeneric(l, u, lo, hi)
}

// pushThicknessAVX2 is PushThickness of the contacts lo ≤ k < next, whose number is a multiple
// of 4: it leaves off where fewer than four are left, or before four of which an index is not
// less than the number of rows it looks up.
//
//go:noescape
func pushThicknessAVX2(c *ThicknessLaw, u *lawUniforms, lo, hi int) (next int)

// pushThicknessAVX512 is pushThicknessAVX2 with eights instead of fours.
//
//go:noescape
func pushThicknessAVX512(c *ThicknessLaw, u *lawUniforms, lo, hi int) (next int)

// pushThicknessByAreaAVX2 is to PushThicknessByArea what pushThicknessAVX2 is to PushThickness.
//
//go:noescape
func pushThicknessByAreaAVX2(c *ThicknessLaw, u *lawUniforms, lo, hi int) (next int)

// pushThicknessByAreaAVX512 is pushThicknessByAreaAVX2 with eights instead of fours.
//
//go:noescape
func pushThicknessByAreaAVX512(c *ThicknessLaw, u *lawUniforms, lo, hi int) (next int)
