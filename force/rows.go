package force

import "github.com/scree-dem/scree/soa"

// blockRows is the number of contacts that are evaluated and stored together. Inputs and results of
// that many contacts stay in the first-level cache.
const blockRows = 64

// rows holds the contacts of a batch whose law a kernel evaluates, one row each.
type rows struct {
	n              int
	a, b, row, law []uint32
	columns        [][]float64 // the other inputs of the kernel
	stored, shear  []float64   // J, of the last Apply
}

// reserve allocates space for n contacts, whose inputs have the given number of columns.
func (r *rows) reserve(n, columns int) {
	if n = (n + blockRows - 1) / blockRows * blockRows; n <= len(r.law) {
		return
	}
	r.columns = soa.Resize(r.columns, columns)
	numbers := []*[]float64{&r.stored, &r.shear}
	for k := range r.columns {
		numbers = append(numbers, &r.columns[k])
	}
	growRows(n, r.n, numbers)
	for _, c := range []*[]uint32{&r.a, &r.b, &r.row, &r.law} {
		*c = append(make([]uint32, 0, n), (*c)[:r.n]...)[:n]
	}
}

// extend allocates space for n more contacts.
func (r *rows) extend(n, columns int) {
	if r.n+n > len(r.law) {
		r.reserve(2*(r.n+n), columns)
	}
}

// next makes the next row that of a contact. The caller must write the columns.
func (r *rows) next(a, b soa.Body, row, law uint32) (i int) {
	i = r.n
	r.n++
	r.a[i], r.b[i], r.row[i], r.law[i] = uint32(a), uint32(b), row, law
	return i
}

// pad fills the indices up to the next full register with those of the last contact, and returns the
// padded number of rows. The results of padded rows are not used. There must be a contact.
func (r *rows) pad() int {
	end := soa.Pad(r.n)
	for _, c := range [4][]uint32{r.a, r.b, r.row, r.law} {
		for k := r.n; k < end; k++ {
			c[k] = c[r.n-1]
		}
	}
	return end
}

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

// vectors returns the three history columns from a given one on, which store the vectors of a law.
func vectors(c *ContactRows, first int) soa.Vec3s {
	return soa.Vec3s{X: c.History[first], Y: c.History[first+1], Z: c.History[first+2]}
}
