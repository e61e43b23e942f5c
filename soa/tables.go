package soa

import "github.com/scree-dem/scree/vec"

// The tables of features (Quads, Corners, Stars) consist of rows of equal size. A
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
