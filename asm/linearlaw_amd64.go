//go:build !purego && !race

package asm

// A kernel leaves off where fewer contacts than a register holds are left, or before a register of which an
// index leads outside the columns. The Go loop does the rest, and panics at that index.

func push(l *LinearLaw, u *lawUniforms, lo, hi int) {
	if useAVX512 {
		lo = pushAVX512(l, u, lo, hi)
	} else if useAVX2 {
		lo = pushAVX2(l, u, lo, hi)
	}
	pushGeneric(l, u, lo, hi)
}

// pushAVX2 is Push of the contacts lo ≤ k < next, whose number is a multiple of 4: it leaves off where fewer
// than four are left, or before four of which an index is not less than the number of rows it looks up.
//
//go:noescape
func pushAVX2(c *LinearLaw, u *lawUniforms, lo, hi int) (next int)

// pushAVX512 is pushAVX2 with eights instead of fours.
//
//go:noescape
func pushAVX512(c *LinearLaw, u *lawUniforms, lo, hi int) (next int)
