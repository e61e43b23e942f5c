//go:build !purego && !race

package asm

// The kernels leave off where one pair is left, or before two pairs of which one has an index that is no row: the Go
// loop does the rest, and panics at that one.

func faceVertex(f *Facets, lo, hi int) {
	if useNEON {
		lo = faceVertexNEON(f, nil, lo, hi)
	}
	faceVertexGeneric(f, lo, hi)
}

func vertexFace(f *Facets, lo, hi int) {
	if useNEON {
		lo = vertexFaceNEON(f, nil, lo, hi)
	}
	vertexFaceGeneric(f, lo, hi)
}

func edgeEdge(f *Facets, lo, hi int) {
	if useNEON {
		lo = edgeEdgeNEON(f, nil, lo, hi)
	}
	edgeEdgeGeneric(f, lo, hi)
}

// faceVertexNEON is FaceVertex of the pairs lo ≤ i < next, whose number is even. It leaves off where fewer than two
// are left, or before two of which an index is no row. u is not used.
//
//go:noescape
func faceVertexNEON(c *Facets, u *float64, lo, hi int) (next int)

// vertexFaceNEON is to VertexFace what faceVertexNEON is to FaceVertex.
//
//go:noescape
func vertexFaceNEON(c *Facets, u *float64, lo, hi int) (next int)

// edgeEdgeNEON is to EdgeEdge what faceVertexNEON is to FaceVertex.
//
//go:noescape
func edgeEdgeNEON(c *Facets, u *float64, lo, hi int) (next int)
