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

func vertexVertex(f *Facets, lo, hi int) {
	if f.signed() {
		if useAVX512 {
			lo = vertexVertexAVX512(f, nil, lo, hi)
		} else if useAVX2 {
			lo = vertexVertexAVX2(f, nil, lo, hi)
		}
	}
	vertexVertexGeneric(f, lo, hi)
}

func vertexEdge(f *Facets, lo, hi int) {
	if f.signed() {
		if useAVX512 {
			lo = vertexEdgeAVX512(f, nil, lo, hi)
		} else if useAVX2 {
			lo = vertexEdgeAVX2(f, nil, lo, hi)
		}
	}
	vertexEdgeGeneric(f, lo, hi)
}

func edgeVertex(f *Facets, lo, hi int) {
	if f.signed() {
		if useAVX512 {
			lo = edgeVertexAVX512(f, nil, lo, hi)
		} else if useAVX2 {
			lo = edgeVertexAVX2(f, nil, lo, hi)
		}
	}
	edgeVertexGeneric(f, lo, hi)
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

// vertexVertexAVX2 is to VertexVertex what faceVertexAVX2 is to FaceVertex.
//
//go:noescape
func vertexVertexAVX2(c *Facets, u *float64, lo, hi int) (next int)

// vertexVertexAVX512 is vertexVertexAVX2 with eights instead of fours.
//
//go:noescape
func vertexVertexAVX512(c *Facets, u *float64, lo, hi int) (next int)

// vertexEdgeAVX2 is to VertexEdge what faceVertexAVX2 is to FaceVertex.
//
//go:noescape
func vertexEdgeAVX2(c *Facets, u *float64, lo, hi int) (next int)

// vertexEdgeAVX512 is vertexEdgeAVX2 with eights instead of fours.
//
//go:noescape
func vertexEdgeAVX512(c *Facets, u *float64, lo, hi int) (next int)

// edgeVertexAVX2 is to EdgeVertex what faceVertexAVX2 is to FaceVertex.
//
//go:noescape
func edgeVertexAVX2(c *Facets, u *float64, lo, hi int) (next int)

// edgeVertexAVX512 is edgeVertexAVX2 with eights instead of fours.
//
//go:noescape
func edgeVertexAVX512(c *Facets, u *float64, lo, hi int) (next int)
