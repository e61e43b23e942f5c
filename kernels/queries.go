package kernels

import (
	"unsafe"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Queries is a batch of support questions, each to a shape of its own: a row a question. A worker
// keeps one and fills it again for every tile.
type Queries struct {
	Dir          soa.Vec3s // shape frame, need not be unit
	First, Count []uint32  // the shape's vertices in the arena, pads included; Count 0 is a ball

	// Answers.
	Index []uint32  // vertex, counted within the shape
	Value []float64 // greatest v·Dir; 0 for a ball, whose only point is its centre
}

// Len returns the number of questions.
func (q *Queries) Len() int { return len(q.Value) }

// Resize sets the number of questions to n. Rows added are zero: set them.
func (q *Queries) Resize(n int) {
	q.Dir.Resize(n)
	q.First, q.Count = soa.Resize(q.First, n), soa.Resize(q.Count, n)
	q.Index = soa.Resize(q.Index, n)
	q.Value = soa.Resize(q.Value, n)
}

// Set writes question i: the support of shape h along d, shape frame.
func (q *Queries) Set(i int, shapes *soa.Shapes, h soa.Shape, d vec.Vec3) {
	q.Dir.Set(i, d)
	q.First[i], q.Count[i] = vertRange(shapes.View(h))
}

// SupportPairs answers the questions lo ≤ i < hi.
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

// vertRange returns where a shape's vertices start in the arena and how many rows they take.
func vertRange(v *soa.View) (first, count uint32) { return v.FirstVert, uint32(len(v.X)) }

// words returns a column of typed indices as plain ones: the same memory, for asm knows no bodies.
func words[T ~uint32](c []T) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(c))), len(c))
}
