package force

import (
	"slices"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/vec"
)

// overlaps are those of a batch, one behind the other. The first is none: all zeros. Kernels
// look up a number of an overlap at its place behind the overlap's first; so an overlap is
// written once, and lies in three cache lines.
type overlaps struct {
	cells []float64 // overlapNumbers each, in the order of the fields of Overlap
}

const overlapNumbers = 20

func (o *overlaps) reserve(n int) {
	o.cells = slices.Grow(o.cells, max(overlapNumbers*(n+1)-len(o.cells), 0))
}

func (o *overlaps) clear() { o.cells = append(o.cells[:0], noOverlap[:]...) }

var noOverlap [overlapNumbers]float64

func (o *overlaps) len() int { return len(o.cells)/overlapNumbers - 1 }

func (o *overlaps) add(v *Overlap) uint32 {
	n := len(o.cells)
	o.cells = slices.Grow(o.cells, overlapNumbers)[:n+overlapNumbers]
	c := (*[overlapNumbers]float64)(o.cells[n:])
	c[0], c[7] = v.Volume, v.Variance
	c[1], c[2], c[3], c[4], c[5], c[6] = v.Spread.XX, v.Spread.YY, v.Spread.ZZ, v.Spread.XY, v.Spread.XZ, v.Spread.YZ
	c[8], c[9], c[10] = v.VariancePush.X, v.VariancePush.Y, v.VariancePush.Z
	c[11], c[12], c[13] = v.VarianceTurn.X, v.VarianceTurn.Y, v.VarianceTurn.Z
	c[14], c[15], c[16] = v.VolumePush.X, v.VolumePush.Y, v.VolumePush.Z
	c[17], c[18], c[19] = v.VolumeTurn.X, v.VolumeTurn.Y, v.VolumeTurn.Z
	return uint32(n / overlapNumbers)
}

// at returns overlap number i, counted from 1, or for 0 none.
func (o *overlaps) at(i uint32) Overlap {
	c := o.cells[overlapNumbers*int(i):]
	v := func(k int) vec.Vec3 { return vec.Vec3{X: c[k], Y: c[k+1], Z: c[k+2]} }
	return Overlap{
		Volume: c[0], Spread: vec.Sym3{XX: c[1], YY: c[2], ZZ: c[3], XY: c[4], XZ: c[5], YZ: c[6]}, Variance: c[7],
		VariancePush: v(8), VarianceTurn: v(11), VolumePush: v(14), VolumeTurn: v(17),
	}
}

func (o *overlaps) variance(i uint32) float64 { return o.cells[overlapNumbers*int(i)+7] }

// columns sets the columns that a kernel looks up at overlapNumbers times the number of an
// overlap.
func (o *overlaps) columns(c *asm.ThicknessLaw) {
	n := len(o.cells) - overlapNumbers + 1
	for k, column := range [overlapNumbers]*[]float64{
		&c.Volume, &c.SpreadXX, &c.SpreadYY, &c.SpreadZZ, &c.SpreadXY, &c.SpreadXZ, &c.SpreadYZ, &c.Variance,
		&c.VariancePushX, &c.VariancePushY, &c.VariancePushZ, &c.VarianceTurnX, &c.VarianceTurnY, &c.VarianceTurnZ,
		&c.VolumePushX, &c.VolumePushY, &c.VolumePushZ, &c.VolumeTurnX, &c.VolumeTurnY, &c.VolumeTurnZ,
	} {
		*column = o.cells[k:][:n]
	}
}
