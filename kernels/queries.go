package kernels

import (
	"unsafe"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Queries is a batch of support queries, one row a query, each to its own shape. A worker keeps one
// batch and fills it again for every tile.
type Queries struct {
	Dir          soa.Vec3s // shape frame, need not be unit
	First, Count []uint32  // the shape's rows of soa.Shapes.Verts, with padding; Count is 0 for a ball

	// Results.
	Index []uint32  // vertex, counted within the shape
	Value []float64 // greatest v·Dir; 0 for a ball, which has its centre as its only point
}

// Len returns the number of queries.
func (q *Queries) Len() int { return len(q.Value) }

// Resize sets the number of queries to n. New rows are zero: set them.
func (q *Queries) Resize(n int) {
	q.Dir.Resize(n)
	q.First, q.Count = soa.Resize(q.First, n), soa.Resize(q.Count, n)
	q.Index = soa.Resize(q.Index, n)
	q.Value = soa.Resize(q.Value, n)
}

// Set writes query i: the support of shape h along d, in the shape's frame.
func (q *Queries) Set(i int, shapes *soa.Shapes, h soa.Shape, d vec.Vec3) {
	q.Dir.Set(i, d)
	q.First[i], q.Count[i] = vertRange(shapes.View(h))
}

// SupportPairs computes the results of the queries lo ≤ i < hi.
func SupportPairs(shapes *soa.Shapes, q *Queries, lo, hi int) {
	v := &shapes.Verts
	asm.SupportPairs(v.X, v.Y, v.Z, q.First[lo:hi], q.Count[lo:hi],
		q.Dir.X[lo:hi], q.Dir.Y[lo:hi], q.Dir.Z[lo:hi], q.Index[lo:hi], q.Value[lo:hi])
	for i := lo; i < hi; i++ {
		if q.Count[i] == 0 {
			q.Value[i] = 0
		}
	}
}

// vertRange returns the first row of a shape's vertices and the number of its rows.
func vertRange(v *soa.View) (first, count uint32) { return v.FirstVert, uint32(len(v.X)) }

// words returns a column of typed indices as []uint32, in the same memory, because package asm does
// not know the types.
func words[T ~uint32](c []T) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(c))), len(c))
}
