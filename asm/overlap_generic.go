package asm

// boxOverlapGeneric writes every index and keeps it only if the box overlaps: six comparisons without
// a branch cost less than one mispredicted branch, and take the same time whatever the boxes. The
// sides of q stand in variables because the compiler has to assume that writing out changes q.
func boxOverlapGeneric(b *Boxes, lo, hi int, q *Box, out []uint32) int {
	minX, minY, minZ := b.MinX[lo:hi], b.MinY[lo:hi], b.MinZ[lo:hi]
	maxX, maxY, maxZ := b.MaxX[lo:hi], b.MaxY[lo:hi], b.MaxZ[lo:hi]
	minY, minZ = minY[:len(minX)], minZ[:len(minX)]
	maxX, maxY, maxZ = maxX[:len(minX)], maxY[:len(minX)], maxZ[:len(minX)]
	q0, q1, q2, q3, q4, q5 := q[0], q[1], q[2], q[3], q[4], q[5]
	n := 0
	for i := range minX {
		out[n] = uint32(lo + i)
		n += atMost(minX[i], q3) & atMost(q0, maxX[i]) &
			atMost(minY[i], q4) & atMost(q1, maxY[i]) &
			atMost(minZ[i], q5) & atMost(q2, maxZ[i])
	}
	return n
}

// atMost is 1 if a ≤ b, else 0; the compiler makes it a set instruction.
func atMost(a, b float64) int {
	n := 0
	if a <= b {
		n = 1
	}
	return n
}
