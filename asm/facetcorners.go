package asm

// VertexVertex computes the results of the pairs lo ≤ i < hi that are apart and whose nearest
// features are two vertices: point P[i] of A and point Q[i] of B. For each pair, in the frame of A,
// with a the vertex of A, and q and t as in FaceVertex:
//
//	b := q·point + t
//	d := b - a
//	Gap, Normal = |d|+0, rotA(d/|d|)
//	ArmA, ArmB = rotA(a), rotA(a + |d|·d/|d| - t)
//
// If both vertices coincide, there is no normal, and the results are not finite. The rest is as in
// FaceVertex.
func VertexVertex(f *FacetColumns, lo, hi int) {
	vertexVertex(f, lo, hi)
}

// VertexEdge computes the results of pairs that are apart and whose nearest features are a vertex
// of A, point P[i], and an edge of B, from point Q[i] to Q1[i]. For each pair, with the points of B
// in the frame of A, and perpendicular as in EdgeVertex:
//
//	d, _ := perpendicular(q-a, q1-q)
//
// The rest is as in VertexVertex. VertexEdge also reads Q1.
func VertexEdge(f *FacetColumns, lo, hi int) {
	vertexEdge(f, lo, hi)
}

// EdgeVertex computes the results of pairs that are apart and whose nearest features are an edge of
// A, from point P[i] to P1[i], and a vertex of B, point Q[i]. For each pair:
//
//	d, at := perpendicular(p-b, p1-p)
//	Gap, Normal = |d|+0, rotA(-(d/|d|))
//	w := p + at·(p1-p), with at clamped to the range from 0 to 1
//	ArmA, ArmB = rotA(w), rotA(w + Gap·normal - t)
//
// perpendicular(w, e) returns the part of w at right angles to e. A second step removes the
// component along e that rounding leaves:
//
//	t := -(w·e)/(e·e)
//	w += t·e
//	return w + (-(w·e)/(e·e))·e, t
//
// The rest is as in VertexVertex. EdgeVertex also reads P1.
func EdgeVertex(f *FacetColumns, lo, hi int) {
	edgeVertex(f, lo, hi)
}
