// Package lll is a neighbour search with linked linear lists (Schinner 1999; Muth et al. 2007,
// section 2.3), also known as sweep and prune.
//
// A row has two marks along each axis, its beginning b and its end e. The package stores for each
// axis the sorted order of all 2n marks and the place of each mark in this order. It stores the
// pairs in a sparse upper triangular matrix. An update sorts the orders by insertion. If rows have
// moved little, few neighbours are swapped, and only swaps can begin or end a pair.
//
//	x   b1 b2 b3 b4 e3 e1 e2 e4      places of row 3: 2 and 4 (from 0)
//	y   b3 b4 e3 e4 b1 b2 e1 e2      pairs: (1,2) and (3,4)
//
// Frame and units are those of package broad. Read lll.go, then matrix.go.
package lll
