package force

import "github.com/scree-dem/scree/soa"

// growRows makes room for n rows, a multiple of soa.Lanes, in columns of a kernel, and keeps the
// first few. Between two columns lies a cache line: were they a power of two apart, one row of
// all would compete for the same few places of the cache.
func growRows(n, kept int, numbers []*[]float64) {
	stride := n + soa.Lanes
	cells := soa.Float64s(stride * len(numbers))
	for _, c := range numbers {
		copy(cells, (*c)[:kept])
		*c, cells = cells[:n:n], cells[stride:]
	}
}

// padRows fills rows n to the next full register with what row n-1 looks up, and returns where
// they end. Nobody reads what becomes of them. There is a row.
func padRows(n int, indices ...[]uint32) int {
	end := soa.Pad(n)
	for _, c := range indices {
		for k := n; k < end; k++ {
			c[k] = c[n-1]
		}
	}
	return end
}

// scatter3 writes vectors to rows of a column of them.
func scatter3(rows []uint32, to *soa.Vec3s, x, y, z []float64) {
	n := len(to.X)
	x, y, z = x[:len(rows)], y[:len(rows)], z[:len(rows)]
	toX, toY, toZ := to.X, to.Y[:n], to.Z[:n]
	for k, row := range rows {
		toX[row], toY[row], toZ[row] = x[k], y[k], z[k]
	}
}

// scatter is scatter3 of numbers.
func scatter(rows []uint32, to, from []float64) {
	from = from[:len(rows)]
	for k, row := range rows {
		to[row] = from[k]
	}
}

// slips is the part of a history that is the friction spring's slip, of laws that have one.
func slips(c *soa.Contacts) soa.Vec3s {
	return soa.Vec3s{X: c.History[0], Y: c.History[1], Z: c.History[2]}
}
