//go:build purego || race || (!amd64 && !arm64)

package asm

func faceVertex(f *Facets, lo, hi int) { faceVertexGeneric(f, lo, hi) }

func vertexFace(f *Facets, lo, hi int) { vertexFaceGeneric(f, lo, hi) }

func edgeEdge(f *Facets, lo, hi int) { edgeEdgeGeneric(f, lo, hi) }

func vertexVertex(f *Facets, lo, hi int) { vertexVertexGeneric(f, lo, hi) }

func vertexEdge(f *Facets, lo, hi int) { vertexEdgeGeneric(f, lo, hi) }

func edgeVertex(f *Facets, lo, hi int) { edgeVertexGeneric(f, lo, hi) }
