//go:build purego || race || (!amd64 && !arm64)

package asm

func tetraFacet(f *ColdPairs, lo, hi int) { tetraFacetGeneric(f, lo, hi) }

func brickFacet(f *ColdPairs, lo, hi int) { brickFacetGeneric(f, lo, hi) }
