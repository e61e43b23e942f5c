package asm

// BrickFacet is TetraFacet for bricks: parallelepipeds. It answers 1 + a + 27·b, where a and b are the sums of (1 + e)·3ᵏ
// over the half edges k = 0, 1, 2 of A and of B, with e = 1 or -1 for the end that is highest towards the other body,
// and 0 where neither is. So of eight corners none is 0, of twelve edges one, and of six faces two. Where two edges cross, 729
// is added if the product of A's half edge and B's points from B to A.
//
// All facets are tried: three directions of faces of each and nine of pairs of edges, in either of which one has a sign.
//
// The rest is as in TetraFacet.
func BrickFacet(f *ColdPairs, lo, hi int) {
	brickFacet(f, lo, hi)
}
