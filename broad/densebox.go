package broad

import (
	"slices"

	"github.com/scree-dem/scree/vec"
)

const (
	// FewRows is the number of rows below which sampling does not pay.
	FewRows = 4096
	// sampled is the number of rows in the sample.
	sampled = 128
	// beyond: Bulk leaves out one sampled row in beyond at each end. Rows beyond the bulk are
	// entered in the cells of the border. With n rows and a border of n^⅔ cells, 1/64 of the rows
	// at one end make no border cell much fuller than the other cells.
	beyond = 64
)

// DenseBox estimates from a sample where the lower corners of most of n ≥ FewRows boxes lie, m. A grid
// over the bulk is good for boxes most of which lie in it: the few that lie farther away are
// entered at its border. All boxes of one size may nevertheless lie elsewhere: see nearlyAll.
func DenseBox(n int, at func(i int) *vec.Box) (lo, hi vec.Vec3) {
	var corner [sampled]vec.Vec3
	for k := range corner {
		corner[k] = at(k * (n / sampled)).Min
	}
	lo.X, hi.X = denseRange(&corner, func(v *vec.Vec3) float64 { return v.X })
	lo.Y, hi.Y = denseRange(&corner, func(v *vec.Vec3) float64 { return v.Y })
	lo.Z, hi.Z = denseRange(&corner, func(v *vec.Vec3) float64 { return v.Z })
	return lo, hi
}

// nearlyAll reports whether inside is so large a part of n that the rest does not crowd the border.
func nearlyAll(inside, n int) bool { return 8*inside >= 7*n }

// denseRange is Bulk along one axis.
func denseRange(corner *[sampled]vec.Vec3, pick func(*vec.Vec3) float64) (lo, hi float64) {
	var line [sampled]float64
	for k := range line {
		line[k] = pick(&corner[k])
	}
	slices.Sort(line[:])
	lo, hi = line[sampled/beyond], line[sampled-1-sampled/beyond]
	// Boxes a little outside the sample still belong to the bulk.
	margin := float64((hi - lo) / 16)
	return lo - margin, hi + margin
}
