package kernels

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Locations is a batch of touching pairs of blocks of each of which the plane midway between the deepest points
// leaves a crown (soa.Crown). Solve finds where their contacts act and how wide they are, with the bits that
// overlap.Cutter.Reduced and Gyration of package engine give for them where it answers from the same crowns. Where
// Known says no, Reduced has to be asked; a crown that is not what the plane leaves gives no answer, never a wrong one.
//
// The pose of a piece is that of its body, as for Facets. In use:
//
//	l.Resize(soa.Pad(n))
//	l.Set(i, bodyA, bodyB, crownA, crownB, gap, normal, armA, armB) // each i < n
//	l.Solve(shapes, bodies, 0, l.Fill(n))
//	if l.Known(i) { l.At(i); l.Width(i) }
//
// A worker keeps one and fills it again for every tile.
type Locations struct {
	// Questions, a row a pair, set by Set.
	Touching
	CrownA, CrownB []uint32 // soa.Crown

	Places // the answers
}

// Resize sets the number of rows to n. Rows added are zero: set them.
func (l *Locations) Resize(n int) {
	l.CrownA, l.CrownB = resizeWords(l.CrownA, n), resizeWords(l.CrownB, n)
	l.Touching.resize(n)
	l.Places.resize(n)
}

// Set writes row i: bodies a and b touch with the gap that their law sees, m (contact gap less the law's reference
// gap), at the witness points armA and armB, and the crowns are p of a and q of b as far as is known; 0
// is none.
func (l *Locations) Set(i int, a, b soa.Body, p, q soa.Crown, gap float64, normal, armA, armB *vec.Vec3) {
	l.CrownA[i], l.CrownB[i] = uint32(p), uint32(q)
	l.set(i, a, b, gap, normal, armA, armB)
}

// Fill repeats row n-1 up to the end of a register of pairs and returns that end, so that none is answered alone. There
// must be soa.Pad(n) rows.
func (l *Locations) Fill(n int) int {
	end := soa.Pad(n)
	for i := n; i < end; i++ {
		l.CrownA[i], l.CrownB[i] = l.CrownA[n-1], l.CrownB[n-1]
	}
	l.fill(n, end)
	return end
}

// Solve writes the answers of the rows lo ≤ i < hi. It allocates nothing.
func (l *Locations) Solve(shapes *soa.Shapes, bodies *soa.Bodies, lo, hi int) {
	if lo >= hi {
		return
	}
	pos, rot, w := &bodies.Pos, &bodies.Rot, &l.Widths
	c := asm.Locations{
		PosX: pos.X, PosY: pos.Y, PosZ: pos.Z, RotW: rot.W, RotX: rot.X, RotY: rot.Y, RotZ: rot.Z,
		A: l.A, B: l.B, CrownA: l.CrownA, CrownB: l.CrownB, Gap: l.Gap,
		NormalX: l.Normal.X, NormalY: l.Normal.Y, NormalZ: l.Normal.Z,
		ArmAX: l.ArmA.X, ArmAY: l.ArmA.Y, ArmAZ: l.ArmA.Z, ArmBX: l.ArmB.X, ArmBY: l.ArmB.Y, ArmBZ: l.ArmB.Z,
		X: l.Location.X, Y: l.Location.Y, Z: l.Location.Z,
		XX: w.XX, YY: w.YY, ZZ: w.ZZ, XY: w.XY, XZ: w.XZ, YZ: w.YZ, Known: l.known,
	}
	for j := range c.Crowns {
		c.Crowns[j] = shapes.Crowns[j:]
	}
	asm.Locate(&c, lo, hi)
}
