package earcut

import (
	"math"
	"slices"
)

// dents stores the dents of a polygon, the corners that turn right or are straight, in the cells of
// a grid over their box. The dents in a triangle are found in the cells that the triangle meets,
// row by row. Rows divide the v axis. The grid has about as many cells as there are dents.
type dents struct {
	n        [2]int     // cells along each axis
	low, per [2]float64 // the least coordinate, and cells per unit of length
	first    []int      // of each cell: its corners are corner[first[cell]:first[cell+1]]
	corner   []int
}

// maxDentCells limits the cells along an axis, and wholeCells the cells that the polygon would
// take. Together they keep the rounding of a coordinate, in cells, far below slabMargin. With
// smaller values, more dents are compared. With larger ones, a dent in a triangle may be missed.
const (
	maxDentCells = 1 << 15
	wholeCells   = 1 << 20
)

// extentOf returns the least coordinate of the corners at, and the length of their range.
func extentOf(x []float64, at []int) (low, extent float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, k := range at {
		low, high = min(low, x[k]), max(high, x[k])
	}
	return low, high - low
}

// set sorts the dents at of a polygon into nearly square cells.
func (d *dents) set(u, v []float64, at []int) {
	var extent, whole [2]float64
	for axis, x := range [2][]float64{u, v} {
		d.low[axis], extent[axis] = extentOf(x, at)
		whole[axis] = slices.Max(x) - slices.Min(x)
	}
	count := float64(len(at))
	long := 0 // the axis with more cells
	if extent[1] > extent[0] {
		long = 1
	}
	short := math.Floor(math.Sqrt(float64(count * (extent[1-long] / extent[long]))))
	if !(short >= 1) { // also if all dents are at one place
		short = 1
	}
	d.n[1-long], d.n[long] = int(min(short, maxDentCells)), int(max(1, min(count/short, maxDentCells)))
	for axis := range 2 {
		d.per[axis] = min(float64(d.n[axis])/extent[axis], wholeCells/whole[axis])
		if !(d.per[axis] < 0x1p1000) {
			d.per[axis] = 0
		}
	}
	cells := d.n[0] * d.n[1]
	d.first = append(d.first[:0], make([]int, cells+2)...)
	for _, k := range at {
		d.first[d.cell(u[k], v[k])+2]++
	}
	for c := range cells {
		d.first[c+2] += d.first[c+1]
	}
	d.corner = append(d.corner[:0], at...)
	for _, k := range at {
		to := &d.first[d.cell(u[k], v[k])+1]
		d.corner[*to] = k
		*to++
	}
}

// in returns a coordinate in cells.
func (d *dents) in(axis int, x float64) float64 { return float64((x - d.low[axis]) * d.per[axis]) }

// clamp returns the cell of a coordinate in cells.
func (d *dents) clamp(axis int, x float64) int { return int(min(max(x, 0), float64(d.n[axis]-1))) }

func (d *dents) cell(u, v float64) int { return d.clamp(1, d.in(1, v))*d.n[0] + d.clamp(0, d.in(0, u)) }

// slabMargin, in cells, is how much wider than the row the slab of each row is, on either side. It
// far exceeds the rounding of a coordinate in cells. So an edge leaves the wider slab beyond the
// place where it leaves the row, whatever its slope. With a smaller value, a dent in a triangle may
// be missed. With a larger one, more cells are visited.
const slabMargin = 0x1p-10

// span returns the dents in the cells of a row that a triangle may meet. The triangle's corners are
// given in cells.
func (d *dents) span(row int, p, q *[3]float64) []int {
	low, high := float64(row)-slabMargin, float64(row+1)+slabMargin
	from, to := math.Inf(1), math.Inf(-1)
	for i := range p {
		j := (i + 1) % 3
		if max(q[i], q[j]) < low || min(q[i], q[j]) > high {
			continue
		}
		for _, end := range [2]float64{min(max(q[i], low), high), min(max(q[j], low), high)} {
			part := 0.0
			if q[i] != q[j] {
				part = min(max((end-q[i])/(q[j]-q[i]), 0), 1)
			}
			at := p[i] + float64(part*(p[j]-p[i]))
			from, to = min(from, at), max(to, at)
		}
		if q[i] == q[j] {
			from, to = min(from, p[j]), max(to, p[j])
		}
	}
	if !(from <= to) {
		return nil
	}
	first := row * d.n[0]
	return d.corner[d.first[first+d.clamp(0, from-1)]:d.first[first+d.clamp(0, to+1)+1]]
}

// rowsOf returns the rows that a triangle may meet.
func (d *dents) rowsOf(q *[3]float64) (low, high int) {
	return d.clamp(1, min(q[0], q[1], q[2])-slabMargin), d.clamp(1, max(q[0], q[1], q[2])+slabMargin)
}

// queue is a heap of keys; the lowest key is on top.
type queue []int64

func (h *queue) push(key int64) {
	a := append(*h, key)
	*h = a
	for i := len(a) - 1; i > 0; {
		up := (i - 1) / 2
		if a[up] <= a[i] {
			return
		}
		a[up], a[i] = a[i], a[up]
		i = up
	}
}

func (h *queue) pop() int64 {
	a := *h
	top, n := a[0], len(a)-1
	a[0] = a[n]
	a = a[:n]
	*h = a
	for i := 0; ; {
		down := 2*i + 1
		if down >= n {
			return top
		}
		if down+1 < n && a[down+1] < a[down] {
			down++
		}
		if a[i] <= a[down] {
			return top
		}
		a[i], a[down] = a[down], a[i]
		i = down
	}
}
