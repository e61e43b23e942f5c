package soa

import "github.com/scree-dem/scree/vec"

// PoseRow is a row of PoseColumns, where kernels find the pose of a piece. As long as every piece has the pose of its
// body, it is the row of the body; otherwise it is the row of the piece.
type PoseRow uint32

// PoseColumns holds the poses that kernels look up: those of bodies, or of pieces.
type PoseColumns struct {
	Pos Vec3s // m, world
	Rot Quats // the frame of the body or piece to the world frame
}

// At returns the pose of row i.
func (p *PoseColumns) At(i PoseRow) vec.Pose {
	return vec.Pose{Pos: p.Pos.At(int(i)), Rot: p.Rot.At(int(i))}
}

// Len returns the number of rows.
func (p *PoseColumns) Len() int { return p.Pos.Len() }

// Resize sets the number of rows to n. Added rows are zero, which is no rotation: set them.
func (p *PoseColumns) Resize(n int) {
	p.Pos.Resize(n)
	p.Rot.Resize(n)
}

// PoseSize is the number of values in a row of PoseRows: one cache line.
const PoseSize = 8

// GatherPoses writes the poses lo ≤ i < hi to rows of PoseSize numbers, for kernels that
// look poses up. A row is Pos, m, then Rot as w, x, y, z. GatherPoses does not write the last
// number.
//
//	len(rows) == PoseSize·p.Len()
func (p *PoseColumns) GatherPoses(lo, hi int, rows []float64) {
	at, q := &p.Pos, &p.Rot
	n := hi - lo
	px, py, pz := at.X[lo:hi], at.Y[lo:hi][:n], at.Z[lo:hi][:n]
	w, x, y, z := q.W[lo:hi][:n], q.X[lo:hi][:n], q.Y[lo:hi][:n], q.Z[lo:hi][:n]
	rows = rows[PoseSize*lo : PoseSize*hi]
	for i := range px {
		to := (*[7]float64)(rows[PoseSize*i:])
		to[0], to[1], to[2], to[3], to[4], to[5], to[6] = px[i], py[i], pz[i], w[i], x[i], y[i], z[i]
	}
}

// PoseRows returns all poses in the layout of GatherPoses.
func (p *PoseColumns) PoseRows() []float64 {
	rows := Float64s(PoseSize * p.Len())
	p.GatherPoses(0, p.Len(), rows)
	return rows
}
