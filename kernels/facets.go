package kernels

import (
	"fmt"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
)

// FacetBatch is a batch of pairs of blocks with one known facet of the Minkowski difference each, all
// of one kind. The pairs touch, or are nearest, at the features of the facet. The kinds without a
// face, except EdgeEdge, are for pairs apart. Solve computes gap, normal and witness points from
// the features and the poses. They have the bits of package narrow, if that package need not
// scale the lengths of the pair. The caller must know that the features are right, that the poses
// are finite, and that edges are not parallel.
//
// A worker keeps one batch for each kind and fills it again for every tile.
type FacetBatch struct {
	Kind soa.FacetKind

	// Queries, one row a pair, written by Set. P and Q are rows of the planes and vertices of all
	// shapes. P1 and Q1 are read for edges only, and Sign only for EdgeEdge.
	A, B         []uint32 // rows of poses
	P, P1, Q, Q1 []uint32
	Sign         []float64

	FeatureResults // the results
}

// Resize sets the number of pairs to n. New rows are zero: set them.
func (f *FacetBatch) Resize(n int) {
	f.resize(n)
	for _, c := range f.words() {
		*c = soa.Resize(*c, n)
	}
	f.Sign = soa.Resize(f.Sign, n)
}

// words returns all columns of integers.
func (f *FacetBatch) words() [6]*[]uint32 {
	return [...]*[]uint32{&f.A, &f.B, &f.P, &f.P1, &f.Q, &f.Q1}
}

// Set writes row i: the pieces with the poses in rows a and b, of shapes p and q, touch at facet id, which must
// have the kind of the batch. For two edges, sign is 1 if the cross product of A's edge and B's
// points from A to B, else -1. Each edge leads from the tail to the head of its lower half-edge.
// For other features sign is not read.
func (f *FacetBatch) Set(i int, shapes *soa.Shapes, a, b soa.PoseRow, p, q soa.Shape, id soa.FacetID, sign float64) {
	f.Put(i, a, b, RowsOf(shapes, p, q, id), sign)
}

// Put does the same as Set, with the rows of the facet.
func (f *FacetBatch) Put(i int, a, b soa.PoseRow, rows [4]uint32, sign float64) {
	f.A[i], f.B[i], f.Sign[i] = uint32(a), uint32(b), sign
	f.P[i], f.P1[i], f.Q[i], f.Q1[i] = rows[0], rows[1], rows[2], rows[3]
}

// RowsOf returns P, P1, Q and Q1 of facet id of shapes p and q.
func RowsOf(shapes *soa.Shapes, p, q soa.Shape, id soa.FacetID) [4]uint32 {
	va, vb := shapes.View(p), shapes.View(q)
	u, v := va.FirstVert, vb.FirstVert
	switch id.Kind {
	case soa.FaceVertex:
		return [4]uint32{va.FirstPlane + uint32(id.A), 0, v + uint32(id.B), 0}
	case soa.VertexFace:
		return [4]uint32{u + uint32(id.A), 0, vb.FirstPlane + uint32(id.B), 0}
	}
	return CornerRows(va, vb, u, v, id)
}

// CornerRows does the same as RowsOf for a facet without a face. u and v are the rows at which the
// vertices of A and B start.
func CornerRows(va, vb *soa.View, u, v uint32, id soa.FacetID) [4]uint32 {
	rows := [4]uint32{u + uint32(id.A), u, v + uint32(id.B), v}
	if id.Kind == soa.EdgeEdge || id.Kind == soa.EdgeVertex {
		h := va.Edge[id.A]
		rows[0], rows[1] = u+uint32(va.Tail[h]), u+uint32(va.Head(h))
	}
	if id.Kind == soa.EdgeEdge || id.Kind == soa.VertexEdge {
		k := vb.Edge[id.B]
		rows[2], rows[3] = v+uint32(vb.Tail[k]), v+uint32(vb.Head(k))
	}
	return rows
}

// Fill repeats row n-1 up to the end of a register of pairs, so that machine code computes all
// rows. It returns that end. There must be soa.Pad(n) rows.
func (f *FacetBatch) Fill(n int) int {
	for _, c := range f.words() {
		fill(*c, n)
	}
	fill(f.Sign, n)
	return soa.Pad(n)
}

// Solve computes the results of the rows lo ≤ i < hi. It allocates nothing.
func (f *FacetBatch) Solve(shapes *soa.Shapes, poses *soa.PoseColumns, lo, hi int) {
	c := f.columns(shapes, poses)
	switch f.Kind {
	case soa.FaceVertex:
		asm.FaceVertex(&c, lo, hi)
	case soa.VertexFace:
		asm.VertexFace(&c, lo, hi)
	case soa.EdgeEdge:
		asm.EdgeEdge(&c, lo, hi)
	case soa.VertexVertex:
		asm.VertexVertex(&c, lo, hi)
	case soa.VertexEdge:
		asm.VertexEdge(&c, lo, hi)
	case soa.EdgeVertex:
		asm.EdgeVertex(&c, lo, hi)
	default:
		panic(fmt.Sprintf("kernels: facets of kind %d", f.Kind))
	}
}

// columns returns the batch and its tables as the structure of package asm.
func (f *FacetBatch) columns(shapes *soa.Shapes, poses *soa.PoseColumns) asm.FacetColumns {
	pos, rot, n, v := &poses.Pos, &poses.Rot, &shapes.Planes.N, &shapes.Verts
	return asm.FacetColumns{
		PosX: pos.X, PosY: pos.Y, PosZ: pos.Z, RotW: rot.W, RotX: rot.X, RotY: rot.Y, RotZ: rot.Z,
		NX: n.X, NY: n.Y, NZ: n.Z, D: shapes.Planes.D, X: v.X, Y: v.Y, Z: v.Z,
		A: f.A, B: f.B, P: f.P, Q: f.Q, P1: f.P1, Q1: f.Q1, Sign: f.Sign,
		Gap: f.Gap, NormalX: f.Normal.X, NormalY: f.Normal.Y, NormalZ: f.Normal.Z,
		ArmAX: f.ArmA.X, ArmAY: f.ArmA.Y, ArmAZ: f.ArmA.Z, ArmBX: f.ArmB.X, ArmBY: f.ArmB.Y, ArmBZ: f.ArmB.Z,
	}
}
