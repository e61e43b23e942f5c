package kernels

import "github.com/scree-dem/scree/soa"

// PairRows is the questions of a batch of pairs: the bodies, and where the rows of a table start that belong to their shapes.
type PairRows struct {
	A, B       []uint32 // bodies
	RowA, RowB []uint32
}

// columns are all columns.
func (p *PairRows) columns() [4]*[]uint32 { return [...]*[]uint32{&p.A, &p.B, &p.RowA, &p.RowB} }

// resize sets the number of pairs to n.
func (p *PairRows) resize(n int) {
	for _, c := range p.columns() {
		*c = soa.Resize(*c, n)
	}
}

// Set writes row i: bodies a and b have shapes whose rows start at p and q.
func (p *PairRows) Set(i int, a, b soa.Body, rowA, rowB uint32) {
	p.A[i], p.B[i], p.RowA[i], p.RowB[i] = uint32(a), uint32(b), rowA, rowB
}

// Fill repeats row n-1 up to the end of a register of pairs and returns that end, so that none is answered alone. There
// must be soa.Pad(n) rows.
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

// Touches is the answers of a batch of pairs that touch, or are nearest, at features.
type Touches struct {
	Gap        []float64 // m, negative when penetrating
	Normal     soa.Vec3s // unit, from A to B, world axes
	ArmA, ArmB soa.Vec3s // m, from the bodies' positions to the witness points, world axes
}

// Len returns the number of pairs.
func (t *Touches) Len() int { return len(t.Gap) }

func (t *Touches) resize(n int) {
	t.Gap = soa.Resize(t.Gap, n)
	for _, v := range [...]*soa.Vec3s{&t.Normal, &t.ArmA, &t.ArmB} {
		v.Resize(n)
	}
}
