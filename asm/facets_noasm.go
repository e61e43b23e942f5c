//go:build purego || race || (!amd64 && !arm64)

package asm

func faceVertex(f *Facets, lo, hi int) { faceVertexGeneric(f, lo, hi) }

func vertexFace(f *Facets, lo, hi int) { vertexFaceGeneric(f, lo, hi) }

func edgeEdge(f *Facets, lo, hi int) { edgeEdgeGeneric(f, lo, hi) }
