// Package multilevel searches with few grids, each for a range of sizes.
//
// It owns the choice of the levels and the search of rows that are all in one grid. Grids are those of package broad
// (broad.Grids), which the cell spaces of a world use too. Sizes share a level as long as its cells are not crowded.
//
// Where one level has all rows, each looks at all cells around it: see scanrows.go. Else rows look at half of the cells around
// them, and at the cells around them of every level of larger rows.
//
// It refuses nothing: package broad has checked the rows. Frame and units are those of package
// broad. Read multilevel.go first, then level.go and scanrows.go.
package multilevel
