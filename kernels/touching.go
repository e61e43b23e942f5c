package kernels

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Touching is what a batch that finds where contacts act asks of every pair: Locations, Crossings or
// Corners. A row a pair.
type Touching struct {
	A, B       []uint32  // bodies
	Gap        []float64 // m, that their law sees
	Normal     soa.Vec3s // unit, from A to B, world axes
	ArmA, ArmB soa.Vec3s // m, from the bodies' positions to the witness points, world axes
}

// Len returns the number of rows.
func (t *Touching) Len() int { return len(t.Gap) }

func (t *Touching) resize(n int) {
	t.A, t.B, t.Gap = resizeWords(t.A, n), resizeWords(t.B, n), soa.Resize(t.Gap, n)
	t.Normal.Resize(n)
	t.ArmA.Resize(n)
	t.ArmB.Resize(n)
}

func (t *Touching) set(i int, a, b soa.Body, gap float64, normal, armA, armB *vec.Vec3) {
	t.A[i], t.B[i], t.Gap[i] = uint32(a), uint32(b), gap
	t.Normal.X[i], t.Normal.Y[i], t.Normal.Z[i] = normal.X, normal.Y, normal.Z
	t.ArmA.X[i], t.ArmA.Y[i], t.ArmA.Z[i] = armA.X, armA.Y, armA.Z
	t.ArmB.X[i], t.ArmB.Y[i], t.ArmB.Z[i] = armB.X, armB.Y, armB.Z
}

// fill repeats row n-1 up to row end.
func (t *Touching) fill(n, end int) {
	for i := n; i < end; i++ {
		normal, armA, armB := t.Normal.At(n-1), t.ArmA.At(n-1), t.ArmB.At(n-1)
		t.set(i, soa.Body(t.A[n-1]), soa.Body(t.B[n-1]), t.Gap[n-1], &normal, &armA, &armB)
	}
}
