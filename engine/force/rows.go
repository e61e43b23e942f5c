package force

import "github.com/scree-dem/scree/soa"

// growRows reallocates the columns of a kernel with n rows, a multiple of soa.Lanes, and keeps the
// first kept rows. A cache line separates adjacent columns. If columns were a power of two apart,
// the same row of all columns would map to the same few cache sets.
func growRows(n, kept int, numbers []*[]float64) {
	stride := n + soa.Lanes
	cells := soa.Float64s(stride * len(numbers))
	for _, c := range numbers {
		copy(cells, (*c)[:kept])
		*c, cells = cells[:n:n], cells[stride:]
	}
}

// padRows fills the index columns from row n up to the next full register with the values of row
// n−1, and returns the padded number of rows. The results of padded rows are not used. n must be at
// least 1.
func padRows(n int, indices ...[]uint32) int {
	end := soa.Pad(n)
	for _, c := range indices {
		for k := n; k < end; k++ {
			c[k] = c[n-1]
		}
	}
	return end
}

// scatter3 writes the vectors (x, y, z) to rows of a vector column.
func scatter3(rows []uint32, to *soa.Vec3s, x, y, z []float64) {
	n := len(to.X)
	x, y, z = x[:len(rows)], y[:len(rows)], z[:len(rows)]
	toX, toY, toZ := to.X, to.Y[:n], to.Z[:n]
	for k, row := range rows {
		toX[row], toY[row], toZ[row] = x[k], y[k], z[k]
	}
}

// scatter writes numbers to rows of a column.
func scatter(rows []uint32, to, from []float64) {
	from = from[:len(rows)]
	for k, row := range rows {
		to[row] = from[k]
	}
}

// slips returns the part of the history columns that stores the slip of the friction spring, for
// laws that have one.
func slips(c *soa.Contacts) soa.Vec3s {
	return soa.Vec3s{X: c.History[0], Y: c.History[1], Z: c.History[2]}
}
