package asm

// posedBoxesGeneric takes one row of the rotation at a time: three rows at once need more registers
// than there are. A loop without the indices, which nobody asks for here, would gain little on
// intervalGeneric and be a second loop to trust.
func posedBoxesGeneric(x, y, z []float64, first, count []uint32, p *Poses, out *Boxes) {
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
