//go:build !purego && !race

package asm

// A kernel stops before a register of bodies of which it must not move one; the Go loop finds that
// one, and goes on to the end of what would have been the register if it is not among its part of
// the range.

func drift(m *Motion, u *driftUniforms, lo, hi int) int {
	for {
		lanes := hi - lo
		if useAVX512 {
			lo, lanes = driftAVX512(m, u, lo, hi), 8
		} else if useAVX2 {
			lo, lanes = driftAVX2(m, u, lo, hi), 4
		}
		stop := min(lo+lanes, hi)
		if lo = driftGeneric(m, u, lo, stop); lo < stop || lo == hi {
			return lo
		}
	}
}

func kick(m *Motion, u *kickUniforms, lo, hi int) int {
	for {
		lanes := hi - lo
		if useAVX512 {
			lo, lanes = kickAVX512(m, u, lo, hi), 8
		} else if useAVX2 {
			lo, lanes = kickAVX2(m, u, lo, hi), 4
		}
		stop := min(lo+lanes, hi)
		if lo = kickGeneric(m, u, lo, stop); lo < stop || lo == hi {
			return lo
		}
	}
}

// driftAVX2 is Drift of the bodies lo ≤ i < next, whose number is a multiple of 4: it leaves off where
// fewer than four are left, or before four of which Drift would stop at one.
//
//go:noescape
func driftAVX2(c *Motion, u *driftUniforms, lo, hi int) (next int)

// driftAVX512 is driftAVX2 with eights instead of fours.
//
//go:noescape
func driftAVX512(c *Motion, u *driftUniforms, lo, hi int) (next int)

// kickAVX2 is Kick of the bodies lo ≤ i < next, whose number is a multiple of 4: it leaves off where fewer
// than four are left, or before four of which Kick would stop at one.
//
//go:noescape
func kickAVX2(c *Motion, u *kickUniforms, lo, hi int) (next int)

// kickAVX512 is kickAVX2 with eights instead of fours.
//
//go:noescape
func kickAVX512(c *Motion, u *kickUniforms, lo, hi int) (next int)
