//go:build !purego && !race

package asm

// The kernels leave off where fewer pairs than lanes are left, or before a register of pairs of which one has an
// index that is no row: the Go loop does the rest, and panics at that one.

func faceVertex(f *Facets, lo, hi int) {
	if f.signed() {
		if useAVX512 {
			lo = faceVertexAVX512(f, nil, lo, hi)
		} else if useAVX2 {
			lo = faceVertexAVX2(f, nil, lo, hi)
		}
	}
	faceVertexGeneric(f, lo, hi)
}

func vertexFace(f *Facets, lo, hi int) {
	if f.signed() {
		if useAVX512 {
			lo = vertexFaceAVX512(f, nil, lo, hi)
		} else if useAVX2 {
			lo = vertexFaceAVX2(f, nil, lo, hi)
		}
	}
	vertexFaceGeneric(f, lo, hi)
}

func edgeEdge(f *Facets, lo, hi int) {
	if f.signed() {
		if useAVX512 {
			lo = edgeEdgeAVX512(f, nil, lo, hi)
		} else if useAVX2 {
			lo = edgeEdgeAVX2(f, nil, lo, hi)
		}
	}
	edgeEdgeGeneric(f, lo, hi)
}

// signed says whether every index of a table is a signed 32-bit number, which the kernels' look-ups take.
func (f *Facets) signed() bool { return max(len(f.PosX), len(f.NX), len(f.X)) <= 1<<31 }

// faceVertexAVX2 is FaceVertex of the pairs lo ≤ i < next, whose number is a multiple of 4. It leaves off where
// fewer than four are left, or before four of which an index is no row. u is not used.
//
//go:noescape
func faceVertexAVX2(c *Facets, u *float64, lo, hi int) (next int)

// faceVertexAVX512 is faceVertexAVX2 with eights instead of fours.
//
//go:noescape
func faceVertexAVX512(c *Facets, u *float64, lo, hi int) (next int)

// vertexFaceAVX2 is to VertexFace what faceVertexAVX2 is to FaceVertex.
//
//go:noescape
func vertexFaceAVX2(c *Facets, u *float64, lo, hi int) (next int)

// vertexFaceAVX512 is vertexFaceAVX2 with eights instead of fours.
//
//go:noescape
func vertexFaceAVX512(c *Facets, u *float64, lo, hi int) (next int)

// edgeEdgeAVX2 is to EdgeEdge what faceVertexAVX2 is to FaceVertex.
//
//go:noescape
func edgeEdgeAVX2(c *Facets, u *float64, lo, hi int) (next int)

// edgeEdgeAVX512 is edgeEdgeAVX2 with eights instead of fours.
//
//go:noescape
func edgeEdgeAVX512(c *Facets, u *float64, lo, hi int) (next int)
