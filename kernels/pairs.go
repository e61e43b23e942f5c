package kernels

import "github.com/scree-dem/scree/soa"

// PairRows is the queries of a batch of pairs: the rows of their poses, and the starts of the rows of their
// shapes in a table.
type PairRows struct {
	A, B       []uint32 // rows of poses
	RowA, RowB []uint32
}

// columns returns all columns.
func (p *PairRows) columns() [4]*[]uint32 { return [...]*[]uint32{&p.A, &p.B, &p.RowA, &p.RowB} }

// resize sets the number of pairs to n.
func (p *PairRows) resize(n int) {
	for _, c := range p.columns() {
		*c = soa.Resize(*c, n)
	}
}

// Set writes row i: pieces with the poses in rows a and b have shapes whose rows start at rowA and rowB.
func (p *PairRows) Set(i int, a, b soa.PoseRow, rowA, rowB uint32) {
	p.A[i], p.B[i], p.RowA[i], p.RowB[i] = uint32(a), uint32(b), rowA, rowB
}

// Fill repeats row n-1 up to the end of a register of pairs, so that machine code computes all
// rows. It returns that end. There must be soa.Pad(n) rows.
func (p *PairRows) Fill(n int) int {
	for _, c := range p.columns() {
		fill(*c, n)
	}
	return soa.Pad(n)
}

// fill repeats the last of n rows up to the end of a register.
func fill[T any](column []T, n int) {
	for i := n; i < soa.Pad(n); i++ {
		column[i] = column[n-1]
	}
}

// FeatureResults is the results of a batch of pairs that touch, or are nearest, at known features.
type FeatureResults struct {
	Gap        []float64 // m, negative when penetrating
	Normal     soa.Vec3s // unit, from A to B, world axes
	ArmA, ArmB soa.Vec3s // m, from the positions of the pieces to the witness points, world axes
}

// Len returns the number of pairs.
func (t *FeatureResults) Len() int { return len(t.Gap) }

func (t *FeatureResults) resize(n int) {
	t.Gap = soa.Resize(t.Gap, n)
	for _, v := range [...]*soa.Vec3s{&t.Normal, &t.ArmA, &t.ArmB} {
		v.Resize(n)
	}
}
