package asm

// TetraFacet finds the features at which each pair lo ≤ i < hi of tetrahedra touches, or is nearest
// if it is apart. The result Facet is 1 + 16·s + 4·k + l if a facet of the Minkowski difference
// decides. Corners are numbered in the order of the rows:
//
//	s = 0 … 3: the face of A opposite corner s, and corner k of B
//	s = 4 … 7: corner k of A, and the face of B opposite corner s-4
//	s = 8 … 13: edge 01, 02, 03, 12, 13 or 23 of A, and the edge of B from corner k to l; the normal from A to B is
//	    the product of the two edges, each from its first corner to its second
//
// If corners or edges on the rim of the facet are nearest, Facet is 257 + i + 4·j + 16·k + 64·l. i
// and j are the ends of the edge of A, or i = j is the corner of A; k and l likewise for B.
//
// Facet is 0 if the features are not certain. That is so if another facet is not deeper by
// coldMargin, or other features are as near. It is also so if the nearest features do not lie on
// the rim of the facet that separates most. The program in asm/gen/tetra.go has the operations.
//
//	all columns of a group have one length; 0 <= lo <= hi <= len(A)
//	A[i], B[i] are rows of the poses, RowA[i], RowB[i] starts of rows for each i of the range
//
// TetraFacet tries all facets. It finds those of two edges by walking along arcs. A direction turns
// from the normal of one face of A to the normal of the next, over their common edge. On this arc the
// lowest corner of B changes at most three times, each time over an edge of B that makes a facet
// with the edge of A. So TetraFacet tries no pair of edges that makes no facet: of 36 pairs about
// twelve make one.
//
// Exact: sums and products round in the order of package vec. All columns share one unit of length.
// TetraFacet panics if an index is not a row; it may have written rows before that one.
func TetraFacet(f *ColdPairs, lo, hi int) {
	tetraFacet(f, lo, hi)
}
