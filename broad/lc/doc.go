// Package lc is a neighbour search with linked cells (Muth et al. 2007, section 2.2).
//
// The package has one lattice of cells, each as long as the longest row, and a linked list of rows
// for each cell. A row is in the cell of its centre. It is compared with the later rows of its
// cell, and with all rows of half of the neighbouring cells: 1 + 4 = 5 cells in the plane, 1 + 13 =
// 14 in space. If rows differ much in size, the cells get crowded; use package multilevel then.
//
// Frame and units are those of package broad. The code is in lc.go.
package lc
