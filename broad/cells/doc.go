// Package cells is a neighbour search with the cell spaces of package broad.
//
// The package adds no algorithm of its own: it wraps a broad.CandidateSearch as a broad.Method. Pieces,
// skins and resting bodies belong to a space's own broad.CandidateSearch. Here all rows are of one kind, and any
// two rows may pair. Frame and units are those of package broad. The code is in cells.go.
package cells
