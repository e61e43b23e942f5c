package asm

// BoxPoses holds poses, one row a pose: the rows X, Y, Z of a rotation matrix, and a position P. All
// columns have one length. A pose moves a point p to (X·p + PX, Y·p + PY, Z·p + PZ), with X = (XX,
// XY, XZ), and Y and Z likewise.
type BoxPoses struct {
	XX, XY, XZ []float64
	YX, YY, YZ []float64
	ZX, ZY, ZZ []float64
	PX, PY, PZ []float64
}

// BoxColumns holds axis-aligned closed boxes, one row a box. All columns have one length.
type BoxColumns struct {
	MinX, MinY, MinZ []float64
	MaxX, MaxY, MaxZ []float64
}

// PosedBoxes computes the bounding boxes of posed sets of points. The sets are ranges of x, y and
// z, and may overlap or repeat. For each set i, and for Y and Z as for X:
//
//	lo, hi := first[i], first[i]+count[i]
//	min, max, _, _ := Interval(x[lo:hi], y[lo:hi], z[lo:hi], p.XX[i], p.XY[i], p.XZ[i])
//	out.MinX[i], out.MaxX[i] = (min+0)+p.PX[i], (max+0)+p.PX[i]
//
//	len(x) == len(y) == len(z)
//	len(first) == len(count) == the length of each column of p and out
//	first[i] + count[i] <= len(x) for each i
//
// Exact. The position is added once, to the extremes. Because rounding is monotone, the result is
// the same as if it were added to every point. Adding 0 makes the sign of a zero extreme positive.
// So a backend may use its minimum instruction, which may return a zero of either sign. An empty
// set has an empty box, from +Inf to -Inf.
func PosedBoxes(x, y, z []float64, first, count []uint32, p *BoxPoses, out *BoxColumns) {
	if len(y) != len(x) || len(z) != len(x) {
		panic("asm: PosedBoxes: columns of unequal length")
	}
	if n := len(first); len(count) != n || !p.sized(n) || !out.sized(n) {
		panic("asm: PosedBoxes: poses or boxes of unequal length")
	}
	posedBoxes(x, y, z, first, count, p, out)
}

func (p *BoxPoses) sized(n int) bool {
	return len(p.XX) == n && len(p.XY) == n && len(p.XZ) == n &&
		len(p.YX) == n && len(p.YY) == n && len(p.YZ) == n &&
		len(p.ZX) == n && len(p.ZY) == n && len(p.ZZ) == n &&
		len(p.PX) == n && len(p.PY) == n && len(p.PZ) == n
}

func (b *BoxColumns) sized(n int) bool {
	return len(b.MinX) == n && len(b.MinY) == n && len(b.MinZ) == n &&
		len(b.MaxX) == n && len(b.MaxY) == n && len(b.MaxZ) == n
}
