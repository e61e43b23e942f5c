package asm

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// coldPlaces is where a pair lies: the relative orientation, and place of B in the frame of A, the radii, the greater of
// the two and the unit.
type coldPlaces struct {
	q                        vec.Quat
	rot                      vec.Mat3
	t                        vec.Vec3
	radA, radB, radius, unit float64
}

func (f *ColdPairs) places(i int) (c coldPlaces) {
	ia, ib := f.A[i], f.B[i]
	rotA := vec.Quat{W: f.RotW[ia], X: f.RotX[ia], Y: f.RotY[ia], Z: f.RotZ[ia]}
	rotB := vec.Quat{W: f.RotW[ib], X: f.RotX[ib], Y: f.RotY[ib], Z: f.RotZ[ib]}
	dx := vec.Vec3{X: f.PosX[ib] - f.PosX[ia], Y: f.PosY[ib] - f.PosY[ia], Z: f.PosZ[ib] - f.PosZ[ia]}
	c.q = rotA.Conj().Mul(rotB)
	c.rot, c.t = c.q.Mat3(), rotA.RotateInv(dx)
	c.radA, c.radB = f.Rows[ColdNumbers-1][f.RowA[i]], f.Rows[ColdNumbers-1][f.RowB[i]]
	c.radius = greater(c.radA, c.radB)
	c.unit = greater(greater(math.Abs(c.t.X), greater(math.Abs(c.t.Y), math.Abs(c.t.Z))), c.radius)
	return c
}

// at looks up three numbers of a row.
func (f *ColdPairs) at(j int, row uint32) vec.Vec3 {
	return vec.Vec3{X: f.Rows[j][row], Y: f.Rows[j+1][row], Z: f.Rows[j+2][row]}
}

// sound says whether sizes and poses are such that an answer may be trusted.
func (c *coldPlaces) sound() bool {
	return lesser(c.radA, c.radB)*16 > c.unit && c.unit > 1/coldRange && c.unit < coldRange && c.q.Dot(c.q) > 0.5
}

// room is how far below its features all other corners must lie along a direction of that length, whose square is
// given, for a gap.
func (c *coldPlaces) room(gap, length, square float64) float64 {
	across := c.radius + c.radius
	return math.Sqrt(c.unit * coldSure * (across * across) * square / gap)
}

// wideOf is what the square of the product of two edges, whose squares are given, has to exceed.
func wideOf(ee, ff float64) float64 { return float64(float64(ee*ff) * coldWide) }

// inset is the square of how far inside their features the feet of a gap must lie.
func (c *coldPlaces) inset(gap float64) float64 {
	clear := c.unit * coldClear
	return float64(gap*(c.unit*coldSure)) + float64(clear*clear)
}
