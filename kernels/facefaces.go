package kernels

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
)

// FaceFaces is a batch of pairs of blocks that touch with a face of four corners each, known to be the right ones: every
// facet of the Minkowski difference that could be the shallowest is made by these two. Solve finds which it is, and
// gives gap, normal and witness points with the bits of package engine/narrow while the lengths of a pair need no
// scaling. Rows at which that is too close to call are not Known.
//
// The pose of a piece is that of its body: pieces with a place of their own (soa.Pieces.Offset) are not for this
// batch. A worker keeps one and fills it again for every tile.
type FaceFaces struct {
	// Questions, a row a pair, set by Set.
	A, B         []uint32 // bodies
	QuadA, QuadB []uint32

	// Answers; of no account where a row is not Known.
	Gap         []float64 // m, negative when penetrating
	Normal      soa.Vec3s // unit, from A to B, world axes
	ArmA, ArmB  soa.Vec3s // m, from the bodies' positions to the witness points, world axes
	vertex, ofB []float64
	known       []float64

	columns asm.FaceFaces // what Solve hands on, kept because it is so many
}

// Len returns the number of pairs.
func (f *FaceFaces) Len() int { return len(f.Gap) }

// Resize sets the number of pairs to n. Rows added are zero: set them.
func (f *FaceFaces) Resize(n int) {
	for _, c := range []*[]uint32{&f.A, &f.B, &f.QuadA, &f.QuadB} {
		*c = resizeWords(*c, n)
	}
	for _, c := range []*[]float64{&f.Gap, &f.vertex, &f.ofB, &f.known} {
		*c = soa.Resize(*c, n)
	}
	f.Normal.Resize(n)
	f.ArmA.Resize(n)
	f.ArmB.Resize(n)
}

// Set writes row i: the pieces of bodies a and b touch with faces p and q.
func (f *FaceFaces) Set(i int, a, b soa.Body, p, q soa.Quad) {
	f.A[i], f.B[i], f.QuadA[i], f.QuadB[i] = uint32(a), uint32(b), uint32(p), uint32(q)
}

// Fill repeats row n-1 up to the end of a register of pairs and returns that end, so that none is answered alone. There
// must be soa.Pad(n) rows.
func (f *FaceFaces) Fill(n int) int {
	end := soa.Pad(n)
	for i := n; i < end && n > 0; i++ {
		f.A[i], f.B[i], f.QuadA[i], f.QuadB[i] = f.A[n-1], f.B[n-1], f.QuadA[n-1], f.QuadB[n-1]
	}
	return end
}

// Known says whether row i is answered.
func (f *FaceFaces) Known(i int) bool { return f.known[i] == 1 }

// Facet returns the facet of row i, which is Known.
func (f *FaceFaces) Facet(i int, shapes *soa.Shapes) soa.FacetID {
	if f.ofB[i] == 1 {
		face := shapes.Quads[int(f.QuadB[i])+soa.QuadFace]
		return soa.FacetID{Kind: soa.VertexFace, A: uint16(f.vertex[i]), B: uint16(face)}
	}
	face := shapes.Quads[int(f.QuadA[i])+soa.QuadFace]
	return soa.FacetID{Kind: soa.FaceVertex, A: uint16(face), B: uint16(f.vertex[i])}
}

// Solve writes the answers of the rows lo ≤ i < hi. It allocates nothing.
func (f *FaceFaces) Solve(shapes *soa.Shapes, bodies *soa.Bodies, lo, hi int) {
	if lo == hi {
		return
	}
	pos, rot := &bodies.Pos, &bodies.Rot
	c := &f.columns
	c.PosX, c.PosY, c.PosZ, c.RotW, c.RotX, c.RotY, c.RotZ = pos.X, pos.Y, pos.Z, rot.W, rot.X, rot.Y, rot.Z
	c.A, c.B, c.QuadA, c.QuadB = f.A, f.B, f.QuadA, f.QuadB
	c.Gap, c.NormalX, c.NormalY, c.NormalZ = f.Gap, f.Normal.X, f.Normal.Y, f.Normal.Z
	c.ArmAX, c.ArmAY, c.ArmAZ, c.ArmBX, c.ArmBY, c.ArmBZ = f.ArmA.X, f.ArmA.Y, f.ArmA.Z, f.ArmB.X, f.ArmB.Y, f.ArmB.Z
	c.Vertex, c.OfB, c.Known = f.vertex, f.ofB, f.known
	if table := c.Quads[0]; len(table) != len(shapes.Quads) || &table[0] != &shapes.Quads[0] {
		for j := range c.Quads {
			c.Quads[j] = shapes.Quads[j:]
		}
	}
	asm.FaceFace(c, lo, hi)
}
