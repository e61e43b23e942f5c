// Package multilevel searches with a grid for each factor of two in size.
//
// It owns the grids and what they hold between two searches. A row is entered in one cell of one
// grid, that of its lower corner, by a counting sort. Corners are rounded down to a lattice of
// 256 steps a cell, three coordinates in a 64-bit word. Rounding keeps order, so boxes that share a
// point do so on the lattice, too. Whole runs of cells are compared in the lanes of vector registers
// (asm.LatticeSpans). What overlaps by less than a step is compared in float64.
//
//	sizes  1 ─┬─ level 0, cells 1    rows look at half of the cells around them, and
//	      1/2 ┼─ level 1, cells 1/2   at the cells around them of every level above
//	      1/4 ┴─ level 2 …
//
// Where one level has all rows, each looks at all cells around it instead: see scanrows.go.
//
// A grid covers the bulk of its rows. The few that lie far outside are entered in the cells at its
// border, which is right: rounding to a lattice keeps the order of coordinates, and so does a
// bound. Rows that are spread over too many cells are entered in a table of hashed cells.
//
// It refuses nothing: package broad has checked the rows. Frame and units are those of package
// broad. Read multilevel.go first, then level.go, enter.go and scan.go in the order they run.
package multilevel
