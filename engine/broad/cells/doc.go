// Package cells searches with the cell spaces of package broad.
//
// It owns nothing but the spaces of one finder. Pieces, budgets and what rests are of the engine's
// own list, broad.Cells; here all rows are of one kind, and every pair of them counts. Frame and
// units are those of package broad; cells.go is all there is to read.
package cells
