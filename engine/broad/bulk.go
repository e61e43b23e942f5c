package broad

import (
	"slices"

	"github.com/scree-dem/scree/vec"
)

const (
	// FewRows is how many rows are too few to ask some of them where the others lie.
	FewRows = 4096
	// sampled is how many rows tell where the bulk lies.
	sampled = 128
	// beyond is the part of the sampled rows that is left out at each end of the bulk. The rows
	// beyond crowd the border: of n rows and a border of n^⅔ cells, 1/64 of them at one end make
	// no cell there much fuller than the others.
	beyond = 64
)

// Bulk returns where the lower corners of most of n ≥ FewRows boxes lie, m, as some of them tell.
// A grid around the bulk serves boxes of which most are in it: the few that lie farther off are
// entered at its border. Those of one size may all lie elsewhere: see nearlyAll.
func Bulk(n int, at func(i int) *vec.Box) (lo, hi vec.Vec3) {
	var corner [sampled]vec.Vec3
	for k := range corner {
		corner[k] = at(k * (n / sampled)).Min
	}
	lo.X, hi.X = bulkOf(&corner, func(v *vec.Vec3) float64 { return v.X })
	lo.Y, hi.Y = bulkOf(&corner, func(v *vec.Vec3) float64 { return v.Y })
	lo.Z, hi.Z = bulkOf(&corner, func(v *vec.Vec3) float64 { return v.Z })
	return lo, hi
}

// nearlyAll reports whether so many of n rows are so near to all that the others may crowd the border.
func nearlyAll(inside, n int) bool { return 8*inside >= 7*n }

// bulkOf is Bulk along an axis.
func bulkOf(corner *[sampled]vec.Vec3, pick func(*vec.Vec3) float64) (lo, hi float64) {
	var line [sampled]float64
	for k := range line {
		line[k] = pick(&corner[k])
	}
	slices.Sort(line[:])
	lo, hi = line[sampled/beyond], line[sampled-1-sampled/beyond]
	// What lies a little outside of them is of the bulk, too.
	margin := float64((hi - lo) / 16)
	return lo - margin, hi + margin
}
