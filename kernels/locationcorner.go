package kernels

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Corners is a batch of pairs of blocks that touch with a vertex on a face, of which at least one has no crown there
// (see Locations). Solve finds where their contacts act and how wide they are, with the bits that overlap.Cutter.Reduced
// and Gyration of package engine give for them where it answers from the vertex alone. Where Known says no, Reduced
// has to be asked. It is used as Crossings is.
type Corners struct {
	// Questions, a row a pair, set by Set: the body of the vertex and that of the face, and where rows
	// of fans and rims start.
	Touching
	V, G, Fan        []uint32
	Sides            [asm.FaceSides][]uint32
	RadiusV, RadiusG []float64 // m
	Face             soa.Vec3s // unit, the face's normal, shape frame
	Cot, Deepest     []float64 // of soa.Room; Deepest in m
	Sign             []float64 // 1 where the vertex is A's, -1 where it is B's

	Places // the answers
}

func (c *Corners) words() [7]*[]uint32 {
	return [7]*[]uint32{&c.V, &c.G, &c.Fan, &c.Sides[0], &c.Sides[1], &c.Sides[2], &c.Sides[3]}
}

func (c *Corners) numbers() [5]*[]float64 {
	return [5]*[]float64{&c.RadiusV, &c.RadiusG, &c.Cot, &c.Deepest, &c.Sign}
}

// Resize sets the number of rows to n. Rows added are zero: set them.
func (c *Corners) Resize(n int) {
	for _, w := range c.words() {
		*w = resizeWords(*w, n)
	}
	for _, v := range c.numbers() {
		*v = soa.Resize(*v, n)
	}
	c.Face.Resize(n)
	c.Touching.resize(n)
	c.Places.resize(n)
}

// Set writes row i: the pieces of bodies a and b, of shapes p and q, touch with the vertex and the face of id, with the gap
// that their law sees, m. It returns false and writes nothing where the pair is not one for this batch: where both
// features have crowns, with which Reduced begins, where the vertex has more edges than a fan holds or is no strict
// corner, where the face has more than four sides, and where a piece is no block.
func (c *Corners) Set(
	i int, shapes *soa.Shapes, a, b soa.Body, p, q soa.Shape, id soa.FacetID, gap float64, normal, armA, armB *vec.Vec3,
) bool {
	v, g, vs, gs, k, f, sign := a, b, p, q, id.A, id.B, 1.0
	switch id.Kind {
	case soa.VertexFace:
	case soa.FaceVertex:
		v, g, vs, gs, k, f, sign = b, a, q, p, id.B, id.A, -1
	default:
		return false
	}
	on, under := shapes.View(vs), shapes.View(gs)
	if on.Kind != soa.Block || under.Kind != soa.Block || int(k) >= on.NVerts || int(f) >= under.NFaces {
		return false
	}
	fan, first, sides := on.FanOfVertex[k], under.LoopFirst[f], under.LoopLen[f]
	if fan == 0 || sides > asm.FaceSides ||
		on.CrownOfVertex[k] != 0 && under.CrownOfVertex[under.Tail[first]] != 0 {
		return false
	}
	rim := rimAt(under, first)
	for s := range c.Sides {
		c.Sides[s][i] = rim + asm.RimNumbers*uint32(min(soa.HalfEdge(s), sides-1))
	}
	c.V[i], c.G[i], c.Fan[i] = uint32(v), uint32(g), fan
	c.RadiusV[i], c.RadiusG[i], c.Sign[i] = on.Radius, under.Radius, sign
	room := &under.Rooms[f]
	c.Cot[i], c.Deepest[i] = room.Cot, room.Depth
	c.Face.Set(i, under.Normal(soa.Face(f)))
	c.set(i, a, b, gap, normal, armA, armB)
	return true
}

// Fill repeats row n-1 up to the end of a register of pairs and returns that end, so that none is answered alone. There
// must be soa.Pad(n) rows.
func (c *Corners) Fill(n int) int {
	end := soa.Pad(n)
	for i := n; i < end; i++ {
		for _, w := range c.words() {
			(*w)[i] = (*w)[n-1]
		}
		for _, v := range c.numbers() {
			(*v)[i] = (*v)[n-1]
		}
		c.Face.Set(i, c.Face.At(n-1))
	}
	c.fill(n, end)
	return end
}

// Solve writes the answers of the rows lo ≤ i < hi. It allocates nothing.
func (c *Corners) Solve(shapes *soa.Shapes, bodies *soa.Bodies, lo, hi int) {
	if lo >= hi {
		return
	}
	pos, rot, w := &bodies.Pos, &bodies.Rot, &c.Widths
	k := asm.Corners{
		PosX: pos.X, PosY: pos.Y, PosZ: pos.Z, RotW: rot.W, RotX: rot.X, RotY: rot.Y, RotZ: rot.Z,
		A: c.A, B: c.B, V: c.V, G: c.G, Fan: c.Fan, Sides: c.Sides,
		RadiusV: c.RadiusV, RadiusG: c.RadiusG, FaceX: c.Face.X, FaceY: c.Face.Y, FaceZ: c.Face.Z,
		Cot: c.Cot, Deepest: c.Deepest, Sign: c.Sign, Gap: c.Gap,
		NormalX: c.Normal.X, NormalY: c.Normal.Y, NormalZ: c.Normal.Z,
		ArmAX: c.ArmA.X, ArmAY: c.ArmA.Y, ArmAZ: c.ArmA.Z, ArmBX: c.ArmB.X, ArmBY: c.ArmB.Y, ArmBZ: c.ArmB.Z,
		X: c.Location.X, Y: c.Location.Y, Z: c.Location.Z,
		XX: w.XX, YY: w.YY, ZZ: w.ZZ, XY: w.XY, XZ: w.XZ, YZ: w.YZ, Known: c.known,
	}
	for j := range k.Fans {
		k.Fans[j] = shapes.Fans[j:]
	}
	rims := shapes.RimNumbers()
	for j := range k.Rims {
		k.Rims[j] = rims[j:]
	}
	asm.LocateCorners(&k, lo, hi)
}
