package asm

// TetraFacet finds the facets of the Minkowski difference at which the pairs lo ≤ i < hi touch, or, where they are apart,
// are nearest. It answers 1 + 16·s + 4·k + l, with corners counted in the order of the rows:
//
//	s = 0 … 3: the face of A opposite corner s, and corner k of B
//	s = 4 … 7: corner k of A, and the face of B opposite corner s-4
//	s = 8 … 13: edge 01, 02, 03, 12, 13 or 23 of A, and the edge of B from corner k to l; the normal from A to B is
//	    the product of the two edges, each from its first corner to its second
//
// or, where corners and edges are nearest, 257 + i + 4·j + 16·k + 64·l for the edge from corner i to j of A, or corner i =
// j, and k and l of B. It answers 0 where that is not beyond doubt: where another facet is as deep but for coldMargin, or
// other features as near, or the nearest do not lie on the rim of the facet that separates most.
// The program in asm/gen/tetra.go has the operations.
//
//	all columns of a group have one length; 0 <= lo <= hi <= len(A)
//	A[i], B[i] are rows of the poses, RowA[i], RowB[i] starts of rows for each i of the range
//
// All facets are tried. Those of edges are found by walking: while a direction turns from one face's normal to the next's over
// an edge of A, the corner of B that is lowest changes at most three times, each time over an edge that makes a facet
// with A's. So no pair of edges is tried that makes none: of 36 there are some twelve facets.
//
// Exact. Sums and products round in the order of package vec. Unit: whatever the columns share. An index that is no row
// panics, and rows before it may have been written.
func TetraFacet(f *ColdPairs, lo, hi int) {
	tetraFacet(f, lo, hi)
}
