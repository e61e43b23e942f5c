package asm

// BrickFacet does the same as TetraFacet for bricks (parallelepipeds). Facet is 1 + a + 27·b, where
// a and b name a corner, an edge or a face of A and of B. Each is the sum of (1 + e)·3ᵏ over the
// half edges k = 0, 1, 2 of its brick. Here e is 1 or -1 for the end that is nearest to the other
// body, and 0 if both ends are equally near. So a corner has no e = 0, an edge one, and a face two.
// If two edges cross, and the product of A's half edge and B's points from B to A, Facet is 729
// larger.
//
// BrickFacet tries all facets: the three face directions of each brick, and the nine pairs of edge
// directions. One facet stands for both signs of a direction, because a brick is symmetric.
//
// The rest is as in TetraFacet.
func BrickFacet(f *ColdPairs, lo, hi int) {
	brickFacet(f, lo, hi)
}
