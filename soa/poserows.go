package soa

// PoseSize is the number of values in a row of PoseRows: one cache line.
const PoseSize = 8

// GatherPoses writes the poses of bodies lo ≤ i < hi to rows of PoseSize numbers, for kernels that
// look poses up. A row is Pos, m, then Rot as w, x, y, z. GatherPoses does not write the last
// number.
//
//	len(rows) == PoseSize·b.Len()
func (b *Bodies) GatherPoses(lo, hi int, rows []float64) {
	p, q := &b.Pos, &b.Rot
	n := hi - lo
	px, py, pz := p.X[lo:hi], p.Y[lo:hi][:n], p.Z[lo:hi][:n]
	w, x, y, z := q.W[lo:hi][:n], q.X[lo:hi][:n], q.Y[lo:hi][:n], q.Z[lo:hi][:n]
	rows = rows[PoseSize*lo : PoseSize*hi]
	for i := range px {
		to := (*[7]float64)(rows[PoseSize*i:])
		to[0], to[1], to[2], to[3], to[4], to[5], to[6] = px[i], py[i], pz[i], w[i], x[i], y[i], z[i]
	}
}

// PoseRows returns the poses of all bodies in the layout of GatherPoses.
func (b *Bodies) PoseRows() []float64 {
	rows := Float64s(PoseSize * b.Len())
	b.GatherPoses(0, b.Len(), rows)
	return rows
}
