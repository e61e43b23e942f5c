package force

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// OverlapNumbers is how many numbers an Overlap has, in the order of its fields.
const OverlapNumbers = 20

// overlaps are those of a batch, a row each. Row 0 is none: all zeros. The kernels that find overlaps
// write to these columns, and the kernels of laws look their numbers up there.
type overlaps struct {
	columns [OverlapNumbers][]float64
	n       int // rows in use
}

// reserve makes room for n rows, row 0 among them.
func (o *overlaps) reserve(n int) {
	if n = soa.Pad(n); n <= len(o.columns[0]) {
		return
	}
	var all [OverlapNumbers]*[]float64
	for k := range o.columns {
		all[k] = &o.columns[k]
	}
	growRows(n, o.n, all[:])
}

func (o *overlaps) clear() {
	o.reserve(soa.Lanes)
	o.n = 1
}

// rows takes n rows, which start a full register, and makes room for as many as room from the first.
func (o *overlaps) rows(n, room int) (first int) {
	first = soa.Pad(o.n)
	if end := first + max(n, room); end > len(o.columns[0]) {
		o.reserve(2 * end)
	}
	o.n = first + n
	return first
}

func (o *overlaps) add(v *Overlap) uint32 {
	i := o.n
	if i == len(o.columns[0]) {
		o.reserve(2 * i)
	}
	o.n++
	c := &o.columns
	c[0][i], c[7][i] = v.Volume, v.Variance
	c[1][i], c[2][i], c[3][i], c[4][i], c[5][i], c[6][i] = v.Spread.XX, v.Spread.YY, v.Spread.ZZ, v.Spread.XY, v.Spread.XZ, v.Spread.YZ
	c[8][i], c[9][i], c[10][i] = v.VariancePush.X, v.VariancePush.Y, v.VariancePush.Z
	c[11][i], c[12][i], c[13][i] = v.VarianceTurn.X, v.VarianceTurn.Y, v.VarianceTurn.Z
	c[14][i], c[15][i], c[16][i] = v.VolumePush.X, v.VolumePush.Y, v.VolumePush.Z
	c[17][i], c[18][i], c[19][i] = v.VolumeTurn.X, v.VolumeTurn.Y, v.VolumeTurn.Z
	return uint32(i)
}

// at returns the overlap of a row, or for row 0 none.
func (o *overlaps) at(i uint32) Overlap {
	c := &o.columns
	_ = c[0][:o.n][i] // A row that there is not panics.
	v := func(k int) vec.Vec3 { return vec.Vec3{X: c[k][i], Y: c[k+1][i], Z: c[k+2][i]} }
	return Overlap{
		Volume: c[0][i], Variance: c[7][i],
		Spread:       vec.Sym3{XX: c[1][i], YY: c[2][i], ZZ: c[3][i], XY: c[4][i], XZ: c[5][i], YZ: c[6][i]},
		VariancePush: v(8), VarianceTurn: v(11), VolumePush: v(14), VolumeTurn: v(17),
	}
}

func (o *overlaps) variance(i uint32) float64 { return o.columns[7][i] }

// lookUp sets the columns that a kernel looks up at the row of an overlap.
func (o *overlaps) lookUp(c *asm.ThicknessLaw) {
	for k, column := range [OverlapNumbers]*[]float64{
		&c.Volume, &c.SpreadXX, &c.SpreadYY, &c.SpreadZZ, &c.SpreadXY, &c.SpreadXZ, &c.SpreadYZ, &c.Variance,
		&c.VariancePushX, &c.VariancePushY, &c.VariancePushZ, &c.VarianceTurnX, &c.VarianceTurnY, &c.VarianceTurnZ,
		&c.VolumePushX, &c.VolumePushY, &c.VolumePushZ, &c.VolumeTurnX, &c.VolumeTurnY, &c.VolumeTurnZ,
	} {
		*column = o.columns[k][:o.n]
	}
}
