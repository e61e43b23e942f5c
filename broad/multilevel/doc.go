// Package multilevel is a neighbour search with a few grids, each for a range of sizes.
//
// The package owns the choice of the levels, and the search if all rows are in one grid. The grids
// are those of package broad (broad.Grids), which the cell spaces of a world use too. Rows of
// different sizes share a level as long as its cells are not crowded.
//
// If one level has all rows, each row searches all cells around it: see scanrows.go. Otherwise each
// row searches half of the cells around it in its own level, and all cells around it in every level
// of larger rows.
//
// Package broad has already checked the rows. Frame and units are those of package broad. Read
// multilevel.go first, then level.go and scanrows.go.
package multilevel
