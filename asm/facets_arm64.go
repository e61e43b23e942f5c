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

func vertexVertex(f *Facets, lo, hi int) {
	if useNEON {
		lo = vertexVertexNEON(f, nil, lo, hi)
	}
	vertexVertexGeneric(f, lo, hi)
}

func vertexEdge(f *Facets, lo, hi int) {
	if useNEON {
		lo = vertexEdgeNEON(f, nil, lo, hi)
	}
	vertexEdgeGeneric(f, lo, hi)
}

func edgeVertex(f *Facets, lo, hi int) {
	if useNEON {
		lo = edgeVertexNEON(f, nil, lo, hi)
	}
	edgeVertexGeneric(f, lo, hi)
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

// vertexVertexNEON is to VertexVertex what faceVertexNEON is to FaceVertex.
//
//go:noescape
func vertexVertexNEON(c *Facets, u *float64, lo, hi int) (next int)

// vertexEdgeNEON is to VertexEdge what faceVertexNEON is to FaceVertex.
//
//go:noescape
func vertexEdgeNEON(c *Facets, u *float64, lo, hi int) (next int)

// edgeVertexNEON is to EdgeVertex what faceVertexNEON is to FaceVertex.
//
//go:noescape
func edgeVertexNEON(c *Facets, u *float64, lo, hi int) (next int)
