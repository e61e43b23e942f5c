package kernels

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Crossings is a batch of pairs of blocks that touch with an edge each and that have no crowns there (see Locations). Solve
// finds where their contacts act and how wide they are, with the bits that overlap.Cutter.Reduced and Gyration of
// package engine give for them where it answers from the two edges alone. Where Known says no, Reduced has to be
// asked. In use:
//
//	c.Resize(soa.Pad(n))
//	if c.Set(i, shapes, bodyA, bodyB, shapeA, shapeB, id, gap, normal, armA, armB) { i++ } // each pair
//	c.Solve(shapes, bodies, 0, c.Fill(i))
//	if c.Known(i) { c.At(i); c.Width(i) }
//
// A worker keeps one and fills it again for every tile.
type Crossings struct {
	// Questions, a row a pair, set by Set: rows of vertices, and where rows of rims start.
	Touching
	TailA, HeadA, TailB, HeadB []uint32
	NearA, FarA, NearB, FarB   []uint32
	RadiusA, RadiusB           []float64 // m

	Places // the answers
}

func (c *Crossings) words() [8]*[]uint32 {
	return [8]*[]uint32{&c.TailA, &c.HeadA, &c.TailB, &c.HeadB, &c.NearA, &c.FarA, &c.NearB, &c.FarB}
}

// Resize sets the number of rows to n. Rows added are zero: set them.
func (c *Crossings) Resize(n int) {
	for _, w := range c.words() {
		*w = resizeWords(*w, n)
	}
	c.RadiusA, c.RadiusB = soa.Resize(c.RadiusA, n), soa.Resize(c.RadiusB, n)
	c.Touching.resize(n)
	c.Places.resize(n)
}

// Set writes row i: the pieces of bodies a and b, of shapes p and q, touch with the edges of id, with the gap that their
// law sees, m. It returns false and writes nothing where the pair is not one for this batch: where both edges have
// crowns, with which Reduced begins, and where a piece is no block.
func (c *Crossings) Set(
	i int, shapes *soa.Shapes, a, b soa.Body, p, q soa.Shape, id soa.FacetID, gap float64, normal, armA, armB *vec.Vec3,
) bool {
	va, vb := shapes.View(p), shapes.View(q)
	if id.Kind != soa.EdgeEdge || va.Kind != soa.Block || vb.Kind != soa.Block ||
		int(id.A) >= len(va.Edge) || int(id.B) >= len(vb.Edge) {
		return false
	}
	g, h := va.Edge[id.A], vb.Edge[id.B]
	if va.CrownOfVertex[va.Tail[g]] != 0 && vb.CrownOfVertex[vb.Tail[h]] != 0 {
		return false
	}
	u, v := va.FirstVert, vb.FirstVert
	c.TailA[i], c.HeadA[i] = u+uint32(va.Tail[g]), u+uint32(va.Head(g))
	c.TailB[i], c.HeadB[i] = v+uint32(vb.Tail[h]), v+uint32(vb.Head(h))
	c.NearA[i], c.FarA[i] = rimAt(va, g), rimAt(va, va.Twin[g])
	c.NearB[i], c.FarB[i] = rimAt(vb, h), rimAt(vb, vb.Twin[h])
	c.RadiusA[i], c.RadiusB[i] = va.Radius, vb.Radius
	c.set(i, a, b, gap, normal, armA, armB)
	return true
}

// rimAt returns where the row of half-edge h of a view starts in the table of rims.
func rimAt(v *soa.View, h soa.HalfEdge) uint32 { return asm.RimNumbers * (v.FirstHalf + uint32(h)) }

// Fill repeats row n-1 up to the end of a register of pairs and returns that end, so that none is answered alone. There
// must be soa.Pad(n) rows.
func (c *Crossings) Fill(n int) int {
	end := soa.Pad(n)
	for i := n; i < end; i++ {
		for _, w := range c.words() {
			(*w)[i] = (*w)[n-1]
		}
		c.RadiusA[i], c.RadiusB[i] = c.RadiusA[n-1], c.RadiusB[n-1]
	}
	c.fill(n, end)
	return end
}

// Solve writes the answers of the rows lo ≤ i < hi. It allocates nothing.
func (c *Crossings) Solve(shapes *soa.Shapes, bodies *soa.Bodies, lo, hi int) {
	if lo >= hi {
		return
	}
	pos, rot, v, w := &bodies.Pos, &bodies.Rot, &shapes.Verts, &c.Widths
	k := asm.Crossings{
		PosX: pos.X, PosY: pos.Y, PosZ: pos.Z, RotW: rot.W, RotX: rot.X, RotY: rot.Y, RotZ: rot.Z,
		X: v.X, Y: v.Y, Z: v.Z,
		A: c.A, B: c.B, TailA: c.TailA, HeadA: c.HeadA, TailB: c.TailB, HeadB: c.HeadB,
		NearA: c.NearA, FarA: c.FarA, NearB: c.NearB, FarB: c.FarB,
		RadiusA: c.RadiusA, RadiusB: c.RadiusB, Gap: c.Gap,
		NormalX: c.Normal.X, NormalY: c.Normal.Y, NormalZ: c.Normal.Z,
		ArmAX: c.ArmA.X, ArmAY: c.ArmA.Y, ArmAZ: c.ArmA.Z, ArmBX: c.ArmB.X, ArmBY: c.ArmB.Y, ArmBZ: c.ArmB.Z,
		LocationX: c.Location.X, LocationY: c.Location.Y, LocationZ: c.Location.Z,
		XX: w.XX, YY: w.YY, ZZ: w.ZZ, XY: w.XY, XZ: w.XZ, YZ: w.YZ, Known: c.known,
	}
	rims := shapes.RimNumbers()
	for j := range k.Rims {
		k.Rims[j] = rims[j:]
	}
	asm.LocateCrossings(&k, lo, hi)
}
