package kernels

import (
	"fmt"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
)

// Lowest is a batch of pairs of blocks that touch at a face of one, known to be the right one, and a vertex of the other,
// the lowest over the face of a few. Solve finds which it is, and gives gap, normal and witness points with the bits of package
// engine/narrow while the lengths of a pair need no scaling. Rows at which that is too close to call are not
// Known.
//
// As in Facets, the pose of a piece is that of its body. A worker keeps one for each kind and fills it again for every tile.
type Lowest struct {
	Facets             // of kind FaceVertex or VertexFace, and what it has of rows and answers
	others [3][]uint32 // rows of the arena's vertices
	radius []float64   // m

	vertex, known []float64
}

// Resize sets the number of pairs to n. Rows added are zero: set them.
func (f *Lowest) Resize(n int) {
	f.Facets.Resize(n)
	for j := range f.others {
		f.others[j] = resizeWords(f.others[j], n)
	}
	for _, c := range []*[]float64{&f.radius, &f.vertex, &f.known} {
		*c = soa.Resize(*c, n)
	}
}

// Set writes row i: the pieces of bodies a and b, of shapes p and q, touch at the face of facet id, of the kind of the
// batch, and the lowest of the corners, which are of the other.
func (f *Lowest) Set(i int, shapes *soa.Shapes, a, b soa.Body, p, q soa.Shape, id soa.FacetID, corners soa.Corners) {
	first := &f.P[i]
	if f.Kind == soa.FaceVertex {
		id.B, first = uint16(corners[0]), &f.Q[i]
	} else {
		id.A = uint16(corners[0])
	}
	f.Facets.Set(i, shapes, a, b, p, q, id, 1)
	for j := range f.others {
		f.others[j][i] = *first - uint32(corners[0]) + uint32(corners[j+1])
	}
	f.radius[i] = max(shapes.Radius[p], shapes.Radius[q])
}

// Fill is Facets.Fill.
func (f *Lowest) Fill(n int) int {
	for i := n; i < soa.Pad(n) && n > 0; i++ {
		for j := range f.others {
			f.others[j][i] = f.others[j][n-1]
		}
		f.radius[i] = f.radius[n-1]
	}
	return f.Facets.Fill(n)
}

// Known says whether row i is answered.
func (f *Lowest) Known(i int) bool { return f.known[i] == 1 }

// Facet returns the facet of row i, which is Known, from what was set.
func (f *Lowest) Facet(i int, id soa.FacetID, corners soa.Corners) soa.FacetID {
	k := uint16(corners[int(f.vertex[i])])
	if f.Kind == soa.FaceVertex {
		id.B = k
	} else {
		id.A = k
	}
	return id
}

// Solve writes the answers of the rows lo ≤ i < hi. It allocates nothing.
func (f *Lowest) Solve(shapes *soa.Shapes, bodies *soa.Bodies, lo, hi int) {
	if lo == hi {
		return
	}
	c := asm.Lowest{
		Facets: f.columns(shapes, bodies), Others: f.others, Radius: f.radius, Vertex: f.vertex, Known: f.known,
	}
	switch f.Kind {
	case soa.FaceVertex:
		asm.FaceLowest(&c, lo, hi)
	case soa.VertexFace:
		asm.LowestFace(&c, lo, hi)
	default:
		panic(fmt.Sprintf("kernels: the lowest vertex of facets of kind %d", f.Kind))
	}
}
