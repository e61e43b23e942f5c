// Package lc searches with linked cells (Muth et al. 2007, section 2.2).
//
// It owns one lattice of cells, each as long as the longest row, and a list of rows for each cell.
// A row is in the cell of its centre. It is compared with the later rows of its cell, and with
// those of half of the cells around: 1 + 4 = 5 cells in the plane, 1 + 13 = 14 in space. Rows of
// very different sizes crowd the cells; package multilevel is for them.
//
// Frame and units are those of package broad; lc.go is all there is to read.
package lc
