//go:build purego || race || (!amd64 && !arm64)

package asm

func tetraFacet(f *ColdPairs, lo, hi int) { tetraFacetGeneric(f, lo, hi) }

func brickFacet(f *ColdPairs, lo, hi int) { brickFacetGeneric(f, lo, hi) }

// ColdLanes is how many pairs TetraFacet and BrickFacet work on at a time.
func ColdLanes() int { return 1 }
