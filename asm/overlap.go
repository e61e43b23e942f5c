package asm

// Box is one axis-aligned closed box: MinX, MinY, MinZ, MaxX, MaxY, MaxZ.
type Box [6]float64

// BoxOverlap writes the indices of the boxes lo ≤ i < hi that share a point with q to out, in rising
// order, and returns how many there are.
//
//	n := 0
//	for i := lo; i < hi; i++ {
//		if b.MinX[i] <= q[3] && q[0] <= b.MaxX[i] &&
//			b.MinY[i] <= q[4] && q[1] <= b.MaxY[i] &&
//			b.MinZ[i] <= q[5] && q[2] <= b.MaxZ[i] {
//			out[n] = uint32(i)
//			n++
//		}
//	}
//
//	the columns of b are of equal length; 0 <= lo <= hi <= that length <= math.MaxUint32
//	len(out) >= hi - lo
//
// Exact. Boxes that share a face, edge or corner overlap; a box with a NaN overlaps nothing. What
// out[n:hi-lo] holds afterwards is not specified.
func BoxOverlap(b *Boxes, lo, hi int, q *Box, out []uint32) int {
	if lo < 0 || hi < lo || hi > len(b.MinX) || !b.sized(len(b.MinX)) {
		panic("asm: BoxOverlap: range outside the boxes")
	}
	if len(out) < hi-lo {
		panic("asm: BoxOverlap: out is shorter than the range")
	}
	return boxOverlap(b, lo, hi, q, out)
}
