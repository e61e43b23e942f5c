// Package cells is a neighbour search with the cell spaces of package broad.
//
// The package adds no algorithm of its own: it wraps a broad.Cells for use by a Finder. Pieces,
// skins and resting bodies belong to a world's broad.Cells. Here all rows are of one kind, and any
// two rows may pair. Frame and units are those of package broad. The code is in cells.go.
package cells
