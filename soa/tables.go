package soa

import "github.com/scree-dem/scree/vec"

// Tables of features (Bricks, Tetras, Quads, Corners, Stars) are rows of one size each, one after the other. What refers to
// a row says where it starts; the first is zeros, and 0 means none.

// put writes a vector to a row.
func put(row []float64, at int, p vec.Vec3) { row[at], row[at+1], row[at+2] = p.X, p.Y, p.Z }

// withNone returns a table that has its first row.
func withNone(table []float64, size int) []float64 {
	if len(table) == 0 {
		return Resize(table, size)
	}
	return table
}

// addRow returns a table with one row more, and where that starts.
func addRow(table, row []float64) (longer []float64, at int) {
	at = len(table)
	longer = Resize(table, at+len(row))
	copy(longer[at:], row)
	return longer, at
}

// addSolid is addRow for a table of whole shapes, of which the newest has a row or none, as of says by shape.
func addSolid[K ~uint32](table []float64, of []K, row []float64, ok bool) ([]float64, []K) {
	table, at := withNone(table, len(row)), 0
	if ok {
		table, at = addRow(table, row)
	}
	return table, append(of, K(at))
}
