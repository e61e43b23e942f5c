package soa

import "github.com/scree-dem/scree/vec"

// The tables of features (Bricks, Tetras, Quads, Corners, Stars) consist of rows of equal size. A
// reference to a row is the index of its first number. The first row is zero, so a reference of 0
// means none.

// put writes the vector p to row, beginning at index at.
func put(row []float64, at int, p vec.Vec3) { row[at], row[at+1], row[at+2] = p.X, p.Y, p.Z }

// withNone returns the table with its first row of zeros.
func withNone(table []float64, size int) []float64 {
	if len(table) == 0 {
		return Resize(table, size)
	}
	return table
}

// addRow appends row to the table and returns where it starts.
func addRow(table, row []float64) (longer []float64, at int) {
	at = len(table)
	longer = Resize(table, at+len(row))
	copy(longer[at:], row)
	return longer, at
}

// addSolid is addRow for a table with at most one row per shape. If ok, it appends row for the
// newest shape. It appends to of where the row of the newest shape starts, or 0.
func addSolid[K ~uint32](table []float64, of []K, row []float64, ok bool) ([]float64, []K) {
	table, at := withNone(table, len(row)), 0
	if ok {
		table, at = addRow(table, row)
	}
	return table, append(of, K(at))
}
