//go:build purego || race || (!amd64 && !arm64)

package asm

func tetraFacet(f *Tetras, lo, hi int) { tetraFacetGeneric(f, lo, hi) }

// TetraLanes is how many pairs TetraFacet works on at a time.
func TetraLanes() int { return 1 }
