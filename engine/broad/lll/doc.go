// Package lll searches with linked linear lists (Schinner 1999; Muth et al. 2007, section 2.3).
//
// It owns, for each axis, the order of the 2n beginnings and ends of the rows, the place of each
// mark in these orders, and a sparse upper triangular matrix of the pairs. An update sorts the
// orders by insertion: where rows have moved little, few neighbours change places, and only these
// can begin or end a pair.
//
//	x   b1 b2 b3 b4 e3 e1 e2 e4      places of row 3: 2 and 4 (from 0)
//	y   b3 b4 e3 e4 b1 b2 e1 e2      pairs: (1,2) and (3,4)
//
// Frame and units are those of package broad. Read lll.go, then matrix.go.
package lll
