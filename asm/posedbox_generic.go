package asm

// posedBoxesGeneric is the Go loop of PosedBoxes. It handles one row of the rotation at a time,
// because three rows at once need more registers than there are. intervalGeneric also finds indices
// that are not needed here. A loop without them would gain little, and would be a second loop to
// test.
func posedBoxesGeneric(x, y, z []float64, first, count []uint32, p *BoxPoses, out *BoxColumns) {
	for i := range first {
		lo, hi := int(first[i]), int(first[i])+int(count[i])
		xs, ys, zs := x[lo:hi], y[lo:hi], z[lo:hi]
		a, b, _, _ := intervalGeneric(xs, ys, zs, p.XX[i], p.XY[i], p.XZ[i])
		out.MinX[i], out.MaxX[i] = (a+0)+p.PX[i], (b+0)+p.PX[i]
		a, b, _, _ = intervalGeneric(xs, ys, zs, p.YX[i], p.YY[i], p.YZ[i])
		out.MinY[i], out.MaxY[i] = (a+0)+p.PY[i], (b+0)+p.PY[i]
		a, b, _, _ = intervalGeneric(xs, ys, zs, p.ZX[i], p.ZY[i], p.ZZ[i])
		out.MinZ[i], out.MaxZ[i] = (a+0)+p.PZ[i], (b+0)+p.PZ[i]
	}
}
