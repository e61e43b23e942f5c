//go:build !purego && !race

package asm

// The kernels leave off where fewer pairs than lanes are left, or before a register of pairs of which one has an
// index that is no row: the Go loop does the rest, and panics at that one.

func faceFace(f *FaceFaces, lo, hi int) {
	if max(len(f.PosX), len(f.Quads[0])) <= 1<<31 { // which the look-ups take as signed
		if useAVX512 {
			lo = faceFaceAVX512(f, nil, lo, hi)
		} else if useAVX2 {
			lo = faceFaceAVX2(f, nil, lo, hi)
		}
	}
	faceFaceGeneric(f, lo, hi)
}

// faceFaceAVX2 is FaceFace of the pairs lo ≤ i < next, whose number is a multiple of 4. It leaves off where fewer than
// four are left, or before four of which an index is no row. u is not used.
//
//go:noescape
func faceFaceAVX2(c *FaceFaces, u *float64, lo, hi int) (next int)

// faceFaceAVX512 is faceFaceAVX2 with eights instead of fours.
//
//go:noescape
func faceFaceAVX512(c *FaceFaces, u *float64, lo, hi int) (next int)
