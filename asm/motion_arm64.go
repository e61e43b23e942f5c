//go:build !purego && !race

package asm

// A kernel stops before two bodies of which it must not move one; the Go loop finds that one, or moves both.

func drift(m *Motion, u *driftUniforms, lo, hi int) int {
	if !useNEON {
		return driftGeneric(m, u, lo, hi)
	}
	for {
		lo = driftNEON(m, u, lo, hi)
		stop := min(lo+2, hi)
		if lo = driftGeneric(m, u, lo, stop); lo < stop || lo == hi {
			return lo
		}
	}
}

func kick(m *Motion, u *kickUniforms, lo, hi int) int {
	if !useNEON {
		return kickGeneric(m, u, lo, hi)
	}
	for {
		lo = kickNEON(m, u, lo, hi)
		stop := min(lo+2, hi)
		if lo = kickGeneric(m, u, lo, stop); lo < stop || lo == hi {
			return lo
		}
	}
}

// driftNEON is Drift of the bodies lo ≤ i < next, whose number is even: it leaves off where fewer than two are
// left, or before two of which Drift would stop at one.
//
//go:noescape
func driftNEON(c *Motion, u *driftUniforms, lo, hi int) (next int)

// kickNEON is to Kick what driftNEON is to Drift.
//
//go:noescape
func kickNEON(c *Motion, u *kickUniforms, lo, hi int) (next int)
