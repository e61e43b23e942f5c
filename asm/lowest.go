package asm

// Lowest is a batch of pairs at which a face meets the lowest over it of up to four vertices: Facets with three more
// vertices to choose from, and without P1, Q1 and Sign.
type Lowest struct {
	Facets
	Others [3][]uint32 // rows of the points, of the body that has the vertex; they may repeat it, and each other
	Radius []float64   // the larger of the two bodies' bounding radii

	// Answers. Vertex is 0 for the vertex of P or Q, and j+1 for that of Others[j]; Known is 1 where that is beyond doubt, 0
	// where a search has to answer.
	Vertex, Known []float64
}

// FaceLowest answers the pairs lo ≤ i < hi at which a face of A, plane P[i], meets the lowest of the vertices Q[i] and Others of
// B. In the frame of A, with b as in FaceVertex for each of them, the lowest has the least n·b. The answer is that of FaceVertex
// for it. Known are rows at which the points of all others lie above it by more than lowestClear units.
//
//	all columns of a group have one length, P1, Q1 and Sign aside; 0 <= lo <= hi <= len(A)
//	A[i], B[i], P[i], Q[i], Others[j][i] are rows of their tables for each i of the range
//
// Exact. A point that is the lowest's to the bit is not another. The rest is as in FaceVertex.
func FaceLowest(f *Lowest, lo, hi int) {
	faceLowest(f, lo, hi)
}

// LowestFace answers the pairs at which the lowest of the vertices P[i] and Others of A meets a face of B, plane Q[i]: with m
// as in VertexFace, the one of the least m·a. The answer is that of VertexFace for it; the rest is as in FaceLowest.
func LowestFace(f *Lowest, lo, hi int) {
	lowestFace(f, lo, hi)
}
